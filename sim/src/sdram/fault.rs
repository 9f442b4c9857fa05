//! Faults of a chip, its pins and their connections.

use super::Pins;

/// Fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No chip: data pins that no side drives are high.
    Absent,
    /// Data pin of this number that always has this level.
    FixedData(u32, bool),
    /// Two data pins that are connected: both are low if one of them is.
    JoinedData(u32, u32),
    /// Address pin of this number that always has this level. Pins 13 and 14 select the bank.
    FixedAddress(u32, bool),
    /// Two address pins that are connected: both are low if one of them is.
    JoinedAddress(u32, u32),
}

/// Returns the levels of some pins with one of them at a fixed level.
fn fixed(levels: u16, pin: u32, high: bool) -> u16 {
    if high {
        levels | 1 << pin
    } else {
        levels & !(1 << pin)
    }
}

/// Returns the levels of some pins with two of them connected.
fn joined(levels: u16, one: u32, other: u32) -> u16 {
    let both = 1 << one | 1 << other;
    if levels & both == both {
        levels
    } else {
        levels & !both
    }
}

impl Fault {
    /// Returns the data pins with this fault.
    pub(super) fn data(self, word: u16) -> u16 {
        match self {
            Self::FixedData(pin, high) => fixed(word, pin, high),
            Self::JoinedData(one, other) => joined(word, one, other),
            _ => word,
        }
    }

    /// Changes the pins that the chip samples.
    pub(super) fn pins(self, pins: &mut Pins) {
        pins.data = pins.data.map(|word| self.data(word));
        let levels = pins.address | u16::from(pins.bank) << 13;
        let levels = match self {
            Self::FixedAddress(pin, high) => fixed(levels, pin, high),
            Self::JoinedAddress(one, other) => joined(levels, one, other),
            _ => levels,
        };
        pins.address = levels & 0x1fff;
        pins.bank = (levels >> 13) as u8 & 3;
    }
}
