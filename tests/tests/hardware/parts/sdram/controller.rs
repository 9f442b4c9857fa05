//! Tests of the controller: random lines on a chip, command by command as the twin lists them.

use std::collections::{HashMap, VecDeque};

use duoforge_hdl::memory::sdram::controller::{LineCommand, SdramController, twin};
use duoforge_hdl::memory::sdram::timing::SdramTiming;
use duoforge_hdl::search::tree::LINE_WORDS;
use duoforge_sim::Backend;
use duoforge_sim::sdram::{
    AS4C32M16_7, ChipCommand, DataSheet, IS42S16160_7, MT48LC16M16A2_7E, MT48LC16M16A2_75, Sdram,
};
use duoforge_twin::Rng;

use super::{PINS, clock, pins, place};
use crate::support::in_every_simulator;
use crate::support::reactive::Reactive;

in_every_simulator!(bench; verilator 200, icarus 10, rust 10);

/// Cycles from the issue of a read to its word.
const READ_LATENCY: u16 = 4;

/// Controller to test: words a line, clock in hertz, registers before `data_in`, and chip.
struct Case(usize, u32, usize, DataSheet);

fn bench(backend: Backend, lines: u32) {
    for case in [
        Case(LINE_WORDS, 50_000_000, 0, IS42S16160_7),
        Case(LINE_WORDS, 36_000_000, 1, AS4C32M16_7),
        Case(256, 100_000_000, 4, MT48LC16M16A2_75),
        Case(4, 100_000_000, 0, IS42S16160_7),
        Case(3, 50_000_000, 0, MT48LC16M16A2_7E),
    ] {
        run(backend, lines, &case);
    }
}

/// Line in progress.
struct Line {
    number: u16,
    write: bool,
    words: Vec<u16>,
    requested: u64,
}

/// Removes the first element if it meets a condition.
fn pop_if<T>(queue: &mut VecDeque<T>, condition: impl FnOnce(&T) -> bool) -> Option<T> {
    queue
        .front()
        .is_some_and(condition)
        .then(|| queue.pop_front())?
}

