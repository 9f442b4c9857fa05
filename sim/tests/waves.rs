//! Tests of the waveforms of all simulators.

mod common;

use std::fs;
use std::path::Path;

use common::{Mixer, all_mixers, mixer};
use duoforge_sim::{Options, RustSim, SimError, Simulator, icarus, verilator};

/// Returns the times in nanoseconds at which the named one-bit signal of the design rises.
fn rises(vcd: &str, name: &str) -> Vec<u64> {
    let (head, body) = vcd.split_once("$enddefinitions $end").unwrap();
    let unit = if head.contains("1ps") || head.contains("1 ps") {
        1000
    } else {
        1
    };
    // The innermost declaration is the design's own.
    let declaration = head
        .lines()
        .rev()
        .find(|line| line.contains("$var") && line.split_whitespace().any(|word| word == name));
    let words: Vec<_> = declaration.unwrap().split_whitespace().collect();
    let high = format!("1{}", words[3]);
    let mut time = 0;
    let mut found = Vec::new();
    for line in body.lines() {
        if let Some(stamp) = line.strip_prefix('#') {
            time = stamp.parse::<u64>().unwrap() / unit;
        } else if line == high {
            found.push(time);
        }
    }
    found
}

fn record(sim: &mut dyn Simulator, file: &Path) {
    let [enable, data] = ["enable", "data$in"].map(|name| sim.port(name).unwrap());
    sim.step(2).unwrap();
    sim.wave_start(file).unwrap();
    sim.step(2).unwrap();
    sim.poke(enable, 1).unwrap();
    sim.step(1).unwrap();
    sim.poke(data, 1).unwrap();
    sim.step(1).unwrap();
    sim.poke(data, 3).unwrap();
    sim.step(1).unwrap();
}

#[test]
fn waveforms_show_clocks_and_ports() {
    let folder = tempfile::tempdir().unwrap();
    for mut sim in all_mixers(&Options {
        wave: true,
        ..Options::default()
    }) {
        let sim = &mut *sim;
        let name = sim.backend().name();
        let file = folder.path().join(format!("{name} wave.vcd"));
        record(sim, &file);
        sim.wave_stop().unwrap();
        sim.wave_stop().unwrap();
        assert!(matches!(sim.wave_start(&file), Err(SimError::SecondWave)));
        sim.step(10).unwrap();
        let count = sim.port("int").unwrap();
        assert_eq!(sim.peek(count).unwrap(), 13, "the run goes on: {name}");
        let vcd = fs::read_to_string(&file).unwrap();
        assert_eq!(rises(&vcd, "clock"), [25, 35, 45, 55, 65], "{name}");
        assert_eq!(rises(&vcd, "enable"), [40], "{name}");
        assert_eq!(rises(&vcd, "parity"), [40, 60], "{name}");
        let internal = vcd.contains("count");
        assert_eq!(
            internal,
            name != "rust",
            "only Verilog shows its inside: {name}"
        );
    }
}

#[test]
fn a_waveform_is_complete_when_the_simulator_goes_away() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wave.vcd");
    let options = Options {
        wave: true,
        ..Options::default()
    };
    for mut sim in all_mixers(&options) {
        let name = sim.backend().name();
        record(&mut *sim, &file);
        drop(sim);
        let vcd = fs::read_to_string(&file).unwrap();
        assert_eq!(rises(&vcd, "clock"), [25, 35, 45, 55, 65], "{name}");
    }
}

#[test]
fn waveforms_that_cannot_be_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("no/such/folder.vcd");
    let (design, options) = (mixer(), Options::default());
    let mut plain = verilator::open(&design, &options).unwrap();
    assert!(matches!(plain.wave_start(&nowhere), Err(SimError::NoWave)));
    let mut icarus = icarus::open(&design, &options).unwrap();
    assert!(matches!(
        icarus.wave_start(&nowhere),
        Err(SimError::Io { .. })
    ));
    let mut rust = RustSim::new(&design, Box::new(Mixer::new())).unwrap();
    assert!(matches!(
        rust.wave_start(&nowhere),
        Err(SimError::Io { .. })
    ));
}
