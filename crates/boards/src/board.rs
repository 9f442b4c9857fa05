//! A board as data: what is soldered onto it, and what becomes of the player there.

use std::fmt;

use duoforge_hdl::chooser::Chooser;
use duoforge_hdl::player::Parameters;
use serde::{Deserialize, Serialize};

pub use crate::configuration::Configuration;
use crate::pll::Pll;

/// One board, read from `hdl/boards/<name>.toml`.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// The name on the command line, which is the name of its file.
    #[serde(skip_deserializing)]
    pub name: String,
    /// The name in its maker's words.
    pub title: String,
    /// The Verilog top: the module, and its file without `.v`.
    pub top: String,
    /// What openFPGALoader calls the board, where it knows it.
    pub loader: Option<String>,
    /// What of duoforge is on it.
    pub configuration: Configuration,
    /// What is on it when it is to search, where that fits.
    pub search: Option<Configuration>,
    /// The seed of placement, for which the committed report holds.
    pub seed: u32,
    /// The IO standard of every pin that names no other.
    pub standard: String,
    /// The clocks.
    pub clock: Clocks,
    /// The chip, as the tools for it want it named.
    pub tools: Tools,
    /// The pins that the top uses.
    pub pins: Vec<Pin>,
}

/// The clocks of a board.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Clocks {
    /// Frequency of the crystal, in hertz.
    pub crystal_hz: u32,
    /// Frequency of the player's clock, in hertz.
    pub player_hz: u32,
    /// How one is made from the other; none where they are the same.
    pub pll: Option<Pll>,
}

/// The tools that make a bitstream, with the chip's name for them.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Tools {
    /// Yosys, nextpnr-ecp5, ecppack.
    Ecp5 {
        /// nextpnr's option for the die: `12k`, `25k`, `45k` or `85k`.
        device: String,
        /// The package, such as `CABGA381`.
        package: String,
        /// The speed grade.
        speed: u8,
    },
    /// Yosys, nextpnr-ice40, icepack.
    Ice40 {
        /// nextpnr's option for the die, such as `hx8k`.
        device: String,
        /// The package, such as `ct256`.
        package: String,
    },
    /// A project for Intel's Quartus, which does not come with duoforge.
    Quartus {
        /// The family, such as `Cyclone IV E`.
        family: String,
        /// The part number.
        device: String,
    },
    /// A project for AMD's Vivado, which does not come with duoforge.
    Vivado {
        /// The part number.
        device: String,
    },
}

/// What a pin is for.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The crystal.
    Clock,
    /// A push button that resets the player.
    Reset,
    /// A serial line from the host.
    Rx,
    /// A serial line to the host.
    Tx,
    /// A light that shows the player's status.
    Light,
    /// A pin of the board's own that must be held at a level.
    Hold,
}

/// The level at which a button is pressed or a light is on.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Active {
    /// High.
    #[default]
    High,
    /// Low.
    Low,
}

/// A pin's own resistor.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Pull {
    /// To the supply.
    Up,
    /// To ground.
    Down,
    /// None.
    None,
}

/// A pin that the top uses.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// The port of the top; one bit of a vector as `lights[3]`.
    pub port: String,
    /// Where it is on the package.
    pub site: String,
    /// What it is for.
    pub role: Role,
    /// What it is connected to, in words.
    pub about: String,
    /// Its IO standard, where it differs from the board's.
    pub standard: Option<String>,
    /// Its resistor, where one is set.
    pub pull: Option<Pull>,
    /// Its drive strength in milliamperes, where one is set.
    pub drive: Option<u8>,
    /// Its active level.
    #[serde(default)]
    pub active: Active,
}

impl Board {
    /// The parameters of the player on this board.
    pub fn parameters(&self, team: [u8; 2]) -> Parameters {
        Parameters {
            team,
            ..Parameters::contest(self.clock.player_hz)
        }
    }

    /// The board with this chooser on it: patterns, or the board's own search, or that with settings of
    /// its own. None if a search does not fit.
    pub fn with(&self, chooser: &Chooser) -> Option<Self> {
        let Chooser::Search(searching) = chooser else {
            return Some(self.clone());
        };
        let mut board = self.clone();
        board.configuration = self.search.clone()?;
        board.seed = board.configuration.seed.unwrap_or(self.seed);
        if !searching.to_string().is_empty() {
            board.configuration.player = chooser.clone();
        }
        Some(board)
    }

    /// The board with each of its configurations.
    pub fn configured(&self) -> impl Iterator<Item = Self> {
        [Chooser::Pattern, Chooser::Search(Box::default())]
            .into_iter()
            .filter_map(|chooser| self.with(&chooser))
    }