#[expect(clippy::too_many_lines, reason = "one cycle after the other")]
fn run(backend: Backend, lines: u32, &Case(words, clock_hz, registers, sheet): &Case) {
    let timing = SdramTiming::at(clock_hz).expect("in range");
    let controller = SdramController::new(words, &timing, registers).expect("it can be built");
    let outputs = [
        "ready",
        "idle",
        "index",
        "take",
        "store",
        "store_index",
        "stored_word",
    ];
    let all: Vec<_> = outputs.into_iter().chain(PINS).collect();
    let all: [&str; 17] = all.try_into().expect("17 names");
    let inputs = ["hold", "request", "write", "line", "word", "data_in"];
    let mut dut = Reactive::open(backend, controller, "sdram_controller", inputs, all);
    let mut chip = Sdram::new(sheet, clock_hz);
    let mut rng = Rng::new(words as u64 ^ u64::from(clock_hz));
    // The cycles of a reset take most of the time in Icarus.
    let times = if backend == Backend::Icarus { 1 } else { 30 };
    let held = u64::from(rng.below(times * u32::from(timing.power_up) / 10));
    let numbers: Vec<u16> = (0..12).map(|_| rng.next_u32() as u16).collect();
    let mut content: HashMap<u16, Vec<u16>> = HashMap::new();
    let mut line: Option<Line> = None;
    let mut request: Option<(u16, bool)> = None;
    let (mut pause, mut done, mut waited, mut index) = (0, 0, 0, 0);
    let (mut longest_wait, mut busy, mut ready_before) = (0, 0, 0);
    // Commands that the twin lists, with their cycles at the pins, and words to be stored.
    let mut commands: VecDeque<(u64, LineCommand)> = VecDeque::new();
    let mut stores: VecDeque<(u64, u16, u16)> = VecDeque::new();
    let (mut is_set_up, mut closed) = (false, None);
    let mut delayed: VecDeque<u16> = (0..registers).map(|_| 0).collect();
    let mut cycle = 0;
    let first_cycle = loop {
        let noise = rng.next_u32() as u16;
        // The data pins are undefined while neither side drives them.
        delayed.push_back(chip.output().unwrap_or(noise));
        let data_in = delayed.pop_front().expect("a word");
        if request.is_none() && line.is_none() && pause == 0 {
            let number = numbers[rng.below(12) as usize];
            request = Some((number, rng.below(2) == 0 || !content.contains_key(&number)));
            waited = 0;
        }
        let writing = line.as_ref().filter(|line| line.write);
        let word = writing.map_or(noise, |line| *line.words.get(index).unwrap_or(&noise));
        let (number, write) = request.unwrap_or((noise, noise & 1 == 1));
        let values = [
            (cycle < held).into(),
            request.is_some().into(),
            write.into(),
            number.into(),
            word.into(),
            data_in.into(),
        ];
        let out = dut.look(values);
        let [ready, idle, next_index, take, store, store_index, stored] =
            out[..7].try_into().expect("seven");
        let pins = pins(&out[7..]);

        // Commands at the pins: those of the twin, and refreshes between lines.
        let expected = pop_if(&mut commands, |(at, _)| *at == cycle);
        let (bank, row, half) = line.as_ref().map_or((0, 0, 0), |line| place(line.number));
        let write_line = line.as_ref().is_some_and(|line| line.write);
        match (expected, pins.command()) {
            (None, None) => {}
            (None, Some(ChipCommand::Refresh)) => assert!(commands.is_empty()),
            (None, Some(_)) if done == 0 && line.is_none() => {}
            (Some((_, LineCommand::Open)), Some(ChipCommand::Activate)) => {
                assert_eq!((pins.bank, pins.address), (bank, row));
            }
            (Some((_, LineCommand::Word(of))), Some(command)) => {
                let kind = if write_line {
                    ChipCommand::Write
                } else {
                    ChipCommand::Read
                };
                let column = half as u16 + of;
                assert_eq!((command, pins.bank, pins.address), (kind, bank, column));
            }
            (Some((_, LineCommand::Close)), Some(ChipCommand::Precharge)) => {}
            (expected, command) => panic!("cycle {cycle}: {expected:?}, {command:?}"),
        }
        // The masks are high until the mode is set.
        is_set_up |= pins.command() == Some(ChipCommand::SetMode);
        if closed.is_none() && pins.command() == Some(ChipCommand::Precharge) {
            closed = Some(cycle);
        }
        assert_eq!(pins.mask, !is_set_up, "cycle {cycle}");
        assert!(!pins.mask || pins.data.is_none());
        assert_eq!(take == 1, {
            // A word is taken in the cycle before its command is at the pins.
            let next = commands.front();
            write_line && matches!(next, Some((at, LineCommand::Word(_))) if *at == cycle + 1)
        });

        // Words that were read.
        let due = pop_if(&mut stores, |(at, _, _)| *at == cycle);
        assert_eq!(store == 1, due.is_some(), "cycle {cycle}");
        if let Some((_, of, word)) = due {
            assert_eq!(
                (store_index, stored),
                (of.into(), word.into()),
                "cycle {cycle}"
            );
        }
        if let Some(current) = &line {
            let at_work = !commands.is_empty() || !stores.is_empty();
            assert_eq!(
                idle == 1,
                !at_work && cycle > current.requested,
                "cycle {cycle}"
            );
            if idle == 1 {
                busy = busy.max(cycle - current.requested);
                if current.write {
                    content.insert(current.number, current.words.clone());
                }
                line = None;
                done += 1;
                pause = [0, 0, 1, 3, rng.below(500)][rng.below(5) as usize];
                if done == lines {
                    break ready_before;
                }
            }
        } else if ready == 1 && request.is_some() {
            // Requested in this cycle.
            let (number, write) = request.take().expect("a request");
            let new: Vec<u16> = (0..words).map(|_| rng.next_u32() as u16).collect();
            let words_of = if write { new } else { content[&number].clone() };
            if done > 0 {
                longest_wait = longest_wait.max(waited);
            } else {
                ready_before = cycle;
            }
            let list = twin(words, &timing, write);
            commands.extend(list.iter().map(|&(at, it)| (cycle + 1 + u64::from(at), it)));
            if !write {
                let arrival = |at: u16| cycle + u64::from(at + READ_LATENCY) + registers as u64;
                stores.extend(list.iter().filter_map(|&(at, it)| match it {
                    LineCommand::Word(of) => Some((arrival(at), of, words_of[usize::from(of)])),
                    _ => None,
                }));
            }
            line = Some(Line {
                number,
                write,
                words: words_of,
                requested: cycle,
            });
        } else {
            waited += 1;
            pause = u32::saturating_sub(pause, 1);
        }
        index = next_index as usize;
        clock(&mut chip, &pins, cycle);
        dut.clock(values);
        cycle += 1;
    };
    // The whole wait follows the hold.
    let wait = u64::from(timing.power_up);
    assert_eq!(closed.map(|at| at - 1), Some(held + wait));
    // After the first precharge the power-up sequence has eight refreshes and the setting of the mode.
    // The pins show each command one cycle late.
    let setup = timing.close + 8 * timing.refresh + timing.mode;
    assert_eq!(
        closed.map(|at| at - 1 + u64::from(setup)),
        Some(first_cycle)
    );
    // A request meets at most the end of the last line and one refresh.
    let bound = u64::from(timing.close + timing.refresh);
    assert!(longest_wait <= bound, "{longest_wait} cycles");
    let counts = chip.counts();
    assert_eq!(counts.activates, u64::from(lines));
    assert!(chip.longest_interval() <= u64::from(timing.refresh_interval));
    println!(
        "{backend}: {words} words, {clock_hz} Hz, {}: ready after {first_cycle} cycles, then {lines} lines, each in at \
         most {busy} cycles, {} refreshes, at most {} cycles apart; a request waits at most {longest_wait}",
        sheet.name,
        counts.refreshes,
        chip.longest_interval(),
    );
    for (&number, words) in &content {
        let (bank, row, first) = place(number);
        assert_eq!(chip.row(bank, row)[first..][..words.len()], words[..]);
    }
}
