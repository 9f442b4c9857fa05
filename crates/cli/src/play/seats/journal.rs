//! Journal of a match of a variant.

use std::path::Path;

use duoforge_journal::{Annulled, Finished, History, Journal, Record, VariantBegun, now_ms};
use duoforge_referee::variant::{VariantGame, VariantPly};
use duoforge_rules::GameVariant;
use duoforge_tournament::{variant_begun, variant_ended, variant_moved};

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
        note!(
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
            note!("game {game} restarts: {reason}");
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

    /// Records the beginning of a game. `players` are the names and versions in the order of seats.
    pub fn begin(&mut self, players: Vec<(String, Option<String>)>) -> Result<()> {
        self.game += 1;
        self.attempt = 1 + std::mem::take(&mut self.annulled);
        self.plies = 0;
        let begun = variant_begun(self.game, self.attempt, &self.variant, players);
        let record = Record::VariantBegun(begun);
        Ok(self.journal.append(&record)?)
    }

    /// Records an accepted move.
    pub fn add(&mut self, ply: &VariantPly) -> Result<()> {
        self.plies += 1;
        let moved = variant_moved(self.game, self.attempt, self.plies, ply);
        let record = Record::VariantMoved(moved);
        Ok(self.journal.append(&record)?)
    }

    /// Records the end of a game.
    pub fn end(&mut self, game: &VariantGame) -> Result<()> {
        let ended = variant_ended(game, self.game, self.attempt);
        let record = Record::VariantEnded(ended);
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
