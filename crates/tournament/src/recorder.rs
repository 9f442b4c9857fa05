//! Observer that writes one game to the journal.

use std::time::Duration;

use duoforge_journal::{Ended, GameResult, Journal, JournalError, Moved, Record, now_ms};
use duoforge_referee::{Game, Observer, Outcome, Ply, Seat};
use duoforge_rules::DuoBoard;

/// Writes the moves of an attempt to the journal, and compares those that it already holds.
pub(crate) struct Recorder<'a> {
    journal: &'a Journal,
    game: u32,
    attempt: u32,
    /// Moves that the journal already holds of this attempt.
    known: &'a [Moved],
    plies: usize,
    /// Number of the first move that differs from the journal, from 1.
    differs: Option<usize>,
    failure: Option<JournalError>,
}

impl<'a> Recorder<'a> {
    pub(crate) const fn new(
        journal: &'a Journal,
        game: u32,
        attempt: u32,
        known: &'a [Moved],
    ) -> Self {
        Self {
            journal,
            game,
            attempt,
            known,
            plies: 0,
            differs: None,
            failure: None,
        }
    }

    /// Number of the first move that was not repeated as in the journal; missing moves count too.
    pub(crate) fn differs(&self) -> Option<usize> {
        let missing = (self.plies < self.known.len()).then_some(self.plies + 1);
        self.differs.or(missing)
    }

    /// Error of a failed write to the journal.
    pub(crate) fn failure(self) -> Option<JournalError> {
        self.failure
    }
}

impl Observer for Recorder<'_> {
    fn moved(&mut self, ply: &Ply, _: &DuoBoard) {
        self.plies += 1;
        let code = ply.code.escape_ascii().to_string();
        if let Some(known) = self.known.get(self.plies - 1) {
            if known.code != code {
                self.differs = Some(self.plies);
            }
            return;
        }
        let record = Record::Moved(moved(self.game, self.attempt, self.plies, ply));
        self.failure = self.journal.append(&record).err();
    }

    fn breaks_off(&mut self) -> bool {
        self.failure.is_some() || self.differs.is_some()
    }
}

/// Creates the record of a move; `number` counts from 1.
///
/// # Panics
/// If `number` does not fit into 32 bits.
#[must_use]
pub fn moved(game: u32, attempt: u32, number: usize, ply: &Ply) -> Moved {
    Moved {
        game,
        attempt,
        ply: u32::try_from(number).expect("games are short"),
        player: ply.seat.number(),
        code: ply.code.escape_ascii().to_string(),
        legal: ply.legal,
        us: micros(ply.time.wall),
        sim_us: ply.time.simulated.map(micros),
        host_us: Some(micros(ply.time.host)),
        forfeit: ply.forfeit,
    }
}

/// Creates the record of a finished game.
///
/// # Panics
/// If the number of moves does not fit into 32 bits.
#[must_use]
pub fn ended(
    game: &Game,
    number: u32,
    attempt: u32,
    result: GameResult,
    evidence: Option<String>,
) -> Ended {
    Ended {
        game: number,
        attempt,
        result,
        ending: game.ending.word().to_owned(),
        detail: game.ending.to_string(),
        score: game.score.0,
        cells_placed: game.cells_placed.0,
        teams: game.teams.0.map(|team| team.map(|team| team.to_string())),
        plies: u32::try_from(game.plies.len()).expect("games are short"),
        evidence,
        at_ms: now_ms(),
    }
}

/// Result as written to the journal.
#[must_use]
pub const fn result(outcome: Outcome) -> GameResult {
    match outcome {
        Outcome::Win(Seat::One) => GameResult::One,
        Outcome::Win(Seat::Two) => GameResult::Two,
        Outcome::Draw => GameResult::Draw,
        Outcome::Open => GameResult::Open,
    }
}

/// Time in microseconds.
pub(crate) fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
