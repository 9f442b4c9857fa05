//! Errors of plans and tournaments.

use duoforge_journal::{JournalError, Kind};
use duoforge_players::PlayerError;
use duoforge_referee::RefereeError;

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
    /// The `spec` of a player is invalid.
    #[error("player '{name}': invalid spec '{spec}': {}", spec_fault(.source))]
    Spec {
        /// Name of the player.
        name: String,
        /// Value of `spec` in the plan.
        spec: String,
        /// Fault of the value.
        source: Box<PlayerError>,
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

/// Fault of a `spec`, without the value that the message has named already.
fn spec_fault(error: &PlayerError) -> String {
    match error {
        PlayerError::Unknown(_) => "unknown kind of player".to_owned(),
        PlayerError::Made { source, .. } => source.to_string(),
        other => other.to_string(),
    }
}

/// Error that stopped a tournament before its end. The journal holds all moves up to it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The plan in the journal is invalid.
    #[error("invalid plan in the journal: {0}")]
    Plan(#[from] PlanError),
    /// The journal records a kind of event that this program does not know.
    #[error("unknown kind of event '{0}' in the journal: expected tournament or match")]
    Kind(Kind),
    /// The journal does not match its plan: it contains a game that is not on the schedule.
    #[error("game {0} of the journal does not match the plan's schedule")]
    Schedule(u32),
    /// A player cannot be opened.
    #[error("player '{name}': {source}")]
    Player {
        /// Name of the player.
        name: String,
        /// Cause of the failure.
        source: Box<PlayerError>,
    },
    /// Too few players passed the input test.
    #[error(
        "too few players: {left} of the players passed the input test, expected {needed} or more, \
         and in a gauntlet the first one (excluded: {excluded})"
    )]
    TooFew {
        /// Number of players that passed.
        left: usize,
        /// Number of players that the event needs.
        needed: usize,
        /// Names of the excluded players.
        excluded: String,
    },
    /// The referee failed.
    #[error("game {game}: {source}")]
    Referee {
        /// Number of the game.
        game: u32,
        /// Cause of the failure.
        source: Box<RefereeError>,
    },
    /// The host stalled repeatedly.
    #[error("game {game} was annulled {times} times because the host stalled")]
    Host {
        /// Number of the game.
        game: u32,
        /// Number of annulled attempts.
        times: u32,
    },
    /// The evidence of a game cannot be written.
    #[error("evidence of game {game} cannot be written: {source}")]
    Evidence {
        /// Number of the game.
        game: u32,
        /// Error of the operating system.
        source: std::io::Error,
    },
}
