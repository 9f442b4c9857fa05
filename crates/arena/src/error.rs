//! What keeps the referee from doing its work.

use duoforge_gtp::ClientError;
use duoforge_protocol::link::{LinkError, LinkSpecError};
use duoforge_protocol::{MoveCode, OrderError};
use duoforge_sim::{SimError, UnknownBackend};

use crate::Seat;

/// An error that is nobody's lost game: a player that cannot be reached in the first place, or
/// a mistake of this program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// The text names no player.
    #[error("'{0}' names no player")]
    UnknownPlayer(String),
    /// The text names a link, but a broken one.
    #[error(transparent)]
    BadLink(#[from] LinkSpecError),
    /// The text names a simulated board in an unknown simulator.
    #[error(transparent)]
    BadBackend(#[from] UnknownBackend),
    /// The seed of a random player is no number.
    #[error("'{0}' is no seed: it has to be a number from 0 to 2^64 - 1")]
    BadSeed(String),
    /// The settings of a search cannot be read.
    #[error("bad search: {0}")]
    BadSettings(#[from] duoforge_engine::search::SettingsError),
    /// A search in hardware cannot be read, or cannot be built.
    #[error("bad search: {0}")]
    BadSearch(#[from] duoforge_hdl::search::settings::SearchingError),
    /// The command line of an engine cannot be split into words.
    #[error("'{0}' is no command line: it is empty, or a quotation mark is not closed")]
    BadCommand(String),
    /// The player sits behind a link or is a person: it has no moves to be asked for directly.
    #[error("'{0}' cannot be asked for moves without a line to it")]
    NoMover(String),
    /// An engine in another process cannot be started, or does not speak the protocol.
    #[error(transparent)]
    Engine(#[from] ClientError),
    /// The link to a player cannot be opened.
    #[error("{seat} cannot be reached: {source}")]
    Open {
        /// The player.
        seat: Seat,
        /// The reason.
        source: LinkError,
    },
    /// A board in simulation cannot be built, or its simulator failed.
    #[error("the simulated board: {0}")]
    Simulation(#[from] SimError),
    /// The link over which a board is served broke.
    #[error(transparent)]
    Link(LinkError),
    /// The fast rules and the slow checker judge a move differently.
    #[error(
        "the two rules checkers disagree about '{}' after [{moves}]: fast {fast}, slow {slow}",
        .code.escape_ascii()
    )]
    CheckersDisagree {
        /// The move.
        code: MoveCode,
        /// The moves before it, separated by blanks.
        moves: String,
        /// What the fast rules say.
        fast: String,
        /// What the slow checker says.
        slow: String,
    },
    /// Somebody who watches the game broke it off.
    #[error("the game was broken off")]
    BrokenOff,
    /// The referee sent a prompt out of order.
    #[error("the referee is out of order: {0}")]
    Order(#[from] OrderError),
}
