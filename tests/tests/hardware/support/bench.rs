//! Drives a block cycle by cycle and compares its outputs with a model's expectations.

use std::collections::HashMap;

use duoforge_hdl::model::Ported;
use duoforge_sim::{Backend, Options, PortId, Simulator, open};

/// Cycles between two comparisons of expected and observed values.
const BATCH: usize = 2048;

/// Block in a simulator, with expectations about its outputs.
pub struct Bench {
    sim: Box<dyn Simulator>,
    driven: HashMap<PortId, u64>,
    names: HashMap<PortId, String>,
    // Cycle, port and value, in cycle order.
    expected: Vec<(u64, PortId, u64)>,
    // Values of the watched ports at the end of the last batch.
    seen: HashMap<PortId, u64>,
    batch: usize,
    compared: u64,
}

impl Bench {
    /// Opens a block.
    pub fn open(backend: Backend, block: impl Ported + Send + 'static, top: &str) -> Self {
        let sim = open(backend, block, top, &Options::default());
        Self::of(sim.expect("the model can be built"))
    }

    /// Wraps a simulator that was opened in another way.
    pub fn of(sim: Box<dyn Simulator>) -> Self {
        Self {
            sim,
            driven: HashMap::new(),
            names: HashMap::new(),
            expected: Vec::new(),
            seen: HashMap::new(),
            batch: 0,
            compared: 0,
        }
    }

    /// Returns the handle of an input.
    pub fn input(&self, name: &str) -> PortId {
        self.sim.port(name).expect("the block has the input")
    }

    /// Returns the handle of an output and watches it for expectations.
    pub fn output(&mut self, name: &str) -> PortId {
        let port = self.sim.port(name).expect("the block has the output");
        self.sim.watch(port).expect("the simulator runs");
        self.names.insert(port, name.into());
        port
    }

    /// Returns the outputs `name$0` and so on.
    pub fn outputs<const N: usize>(&mut self, name: &str) -> [PortId; N] {
        std::array::from_fn(|index| self.output(&format!("{name}${index}")))
    }

    /// Samples ports in each cycle in which `valid` is 1. In other cycles they may be undefined.
    pub fn sample(&mut self, valid: PortId, ports: &[PortId]) {
        self.sim.sample(valid, ports).expect("a list");
    }

    /// Returns the values sampled since the last call.
    pub fn samples(&mut self) -> Vec<Vec<u64>> {
        let samples = self.sim.samples().expect("the simulator runs");
        samples.into_iter().map(|sample| sample.values).collect()
    }

    /// Drives an input from the next cycle on.
    pub fn drive(&mut self, port: PortId, value: u64) {
        if self.driven.insert(port, value) != Some(value) {
            self.sim.poke(port, value).expect("the value fits");
        }
    }

    /// Expects this value in the next cycle.
    pub fn expect(&mut self, port: PortId, value: u64) {
        self.expected.push((self.sim.cycles(), port, value));
    }

    /// Runs one cycle.
    pub fn clock(&mut self) {
        self.sim.step(1).expect("the simulator runs");
        self.batch += 1;
        if self.batch >= BATCH {
            self.compare();
        }
    }

    /// Compares the remaining values and returns the total number of comparisons.
    pub fn finish(mut self) -> u64 {
        self.compare();
        self.compared
    }

    fn compare(&mut self) {
        self.batch = 0;
        let mut events = self
            .sim
            .events()
            .expect("the simulator runs")
            .into_iter()
            .peekable();
        for (clock, port, expected) in self.expected.drain(..) {
            while let Some(event) = events.next_if(|event| event.clock <= clock) {
                self.seen.insert(event.port, event.value);
            }
            let seen = self.seen[&port];
            assert!(
                seen == expected,
                "{}: {} at clock {clock} is {seen:#x} and must be {expected:#x}",
                self.sim.backend(),
                self.names[&port],
            );
            self.compared += 1;
        }
        self.seen
            .extend(events.map(|event| (event.port, event.value)));
    }
}
