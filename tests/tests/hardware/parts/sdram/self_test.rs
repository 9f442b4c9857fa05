//! Tests of the self-test: words as the twin lists them, and every fault of chip and pins.

use duoforge_hdl::harness::cached_nodes::CachedNodesUnit;
use duoforge_hdl::memory::sdram::self_test::twin;
use duoforge_hdl::memory::sdram::timing::SdramTiming;
use duoforge_hdl::search::tree::LINE_WORDS;
use duoforge_sim::Backend;
use duoforge_sim::sdram::{Fault, IS42S16160_7, Sdram};
use duoforge_twin::Rng;

use super::{PINS, clock, pins, place};
use crate::support::in_every_simulator;
use crate::support::reactive::Reactive;
use crate::support::share::all;

in_every_simulator!(bench; verilator if all() { 1 } else { 5 }, icarus if all() { 23 } else { 69 }, rust 23);

const CLOCK_HZ: u32 = 50_000_000;

/// Words of a line.
const WORDS: usize = LINE_WORDS;

/// Harness with the last ports to read.
type Unit = Reactive<1, 13>;

fn open(backend: Backend, power_up: Option<u16>) -> Unit {
    let mut timing = SdramTiming::at(CLOCK_HZ).expect("in range");
    timing.power_up = power_up.unwrap_or(timing.power_up);
    let unit = CachedNodesUnit::new(4, WORDS, &timing).expect("it can be built");
    let outputs: Vec<_> = ["finished", "failed", "ready"]
        .into_iter()
        .chain(PINS)
        .collect();
    let outputs = outputs.try_into().expect("13 names");
    Reactive::open(backend, unit, "cached_nodes_unit", ["data_in"], outputs)
}

/// Runs the test to its end and returns true if it failed, and the number of cycles.
fn run(dut: &mut Unit, chip: &mut Sdram) -> (bool, u64) {
    let mut rng = Rng::new(3);
    for cycle in 0..30_000 {
        let absent = rng.next_u32() as u16;
        let values = [chip.output().unwrap_or(absent).into()];
        let out = dut.look(values);
        if out[0] == 1 {
            return (out[1] == 1, cycle);
        }
        clock(chip, &pins(&out[3..]), cycle);
        dut.clock(values);
    }
    panic!("the test does not end");
}

/// Tests a chip without a fault and chips with every `step`-th fault. The nightly command tests all
/// faults in Verilator, and the test command every fifth; in Icarus, a third of those in Rust.
fn bench(backend: Backend, step: u32) {
    let mut chip = Sdram::new(IS42S16160_7, CLOCK_HZ);
    let (failed, cycles) = run(&mut open(backend, None), &mut chip);
    assert!(!failed);
    for (line, words) in twin(WORDS) {
        let (bank, row, first) = place(line);
        assert_eq!(chip.row(bank, row)[first..][..WORDS], words, "line {line}");
    }
    println!("{backend}: finished {cycles} cycles after power-up");

    let pair = |pins: u32| move |one: u32| (one + 1..pins).map(move |other| (one, other));
    let mut faults = vec![Fault::Absent];
    for pin in 0..16 {
        faults.extend([false, true].map(|high| Fault::FixedData(pin, high)));
        if pin < 15 {
            faults.extend([false, true].map(|high| Fault::FixedAddress(pin, high)));
        }
    }
    // A third of the pairs.
    faults.extend(
        (0..16)
            .flat_map(pair(16))
            .step_by(3)
            .map(|(a, b)| Fault::JoinedData(a, b)),
    );
    faults.extend(
        (0..15)
            .flat_map(pair(15))
            .step_by(3)
            .map(|(a, b)| Fault::JoinedAddress(a, b)),
    );
    let tested: Vec<_> = faults.into_iter().step_by(step as usize).collect();
    for &fault in &tested {
        let mut chip = Sdram::new(IS42S16160_7, CLOCK_HZ).with_fault(fault);
        let (failed, _) = run(&mut open(backend, Some(50)), &mut chip);
        assert!(failed, "{fault:?} is not found");
    }
    println!("{backend}: {} faults found", tested.len());
}
