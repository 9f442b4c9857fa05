//! Tests that all simulators give the same results for the same calls.

mod common;

use common::{all_mixers, mixer};
use duoforge_hdl::design::Port;
use duoforge_sim::{Event, Options, Run, Sample, SimError, Simulator, icarus, verilator};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Call of the interface; ports are given as positions in a list of names.
#[derive(Debug, Clone)]
enum Call {
    Poke(usize, u64),
    Step(u64),
    Peek(usize),
    Until(usize, u64, u64),
    Watch(usize),
    Sample(usize, Vec<usize>),
    Events,
    EventsOf(usize),
    Samples,
}

/// Result of a call.
#[derive(Debug, PartialEq)]
enum Answer {
    None,
    Value(u64),
    Run(Run),
    Events(Vec<Event>),
    Samples(Vec<Sample>),
}

const INPUTS: [(&str, u64); 3] = [("enable", 1), ("data$in", 0xff), ("new", u64::MAX)];
const PORTS: [&str; 8] = [
    "enable",
    "data$in",
    "new",
    "parity",
    "int",
    "acc$q",
    "hit",
    "double__under",
];
const BITS: [&str; 3] = ["enable", "parity", "hit"];

fn apply(sim: &mut dyn Simulator, call: &Call) -> Answer {
    let port = |index: usize| sim.port(PORTS[index]).unwrap();
    match call {
        Call::Poke(index, value) => {
            let (name, mask) = INPUTS[*index];
            let port = sim.port(name).unwrap();
            sim.poke(port, value & mask).unwrap();
            Answer::None
        }
        Call::Step(cycles) => {
            sim.step(*cycles).unwrap();
            Answer::None
        }
        Call::Peek(index) => {
            let port = port(*index);
            Answer::Value(sim.peek(port).unwrap())
        }
        Call::Until(index, value, max) => {
            let port = port(*index);
            Answer::Run(sim.run_until(port, *value, *max).unwrap())
        }
        Call::Watch(index) => {
            let port = port(*index);
            sim.watch(port).unwrap();
            Answer::None
        }
        Call::Sample(valid, ports) => {
            let valid = sim.port(BITS[*valid]).unwrap();
            let ports: Vec<_> = ports.iter().map(|&index| port(index)).collect();
            sim.sample(valid, &ports).unwrap();
            Answer::None
        }
        Call::Events => Answer::Events(sim.events().unwrap()),
        Call::EventsOf(index) => {
            let port = port(*index);
            Answer::Events(sim.events_of(port).unwrap())
        }
        Call::Samples => Answer::Samples(sim.samples().unwrap()),
    }
}

fn call() -> impl Strategy<Value = Call> {
    let port = 0..PORTS.len();
    let list = prop::collection::vec(0..PORTS.len(), 0..5);
    prop_oneof![
        6 => (0..INPUTS.len(), any::<u64>()).prop_map(|(port, value)| Call::Poke(port, value)),
        5 => (0_u64..20).prop_map(Call::Step),
        3 => port.clone().prop_map(Call::Peek),
        3 => (port.clone(), 0_u64..4, 0_u64..30).prop_map(|(port, value, max)| Call::Until(port, value, max)),
        1 => port.clone().prop_map(Call::Watch),
        1 => (0..BITS.len(), list).prop_map(|(valid, ports)| Call::Sample(valid, ports)),
        1 => Just(Call::Events),
        1 => port.prop_map(Call::EventsOf),
        1 => Just(Call::Samples),
    ]
}

