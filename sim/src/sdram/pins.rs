//! Pins of a chip, and the commands on them.

/// Pins that the chip samples at a rising edge, with their levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pins {
    /// Clock enable.
    pub cke: bool,
    /// Chip select, active low.
    pub cs_n: bool,
    /// Row address strobe, active low.
    pub ras_n: bool,
    /// Column address strobe, active low.
    pub cas_n: bool,
    /// Write enable, active low.
    pub we_n: bool,
    /// Bank, 0 to 3.
    pub bank: u8,
    /// Address pins A0 to A12.
    pub address: u16,
    /// Mask of both bytes.
    pub mask: bool,
    /// Data pins, if the design drives them.
    pub data: Option<u16>,
}

/// Command that a chip decodes from its pins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChipCommand {
    /// Sets the mode register.
    SetMode,
    /// Refreshes a row of each bank.
    Refresh,
    /// Closes the row of a bank, or all rows.
    Precharge,
    /// Opens a row.
    Activate,
    /// Writes a word.
    Write,
    /// Reads a word.
    Read,
    /// Ends a burst.
    BurstStop,
}

impl Pins {
    /// Returns the command, if there is one.
    pub fn command(&self) -> Option<ChipCommand> {
        if self.cs_n {
            return None;
        }
        match (self.ras_n, self.cas_n, self.we_n) {
            (false, false, false) => Some(ChipCommand::SetMode),
            (false, false, true) => Some(ChipCommand::Refresh),
            (false, true, false) => Some(ChipCommand::Precharge),
            (false, true, true) => Some(ChipCommand::Activate),
            (true, false, false) => Some(ChipCommand::Write),
            (true, false, true) => Some(ChipCommand::Read),
            (true, true, false) => Some(ChipCommand::BurstStop),
            (true, true, true) => None,
        }
    }
}
