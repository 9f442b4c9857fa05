//! Names of simulated devices on a command line.

use std::fmt;
use std::str::FromStr;

use duoforge_hdl::chooser::{ChooserError, PlayerConfig};
use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::search::settings::SearchingError;
use duoforge_protocol::BAUD_RATE;

use super::SimDevice;
use crate::error::Result;
use crate::verilog_player::{VerilogPlayer, VerilogPlayerError};
use crate::{Backend, Options, UnknownBackend};

/// Simulated device that can be powered up.
///
/// | text | meaning |
/// |---|---|
/// | `sim`, `sim:verilator`, `sim:icarus`, `sim:rust` | the pattern player |
/// | `sim:search`, `sim:search:KEY=VALUE,...` | the search player |
/// | `sim:icarus:search`, ... | the search player in a given simulator |
/// | `sim:verilog=DIR,top=NAME` | a contestant's player: see [`VerilogPlayer`] |
/// | `sim:icarus:verilog=DIR,top=NAME` | the same in a given simulator |
///
/// The keys are those of [`SearchConfig`](duoforge_hdl::search::settings::SearchConfig). The
/// default simulator is Verilator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceSpec {
    /// Simulator.
    pub backend: Backend,
    /// Hardware player.
    pub player: DevicePlayer,
}

/// Hardware player of a simulated device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DevicePlayer {
    /// Player that duoforge emits.
    Emitted(PlayerConfig),
    /// Player that a contestant wrote.
    Verilog(VerilogPlayer),
}

/// Error of parsing a [`DevicePlayer`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DevicePlayerError {
    /// The text names no player that duoforge emits.
    #[error(transparent)]
    Emitted(#[from] ChooserError),
    /// The description of a contestant's player is invalid.
    #[error(transparent)]
    Verilog(#[from] VerilogPlayerError),
}

impl Default for DevicePlayer {
    /// Returns the pattern player.
    fn default() -> Self {
        Self::Emitted(PlayerConfig::Pattern)
    }
}

impl DevicePlayer {
    /// Returns the parameters of the device that is simulated in matches: [`board_parameters`], with
    /// the clock of [`SDRAM_CLOCK_HZ`] for a player with an SDRAM.
    pub fn parameters(&self) -> PlayerParameters {
        match self {
            Self::Emitted(chooser) if chooser.has_sdram() => {
                PlayerParameters::contest(SDRAM_CLOCK_HZ)
            }
            _ => board_parameters(),
        }
    }
}

impl FromStr for DevicePlayer {
    type Err = DevicePlayerError;

    fn from_str(text: &str) -> Result<Self, DevicePlayerError> {
        match text.starts_with(VerilogPlayer::PREFIX) {
            true => Ok(Self::Verilog(text.parse()?)),
            false => Ok(Self::Emitted(text.parse()?)),
        }
    }
}

impl fmt::Display for DevicePlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Emitted(chooser) => chooser.fmt(f),
            Self::Verilog(player) => player.fmt(f),
        }
    }
}

