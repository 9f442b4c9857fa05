//! Errors of plans and tournaments.

use duoforge_arena::ArenaError;
use duoforge_journal::{JournalError, Kind};

/// Error of a text that is not a valid plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The text is not TOML, has an unknown key, or lacks a key.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// A value is invalid.
    #[error("{key}: {reason}")]
    Value {
        /// Key of the value.
        key: String,
        /// Fault of the value.
        reason: String,
    },
    /// A player is invalid.
    #[error("player '{name}': {reason}")]
    Player {
        /// Name of the player.
        name: String,
        /// Fault of the player.
        reason: String,
    },
}

/// Error that stopped a tournament before its end. The journal holds all moves up to it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The plan in the journal is invalid.
    #[error("the journal's plan: {0}")]
    Plan(#[from] PlanError),
    /// The journal records another kind of event.
    #[error("the journal is one of a {0}, not of a tournament")]
    Kind(Kind),
    /// The journal does not match its plan: it contains a game that is not on the schedule.
    #[error("game {0} of the journal is not what the plan says")]
    Schedule(u32),
    /// A player cannot be opened.
    #[error("'{name}': {source}")]
    Player {
        /// Name of the player.
        name: String,
        /// Cause of the failure.
        source: Box<ArenaError>,
    },
    /// The referee failed.
    #[error("game {game}: {source}")]
    Referee {
        /// Number of the game.
        game: u32,
        /// Cause of the failure.
        source: Box<ArenaError>,
    },
    /// The host stalled repeatedly.
    #[error("game {game} was annulled {times} times, since the host stood still")]
    Host {
        /// Number of the game.
        game: u32,
        /// Number of annulled attempts.
        times: u32,
    },
    /// The evidence of a game cannot be written.
    #[error("the evidence of game {game} cannot be written: {source}")]
    Evidence {
        /// Number of the game.
        game: u32,
        /// Error of the operating system.
        source: std::io::Error,
    },
}
