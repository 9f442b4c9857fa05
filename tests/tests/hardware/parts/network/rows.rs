//! Tests of the whole prior network: the rows of its scores from the first cycle on in which they
//! can be read, for positions of games and for random maps.

use std::collections::VecDeque;
use std::ops::Range;

use duoforge_hdl::generator::store::SIDE;
use duoforge_hdl::search::expansion::network::planes::twin;
use duoforge_hdl::search::expansion::network::{DRAIN, NetworkRows, SCORE_PLANES};
use duoforge_hdl::search::position_ring::Content;
use duoforge_sim::{Backend, PortId};
use duoforge_twin::Rng;
use duoforge_twin::search::Position;
use duoforge_twin::search::prior::network::{MIN_SCORE, PriorNetwork};
use duoforge_twin::search::prior::{self, PHASES};

use super::{Map, Source, StreamPorts, any_network, bit_planes, scores};
use crate::support::games::Game;
use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(learned; verilator 200, icarus 12, rust 12);

mod any_weights {
    use super::{any, in_every_simulator};

    in_every_simulator!(any; verilator 200, icarus 12, rust 12);
}

/// Steps of a position: the rows of the board and two empty ones, which the planes follow two steps
/// later.
const STEPS: usize = SIDE + 4;

/// Cycles in which a row is taken, after that of its load.
const BUSY: usize = 32;

/// Cycles from the load of a row to the first in which the scores two rows above can be read.
const LATENCY: usize = BUSY + 1 + DRAIN;

/// Tests the shipped weights.
fn learned(backend: Backend, positions: usize) {
    let reach = bench(backend, positions, PriorNetwork::shipped());
    assert!(reach.start < MIN_SCORE / 2 && reach.end > -MIN_SCORE / 2);
}

/// Tests random weights.
fn any(backend: Backend, positions: usize) {
    let reach = bench(backend, positions, &any_network(&mut Rng::new(78)));
    assert_eq!(reach, MIN_SCORE..-MIN_SCORE);
}

struct Driver {
    dut: Bench,
    stream: StreamPorts,
    advance: PortId,
    phase: PortId,
    start: PortId,
    load: PortId,
    load_number: PortId,
    ready: PortId,
    number: PortId,
    // Watched from the end of the first position on: no word is undefined any more.
    row: Option<[PortId; SCORE_PLANES]>,
    cycle: usize,
    // Cycle of the last load.
    loaded: Option<usize>,
    // Rows that were taken as soon as possible, and later.
    at_once: u32,
    later: u32,
    // Bit planes of the position, and the first cycle in which each of their rows can be read.
    planes: [Map; SCORE_PLANES],
    readable: [Option<usize>; SIDE],
    // Row that was read in the last cycle.
    asked: Option<usize>,
    // Rows to read next.
    reads: VecDeque<usize>,
    // Rows that were read as early as possible, by number.
    early: [u32; SIDE],
    rng: Rng,
}

/// Tests positions of games and random maps by turns. Returns the range of the scores.
fn bench(backend: Backend, positions: usize, network: &PriorNetwork) -> Range<i32> {
    let unit = NetworkRows::new(Some(network));
    let mut driver = Driver::open(backend, unit);
    let mut reach = 0..0;
    let mut phases = [0; PHASES];
    for number in 0..positions {
        let (source, planes, phase) = if number % 2 == 0 {
            let game = Game::random(&mut driver.rng);
            let (board, _) = &game.moves[(5 * number + 3) % game.moves.len()];
            let mut position = Position::new(board);
            if driver.rng.below(2) == 0 {
                position.set_to_move(position.to_move().opponent());
            }
            let content = Content::of(board, game.me);
            let source = Source::of(&game, &content, &position);
            (source, twin(&position), prior::phase(&position))
        } else {
            let source = Source::any(&mut driver.rng);
            let planes = source.planes();
            (source, planes, driver.rng.below(PHASES as u32) as usize)
        };
        let scores = scores(network, phase, &planes);
        for &score in scores.as_flattened().as_flattened() {
            let score = i32::from(score);
            reach = reach.start.min(score)..reach.end.max(score + 1);
        }
        phases[phase] += 1;
        driver.stream(&source, bit_planes(&scores), phase);
    }
    println!(
        "{backend}: scores {reach:?}, phases {phases:?}, early reads {:?}",
        driver.early
    );
    assert!(driver.early.iter().sum::<u32>() > 0 && driver.at_once > 0 && driver.later > 0);
    if backend == Backend::Verilator {
        assert!(driver.early.iter().all(|&count| count > 0));
        assert!(phases.iter().all(|&count| count > 0));
    }
    driver.dut.finish();
    reach
}

