//! Target: an FPGA board with its chip, pins, clock and tool chain, as data.

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_hdl::parameters::PlayerParameters;
use serde::{Deserialize, Serialize};

pub use crate::configuration::Configuration;
use crate::generated::MARK;
use crate::pll::Pll;
use crate::toolchain::Tools;

/// Target, read from `hdl/targets/<name>.toml`.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Name on the command line, equal to the name of the file.
    #[serde(skip_deserializing)]
    pub name: String,
    /// Name that the vendor uses.
    pub title: String,
    /// Name of the Verilog top module, and of its file without `.v`.
    pub top: String,
    /// Name of the FPGA board in openFPGALoader, if it supports the board.
    pub loader: Option<String>,
    /// Default configuration.
    pub configuration: Configuration,
    /// Configuration of the search player, if it fits.
    pub search: Option<Configuration>,
    /// Placement seed of the committed report.
    pub seed: u32,
    /// IO standard of every pin that does not set its own.
    pub standard: String,
    /// Clock signals and their rates.
    pub clock: Clocks,
    /// Tool chain, with the chip's name in its notation.
    pub tools: Tools,
    /// Pins that the top uses.
    pub pins: Vec<Pin>,
    /// Pins of an external memory, which [`Target::with`] adds to the others if the player uses it.
    #[serde(default)]
    pub memory_pins: Vec<Pin>,
}

/// Clock signals of a target.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Clocks {
    /// Frequency of the crystal, in hertz.
    pub crystal_hz: u32,
    /// Frequency of the player's clock, in hertz.
    pub player_hz: u32,
    /// PLL that makes the player's clock from the crystal; none if both are the same.
    pub pll: Option<Pll>,
}

/// Purpose of a pin.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Crystal input.
    Clock,
    /// Push button that resets the player.
    Reset,
    /// Serial input from the host.
    Rx,
    /// Serial output to the host.
    Tx,
    /// LED that shows the player's status.
    Light,
    /// Pin that the FPGA board requires to be held at a level.
    Hold,
    /// Pin of the external memory.
    Memory,
}

/// Level at which a button is pressed or an LED is lit.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Active {
    /// Active high.
    #[default]
    High,
    /// Active low.
    Low,
}

/// Pull resistor of a pin.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Pull {
    /// Pull-up.
    Up,
    /// Pull-down.
    Down,
    /// No resistor.
    None,
}

/// Pin that the top uses.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// Port of the top; for one bit of a vector, as `lights[3]`.
    pub port: String,
    /// Site on the package.
    pub site: String,
    /// Purpose of the pin.
    pub role: Role,
    /// Connection of the pin on the FPGA board, in words.
    pub about: String,
    /// IO standard, if it differs from the target's.
    pub standard: Option<String>,
    /// Pull resistor, if one is set.
    pub pull: Option<Pull>,
    /// Drive strength in milliamperes, if one is set.
    pub drive: Option<u8>,
    /// Active level.
    #[serde(default)]
    pub active: Active,
}

impl Target {
    /// Returns the player's parameters on this target.
    pub fn parameters(&self, team: [u8; 2]) -> PlayerParameters {
        PlayerParameters {
            team,
            ..PlayerParameters::contest(self.clock.player_hz)
        }
    }

    /// Returns the target with this chooser: the pattern player, the target's search player, or
    /// that search player with the chooser's settings. `None` if the target has no search player.
    pub fn with(&self, chooser: &PlayerConfig) -> Option<Self> {
        let PlayerConfig::Search(searching) = chooser else {
            return Some(self.clone());
        };
        let mut board = self.clone();
        board.configuration = self.search.clone()?;
        board.seed = board.configuration.seed.unwrap_or(self.seed);
        if !searching.to_string().is_empty() {
            board.configuration.player = chooser.clone();
        }
        if board.configuration.player.has_sdram() {
            board.pins.extend_from_slice(&board.memory_pins);
        }
        Some(board)
    }

    /// Returns the target with each of its configurations.
    pub fn configured(&self) -> impl Iterator<Item = Self> {
        [PlayerConfig::Pattern, PlayerConfig::Search(Box::default())]
            .into_iter()
            .filter_map(|chooser| self.with(&chooser))
    }

    /// Returns the base name of generated files: the target's name, with `-search` for a search
    /// player.
    pub fn label(&self) -> String {
        match self.configuration.player {
            PlayerConfig::Pattern => self.name.clone(),
            PlayerConfig::Search(_) => format!("{}-search", self.name),
        }
    }

