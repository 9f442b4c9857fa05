//! Model of an SDRAM chip of 32 MB: content, rules of its data sheet, and faults.
//!
//! The model is clocked with the pins of a design, cycle by cycle, and keeps what is written. It
//! reports each [`Breach`] of a data sheet's rules, which [`DataSheet`] states. It
//! knows no controller. Bursts of one word are the only ones that it accepts, and a precharge the
//! only way to close a row.
//!
//! The chip's clock is in phase with the design's: in the cycle after a rising edge, the model
//! samples the pins that the design's registers drive, at the next edge.

mod breach;
mod fault;
mod pins;
mod sheet;

use std::collections::HashMap;

pub use breach::Breach;
pub use fault::Fault;
pub use pins::{ChipCommand, Pins};
pub use sheet::{AS4C32M16_7, DataSheet, IS42S16160_7, MT48LC16M16A2_7E, MT48LC16M16A2_75, SHEETS};

/// Words of a row.
pub const COLUMNS: usize = 512;

/// Picoseconds of a second.
const PICOSECONDS: u64 = 1_000_000_000_000;

/// Cycles from a read to the edge at which its word is sampled.
const CAS_LATENCY: u64 = 2;

/// Cycles of a bank's last commands.
#[derive(Clone, Copy, Debug, Default)]
struct Bank {
    open_row: Option<u16>,
    activated: Option<u64>,
    precharged: Option<u64>,
    written: Option<u64>,
}

/// Chip.
#[derive(Debug)]
pub struct Sdram {
    sheet: DataSheet,
    clock_hz: u32,
    fault: Option<Fault>,
    now: u64,
    rows: HashMap<(u8, u16), Vec<u16>>,
    banks: [Bank; 4],
    enabled: bool,
    all_closed_once: bool,
    first_refreshes: u32,
    refreshed: Option<u64>,
    mode_set: Option<u64>,
    activated: Option<u64>,
    // Words on their way to the pins, with the cycles in which they are valid.
    outgoing: Vec<(u64, u16)>,
    // Last cycle in which the chip drove its data pins.
    drove: Option<u64>,
    counts: Counts,
    longest_interval: u64,
}

/// Numbers of commands since power-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rows opened.
    pub activates: u64,
    /// Words read.
    pub reads: u64,
    /// Words written.
    pub writes: u64,
    /// Refreshes.
    pub refreshes: u64,
}

impl Sdram {
    /// Creates a chip at power-up, on a clock of `clock_hz`. Its content is arbitrary.
    ///
    /// # Panics
    /// If the clock is too fast for a CAS latency of two cycles.
    pub fn new(sheet: DataSheet, clock_hz: u32) -> Self {
        assert!(
            u64::from(clock_hz) * sheet.cycle <= PICOSECONDS,
            "{}: the clock is too fast",
            sheet.name
        );
        Self {
            sheet,
            clock_hz,
            fault: None,
            now: 0,
            rows: HashMap::new(),
            banks: [Bank::default(); 4],
            enabled: false,
            all_closed_once: false,
            first_refreshes: 0,
            refreshed: None,
            mode_set: None,
            activated: None,
            outgoing: Vec::new(),
            drove: None,
            counts: Counts::default(),
            longest_interval: 0,
        }
    }

    /// Gives the chip a fault. A chip with a fault reports no breach.
    #[must_use]
    pub fn with_fault(mut self, fault: Fault) -> Self {
        self.fault = Some(fault);
        self
    }

    /// Returns the numbers of commands since power-up.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns the greatest number of cycles from one refresh to the next.
    pub fn longest_interval(&self) -> u64 {
        self.longest_interval
    }

    /// Returns the word that the chip drives in the present cycle, if it drives its data pins.
    pub fn output(&self) -> Option<u16> {
        if self.fault == Some(Fault::Absent) {
            return None;
        }
        let word = self.outgoing.iter().find(|(cycle, _)| *cycle == self.now);
        word.map(|&(_, word)| self.fault.map_or(word, |fault| fault.data(word)))
    }

