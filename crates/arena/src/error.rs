//! Errors of the referee.

use duoforge_gtp::ClientError;
use duoforge_links::{LinkError, LinkSpecError};
use duoforge_protocol::{MoveCode, OrderError};
use duoforge_sim::{SimError, UnknownBackend};

use crate::Seat;

/// Failure that is not a player's loss: a player that cannot be opened, or a failure of this
/// program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// The text is not the name of a player.
    #[error("'{0}' names no player")]
    UnknownPlayer(String),
    /// The text has the prefix of a link, but is invalid.
    #[error(transparent)]
    BadLink(#[from] LinkSpecError),
    /// The text names a simulation with an unknown simulator.
    #[error(transparent)]
    BadBackend(#[from] UnknownBackend),
    /// The seed of a random player is not a number.
    #[error("'{0}' is no seed: it has to be a number from 0 to 2^64 - 1")]
    BadSeed(String),
    /// The settings of a search are invalid.
    #[error("bad search: {0}")]
    BadSettings(#[from] duoforge_engine::search::SettingsError),
    /// The settings of a hardware search are invalid, or not supported in hardware.
    #[error("bad search: {0}")]
    BadSearch(#[from] duoforge_hdl::search::settings::SearchingError),
    /// The command line of an engine cannot be split into words.
    #[error("'{0}' is no command line: it is empty, or a quotation mark is not closed")]
    BadCommand(String),
    /// The player needs the referee's protocol, or is a person, and cannot be queried for moves
    /// directly.
    #[error("'{0}' cannot be asked for moves without a line to it")]
    NoMover(String),
    /// An engine in another process cannot be started, or does not speak the protocol.
    #[error(transparent)]
    Engine(#[from] ClientError),
    /// The link to a player cannot be opened.
    #[error("{seat} cannot be reached: {source}")]
    Open {
        /// Seat of the player.
        seat: Seat,
        /// Error of the link.
        source: LinkError,
    },
    /// A simulation cannot be built, or its simulator failed.
    #[error("the simulated board: {0}")]
    Simulation(#[from] SimError),
    /// The link over which a device is served broke.
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
    /// An observer aborted the game.
    #[error("the game was broken off")]
    BrokenOff,
    /// The referee sent a prompt out of order.
    #[error("the referee is out of order: {0}")]
    Order(#[from] OrderError),
}
