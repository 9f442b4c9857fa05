//! Errors of reading and opening players.

use std::error::Error;

#[cfg(unix)]
use duoforge_bots::BotError;
use duoforge_bots::BotSpecError;
use duoforge_gtp::ClientError;
use duoforge_links::{LinkError, LinkSpecError};
use duoforge_referee::Seat;
use duoforge_twin::search::SettingsError;

/// Error of a text that is not the name of a player, or of a player that cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// The text is not the name of a player.
    #[error("'{0}' names no player")]
    Unknown(String),
    /// The player has a new name.
    #[error("the player `{former}` is now called `{name}`")]
    Renamed {
        /// Former name of the player.
        former: &'static str,
        /// Name of the player.
        name: &'static str,
    },
    /// The text has the prefix of a link, but is invalid.
    #[error(transparent)]
    BadLink(#[from] LinkSpecError),
    /// The seed of a random player is not a number.
    #[error("'{0}' is not a seed: expected an integer from 0 to 2^64 - 1")]
    BadSeed(String),
    /// The settings of a search are invalid.
    #[error("bad search: {0}")]
    BadSettings(#[from] SettingsError),
    /// The command line of an engine cannot be split into words.
    #[error("'{0}' is not a command line: it is empty, or a quotation mark is not closed")]
    BadCommand(String),
    /// The player needs the referee's protocol, or is a person, and cannot be queried for moves
    /// directly.
    #[error("'{0}' cannot be asked for moves without a line to it")]
    NoMover(String),
    /// The player does not play the variant.
    #[error("{player} does not play {variant}")]
    OtherVariant {
        /// Name of the player.
        player: String,
        /// Name of the variant.
        variant: String,
    },
    /// An engine in another process cannot be started, or does not speak the protocol.
    #[error(transparent)]
    Engine(#[from] ClientError),
    /// The settings or the command line of a bot are invalid.
    #[error(transparent)]
    BadBot(#[from] BotSpecError),
    /// A bot cannot be started.
    #[cfg(unix)]
    #[error(transparent)]
    Bot(#[from] Box<BotError>),
    /// The link to a player cannot be opened.
    #[error("{seat} cannot be reached: {source}")]
    Open {
        /// Seat of the player.
        seat: Seat,
        /// Error of the link.
        source: LinkError,
    },
    /// A device of the calling program has an invalid name, or cannot be made.
    #[error("{name}: {source}")]
    Made {
        /// Name of the player.
        name: String,
        /// Error of the maker.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl PlayerError {
    /// True if the player was not started or reached at all. False for a program that started and
    /// does not speak its protocol.
    #[must_use]
    pub const fn is_absent(&self) -> bool {
        match self {
            Self::Engine(error) => {
                matches!(error, ClientError::Start { .. } | ClientError::NoCommand)
            }
            _ => true,
        }
    }
}
