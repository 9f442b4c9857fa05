//! Times of the chips, from their data sheets.

/// Times of a chip, in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataSheet {
    /// Name of the chip and its speed grade.
    pub name: &'static str,
    /// Shortest cycle of the clock with a CAS latency of two.
    pub cycle: u64,
    /// Wait after power-up.
    pub power_up: u64,
    /// Number of refreshes of the power-up sequence.
    pub first_refreshes: u32,
    /// tRCD: activate to read or write.
    pub to_column: u64,
    /// tRP: precharge to activate, refresh or mode.
    pub precharge: u64,
    /// tRAS: activate to precharge.
    pub open: u64,
    /// tRAS, its maximum.
    pub longest_open: u64,
    /// tRC: activate to activate in one bank.
    pub cycle_of_row: u64,
    /// tRRD: activate to activate in another bank.
    pub other_bank: u64,
    /// tRFC: refresh to the next command.
    pub refresh: u64,
    /// tWR or tDPL: last word to precharge; at least two cycles.
    pub write_recovery: u64,
    /// tMRD: mode to the next command; at least two cycles.
    pub mode: u64,
    /// Longest time between refreshes that are evenly distributed: 64 ms / 8192.
    pub refresh_interval: u64,
}

/// Micron MT48LC16M16A2, grade -7E.
pub const MT48LC16M16A2_7E: DataSheet = DataSheet {
    name: "MT48LC16M16A2-7E",
    cycle: 7_500,
    power_up: 100_000_000,
    first_refreshes: 2,
    to_column: 15_000,
    precharge: 15_000,
    open: 37_000,
    longest_open: 120_000_000,
    cycle_of_row: 60_000,
    other_bank: 14_000,
    refresh: 66_000,
    write_recovery: 14_000,
    mode: 0,
    refresh_interval: 7_812_500,
};

/// Micron MT48LC16M16A2, grade -75.
pub const MT48LC16M16A2_75: DataSheet = DataSheet {
    name: "MT48LC16M16A2-75",
    cycle: 10_000,
    to_column: 20_000,
    precharge: 20_000,
    open: 44_000,
    cycle_of_row: 66_000,
    other_bank: 15_000,
    write_recovery: 15_000,
    ..MT48LC16M16A2_7E
};

/// ISSI IS42S16160, grade -7; times of the slowest revision.
pub const IS42S16160_7: DataSheet = DataSheet {
    name: "IS42S16160-7",
    cycle: 10_000,
    power_up: 200_000_000,
    first_refreshes: 8,
    to_column: 20_000,
    precharge: 20_000,
    open: 45_000,
    longest_open: 100_000_000,
    cycle_of_row: 67_500,
    other_bank: 14_000,
    refresh: 70_000,
    write_recovery: 14_000,
    mode: 14_000,
    refresh_interval: 7_812_500,
};

/// Alliance AS4C32M16, grade -7. Its 64 MB have 1,024 columns, of which the model has 512.
pub const AS4C32M16_7: DataSheet = DataSheet {
    name: "AS4C32M16-7",
    cycle: 10_000,
    power_up: 200_000_000,
    first_refreshes: 8,
    to_column: 21_000,
    precharge: 21_000,
    open: 42_000,
    longest_open: 100_000_000,
    cycle_of_row: 63_000,
    other_bank: 14_000,
    refresh: 63_000,
    write_recovery: 14_000,
    mode: 14_000,
    refresh_interval: 7_812_500,
};

/// All chips.
pub const SHEETS: [DataSheet; 4] = [
    MT48LC16M16A2_7E,
    MT48LC16M16A2_75,
    IS42S16160_7,
    AS4C32M16_7,
];
