//! Drives a block by a model of its environment, which reads the outputs of every cycle.

use duoforge_hdl::model::Ported;
use duoforge_sim::{Backend, Options, PortId, Simulator, open};
use duoforge_twin::Rng;

/// Block in a simulator. Inputs and outputs have the order of their names.
pub struct Reactive<const INPUTS: usize, const OUTPUTS: usize> {
    sim: Box<dyn Simulator>,
    inputs: [PortId; INPUTS],
    outputs: [PortId; OUTPUTS],
    driven: [u64; INPUTS],
}

impl<const INPUTS: usize, const OUTPUTS: usize> Reactive<INPUTS, OUTPUTS> {
    /// Opens a block.
    pub fn open(
        backend: Backend,
        block: impl Ported + Send + 'static,
        top: &str,
        inputs: [&str; INPUTS],
        outputs: [&str; OUTPUTS],
    ) -> Self {
        let sim = open(backend, block, top, &Options::default());
        let mut sim = sim.expect("the model can be built");
        sim.step(1).expect("it runs");
        let port = |name| sim.port(name).expect("the block has the port");
        Self {
            inputs: inputs.map(port),
            outputs: outputs.map(port),
            sim,
            // Inputs are 0 at first.
            driven: [0; INPUTS],
        }
    }

    /// Drives all inputs and returns the outputs of this cycle, which follow them.
    pub fn look(&mut self, inputs: [u64; INPUTS]) -> [u64; OUTPUTS] {
        self.drive(inputs);
        let values = self.sim.peek_all(&self.outputs).expect("it runs");
        values.try_into().expect("a value for each output")
    }

    /// Drives all inputs and ends the cycle.
    pub fn clock(&mut self, inputs: [u64; INPUTS]) {
        self.drive(inputs);
        self.sim.step(1).expect("it runs");
    }

    fn drive(&mut self, inputs: [u64; INPUTS]) {
        let ports = self.inputs.into_iter().zip(&mut self.driven);
        for ((port, driven), value) in ports.zip(inputs) {
            if *driven != value {
                self.sim.poke(port, value).expect("the value fits");
                *driven = value;
            }
        }
    }
}

/// Returns a random number of up to 64 bits; every fourth one has all bits equal.
pub fn number(rng: &mut Rng, bits: u32) -> u64 {
    let all = u64::MAX >> (64 - bits);
    match rng.below(8) {
        0 => 0,
        1 => all,
        _ => (u64::from(rng.next_u32()) << 32 | u64::from(rng.next_u32())) & all,
    }
}
