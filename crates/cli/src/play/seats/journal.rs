//! Journal of a match of a variant.

use std::path::Path;
use std::time::Duration;

use duoforge_journal::{
    Annulled, Finished, History, Journal, Record, SeatEnded, VariantBegun, VariantEnded,
    VariantMoved, now_ms,
};
use duoforge_referee::variant::{VariantGame, VariantPly};
use duoforge_rules::GameVariant;

use crate::failure::Result;
use crate::play::match_journal::open_match;

/// Journal to which a match of a variant writes.
pub struct SeatJournal {
    journal: Journal,
    variant: GameVariant,
    /// Number of the game in progress, or of the last one.
    game: u32,
    attempt: u32,
    plies: u32,
    /// Number of annulled attempts at the next game.
    annulled: u32,
}

impl SeatJournal {
    /// Opens the journal of a match: a new one, or that of the same match if it was interrupted. An
    /// interrupted game is annulled and replayed. Returns the journal and its history.
    pub fn open(
        path: &Path,
        words: &[String],
        variant: &GameVariant,
        names: &[String],
    ) -> Result<(Self, History)> {
        let (journal, history) = open_match(path, names.join(" - "), words)?;
        let mut kept = Self {
            journal,
            variant: variant.clone(),
            game: history.variant_games.ended().count() as u32,
            attempt: 1,
            plies: 0,
            annulled: 0,
        };
        kept.annul(&history)?;
        eprintln!(
            "to continue after an interruption: duoforge resume '{}'",
            path.display()
        );
        Ok((kept, history))
    }

    /// Annuls the interrupted game.
    fn annul(&mut self, history: &History) -> Result<()> {
        for game in history.variant_games.running() {
            let VariantBegun { game, attempt, .. } = game.begun;
            let reason = "the process stopped";
            eprintln!("game {game} restarts: {reason}");
            self.journal.append(&Record::Annulled(Annulled {
                game,
                attempt,
                reason: reason.to_owned(),
            }))?;
        }
        let next = history.variant_games.get(self.game + 1);
        self.annulled = next.map_or(0, |game| game.begun.attempt);
        Ok(())
    }

    /// Records the beginning of a game. `players` are the names in the order of seats.
    pub fn begin(&mut self, players: Vec<String>) -> Result<()> {
        self.game += 1;
        self.attempt = 1 + std::mem::take(&mut self.annulled);
        self.plies = 0;
        let is_built_in = GameVariant::named(self.variant.name()).is_some();
        let definition = || {
            let definition = self.variant.definition();
            toml::to_string(&definition).expect("a definition is a table")
        };
        let record = Record::VariantBegun(VariantBegun {
            game: self.game,
            attempt: self.attempt,
            variant: self.variant.name().to_owned(),
            definition: (!is_built_in).then(definition),
            players,
            at_ms: now_ms(),
        });
        Ok(self.journal.append(&record)?)
    }

    /// Records an accepted move.
    pub fn add(&mut self, ply: &VariantPly) -> Result<()> {
        self.plies += 1;
        let record = Record::VariantMoved(VariantMoved {
            game: self.game,
            attempt: self.attempt,
            ply: self.plies,
            seat: ply.played.seat.0,
            colour: ply.played.colour.0,
            code: ply.played.mv.to_string(),
            legal: ply.legal,
            us: micros(ply.time),
            host_us: micros(ply.host),
            forfeit: ply.forfeit,
            remark: ply.remark.clone(),
            log: ply.log.clone(),
        });
        Ok(self.journal.append(&record)?)
    }

    /// Records the end of a game.
    pub fn end(&mut self, game: &VariantGame) -> Result<()> {
        let seats = game.seats.iter().map(|seat| SeatEnded {
            score: seat.score,
            place: seat.place,
            cells: seat.cells,
            fault: seat
                .fault
                .as_ref()
                .map(|fault| fault.kind.word().to_owned()),
            log: seat.fault.as_ref().and_then(|fault| fault.log.clone()),
        });
        let record = Record::VariantEnded(VariantEnded {
            game: self.game,
            attempt: self.attempt,
            ending: game.word().to_owned(),
            detail: game.to_string(),
            seats: seats.collect(),
            plies: self.plies,
            at_ms: now_ms(),
        });
        Ok(self.journal.append(&record)?)
    }

    /// Records the end of the match.
    pub fn finish(&self) -> Result<()> {
        let finished = Finished {
            games: self.game,
            at_ms: now_ms(),
        };
        Ok(self.journal.append(&Record::Finished(finished))?)
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
