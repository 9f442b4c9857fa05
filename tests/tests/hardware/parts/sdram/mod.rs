//! Tests of the external memory: controller, self-test and node cache, each on a model of the chip.

mod controller;
mod node_cache;
mod self_test;

use duoforge_sim::sdram::{Pins, Sdram};

/// Names of the pins that the chip samples.
const PINS: [&str; 10] = [
    "cke", "cs_n", "ras_n", "cas_n", "we_n", "bank", "address", "mask", "data_out", "drive",
];

/// Returns the pins from the values of [`PINS`].
fn pins(values: &[u64]) -> Pins {
    let &[
        cke,
        cs_n,
        ras_n,
        cas_n,
        we_n,
        bank,
        address,
        mask,
        data,
        drive,
    ] = values
    else {
        panic!("{} values", values.len());
    };
    Pins {
        cke: cke == 1,
        cs_n: cs_n == 1,
        ras_n: ras_n == 1,
        cas_n: cas_n == 1,
        we_n: we_n == 1,
        bank: bank as u8,
        address: address as u16,
        mask: mask == 1,
        data: (drive == 1).then_some(data as u16),
    }
}

/// Runs a cycle of the chip; a breach fails the test.
fn clock(chip: &mut Sdram, pins: &Pins, cycle: u64) {
    if let Err(breach) = chip.clock(pins) {
        panic!("cycle {cycle}: {breach}: {pins:?}");
    }
}

/// Returns bank, row and first column of a line.
fn place(line: u16) -> (u8, u16, usize) {
    (
        (line >> 14) as u8,
        line >> 1 & 0x1fff,
        usize::from(line & 1) << 8,
    )
}
