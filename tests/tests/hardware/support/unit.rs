//! Driver of a harness that contains a board: `GeneratorUnit` or `ScanUnit`.

use duoforge_rules::Placement;
use duoforge_sim::{PortId, Simulator};

/// Cycles from a stream request to the last row, for a generator that is never stalled.
pub const STREAM: u64 = 22;

/// Cycles from a place request until the harness is idle again.
pub const PLACE: u64 = 15;

/// Ports that write and query a board. No method waits for the simulator.
pub struct BoardUnit {
    /// Simulator of the harness.
    pub sim: Box<dyn Simulator>,
    clear: PortId,
    start_is_a: PortId,
    side: PortId,
    place: PortId,
    stream: PortId,
    orientation: PortId,
    x: PortId,
    y: PortId,
}

impl BoardUnit {
    /// Wraps a harness.
    pub fn new(sim: Box<dyn Simulator>) -> Self {
        let port = |name| sim.port(name).expect("the unit has the port");
        Self {
            clear: port("clear"),
            start_is_a: port("start_is_a"),
            side: port("side"),
            place: port("place"),
            stream: port("stream"),
            orientation: port("orientation"),
            x: port("x"),
            y: port("y"),
            sim,
        }
    }

    /// Returns the handle of a port.
    pub fn port(&self, name: &str) -> PortId {
        self.sim.port(name).expect("the unit has the port")
    }

    /// Drives an input.
    pub fn poke(&mut self, port: PortId, value: u64) {
        self.sim.poke(port, value).expect("the value fits");
    }

    /// Runs a number of cycles.
    pub fn step(&mut self, cycles: u64) {
        self.sim.step(cycles).expect("the simulator runs");
    }

    /// Raises a port for one cycle.
    fn pulse(&mut self, port: PortId) {
        self.poke(port, 1);
        self.step(1);
        self.poke(port, 0);
    }

    /// Empties the board.
    pub fn clear(&mut self, start_is_a: bool) {
        self.poke(self.start_is_a, start_is_a.into());
        self.pulse(self.clear);
    }

    /// Writes a placement and waits until it is written.
    pub fn place(&mut self, side: u64, placement: Placement) {
        self.begin(side, placement);
        self.step(PLACE - 1);
    }

    /// Starts to write a placement.
    pub fn begin(&mut self, side: u64, placement: Placement) {
        self.poke(self.side, side);
        self.poke(self.orientation, placement.orientation.index() as u64);
        self.poke(self.x, placement.x.into());
        self.poke(self.y, placement.y.into());
        self.pulse(self.place);
    }

    /// Requests the legal set of a side and returns the cycle of the request.
    pub fn stream(&mut self, side: u64) -> u64 {
        let clock = self.sim.cycles();
        self.poke(self.side, side);
        self.pulse(self.stream);
        clock
    }
}