#[test]
fn random_calls_have_the_same_answers() {
    let mut runner = TestRunner::new(Config {
        cases: 60,
        ..Config::default()
    });
    let calls = prop::collection::vec(call(), 1..60);
    runner
        .run(&calls, |mut calls| {
            calls.extend([Call::Step(3), Call::Events, Call::Samples]);
            let mut sims = all_mixers(&Options::default());
            for (number, call) in calls.iter().enumerate() {
                let answers: Vec<_> = sims.iter_mut().map(|sim| apply(&mut **sim, call)).collect();
                prop_assert_eq!(&answers[0], &answers[2], "verilator, rust: call {}", number);
                prop_assert_eq!(&answers[1], &answers[2], "icarus, rust: call {}", number);
                prop_assert!(sims.iter().all(|sim| sim.cycles() == sims[0].cycles()));
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn cycles_are_numbered_by_the_edge_that_sees_the_value() {
    for mut sim in all_mixers(&Options::default()) {
        let sim = &mut *sim;
        let [enable, parity, count] =
            ["enable", "parity", "int"].map(|name| sim.port(name).unwrap());
        sim.watch(parity).unwrap();
        sim.watch(count).unwrap();
        sim.sample(enable, &[count]).unwrap();
        sim.step(2).unwrap();
        sim.poke(enable, 1).unwrap();
        sim.step(2).unwrap();
        sim.poke(enable, 0).unwrap();
        sim.step(2).unwrap();
        let event = |clock, port, value| Event { clock, port, value };
        let expected = [
            event(0, parity, 0),
            event(0, count, 0),
            event(2, parity, 1),
            event(3, count, 1),
            event(4, parity, 0),
            event(4, count, 2),
        ];
        assert_eq!(sim.events().unwrap(), expected, "{}", sim.backend());
        let samples = sim.samples().unwrap();
        let samples: Vec<_> = samples
            .iter()
            .map(|s| (s.clock, s.values.clone()))
            .collect();
        assert_eq!(samples, [(2, vec![0]), (3, vec![1])], "{}", sim.backend());
        assert_eq!(sim.cycles(), 6);
    }
}

#[test]
fn many_commands_at_once_stay_in_order() {
    for mut sim in all_mixers(&Options::default()) {
        let sim = &mut *sim;
        let [enable, data, double] =
            ["enable", "data$in", "double__under"].map(|name| sim.port(name).unwrap());
        sim.watch(double).unwrap();
        sim.poke(enable, 0).unwrap();
        for value in 0..20_000_u64 {
            sim.poke(data, value & 0xff).unwrap();
            sim.step(1).unwrap();
        }
        let events = sim.events().unwrap();
        assert_eq!(events.len(), 20_000, "{}", sim.backend());
        for (clock, event) in (0..).zip(events) {
            assert_eq!(
                event,
                Event {
                    clock,
                    port: double,
                    value: 1 + (clock & 0xff)
                }
            );
        }
        let ports: Vec<_> = std::iter::repeat_n(double, 3000).collect();
        assert_eq!(
            sim.peek_all(&ports).unwrap(),
            vec![1 + (19_999 & 0xff); 3000]
        );
    }
}

#[test]
fn a_single_command_may_have_megabytes_of_answers() {
    for mut sim in all_mixers(&Options::default()) {
        let sim = &mut *sim;
        let [enable, count, key] = ["enable", "int", "new"].map(|name| sim.port(name).unwrap());
        sim.poke(enable, 1).unwrap();
        sim.poke(key, u64::MAX).unwrap();
        sim.watch(count).unwrap();
        sim.sample(enable, &[key, count, key]).unwrap();
        sim.step(30_000).unwrap();
        let (events, samples) = (sim.events().unwrap(), sim.samples().unwrap());
        assert_eq!((events.len(), samples.len()), (30_000, 30_000));
        for (clock, (event, sample)) in (0..).zip(events.iter().zip(&samples)) {
            assert_eq!(
                (event.clock, event.value),
                (clock, clock),
                "{}",
                sim.backend()
            );
            assert_eq!(sample.clock, clock, "{}", sim.backend());
            assert_eq!(
                sample.values,
                [u64::MAX, clock, u64::MAX],
                "{}",
                sim.backend()
            );
        }
    }
}

#[test]
fn mistakes_of_the_caller_are_errors_and_change_nothing() {
    for mut sim in all_mixers(&Options::default()) {
        let sim = &mut *sim;
        let [enable, count, data] =
            ["enable", "int", "data$in"].map(|name| sim.port(name).unwrap());
        assert!(matches!(
            sim.port("nothing"),
            Err(SimError::NoSuchPort { .. })
        ));
        assert!(matches!(
            sim.port("clock"),
            Err(SimError::NoSuchPort { .. })
        ));
        assert!(matches!(
            sim.poke(count, 0),
            Err(SimError::NotAnInput { .. })
        ));
        assert!(matches!(
            sim.poke(data, 256),
            Err(SimError::TooWide { width: 8, .. })
        ));
        assert!(matches!(
            sim.sample(data, &[]),
            Err(SimError::BadSampleList { .. })
        ));
        assert_eq!(sim.peek_all(&[]).unwrap(), Vec::<u64>::new());
        sim.poke(enable, 1).unwrap();
        sim.step(5).unwrap();
        assert_eq!(sim.peek(count).unwrap(), 5);
    }
}

#[test]
fn a_wrong_list_of_ports_is_found_when_the_model_is_built() {
    let mut unlisted = mixer();
    unlisted.ports.retain(|port| port.name != "clock");
    let error = verilator::open(&unlisted, &Options::default()).unwrap_err();
    assert!(
        error.to_string().contains("missing pin: 'clock'"),
        "{error}"
    );

    let mut narrow = mixer();
    narrow.ports.retain(|port| port.name != "acc$q");
    narrow.ports.push(Port::output("acc$q", 63));
    let error = verilator::open(&narrow, &Options::default()).unwrap_err();
    assert!(error.to_string().contains("acc$q"), "{error}");
}

#[test]
fn a_broken_design_shows_what_the_tool_said() {
    let mut design = mixer();
    design.verilog = design
        .verilog
        .replace("assign parity", "assign nonsense nonsense");
    for result in [
        verilator::open(&design, &Options::default()),
        icarus::open(&design, &Options::default()),
    ] {
        let error = result.unwrap_err();
        assert!(matches!(error, SimError::Tool(_)), "{error}");
        assert!(error.to_string().contains("syntax error"), "{error}");
    }
}

#[test]
fn unknown_bits_are_found_by_icarus() {
    let mut design = mixer();
    design.verilog = design.verilog.replace("initial count = 0;", "");
    let mut sim = icarus::open(&design, &Options::default()).unwrap();
    let [count, acc] = ["int", "acc$q"].map(|name| sim.port(name).unwrap());
    let error = sim.peek(count).unwrap_err();
    assert!(
        matches!(&error, SimError::Unknown { name, clock: 0, .. } if name == "int"),
        "{error}"
    );
    assert_eq!(
        sim.peek(acc).unwrap(),
        1,
        "other ports can still be looked at"
    );
    sim.watch(count).unwrap();
    sim.step(3).unwrap();
    assert!(matches!(
        sim.events(),
        Err(SimError::Unknown { clock: 0, .. })
    ));
}
