//! Tests of the cell scores: all scores and their cycles, for any outputs of the channels.

use std::collections::VecDeque;

use duoforge_hdl::search::expansion::network::SCORE_BITS;
use duoforge_hdl::search::expansion::network::cell_scores::CellScores;
use duoforge_sim::{Backend, PortId};
use duoforge_twin::Rng;
use duoforge_twin::search::prior::network::{
    CHANNELS, MAX_OUTPUT, MIN_SCORE, PriorNetwork, SCORES,
};

use super::any_network;
use crate::support::coverage::{Counted, covered};
use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(learned; verilator 10000, icarus 3000, rust 3000);

mod any_weights {
    use super::{any, in_every_simulator};

    in_every_simulator!(any; verilator 10000, icarus 3000, rust 3000);
}

mod greatest_weights {
    use super::{greatest, in_every_simulator};

    in_every_simulator!(greatest; verilator 3000, icarus 1000, rust 1000);
}

/// Cycles from outputs of the channels to the scores.
const STAGES: usize = 4;

/// Bits of an output of a channel.
const OUTPUT_BITS: usize = 4;

/// Tests the shipped weights.
fn learned(backend: Backend, cells: u32) {
    let reached = random(backend, cells, PriorNetwork::shipped());
    if backend == Backend::Verilator {
        covered("network: tables of the second layer", &reached);
    }
}

/// Tests random weights.
fn any(backend: Backend, cells: u32) {
    random(backend, cells, &any_network(&mut Rng::new(75)));
}

/// Tests the greatest weights and biases of either sign, and those that make up for each other.
fn greatest(backend: Backend, cells: u32) {
    let mut network = any_network(&mut Rng::new(75));
    network.second = [[127, -128, 127]; CHANNELS];
    network.offsets = [32_000, -32_000, -60 * 127];
    random(backend, cells, &network);
}

struct Dut {
    bench: Bench,
    valid: PortId,
    outputs: PortId,
    done: PortId,
    scores: PortId,
    // Oldest entry first.
    pipeline: VecDeque<Option<u64>>,
}

impl Dut {
    fn open(backend: Backend, network: &PriorNetwork) -> Self {
        let mut bench = Bench::open(backend, CellScores::new(Some(network)), "cell_scores");
        Self {
            valid: bench.input("valid"),
            outputs: bench.input("outputs"),
            done: bench.output("done"),
            scores: bench.output("scores"),
            pipeline: VecDeque::from([None; STAGES]),
            bench,
        }
    }

    /// Runs a cycle with these outputs; scores mark them as the first cycle of a cell.
    fn clock(&mut self, outputs: u64, scores: Option<u64>) {
        let bench = &mut self.bench;
        bench.drive(self.valid, scores.is_some().into());
        bench.drive(self.outputs, outputs);
        let oldest = self.pipeline.pop_front().flatten();
        bench.expect(self.done, oldest.is_some().into());
        if let Some(scores) = oldest {
            bench.expect(self.scores, scores);
        }
        self.pipeline.push_back(scores);
        bench.clock();
    }
}

/// Returns outputs of the channels: any, equal ones, that of one channel, or those with the
/// greatest or the least of the scores.
fn any_outputs(rng: &mut Rng, network: &PriorNetwork) -> [i16; CHANNELS] {
    let all = MAX_OUTPUT as u32 + 1;
    match rng.below(8) {
        0 => [0; CHANNELS],
        1 => [MAX_OUTPUT as i16; CHANNELS],
        2 => [rng.below(all) as i16; CHANNELS],
        3 => {
            let channel = rng.below(CHANNELS as u32) as usize;
            let output = rng.below(all) as i16;
            std::array::from_fn(|i| if i == channel { output } else { 0 })
        }
        4 => {
            let (score, negative) = (rng.below(SCORES as u32) as usize, rng.below(2) == 0);
            let weights = network.second.map(|weights| weights[score]);
            weights.map(|weight| i16::from((weight < 0) == negative) * MAX_OUTPUT as i16)
        }
        _ => std::array::from_fn(|_| rng.below(all) as i16),
    }
}

/// Tests random outputs of the channels. Returns the addresses of the tables that were read, by bit
/// of the outputs.
fn random(backend: Backend, cells: u32, network: &PriorNetwork) -> Counted {
    let mut dut = Dut::open(backend, network);
    let mut rng = Rng::new(76);
    let mut reached = Counted::new(OUTPUT_BITS << CHANNELS);
    let (mut least, mut most, mut inner) = ([0; SCORES], [0; SCORES], [0; SCORES]);
    let mut at_once = 0;
    for _ in 0..cells {
        let outputs = any_outputs(&mut rng, network);
        for bit in 0..OUTPUT_BITS {
            let set = outputs.iter().enumerate();
            let set = set.map(|(channel, output)| (*output as usize >> bit & 1) << channel);
            reached.note((bit << CHANNELS) + set.sum::<usize>());
        }
        let scores = network.cell_scores(&outputs);
        for (i, score) in scores.into_iter().map(i32::from).enumerate() {
            if score == MIN_SCORE {
                least[i] += 1;
            } else if score == -MIN_SCORE - 1 {
                most[i] += 1;
            } else {
                inner[i] += 1;
            }
        }
        let word = |numbers: &[i16], bits: usize| {
            let numbers = numbers.iter().enumerate();
            let numbers = numbers.map(|(i, &n)| (n as u64 & ((1 << bits) - 1)) << (bits * i));
            numbers.sum::<u64>()
        };
        let outputs = word(&outputs, OUTPUT_BITS);
        dut.clock(outputs, Some(word(&scores, SCORE_BITS)));
        dut.clock(outputs, None);
        let pause = rng.below(2) * rng.below(5);
        at_once += u32::from(pause == 0);
        for _ in 0..pause {
            dut.clock(rng.next_u32().into(), None);
        }
    }
    for _ in 0..=STAGES {
        dut.clock(rng.next_u32().into(), None);
    }
    println!("{backend}: {least:?} minima, {most:?} maxima, {inner:?} others");
    for counts in [least, most, inner] {
        assert!(counts.iter().sum::<u32>() > 0);
    }
    assert!(at_once > cells / 4 && at_once < cells);
    dut.bench.finish();
    reached
}
