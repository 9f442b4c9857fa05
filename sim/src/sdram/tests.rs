//! Tests of the model: a minimal session passes, and each rule's breach is reported.

use super::*;

const CLOCK_HZ: u32 = 50_000_000;
const NONE: Pins = Pins {
    cke: true,
    cs_n: true,
    ras_n: true,
    cas_n: true,
    we_n: true,
    bank: 0,
    address: 0,
    mask: false,
    data: None,
};
const ALL: u16 = 1 << 10;

fn pins(command: ChipCommand, bank: u8, address: u16, data: Option<u16>) -> Pins {
    use ChipCommand::{Activate, BurstStop, Precharge, Read, Refresh, SetMode, Write};
    Pins {
        cs_n: false,
        ras_n: !matches!(command, SetMode | Refresh | Precharge | Activate),
        cas_n: !matches!(command, SetMode | Refresh | Write | Read),
        we_n: !matches!(command, SetMode | Precharge | Write | BurstStop),
        bank,
        address,
        data,
        ..NONE
    }
}

/// Session with a chip: commands, each after a number of cycles.
struct Session(Sdram, Result<(), Breach>);

impl Session {
    /// Follows the power-up sequence at its shortest.
    fn started(sheet: DataSheet) -> Self {
        let mut session = Self(Sdram::new(sheet, CLOCK_HZ), Ok(()));
        session.after(10_001, ChipCommand::Precharge, 0, ALL);
        session.after(2, ChipCommand::Refresh, 0, 0);
        for _ in 1..8 {
            session.after(4, ChipCommand::Refresh, 0, 0);
        }
        session.after(4, ChipCommand::SetMode, 0, 0x20);
        session
    }

    /// Issues a command `cycles` cycles after the last one.
    fn after(&mut self, cycles: u32, command: ChipCommand, bank: u8, address: u16) -> &mut Self {
        for _ in 1..cycles {
            self.wait();
        }
        let data = (command == ChipCommand::Write).then_some(0x1234);
        let result = self.0.clock(&pins(command, bank, address, data));
        self.1 = self.1.and(result);
        self
    }

    fn wait(&mut self) {
        let result = self.0.clock(&NONE);
        self.1 = self.1.and(result);
    }
}

#[test]
fn a_word_comes_back_two_cycles_after_its_read() {
    for sheet in SHEETS {
        let mut session = Session::started(sheet);
        session.after(2, ChipCommand::Activate, 2, 77);
        session.after(2, ChipCommand::Write, 2, 300);
        session.after(1, ChipCommand::Read, 2, 300);
        assert_eq!(session.0.output(), None);
        session.wait();
        assert_eq!(session.0.output(), Some(0x1234), "{}", sheet.name);
        session.wait();
        assert_eq!(session.0.output(), None);
        session.after(1, ChipCommand::Precharge, 0, ALL);
        session.after(2, ChipCommand::Refresh, 0, 0);
        session.after(4, ChipCommand::Activate, 2, 77);
        session.after(2, ChipCommand::Read, 2, 300);
        session.wait();
        assert_eq!(session.0.output(), Some(0x1234));
        assert_eq!(session.1, Ok(()), "{}", sheet.name);
        assert_eq!(session.0.row(2, 77)[300], 0x1234);
        let counts = session.0.counts();
        assert_eq!((counts.reads, counts.writes, counts.refreshes), (2, 1, 9));
    }
}