    /// Returns the pins of a role, in the order of the file.
    pub fn pins_of(&self, role: Role) -> impl Iterator<Item = &Pin> {
        self.pins.iter().filter(move |pin| pin.role == role)
    }

    /// Returns the crystal's pin.
    ///
    /// # Panics
    /// Never for a target of the catalogue: its parser rejects a target without a clock.
    pub fn clock_pin(&self) -> &Pin {
        self.pins_of(Role::Clock).next().expect("it was checked")
    }

    /// Returns the IO standard of a pin.
    pub fn standard_of<'a>(&'a self, pin: &'a Pin) -> &'a str {
        pin.standard.as_deref().unwrap_or(&self.standard)
    }

    /// Returns the text of `board.vh`, which the top includes: the target's numbers as macros.
    pub fn header(&self) -> String {
        let bit = |role, level| {
            let active = self.pins_of(role).next().map(|pin| pin.active);
            active.map(|active| (level, (active == Active::High) as u32))
        };
        let mut macros = vec![("CLOCK_HZ", self.clock.player_hz)];
        macros.extend(self.clock.pll.iter().flat_map(Pll::macros));
        if self.pins_of(Role::Memory).count() > 0 {
            macros.push(("SDRAM", 1));
        }
        let levels = [bit(Role::Reset, "PRESSED"), bit(Role::Light, "LIT")];
        let head = format!("// {}. {MARK}\n", self.title);
        let number = |(name, value)| format!("`define {name} {value}\n");
        let level = |(name, value)| format!("`define {name} 1'b{value}\n");
        let numbers = macros.into_iter().map(number);
        let levels = levels.into_iter().flatten().map(level);
        head + &numbers.chain(levels).collect::<String>()
    }

    /// Returns the first semantic fault of the target, if there is one.
    pub(crate) fn fault(&self) -> Option<String> {
        let count = |role| self.pins_of(role).count();
        if count(Role::Clock) != 1 || count(Role::Reset) > 1 {
            return Some("a board has one clock and at most one reset".into());
        }
        if count(Role::Rx) == 0 || count(Role::Rx) != count(Role::Tx) {
            return Some("serial lines come in pairs, and there is at least one".into());
        }
        let pins: Vec<_> = self.pins.iter().chain(&self.memory_pins).collect();
        for (i, pin) in pins.iter().enumerate() {
            let before = &pins[..i];
            if before.iter().any(|other| other.port == pin.port) {
                return Some(format!("the port {} is placed twice", pin.port));
            }
            if before.iter().any(|other| other.site == pin.site) {
                return Some(format!("two ports are placed at {}", pin.site));
            }
        }
        if self.memory_pins.iter().any(|pin| pin.role != Role::Memory) {
            return Some("the pins of the memory have this role".into());
        }
        let lights = || self.pins_of(Role::Light);
        if lights().any(|light| Some(light.active) != lights().next().map(|pin| pin.active)) {
            return Some("some lights are on at high, others at low".into());
        }
        let searches = |it: &Configuration| matches!(it.player, PlayerConfig::Search(_));
        if searches(&self.configuration) || self.search.iter().any(|it| !searches(it)) {
            return Some("the search stands under [search], and only there".into());
        }
        let mut searches = self.search.iter();
        if searches.any(|it| it.player.has_sdram()) && self.memory_pins.is_empty() {
            return Some("the search needs the pins of an SDRAM".into());
        }
        self.clock_fault()
    }

    fn clock_fault(&self) -> Option<String> {
        let Clocks {
            crystal_hz,
            player_hz,
            ref pll,
        } = self.clock;
        let Some(pll) = pll else {
            let same = crystal_hz == player_hz;
            return (!same).then(|| "without a PLL the player has the crystal's clock".into());
        };
        pll.fault(&self.tools, crystal_hz, player_hz)
    }
}

#[cfg(test)]
mod tests {
    use crate::catalogue;

    #[test]
    fn the_header_holds_what_the_top_needs() {
        let board = catalogue::find("ulx3s-85f").expect("a board");
        let header = board.header();
        for line in [
            "`define CLOCK_HZ 50000000\n",
            "`define PLL_INPUT 1\n",
            "`define PLL_FEEDBACK 2\n",
            "`define PLL_OUTPUT 12\n",
            "`define PRESSED 1'b1\n",
            "`define LIT 1'b1\n",
        ] {
            assert!(header.contains(line), "{header}");
        }
    }
}
