//! Observer of a tournament: its events, its progress, and the request to stop it.

use std::time::Duration;

use crate::{Fixture, Played};

/// Observer of a tournament that can stop it. Workers call it from their threads.
pub trait Control: Sync {
    /// True to start no further games.
    fn stops(&self) -> bool {
        false
    }

    /// Reports an event to the user.
    fn notice(&self, notice: &Notice) {
        let _ = notice;
    }

    /// Reports the end of a game.
    fn ended(&self, fixture: &Fixture, played: &Played, progress: Progress) {
        let _ = (fixture, played, progress);
    }
}

/// Observer that ignores all events.
impl Control for () {}

/// Progress of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Number of finished games that count.
    pub done: u64,
    /// Maximum number of games; once a sequential test is decided, the number of games that count.
    pub total: u64,
}

/// Event of interest to the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Notice {
    /// An interrupted game continues: its moves are played again.
    #[error("game {game} ({}) continues: {moves} moves are replayed", .players.join(" - "))]
    GoesOn {
        /// Number of the game.
        game: u32,
        /// Names of the players.
        players: [String; 2],
        /// Number of its moves.
        moves: usize,
    },
    /// A game that was interrupted or annulled restarts.
    #[error("game {game} ({}) restarts: {reason}", .players.join(" - "))]
    Restarted {
        /// Number of the game.
        game: u32,
        /// Names of the players.
        players: [String; 2],
        /// Reason of the restart.
        reason: String,
    },
    /// The tournament waits for a player to connect.
    #[error("waiting for {player} at {place}")]
    Waits {
        /// Name of the player.
        player: String,
        /// Path or address.
        place: String,
    },
    /// A device is being made, such as a simulation.
    #[error("{player}: building {board}")]
    Builds {
        /// Name of the player.
        player: String,
        /// Name of the device.
        board: String,
    },
    /// A device resets after its last game; the tournament waits for it.
    #[error("waiting {:.1} s for the reset of {player}", .time.as_secs_f64())]
    Resets {
        /// Name of the player.
        player: String,
        /// Remaining time of the reset.
        time: Duration,
    },
    /// A player has failed the input test before its first game.
    #[error("{player} is excluded: it failed the input test: {fault}")]
    Excluded {
        /// Name of the player.
        player: String,
        /// Fault of the player.
        fault: String,
    },
    /// A player cannot be reached; the tournament waits for it.
    #[error("cannot reach {player}: {reason}; waiting for it")]
    Gone {
        /// Name of the player.
        player: String,
        /// Cause of the failure.
        reason: String,
    },
}