/// Each session breaks one rule.
#[test]
fn every_breach_is_reported() {
    use ChipCommand::{Activate, BurstStop, Precharge, Read, Refresh, SetMode, Write};
    type Step = (u32, ChipCommand, u8, u16);
    let open: [Step; 1] = [(2, Activate, 0, 5)];
    let closed: [Step; 3] = [(2, Activate, 0, 5), (2, Read, 0, 0), (1, Precharge, 0, 0)];
    let cases: [(&str, &[Step], Step); 17] = [
        ("tMRD", &[], (1, Activate, 0, 0)),
        ("tRCD", &open, (1, Read, 0, 0)),
        ("tRCD", &open, (1, Write, 0, 0)),
        ("tRAS", &open, (2, Precharge, 0, 0)),
        ("tWR", &[open[0], (5, Write, 0, 0)], (1, Precharge, 0, 0)),
        ("tRP", &closed, (1, Activate, 0, 0)),
        ("tRP", &closed, (1, Refresh, 0, 0)),
        ("tRP", &closed, (1, SetMode, 0, 0x20)),
        ("tRFC", &[(2, Refresh, 0, 0)], (3, Activate, 0, 0)),
        ("tRFC", &[(2, Refresh, 0, 0)], (3, Refresh, 0, 0)),
        ("a row is open", &open, (9, Activate, 0, 6)),
        ("a row is open", &open, (9, Refresh, 0, 0)),
        ("no row is open", &open, (9, Read, 1, 0)),
        ("no row is open", &closed, (3, Write, 0, 0)),
        ("another mode", &[], (2, SetMode, 0, 0x30)),
        ("no refresh", &[], (391, Refresh, 0, 0)),
        ("a burst stop", &open, (9, BurstStop, 0, 0)),
    ];
    for (text, steps, (cycles, command, bank, address)) in cases {
        // On this chip, rows open and close in more than a cycle.
        let mut session = Session::started(AS4C32M16_7);
        for &(cycles, command, bank, address) in steps {
            session.after(cycles, command, bank, address);
        }
        assert_eq!(session.1, Ok(()), "{text}");
        session.after(cycles, command, bank, address);
        let breach = session.1.expect_err(text).to_string();
        assert!(breach.contains(text), "{text}: {breach}");
    }
    // Two openings in one bank, at a clock at which tRC is longer than tRAS and tRP.
    let mut slow = IS42S16160_7;
    slow.cycle_of_row = 120_000;
    let mut session = Session::started(slow);
    session.after(2, Activate, 0, 5).after(3, Precharge, 0, 0);
    session.after(2, Activate, 0, 5);
    assert!(session.1.expect_err("tRC").to_string().contains("tRC"));
}

#[test]
fn power_up_and_data_pins_have_rules() {
    use ChipCommand::{Activate, Precharge, Refresh, SetMode};
    let start = |steps: &[(u32, ChipCommand, u16)]| {
        let mut session = Session(Sdram::new(MT48LC16M16A2_75, CLOCK_HZ), Ok(()));
        for &(cycles, command, address) in steps {
            session.after(cycles, command, 0, address);
        }
        session.1.map_err(|breach| breach.to_string())
    };
    let (wait, all) = ((5001, Precharge, ALL), (4, Refresh, 0));
    let whole = [wait, all, all, (4, SetMode, 0x20), (2, Activate, 0)];
    assert_eq!(start(&whole), Ok(()));
    for (text, steps) in [
        ("wait", vec![(5000, Precharge, ALL)]),
        ("precharge", vec![(5001, Precharge, 0), all]),
        ("few", vec![wait, all, (4, SetMode, 0x20), (2, Activate, 0)]),
        ("mode", vec![wait, all, all, (4, Activate, 0)]),
    ] {
        let breach = start(&steps).expect_err(text);
        assert!(breach.contains(text), "{text}: {breach}");
    }

    let mut session = Session::started(IS42S16160_7);
    session.after(2, ChipCommand::Activate, 0, 0);
    session.after(2, ChipCommand::Read, 0, 0);
    session.wait();
    // The chip drives its pins in this cycle.
    let write = pins(ChipCommand::Write, 0, 0, Some(1));
    assert_eq!(session.0.clock(&write), Err(Breach::Contention));
    assert_eq!(session.0.clock(&write), Err(Breach::Contention));
    assert_eq!(session.0.clock(&write), Ok(()));
    let nothing = Pins {
        data: None,
        ..write
    };
    assert_eq!(session.0.clock(&nothing), Err(Breach::NoData));
    let asleep = Pins { cke: false, ..NONE };
    assert!(session.0.clock(&asleep).is_err());
}

#[test]
fn faults_change_pins() {
    let write = pins(ChipCommand::Write, 2, 0b11, Some(0b0110));
    let with = |fault: Fault| {
        let mut pins = write;
        fault.pins(&mut pins);
        (pins.bank, pins.address, pins.data)
    };
    assert_eq!(with(Fault::Absent), (2, 3, Some(6)));
    assert_eq!(with(Fault::FixedData(0, true)), (2, 3, Some(7)));
    assert_eq!(with(Fault::FixedData(1, false)), (2, 3, Some(4)));
    assert_eq!(with(Fault::JoinedData(1, 0)), (2, 3, Some(4)));
    assert_eq!(with(Fault::JoinedData(1, 2)), (2, 3, Some(6)));
    assert_eq!(with(Fault::FixedAddress(0, false)), (2, 2, Some(6)));
    assert_eq!(with(Fault::FixedAddress(13, true)), (3, 3, Some(6)));
    assert_eq!(with(Fault::JoinedAddress(0, 2)), (2, 2, Some(6)));
    assert_eq!(with(Fault::JoinedAddress(13, 14)), (0, 3, Some(6)));
}
