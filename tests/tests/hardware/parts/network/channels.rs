//! Tests of the channels: all outputs and their cycles, for random windows and for those of one
//! input.

use std::collections::VecDeque;

use duoforge_hdl::harness::network::ChannelsUnit;
use duoforge_hdl::search::expansion::network::channels::twin;
use duoforge_hdl::search::expansion::network::window::{COLUMN, WINDOW as BITS};
use duoforge_sim::{Backend, PortId};
use duoforge_twin::Rng;
use duoforge_twin::search::prior::PHASES;
use duoforge_twin::search::prior::network::{
    CHANNELS, MAX_OUTPUT, PLANES, PriorNetwork, SPAN, WINDOW,
};

use super::{any_network, columns};
use crate::support::coverage::{Counted, covered};
use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(learned; verilator 20000, icarus 600, rust 400);

mod any_weights {
    use super::{any, in_every_simulator};

    in_every_simulator!(any; verilator 20000, icarus 600, rust 400);
}

mod greatest_weights {
    use super::{greatest, in_every_simulator};

    in_every_simulator!(greatest; verilator 2000, icarus 200, rust 200);
}

/// Cycles from a window to its outputs.
const STAGES: usize = 5;

/// Inputs that address a table.
const INPUTS: usize = 8;

/// Tests the shipped weights.
fn learned(backend: Backend, windows: u32) {
    random(backend, windows, PriorNetwork::shipped());
}

/// Tests random weights.
fn any(backend: Backend, windows: u32) {
    let reached = random(backend, windows, &any_network(&mut Rng::new(73)));
    if backend == Backend::Verilator {
        covered("network: tables of the first layer", &reached);
    }
}

/// Tests the greatest weights and biases: half of the channels are positive, the others negative.
fn greatest(backend: Backend, windows: u32) {
    let signs: [i16; CHANNELS] = std::array::from_fn(|channel| if channel < 4 { 1 } else { -1 });
    let mut network = any_network(&mut Rng::new(73));
    network.first = [[signs.map(|sign| 31 * sign); WINDOW]; PLANES];
    network.biases = [22_000, -22_000, -4_200, 50].map(|bias| signs.map(|sign| bias * sign));
    random(backend, windows, &network);
}

struct Dut {
    bench: Bench,
    phase: PortId,
    valid: PortId,
    columns: [PortId; SPAN],
    done: PortId,
    outputs: PortId,
    // Oldest entry first.
    pipeline: VecDeque<Option<u64>>,
    // Outputs that are held for one more cycle.
    held: Option<u64>,
}

impl Dut {
    fn open(backend: Backend, network: &PriorNetwork) -> Self {
        let mut bench = Bench::open(backend, ChannelsUnit::new(network), "channels_unit");
        Self {
            phase: bench.input("phase"),
            valid: bench.input("valid"),
            columns: std::array::from_fn(|x| bench.input(&format!("columns${x}"))),
            done: bench.output("done"),
            outputs: bench.output("outputs"),
            pipeline: VecDeque::from([None; STAGES]),
            held: None,
            bench,
        }
    }

    /// Runs a cycle with these columns; outputs mark them as the first cycle of a window.
    fn clock(&mut self, columns: [u64; SPAN], outputs: Option<u64>) {
        let bench = &mut self.bench;
        bench.drive(self.valid, outputs.is_some().into());
        for (port, column) in self.columns.into_iter().zip(columns) {
            bench.drive(port, column);
        }
        let oldest = self.pipeline.pop_front().flatten();
        bench.expect(self.done, oldest.is_some().into());
        if let Some(outputs) = oldest.or(self.held) {
            bench.expect(self.outputs, outputs);
        }
        self.held = oldest;
        self.pipeline.push_back(outputs);
        bench.clock();
    }

