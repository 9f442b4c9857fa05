//! Tool chain of a target, with the chip's name in its notation.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Tool chain that makes a bitstream, with the chip's name in its notation.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Tools {
    /// Yosys, nextpnr-ecp5 and ecppack.
    Ecp5 {
        /// Option of nextpnr for the die: `12k`, `25k`, `45k` or `85k`.
        device: String,
        /// Package, such as `CABGA381`.
        package: String,
        /// Speed grade.
        speed: u8,
    },
    /// Yosys, nextpnr-ice40 and icepack.
    Ice40 {
        /// Option of nextpnr for the die, such as `hx8k`.
        device: String,
        /// Package, such as `ct256`.
        package: String,
    },
    /// Project for Intel's Quartus, which duoforge does not include.
    Quartus {
        /// Device family, such as `Cyclone IV E`.
        family: String,
        /// Part number.
        device: String,
    },
    /// Project for AMD's Vivado, which duoforge does not include.
    Vivado {
        /// Part number.
        device: String,
    },
}

impl Tools {
    /// Returns the name of the tool chain, one word.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Ecp5 { .. } => "ecp5",
            Self::Ice40 { .. } => "ice40",
            Self::Quartus { .. } => "quartus",
            Self::Vivado { .. } => "vivado",
        }
    }

    /// Returns the name of the place-and-route tool or vendor suite.
    pub const fn vendor(&self) -> &'static str {
        match self {
            Self::Ecp5 { .. } => "nextpnr-ecp5",
            Self::Ice40 { .. } => "nextpnr-ice40",
            Self::Quartus { .. } => "Quartus",
            Self::Vivado { .. } => "Vivado",
        }
    }

    /// True if open tools, which duoforge installs, make the bitstream.
    pub const fn is_open(&self) -> bool {
        matches!(self, Self::Ecp5 { .. } | Self::Ice40 { .. })
    }
}

/// Chip in the vendor's notation, reconstructed from the tool options.
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
