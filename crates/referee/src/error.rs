//! Errors of the referee.

use std::error::Error;

use duoforge_links::LinkError;
use duoforge_protocol::{MoveCode, PromptOrderError};

/// Failure that is not a player's loss: a failure of this program, or a game that was aborted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RefereeError {
    /// A component of this process at the far end of a link failed, such as a simulator.
    #[error("{name}: {source}")]
    Inside {
        /// Name of the link.
        name: String,
        /// Error of the component.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The link for measuring the host latency cannot be opened.
    #[error(transparent)]
    Link(LinkError),
    /// The fast rules and the reference checker disagree about a move.
    #[error(
        "the two rules checkers disagree about '{}' after [{moves}]: fast {fast}, slow {slow}",
        .code.escape_ascii()
    )]
    CheckersDisagree {
        /// Code of the move.
        code: MoveCode,
        /// Moves before it, separated by blanks.
        moves: String,
        /// Result of the fast rules.
        fast: String,
        /// Result of the reference checker.
        slow: String,
    },
    /// A variant has another number of seats than there are players.
    #[error("{players} players for {variant}: expected {seats}")]
    PlayerCount {
        /// Name of the variant.
        variant: String,
        /// Number of seats.
        seats: usize,
        /// Number of players.
        players: usize,
    },
    /// A player cannot play the variant.
    #[error("{name} cannot play {variant}: {reason}")]
    Unsuitable {
        /// Name of the player.
        name: String,
        /// Name of the variant.
        variant: String,
        /// Reason that the player gives.
        reason: String,
    },
    /// The host stalled in every attempt at a game.
    #[error("the game was annulled {times} times because the host stalled")]
    Stalled {
        /// Number of annulled attempts.
        times: u32,
    },
    /// An observer aborted the game.
    #[error("the game was broken off")]
    BrokenOff,
    /// The referee sent a prompt out of order.
    #[error("the referee is out of order: {0}")]
    Order(#[from] PromptOrderError),
}
