//! Times of the SDRAM's pins: the longest paths between them and the player's registers.
//!
//! The frequencies of a build cover the paths between registers alone. A player with an SDRAM works
//! only if its outputs are stable before the chip samples them, and if the chip's words reach their
//! registers in time. The router reports one path in each direction, the longest of all pins, so
//! that the other pins have the limits of the SDRAM too.

use serde::{Deserialize, Serialize};

use super::rounding::thousandths;
use crate::target::{Role, Target};

/// Setup time of an input of the SDRAM, in nanoseconds (tDS, tAS and tCMS in the data sheets of
/// MT48LC16M16A2, IS42S16160 and AS4C32M16).
const SETUP_NS: f64 = 1.5;

/// Longest time from an edge of the SDRAM's clock to a word, in nanoseconds, at a CAS latency of
/// two cycles (tAC of the same chips).
const ACCESS_NS: f64 = 6.0;

/// Time that is left for the buffers of the pins and for the wires of the FPGA board on the way of
/// the clock to the SDRAM and of a word back, in nanoseconds. nextpnr does not report these.
const BUFFERS_NS: f64 = 4.3;

/// Longest paths of all pins, with their limits.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
pub struct PinTimes {
    /// From a register to a pin.
    pub output: PinTime,
    /// From a pin to a register.
    pub input: PinTime,
}

/// Longest path in one direction, in nanoseconds.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
pub struct PinTime {
    /// Limit.
    pub limit: f64,
    /// Delay of the longest path.
    pub longest: f64,
}

impl PinTime {
    /// Creates the time of a path of `longest` nanoseconds.
    pub(super) fn new(limit: f64, longest: f64) -> Self {
        Self {
            limit: thousandths(limit),
            longest: thousandths(longest),
        }
    }

    /// True if the path is within its limit.
    pub fn is_met(&self) -> bool {
        self.longest <= self.limit
    }
}

impl PinTimes {
    /// Returns each direction in words, with its time.
    pub fn directions(&self) -> [(&'static str, PinTime); 2] {
        [
            ("register to pin", self.output),
            ("pin to register", self.input),
        ]
    }
}

/// Limits of the pins of a target, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    /// Limit from a register to a pin.
    pub output: f64,
    /// Limit from a pin to a register.
    pub input: f64,
}

/// Returns the limits of a target's pins; `None` without an SDRAM.
///
/// The SDRAM's clock leads the player's. The SDRAM samples an output at the next edge of its clock. It
/// sends a word after an edge of its clock, and the player samples the word a period and the lead
/// later.
pub(super) fn limits(board: &Target) -> Option<Limits> {
    board.pins_of(Role::Memory).next()?;
    let period = 1e9 / f64::from(board.clock.player_hz);
    // The phase in `hdl/targets/ulx3s.v`: whole cycles of the oscillator.
    let lead = board.clock.pll.map_or(0.0, |pll| {
        period * f64::from(pll.output / 6) / f64::from(pll.output)
    });
    Some(Limits {
        output: period - lead - SETUP_NS,
        input: period + lead - ACCESS_NS - BUFFERS_NS,
    })
}

#[cfg(test)]
mod tests {
    use duoforge_hdl::chooser::PlayerConfig;

    use super::*;
    use crate::catalogue;

    #[test]
    fn only_players_with_an_sdram_have_limits() {
        let board = catalogue::find("ulx3s-85f").expect("a board");
        assert_eq!(limits(&board), None);
        let search = PlayerConfig::Search(Box::default());
        let board = board.with(&search).expect("a search player");
        let limits = limits(&board).expect("an SDRAM");
        assert!((15.16..15.17).contains(&limits.output), "{limits:?}");
        assert!((13.03..13.04).contains(&limits.input), "{limits:?}");
    }

    #[test]
    fn a_path_is_met_up_to_its_limit() {
        assert!(PinTime::new(13.0, 13.0).is_met());
        assert!(!PinTime::new(13.0, 13.001).is_met());
    }
}
