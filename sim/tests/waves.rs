//! Tests of the waveforms of all simulators.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::io::BufReader;
use std::path::Path;

use common::{Mixer, all_mixers, mixer};
use duoforge_sim::{Options, RustSim, SimError, Simulator, icarus, verilator, waves};
use fst_reader::{FstFilter, FstHierarchyEntry, FstReader, FstSignalValue};

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
    let directory = tempfile::tempdir().unwrap();
    for mut sim in all_mixers(&Options {
        wave: true,
        ..Options::default()
    }) {
        let sim = &mut *sim;
        let name = sim.backend().name();
        let file = directory.path().join(format!("{name} wave.vcd"));
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
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("wave.vcd");
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
    let directory = tempfile::tempdir().unwrap();
    let nowhere = directory.path().join("no/such/directory.vcd");
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

/// Value changes of the signals of a waveform: name, time in nanoseconds and digits.
type Changes = Vec<(String, u64, String)>;

/// Reads an FST file with a reader that shares no code with its writer.
fn read_fst(file: &Path) -> Changes {
    let file = BufReader::new(fs::File::open(file).unwrap());
    let mut reader = FstReader::open(file).unwrap();
    // Verilator and Icarus have different units of time.
    let unit = match reader.get_header().timescale_exponent {
        -9 => 1,
        -12 => 1000,
        other => panic!("unit of time 10^{other} s"),
    };
    let (mut path, mut names) = (Vec::new(), BTreeMap::<usize, Vec<String>>::new());
    reader
        .read_hierarchy(|entry| match entry {
            FstHierarchyEntry::Scope { name, .. } => path.push(name),
            FstHierarchyEntry::UpScope => drop(path.pop()),
            FstHierarchyEntry::Var { name, handle, .. } => {
                // Icarus escapes names with a dollar sign.
                let name = name.split(' ').next().unwrap().trim_start_matches('\\');
                let names = names.entry(handle.get_index()).or_default();
                names.push(format!("{}.{name}", path.join(".")));
            }
            _ => {}
        })
        .unwrap();
    let mut changes = Vec::new();
    reader
        .read_signals::<()>(&FstFilter::all(), |time, handle, value| {
            let FstSignalValue::String(value) = value else {
                panic!("a value that is not digits");
            };
            let value = String::from_utf8(value.to_vec()).unwrap();
            for name in &names[&handle.get_index()] {
                changes.push((name.clone(), time / unit, value.clone()));
            }
            Ok(())
        })
        .unwrap();
    changes
}

#[test]
fn fst_files_hold_the_changes_of_the_vcd() {
    let directory = tempfile::tempdir().unwrap();
    for mut sim in all_mixers(&Options {
        wave: true,
        ..Options::default()
    }) {
        let backend = sim.backend();
        let [vcd, fst] =
            ["vcd", "fst"].map(|name| directory.path().join(format!("{backend}.{name}")));
        record(&mut *sim, &vcd);
        sim.wave_stop().unwrap();
        waves::convert(&vcd, &fst).unwrap();
        let changes = read_fst(&fst);
        let scope = waves::scope(backend);
        let of = |name: &str| -> Vec<(u64, &str)> {
            let name = format!("{scope}.{name}");
            let found = changes.iter().filter(|(signal, ..)| *signal == name);
            let mut found: Vec<_> = found.map(|(_, at, value)| (*at, value.as_str())).collect();
            found.dedup_by_key(|(_, value)| *value);
            found
        };
        let text = fs::read_to_string(&vcd).unwrap();
        for name in ["clock", "enable", "parity"] {
            let high = of(name).into_iter().filter(|(_, value)| *value == "1");
            let high: Vec<_> = high.map(|(at, _)| at).collect();
            assert_eq!(high, rises(&text, name), "{backend}, {name}");
        }
        // Two cycles of 0, then 1 and 3.
        let data = of("data$in");
        let data: Vec<_> = data.into_iter().filter(|(_, v)| !v.contains('x')).collect();
        assert_eq!(
            data,
            [(20, "00000000"), (50, "00000001"), (60, "00000011")],
            "{backend}"
        );
    }
}

#[test]
fn waveforms_that_are_not_vcd_are_errors() {
    let directory = tempfile::tempdir().unwrap();
    let [vcd, fst] = ["a.vcd", "a.fst"].map(|name| directory.path().join(name));
    assert!(matches!(
        waves::convert(&vcd, &fst),
        Err(SimError::Io { .. })
    ));
    fs::write(&vcd, "$scope module a $end\n$var wire x").unwrap();
    assert!(matches!(
        waves::convert(&vcd, &fst),
        Err(SimError::Io { .. })
    ));
}