/// Error of parsing a [`DeviceSpec`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceSpecError {
    /// The text is not the name of a simulated device.
    #[error("'{0}' names no player")]
    Unknown(String),
    /// The simulator is unknown.
    #[error(transparent)]
    Backend(#[from] UnknownBackend),
    /// The settings of the search are invalid, or not supported in hardware.
    #[error("bad search: {0}")]
    Search(#[from] SearchingError),
    /// The description of a contestant's player is invalid.
    #[error("bad Verilog player: {0}")]
    Verilog(#[from] VerilogPlayerError),
}

impl DeviceSpec {
    /// Powers up the device with the parameters of [`DevicePlayer::parameters`]. A search with a time limit
    /// makes few simulations at their low clock frequency.
    ///
    /// # Errors
    /// Errors of building and starting the model.
    pub fn power_up(&self) -> Result<SimDevice> {
        let (parameters, options) = (self.player.parameters(), Options::default());
        SimDevice::open_player(self.backend, &parameters, &self.player, &options)
    }

    /// True if the device is known to be deterministic: it repeats a game for the same moves.
    pub const fn repeats(&self) -> bool {
        matches!(self.player, DevicePlayer::Emitted(PlayerConfig::Pattern))
    }
}

impl FromStr for DeviceSpec {
    type Err = DeviceSpecError;

    fn from_str(text: &str) -> Result<Self, DeviceSpecError> {
        let unknown = || DeviceSpecError::Unknown(text.to_owned());
        let (word, rest) = text.split_once(':').unwrap_or((text, ""));
        if word != "sim" {
            return Err(unknown());
        }
        let (backend, player) = match rest {
            "" if text == word => (Backend::Verilator, ""),
            rest if rest.starts_with(VerilogPlayer::PREFIX) => (Backend::Verilator, rest),
            rest => match rest.split_once(':').unwrap_or((rest, "")) {
                ("search", _) => (Backend::Verilator, rest),
                (backend, player) => (backend.parse()?, player),
            },
        };
        let player = match player.split_once(':').unwrap_or((player, "")) {
            ("", "") => DevicePlayer::default(),
            ("search", settings) => {
                DevicePlayer::Emitted(PlayerConfig::Search(Box::new(settings.parse()?)))
            }
            _ if player.starts_with(VerilogPlayer::PREFIX) => {
                DevicePlayer::Verilog(player.parse()?)
            }
            _ => return Err(unknown()),
        };
        Ok(Self { backend, player })
    }
}

impl fmt::Display for DeviceSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sim:{}", self.backend)?;
        match &self.player {
            DevicePlayer::Emitted(PlayerConfig::Pattern) => Ok(()),
            player => write!(f, ":{player}"),
        }
    }
}

/// Clock of simulated players with an SDRAM, in hertz. On a slower one, the chip would need a refresh
/// before a line has been transferred.
pub const SDRAM_CLOCK_HZ: u32 = 50_000_000;

/// Parameters of the device that is simulated in matches: the contest's serial line at 115200 baud,
/// with a clock of 16 times that rate. The clock is slow because simulation time grows with every
/// cycle. The thinking time in cycles is the same at any frequency; even at this one a reply takes
/// far less than a second.
#[must_use]
pub fn board_parameters() -> PlayerParameters {
    PlayerParameters::contest(16 * BAUD_RATE)
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
            "sim:verilator:verilog=a,top=b",
            "sim:icarus:verilog=C:/a b,top=b,clock_hz=1843200",
        ];
        for text in texts {
            let spec: DeviceSpec = text.parse().expect("a simulated device");
            assert_eq!(spec.to_string(), text);
            let repeats = !text.contains("search") && !text.contains("verilog=");
            assert_eq!(spec.repeats(), repeats, "{text}");
        }
        let printed = |text: &str| text.parse::<DeviceSpec>().map(|spec| spec.to_string());
        assert_eq!(printed("sim"), Ok("sim:verilator".to_owned()));
        assert_eq!(
            printed("sim:search:lanes=2"),
            Ok("sim:verilator:search:lanes=2".to_owned())
        );
        assert_eq!(
            printed("sim:verilog=a,top=b"),
            Ok("sim:verilator:verilog=a,top=b".to_owned())
        );
    }

    #[test]
    fn broken_names_have_typed_errors() {
        let error = |text: &str| text.parse::<DeviceSpec>().expect_err("no simulated device");
        for text in ["", "twin", "simulator", "sim:rust:x"] {
            assert_eq!(error(text), DeviceSpecError::Unknown(text.to_owned()));
        }
        assert!(matches!(error("sim:vcs"), DeviceSpecError::Backend(_)));
        assert!(matches!(
            error("sim:search:lanes=9"),
            DeviceSpecError::Search(_)
        ));
        for text in ["sim:verilog=a", "sim:icarus:verilog=a,top=1"] {
            assert!(matches!(error(text), DeviceSpecError::Verilog(_)), "{text}");
        }
    }
}