    /// Returns the words of a row, which a test may change.
    pub fn row(&mut self, bank: u8, row: u16) -> &mut Vec<u16> {
        // Words that were never written differ by place.
        let first = u64::from(bank) << 13 | u64::from(row);
        let word =
            |column: u64| ((first * 512 + column).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u16;
        let fill = || (0..COLUMNS as u64).map(word).collect();
        self.rows.entry((bank, row)).or_insert_with(fill)
    }

    /// Runs one cycle, at whose end the chip samples the pins.
    ///
    /// # Errors
    /// [`Breach`] of a rule. The chip then executes the command if it can.
    pub fn clock(&mut self, pins: &Pins) -> Result<(), Breach> {
        let mut pins = *pins;
        if let Some(fault) = self.fault {
            fault.pins(&mut pins);
        }
        let breach = self.sample(&pins);
        self.now += 1;
        self.outgoing.retain(|(cycle, _)| *cycle >= self.now);
        if self.fault.is_some() { Ok(()) } else { breach }
    }

    fn sample(&mut self, pins: &Pins) -> Result<(), Breach> {
        let mut breach = self.levels(pins);
        let Some(command) = pins.command().filter(|_| pins.cke) else {
            return breach;
        };
        breach = breach.and(self.sequence(command, pins));
        let bank = usize::from(pins.bank & 3);
        breach.and(match command {
            ChipCommand::SetMode => self.set_mode(pins),
            ChipCommand::Refresh => self.refresh(),
            ChipCommand::Precharge => self.precharge(pins, bank),
            ChipCommand::Activate => self.activate(pins, bank),
            ChipCommand::Write | ChipCommand::Read => self.access(pins, bank, command),
            ChipCommand::BurstStop => Err(Breach::NotModelled("a burst stop")),
        })
    }

    /// Checks clock enable, the data pins and the time since the last refresh.
    fn levels(&mut self, pins: &Pins) -> Result<(), Breach> {
        let drives = self.output().is_some();
        if drives {
            self.drove = Some(self.now);
        }
        if self.enabled && !pins.cke {
            return Err(Breach::NotModelled("a low clock enable after power-up"));
        }
        self.enabled |= pins.cke;
        let recent = self.drove.is_some_and(|cycle| self.now - cycle <= 1);
        if pins.data.is_some() && recent {
            return Err(Breach::Contention);
        }
        if self.mode_set.is_some()
            && let Some(refreshed) = self.refreshed
        {
            let interval = self.time(self.now - refreshed);
            if interval > self.sheet.refresh_interval {
                return Err(Breach::NoRefresh(interval));
            }
        }
        Ok(())
    }

    /// Checks the power-up sequence.
    fn sequence(&mut self, command: ChipCommand, pins: &Pins) -> Result<(), Breach> {
        let waited = self.time(self.now);
        if waited < self.sheet.power_up {
            return Err(Breach::PowerUp("a command before the wait has ended"));
        }
        match command {
            ChipCommand::Precharge => {
                self.all_closed_once |= pins.address >> 10 & 1 == 1;
                Ok(())
            }
            _ if !self.all_closed_once => Err(Breach::PowerUp("no precharge of all banks")),
            ChipCommand::Refresh => {
                self.first_refreshes += 1;
                Ok(())
            }
            ChipCommand::SetMode => Ok(()),
            _ if self.first_refreshes < self.sheet.first_refreshes => {
                Err(Breach::PowerUp("too few refreshes"))
            }
            _ if self.mode_set.is_none() => Err(Breach::PowerUp("the mode is not set")),
            _ => Ok(()),
        }
    }

    /// Returns the duration of some cycles in picoseconds.
    fn time(&self, cycles: u64) -> u64 {
        let time = u128::from(cycles) * u128::from(PICOSECONDS) / u128::from(self.clock_hz);
        u64::try_from(time).unwrap_or(u64::MAX)
    }

    /// Checks that a time in picoseconds has passed since the cycle `from`.
    fn passed(&self, from: Option<u64>, time: u64, name: &'static str) -> Result<(), Breach> {
        let Some(from) = from else {
            return Ok(());
        };
        let elapsed = self.time(self.now - from);
        if elapsed >= time {
            return Ok(());
        }
        Err(Breach::Time {
            name,
            elapsed,
            time,
        })
    }

    /// Checks the times from a refresh or the setting of the mode.
    fn rests(&self) -> Result<(), Breach> {
        self.passed(self.refreshed, self.sheet.refresh, "tRFC")
            .and(self.passed(self.mode_set, self.sheet.mode, "tMRD"))
            .and(self.passed(self.mode_set, self.time(2), "tMRD"))
    }

    /// Checks that all banks are closed.
    fn all_closed(&self) -> Result<(), Breach> {
        self.banks.iter().try_for_each(|bank| {
            if bank.open_row.is_some() {
                return Err(Breach::OpenRow);
            }
            self.passed(bank.precharged, self.sheet.precharge, "tRP")
        })
    }

    fn set_mode(&mut self, pins: &Pins) -> Result<(), Breach> {
        let mut breach = self.all_closed().and(self.rests());
        // Burst length 1, sequential, CAS latency 2, no test mode; single writes have this length.
        if pins.address & !(1 << 9) != 0x020 || pins.bank != 0 {
            breach = breach.and(Err(Breach::NotModelled("another mode")));
        }
        self.mode_set = Some(self.now);
        breach
    }

    fn refresh(&mut self) -> Result<(), Breach> {
        let breach = self.all_closed().and(self.rests());
        if self.mode_set.is_some()
            && let Some(refreshed) = self.refreshed
        {
            self.longest_interval = self.longest_interval.max(self.now - refreshed);
        }
        self.refreshed = Some(self.now);
        self.counts.refreshes += 1;
        breach
    }

    fn precharge(&mut self, pins: &Pins, bank: usize) -> Result<(), Breach> {
        let mut breach = self.rests();
        let all = pins.address >> 10 & 1 == 1;
        for index in (0..4).filter(|&index| all || index == bank) {
            let of = self.banks[index];
            if of.open_row.is_some() {
                breach = breach
                    .and(self.passed(of.activated, self.sheet.open, "tRAS"))
                    .and(self.passed(of.written, self.sheet.write_recovery, "tWR"))
                    .and(self.passed(of.written, self.time(2), "tWR"));
                let open = of.activated.map_or(0, |from| self.time(self.now - from));
                if open > self.sheet.longest_open {
                    breach = breach.and(Err(Breach::OpenTooLong(open)));
                }
            }
            self.banks[index].open_row = None;
            self.banks[index].precharged = Some(self.now);
        }
        breach
    }

    fn activate(&mut self, pins: &Pins, bank: usize) -> Result<(), Breach> {
        let of = self.banks[bank];
        self.counts.activates += 1;
        if of.open_row.is_some() {
            return Err(Breach::OpenRow);
        }
        let breach = self
            .rests()
            .and(self.passed(of.precharged, self.sheet.precharge, "tRP"))
            .and(self.passed(of.activated, self.sheet.cycle_of_row, "tRC"))
            .and(self.passed(self.activated, self.sheet.other_bank, "tRRD"));
        self.activated = Some(self.now);
        self.banks[bank] = Bank {
            open_row: Some(pins.address & 0x1fff),
            activated: Some(self.now),
            written: None,
            ..of
        };
        breach
    }

    fn access(&mut self, pins: &Pins, bank: usize, command: ChipCommand) -> Result<(), Breach> {
        let of = self.banks[bank];
        let Some(row) = of.open_row else {
            return Err(Breach::ClosedRow);
        };
        let mut breach = self.passed(of.activated, self.sheet.to_column, "tRCD");
        if pins.address & !0x1ff != 0 {
            breach = breach.and(Err(Breach::NotModelled("a column above 511, or A10")));
        }
        let (column, now) = (usize::from(pins.address & 0x1ff), self.now);
        if command == ChipCommand::Write {
            self.counts.writes += 1;
            self.banks[bank].written = Some(now);
            let Some(data) = pins.data else {
                return breach.and(Err(Breach::NoData));
            };
            if !pins.mask {
                self.row(bank as u8, row)[column] = data;
            }
            return breach;
        }
        self.counts.reads += 1;
        // The mask acts on words two cycles later.
        if pins.mask {
            return breach.and(Err(Breach::NotModelled("a masked read")));
        }
        let word = self.row(bank as u8, row)[column];
        self.outgoing.push((now + CAS_LATENCY, word));
        breach
    }
}

#[cfg(test)]
mod tests;
