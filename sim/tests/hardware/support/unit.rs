//! Drives a unit that holds a board: `GeneratorUnit` or `ScanUnit`.

use duoforge_rules::Placement;
use duoforge_sim::{PortId, Simulator};

/// Clocks from a request to stream until the last row has come out of a generator that is never
/// held up.
pub const STREAM: u64 = 22;

/// Clocks from a request to place until the unit is idle again.
pub const PLACE: u64 = 15;

/// The ports by which a board is written and asked. Nothing waits for the simulator.
pub struct BoardUnit {
    /// The unit.
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
    /// Takes a unit over.
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

    /// The handle of a port.
    pub fn port(&self, name: &str) -> PortId {
        self.sim.port(name).expect("the unit has the port")
    }

    /// Drives an input.
    pub fn poke(&mut self, port: PortId, value: u64) {
        self.sim.poke(port, value).expect("the value fits");
    }

    /// Lets clocks go by.
    pub fn step(&mut self, clocks: u64) {
        self.sim.step(clocks).expect("the simulator runs");
    }

    /// Raises a port for one clock.
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

    /// Asks for the legal set of a side; the clock of the request is returned.
    pub fn stream(&mut self, side: u64) -> u64 {
        let clock = self.sim.clocks();
        self.poke(self.side, side);
        self.pulse(self.stream);
        clock
    }
}
