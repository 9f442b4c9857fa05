//! Selection of the hardware player that is built: its chooser.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::search::settings::{SearchConfig, SearchingError};

/// Chooser of the hardware player: the datapath that picks its placements.
///
/// | text | meaning |
/// |---|---|
/// | `pattern` | pattern player: the placement with the best policy score |
/// | `search`, `search:KEY=VALUE,...` | search player with these [`SearchConfig`] settings |
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PlayerConfig {
    /// Pattern player.
    #[default]
    Pattern,
    /// Search player.
    Search(Box<SearchConfig>),
}

impl PlayerConfig {
    /// True if the player keeps its tree in an SDRAM.
    pub fn has_sdram(&self) -> bool {
        matches!(self, Self::Search(searching) if searching.lines.is_some())
    }
}

/// Error of parsing a [`PlayerConfig`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChooserError {
    /// The text names no known player.
    #[error(
        "`{0}` is not a player that can be built: expected pattern, search or search:KEY=VALUE,..."
    )]
    Unknown(String),
    /// The settings are not supported in hardware.
    #[error(transparent)]
    Search(#[from] SearchingError),
}

impl FromStr for PlayerConfig {
    type Err = ChooserError;

    fn from_str(text: &str) -> Result<Self, ChooserError> {
        match text.split_once(':').unwrap_or((text, "")) {
            ("pattern", "") => Ok(Self::Pattern),
            ("search", settings) => Ok(Self::Search(Box::new(settings.parse()?))),
            _ => Err(ChooserError::Unknown(text.into())),
        }
    }
}

impl fmt::Display for PlayerConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pattern => f.write_str("pattern"),
            Self::Search(searching) => match searching.to_string().as_str() {
                "" => f.write_str("search"),
                settings => write!(f, "search:{settings}"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chooser_is_read_and_printed() {
        for text in ["pattern", "search", "search:lanes=1,nodes=255"] {
            let chooser: PlayerConfig = text.parse().expect("a chooser");
            assert_eq!(chooser.to_string(), text);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "patterns", "pattern:x=1", "twin"] {
            let error = text.parse::<PlayerConfig>().expect_err("no chooser");
            assert_eq!(error, ChooserError::Unknown(text.into()));
        }
        let error = "search:lanes=5"
            .parse::<PlayerConfig>()
            .expect_err("no chooser");
        assert!(
            error
                .to_string()
                .starts_with("lanes=5 is not supported in hardware: "),
            "{error}"
        );
    }
}