    /// What files are called by: the name, and what sets the configuration apart.
    pub fn label(&self) -> String {
        match self.configuration.player {
            Chooser::Pattern => self.name.clone(),
            Chooser::Search(_) => format!("{}-search", self.name),
        }
    }

    /// The pins of a role, in the file's order.
    pub fn pins_of(&self, role: Role) -> impl Iterator<Item = &Pin> {
        self.pins.iter().filter(move |pin| pin.role == role)
    }

    /// The crystal's pin.
    ///
    /// # Panics
    /// Never for a board of the catalogue: reading refuses a board without a clock.
    pub fn clock_pin(&self) -> &Pin {
        self.pins_of(Role::Clock).next().expect("it was checked")
    }

    /// The IO standard of a pin.
    pub fn standard_of<'a>(&'a self, pin: &'a Pin) -> &'a str {
        pin.standard.as_deref().unwrap_or(&self.standard)
    }

    /// `board.vh`, which the top includes: what the file says, as macros.
    pub fn header(&self) -> String {
        let bit = |role, level| {
            let active = self.pins_of(role).next().map(|pin| pin.active);
            active.map(|active| (level, (active == Active::High) as u32))
        };
        let mut macros = vec![("CLOCK_HZ", self.clock.player_hz)];
        macros.extend(self.clock.pll.iter().flat_map(Pll::macros));
        let levels = [bit(Role::Reset, "PRESSED"), bit(Role::Light, "LIT")];
        let head = format!("// {}. Generated; do not edit.\n", self.title);
        let number = |(name, value)| format!("`define {name} {value}\n");
        let level = |(name, value)| format!("`define {name} 1'b{value}\n");
        let numbers = macros.into_iter().map(number);
        let levels = levels.into_iter().flatten().map(level);
        head + &numbers.chain(levels).collect::<String>()
    }

    /// What is wrong with the board, beyond its syntax.
    pub(crate) fn fault(&self) -> Option<String> {
        let count = |role| self.pins_of(role).count();
        if count(Role::Clock) != 1 || count(Role::Reset) > 1 {
            return Some("a board has one clock and at most one reset".into());
        }
        if count(Role::Rx) == 0 || count(Role::Rx) != count(Role::Tx) {
            return Some("serial lines come in pairs, and there is at least one".into());
        }
        for (i, pin) in self.pins.iter().enumerate() {
            let before = &self.pins[..i];
            if before.iter().any(|other| other.port == pin.port) {
                return Some(format!("the port {} is placed twice", pin.port));
            }
            if before.iter().any(|other| other.site == pin.site) {
                return Some(format!("two ports are placed at {}", pin.site));
            }
        }
        let lights = || self.pins_of(Role::Light);
        if lights().any(|light| Some(light.active) != lights().next().map(|pin| pin.active)) {
            return Some("some lights are on at high, others at low".into());
        }
        let searches = |it: &Configuration| matches!(it.player, Chooser::Search(_));
        if searches(&self.configuration) || self.search.iter().any(|it| !searches(it)) {
            return Some("the search stands under [search], and only there".into());
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

impl Tools {
    /// The tool chain in one word.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ecp5 { .. } => "ecp5",
            Self::Ice40 { .. } => "ice40",
            Self::Quartus { .. } => "quartus",
            Self::Vivado { .. } => "vivado",
        }
    }

    /// The name that the tools go by.
    pub const fn vendor(&self) -> &'static str {
        match self {
            Self::Ecp5 { .. } => "nextpnr-ecp5",
            Self::Ice40 { .. } => "nextpnr-ice40",
            Self::Quartus { .. } => "Quartus",
            Self::Vivado { .. } => "Vivado",
        }
    }

    /// Whether open tools, which duoforge installs, make the bitstream.
    pub const fn is_open(&self) -> bool {
        matches!(self, Self::Ecp5 { .. } | Self::Ice40 { .. })
    }
}

/// The chip in its maker's words, as nearly as the tools tell.
impl fmt::Display for Tools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ecp5 {
                device,
                package,
                speed,
            } => {
                let size = device.trim_end_matches('k');
                write!(f, "LFE5U-{size}F {package}, speed {speed}")
            }
            Self::Ice40 { device, package } => {
                write!(f, "iCE40{} {package}", device.to_uppercase())
            }
            Self::Vivado { device } => f.write_str(device),
            Self::Quartus { family, device } => write!(f, "{family} {device}"),
        }
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