impl Driver {
    fn open(backend: Backend, network: NetworkRows) -> Self {
        let mut dut = Bench::open(backend, network, "network_rows");
        Self {
            stream: StreamPorts::open(&dut, "start_cell"),
            advance: dut.input("advance"),
            phase: dut.input("phase"),
            start: dut.input("start"),
            load: dut.input("load"),
            load_number: dut.input("load_number"),
            ready: dut.output("ready"),
            number: dut.input("number"),
            row: None,
            cycle: 0,
            loaded: None,
            at_once: 0,
            later: 0,
            planes: [[0; SIDE]; SCORE_PLANES],
            readable: [None; SIDE],
            asked: None,
            reads: VecDeque::new(),
            early: [0; SIDE],
            rng: Rng::new(79),
            dut,
        }
    }

    /// Streams a position, then reads all rows of its scores.
    fn stream(&mut self, source: &Source, planes: [Map; SCORE_PLANES], phase: usize) {
        self.planes = planes;
        self.asked = None;
        self.readable = [None; SIDE];
        self.dut.drive(self.phase, phase as u64);
        self.dut.drive(self.start, 1);
        self.idle(1);
        self.dut.drive(self.start, 0);
        for step in 0..STEPS {
            let pause = self.rng.below(2) * self.rng.below(5);
            self.idle(pause as usize);
            self.step(source, step);
            if step >= 2 {
                self.idle(BUSY);
            }
        }
        let pause = self.rng.below(20) as usize;
        self.idle(DRAIN + pause);
        self.row.get_or_insert_with(|| self.dut.outputs("row"));
        self.reads.extend(0..SIDE);
        // The last row arrives one cycle after its number.
        self.idle(SIDE + 1);
    }

    /// Runs cycles with anything on the inputs that count only with `advance` or `load`.
    fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.stream.disturb_all(&mut self.dut, &mut self.rng);
            let number = self.rng.below(16).into();
            self.dut.drive(self.load_number, number);
            self.clock();
        }
    }

    /// Moves the stream by a row, which the network takes if it is one of the planes.
    fn step(&mut self, source: &Source, step: usize) {
        self.stream
            .drive(&mut self.dut, source, step, &mut self.rng);
        self.dut.drive(self.advance, 1);
        if let Some(number) = step.checked_sub(2) {
            self.dut.drive(self.load, 1);
            self.dut.drive(self.load_number, number as u64);
            let soon = self
                .loaded
                .is_some_and(|loaded| self.cycle - loaded == BUSY + 1);
            if soon {
                self.at_once += 1;
            } else {
                self.later += 1;
            }
            self.loaded = Some(self.cycle);
            if let Some(row) = number.checked_sub(2) {
                self.readable[row] = Some(self.cycle + LATENCY);
            }
        }
        self.clock();
        self.dut.drive(self.advance, 0);
        self.dut.drive(self.load, 0);
    }

    /// Runs a cycle and compares the row of the number in the cycle before.
    fn clock(&mut self) {
        let since = self.loaded.map(|loaded| self.cycle - loaded);
        let busy = since.is_some_and(|since| (1..=BUSY).contains(&since));
        self.dut.expect(self.ready, (!busy).into());
        if let (Some(row), Some(ports)) = (self.asked, self.row) {
            for (port, plane) in ports.into_iter().zip(&self.planes) {
                self.dut.expect(port, plane[row].into());
            }
        }

        // Most often the newest row that can be read.
        let can_read = |row: usize| self.readable[row].is_some_and(|first| first <= self.cycle);
        let newest = (0..SIDE).rev().find(|&row| can_read(row));
        let any = self.rng.below(SIDE as u32) as usize;
        let wanted = newest.filter(|_| self.rng.below(4) > 0).unwrap_or(any);
        let number = self.reads.pop_front().unwrap_or(wanted);
        self.asked = Some(number).filter(|&row| can_read(row));
        if self.row.is_some() && self.readable[number] == Some(self.cycle) {
            self.early[number] += 1;
        }
        self.dut.drive(self.number, number as u64);
        self.dut.clock();
        self.cycle += 1;
    }
}
