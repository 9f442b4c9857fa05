//! Names of simulated devices on a command line.

use std::fmt;
use std::str::FromStr;

use duoforge_hdl::chooser::Chooser;
use duoforge_hdl::parameters::Parameters;
use duoforge_hdl::search::settings::SearchingError;
use duoforge_protocol::BAUD_RATE;

use super::SimBoard;
use crate::error::Result;
use crate::{Backend, Options, UnknownBackend};

/// Simulated device that can be powered up.
///
/// | text | meaning |
/// |---|---|
/// | `sim`, `sim:verilator`, `sim:icarus`, `sim:rust` | the pattern player |
/// | `sim:search`, `sim:search:KEY=VALUE,...` | the search player |
/// | `sim:icarus:search`, ... | the search player in a given simulator |
///
/// The keys are those of [`Searching`](duoforge_hdl::search::settings::Searching). The default
/// simulator is Verilator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSpec {
    /// Simulator.
    pub backend: Backend,
    /// Chooser of the hardware player.
    pub chooser: Chooser,
}

/// Error of parsing a [`BoardSpec`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardSpecError {
    /// The text is not the name of a simulated device.
    #[error("'{0}' names no player")]
    Unknown(String),
    /// The simulator is unknown.
    #[error(transparent)]
    Backend(#[from] UnknownBackend),
    /// The settings of the search are invalid, or not supported in hardware.
    #[error("bad search: {0}")]
    Search(#[from] SearchingError),
}

impl BoardSpec {
    /// Powers up the device with the parameters of [`board_parameters`]. A search with a time limit
    /// makes few simulations at their low clock frequency.
    ///
    /// # Errors
    /// Errors of building and starting the model.
    pub fn power_up(&self) -> Result<SimBoard> {
        let (parameters, options) = (board_parameters(), Options::default());
        SimBoard::open_chooser(self.backend, &parameters, &self.chooser, &options)
    }

    /// True if the device is deterministic: it repeats a game for the same moves.
    pub const fn repeats(&self) -> bool {
        matches!(self.chooser, Chooser::Pattern)
    }
}

impl FromStr for BoardSpec {
    type Err = BoardSpecError;

    fn from_str(text: &str) -> Result<Self, BoardSpecError> {
        let unknown = || BoardSpecError::Unknown(text.to_owned());
        let (word, rest) = text.split_once(':').unwrap_or((text, ""));
        if word != "sim" {
            return Err(unknown());
        }
        if text == word {
            return Ok(Self {
                backend: Backend::Verilator,
                chooser: Chooser::Pattern,
            });
        }
        let (first, rest) = rest.split_once(':').unwrap_or((rest, ""));
        if first == "search" {
            return Ok(Self {
                backend: Backend::Verilator,
                chooser: Chooser::Search(Box::new(rest.parse()?)),
            });
        }
        let backend = first.parse()?;
        let chooser = match rest.split_once(':').unwrap_or((rest, "")) {
            ("", "") => Chooser::Pattern,
            ("search", settings) => Chooser::Search(Box::new(settings.parse()?)),
            _ => return Err(unknown()),
        };
        Ok(Self { backend, chooser })
    }
}

impl fmt::Display for BoardSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sim:{}", self.backend)?;
        match &self.chooser {
            Chooser::Pattern => Ok(()),
            chooser @ Chooser::Search(_) => write!(f, ":{chooser}"),
        }
    }
}

/// Parameters of the device that is simulated in matches: the contest's serial line at 115200 baud,
/// with a clock of 16 times that rate. The clock is slow because simulation time grows with every
/// cycle. The thinking time in cycles is the same at any frequency; even at this one a reply takes
/// far less than a second.
#[must_use]
pub fn board_parameters() -> Parameters {
    Parameters::contest(16 * BAUD_RATE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_simulated_device_is_parsed_and_printed() {
        let texts = [
            "sim:verilator",
            "sim:icarus",
            "sim:rust",
            "sim:verilator:search",
            "sim:icarus:search:lanes=1,sims=20",
        ];
        for text in texts {
            let spec: BoardSpec = text.parse().expect("a simulated device");
            assert_eq!(spec.to_string(), text);
            assert_eq!(spec.repeats(), !text.contains("search"), "{text}");
        }
        let printed = |text: &str| text.parse::<BoardSpec>().map(|spec| spec.to_string());
        assert_eq!(printed("sim"), Ok("sim:verilator".to_owned()));
        assert_eq!(
            printed("sim:search:lanes=2"),
            Ok("sim:verilator:search:lanes=2".to_owned())
        );
    }

    #[test]
    fn broken_names_have_typed_errors() {
        let error = |text: &str| text.parse::<BoardSpec>().expect_err("no simulated device");
        for text in ["", "twin", "simulator", "sim:rust:x"] {
            assert_eq!(error(text), BoardSpecError::Unknown(text.to_owned()));
        }
        assert!(matches!(error("sim:vcs"), BoardSpecError::Backend(_)));
        assert!(matches!(
            error("sim:search:lanes=9"),
            BoardSpecError::Search(_)
        ));
    }
}
