//! Tests of the store: its read-out point while rows rotate and tiles are stamped.

use duoforge_hdl::generator::store::{SIDE, Store, twin};
use duoforge_hdl::tables;
use duoforge_rules::Placement;
use duoforge_sim::{Backend, PortId};
use duoforge_twin::Rng;

use crate::support::{bench::Bench, games::placements, in_every_simulator};

in_every_simulator!(bench; verilator 17_000, icarus 150, rust 100);

/// Stride between consecutive placements, which are far apart so that the board's content is mixed.
/// The stride is coprime to the number of placements.
const STRIDE: usize = 5003;

const OUTPUTS: [&str; 6] = [
    "own_before",
    "own",
    "own_after",
    "opponent_before",
    "opponent",
    "opponent_after",
];

struct Inputs {
    clear: PortId,
    rotate: PortId,
    stamping: PortId,
    load: PortId,
    side: PortId,
    cells: PortId,
    column: PortId,
}

struct Driver {
    dut: Bench,
    inputs: Inputs,
    outputs: [PortId; 6],
    rng: Rng,
    // Rings of both sides, own first, each from the row at the read-out point.
    rings: [[u16; SIDE]; 2],
}

/// Runs operations in a random order: placing tiles (in Verilator all placements), rotating,
/// clearing.
fn bench(backend: Backend, jobs: u32) {
    let mut dut = Bench::open(backend, Store::default(), "store");
    let inputs = Inputs {
        clear: dut.input("clear"),
        rotate: dut.input("rotate"),
        stamping: dut.input("stamping"),
        load: dut.input("load"),
        side: dut.input("side"),
        cells: dut.input("cells"),
        column: dut.input("column"),
    };
    let outputs = OUTPUTS.map(|name| dut.output(name));
    let mut driver = Driver {
        dut,
        inputs,
        outputs,
        rng: Rng::new(1),
        rings: [[0; SIDE]; 2],
    };
    let placements = placements();
    let mut order = (0..placements.len())
        .map(|n| n * STRIDE % placements.len())
        .cycle();
    for _ in 0..jobs {
        match driver.rng.below(12) {
            0 => driver.clear(),
            1 => driver.look(),
            _ => {
                let next = order.next().expect("it never ends");
                driver.place(placements[next]);
            }
        }
    }
    driver.dut.finish();
}

impl Driver {
    /// Runs a cycle with a random side and checks the outputs.
    fn clock(&mut self) {
        let side = self.rng.below(2) as usize;
        self.clock_as(side);
    }

    fn clock_as(&mut self, side: usize) {
        self.dut.drive(self.inputs.side, side as u64);
        let rings = [side, 1 - side].map(|side| self.rings[side]);
        let rows = rings.map(|ring| [ring[SIDE - 1], ring[0], ring[1]]);
        for (port, row) in self.outputs.into_iter().zip(rows.concat()) {
            self.dut.expect(port, row.into());
        }
        self.dut.clock();
    }

    fn clear(&mut self) {
        self.dut.drive(self.inputs.clear, 1);
        self.clock();
        self.dut.drive(self.inputs.clear, 0);
        self.rings = [[0; SIDE]; 2];
    }

    /// Rotates the rings once without any stamp, with pauses.
    fn look(&mut self) {
        for _ in 0..SIDE {
            if self.rng.below(3) == 0 {
                self.clock();
            }
            self.dut.drive(self.inputs.rotate, 1);
            self.clock();
            self.dut.drive(self.inputs.rotate, 0);
            self.rings.iter_mut().for_each(|ring| ring.rotate_left(1));
        }
    }

    /// Stamps a tile into the passing rows, starting with its anchor's row.
    fn place(&mut self, placement: Placement) {
        let side = self.rng.below(2) as usize;
        let footprint = tables::footprint(placement.orientation);
        self.dut.drive(self.inputs.cells, footprint);
        self.dut.drive(self.inputs.column, placement.x.into());
        self.dut.drive(self.inputs.load, 1);
        self.clock();
        self.dut.drive(self.inputs.load, 0);
        // The stamp has been loaded: these inputs must not matter now.
        let noise = u64::from(self.rng.next_u32());
        self.dut.drive(self.inputs.cells, noise);
        self.dut.drive(self.inputs.column, noise & 15);
        self.dut.drive(self.inputs.rotate, 1);
        let stamped = twin(&self.rings[side], placement);
        for (y, row) in stamped.into_iter().enumerate() {
            let stamping = y >= usize::from(placement.y);
            self.dut.drive(self.inputs.stamping, stamping.into());
            self.clock_as(side);
            self.rings[side][0] = row;
            self.rings.iter_mut().for_each(|ring| ring.rotate_left(1));
        }
        self.dut.drive(self.inputs.stamping, 0);
        self.dut.drive(self.inputs.rotate, 0);
    }
}
