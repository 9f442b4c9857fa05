//! What keeps a tournament from being played.

use duoforge_arena::ArenaError;
use duoforge_journal::JournalError;

/// A text that describes no tournament.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// It is no TOML, or has a key that means nothing, or lacks one.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// A value that cannot be.
    #[error("{key}: {reason}")]
    Value {
        /// Its key.
        key: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A player that cannot be.
    #[error("player '{name}': {reason}")]
    Player {
        /// Its name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// Why a tournament stopped before its end. Everything up to then is in its journal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal's plan cannot be read.
    #[error("the journal's plan: {0}")]
    Plan(#[from] PlanError),
    /// The journal is not of a tournament.
    #[error("the journal is one of a {0}, not of a tournament")]
    Kind(String),
    /// The journal does not belong to its plan: a game in it is not on the schedule.
    #[error("game {0} of the journal is not what the plan says")]
    Schedule(u32),
    /// A player cannot be reached.
    #[error("'{name}': {source}")]
    Player {
        /// Its name.
        name: String,
        /// Why.
        source: Box<ArenaError>,
    },
    /// The referee failed.
    #[error("game {game}: {source}")]
    Referee {
        /// Number of the game.
        game: u32,
        /// How.
        source: Box<ArenaError>,
    },
    /// The host stood still again and again.
    #[error("game {game} was annulled {times} times, since the host stood still")]
    Host {
        /// Number of the game.
        game: u32,
        /// How often.
        times: u32,
    },
    /// The evidence of a game cannot be written.
    #[error("the evidence of game {game} cannot be written: {source}")]
    Evidence {
        /// Number of the game.
        game: u32,
        /// Why.
        source: std::io::Error,
    },
}