    /// Drains the pipeline and changes the phase.
    fn change_to(&mut self, phase: usize, rng: &mut Rng) {
        for _ in 0..STAGES {
            self.clock(any_columns(rng), None);
        }
        self.bench.drive(self.phase, phase as u64);
    }
}

/// Returns columns that count only outside of a window's cycles.
fn any_columns(rng: &mut Rng) -> [u64; SPAN] {
    std::array::from_fn(|_| {
        let all = u64::from(rng.next_u32()) << 32 | u64::from(rng.next_u32());
        all & ((1 << COLUMN) - 1)
    })
}

/// Returns the cells of a window: some eighths of the inputs, one input, or all with a weight of
/// one sign in a channel.
fn any_window(rng: &mut Rng, network: &PriorNetwork) -> [u16; WINDOW] {
    match rng.below(8) {
        0..2 => {
            let (cell, plane) = (rng.below(WINDOW as u32) as usize, rng.below(PLANES as u32));
            return std::array::from_fn(|i| u16::from(i == cell) << plane);
        }
        2 => {
            let (channel, negative) = (rng.below(CHANNELS as u32) as usize, rng.below(2) == 0);
            return std::array::from_fn(|cell| {
                let weights = network.first.iter().map(|cells| cells[cell][channel]);
                let bits = weights.enumerate();
                let bits = bits.map(|(plane, w)| u16::from((w < 0) == negative) << plane);
                bits.sum()
            });
        }
        _ => {}
    }
    let eighths = if rng.below(4) > 0 { 4 } else { rng.below(9) };
    std::array::from_fn(|_| {
        let planes = (0..PLANES).map(|plane| u16::from(rng.below(8) < eighths) << plane);
        planes.sum()
    })
}

/// Tests random windows. Returns the addresses of the tables that were read, by table.
fn random(backend: Backend, windows: u32, network: &PriorNetwork) -> Counted {
    let mut dut = Dut::open(backend, network);
    let mut rng = Rng::new(74);
    let mut reached = Counted::new(BITS.div_ceil(INPUTS) << INPUTS);
    let mut phases = [0; PHASES];
    let mut phase = 0;
    // Outputs that are 0, that are the maximum, and others; windows that follow at once.
    let (mut least, mut most, mut inner, mut at_once) = (0, 0, 0, 0);
    for number in 0..windows {
        if number % 8 == 0 {
            phase = (number / 8) as usize % PHASES;
            dut.change_to(phase, &mut rng);
        }
        phases[phase] += 1;
        let window = any_window(&mut rng, network);
        let columns = columns(&window);
        for table in 0..BITS.div_ceil(INPUTS) {
            let inputs = (INPUTS * table..BITS).take(INPUTS).enumerate();
            let set = inputs.map(|(i, bit)| (columns[bit / COLUMN] >> (bit % COLUMN) & 1) << i);
            reached.note((table << INPUTS) + set.sum::<u64>() as usize);
        }
        let outputs = twin(network, phase, &window);
        for output in outputs.map(i32::from) {
            match output {
                0 => least += 1,
                MAX_OUTPUT => most += 1,
                _ => inner += 1,
            }
        }
        let code = outputs.iter().enumerate();
        let code = code.map(|(channel, &output)| (output as u64) << (4 * channel));
        dut.clock(columns, Some(code.sum()));
        dut.clock(columns, None);
        let pause = rng.below(2) * rng.below(5);
        at_once += u32::from(pause == 0);
        for _ in 0..pause {
            dut.clock(any_columns(&mut rng), None);
        }
    }
    dut.change_to(0, &mut rng);
    dut.clock(any_columns(&mut rng), None);
    println!("{backend}: {least} outputs of 0, {most} of {MAX_OUTPUT}, {inner} others");
    assert!(
        [least, most, inner]
            .into_iter()
            .all(|count| count > windows / 8)
    );
    assert!(at_once > windows / 4 && at_once < windows);
    assert!(phases.iter().all(|&count| count > 0));
    dut.bench.finish();
    reached
}
