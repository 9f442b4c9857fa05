//! Tests of the plane window: every window and its cycle, for random planes. Rows follow at once or
//! later, and positions follow each other, complete or not.

use duoforge_hdl::generator::store::SIDE;
use duoforge_hdl::harness::network::PlaneWindowUnit;
use duoforge_hdl::search::expansion::network::window::twin;
use duoforge_sim::{Backend, PortId};
use duoforge_twin::Rng;
use duoforge_twin::search::prior::network::{PLANES, SPAN};

use super::{Map, any_map, columns};
use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator 300, icarus 60, rust 60);

/// Rows of a position: those of the board and two empty ones.
const ROWS: usize = SIDE + 2;

/// Cycles in which a row is taken, after that of its load.
const BUSY: usize = 2 * ROWS;

/// Cycles from the load of a row to its first window.
const FIRST: usize = 7;

/// Row that the window took last.
struct Taken {
    planes: [Map; PLANES],
    number: usize,
    // Cycles since its load.
    age: usize,
}

impl Taken {
    /// Returns the columns of the window that is new in this cycle.
    fn window(&self) -> Option<[u64; SPAN]> {
        let y = self.number.checked_sub(2)?;
        let since = self.age.checked_sub(FIRST)?;
        let is_new = since % 2 == 0 && since / 2 < SIDE;
        is_new.then(|| columns(&twin(&self.planes, since / 2, y)))
    }
}

struct Driver {
    dut: Bench,
    load: PortId,
    number: PortId,
    row: [PortId; PLANES],
    ready: PortId,
    valid: PortId,
    columns: [PortId; SPAN],
    taken: Option<Taken>,
    // Columns that are held for one more cycle.
    held: Option<[u64; SPAN]>,
    windows: usize,
    rng: Rng,
}

fn bench(backend: Backend, positions: u32) {
    let mut dut = Bench::open(backend, PlaneWindowUnit::default(), "plane_window_unit");
    let mut driver = Driver {
        load: dut.input("load"),
        number: dut.input("number"),
        row: std::array::from_fn(|plane| dut.input(&format!("row${plane}"))),
        ready: dut.output("ready"),
        valid: dut.output("valid"),
        columns: dut.outputs("columns"),
        taken: None,
        held: None,
        windows: 0,
        rng: Rng::new(72),
        dut,
    };
    let (mut at_once, mut later, mut windows) = (0, 0, 0);
    for position in 0..positions {
        let planes = std::array::from_fn(|_| any_map(&mut driver.rng));
        // Every third position is abandoned: its rows are above the next one.
        let rows = match position % 3 {
            1 => 1 + driver.rng.below(ROWS as u32 - 1) as usize,
            _ => ROWS,
        };
        windows += SIDE * rows.saturating_sub(2);
        for number in 0..rows {
            let pause = driver.rng.below(2) * driver.rng.below(6);
            for _ in 0..pause {
                driver.clock(None);
            }
            if pause == 0 {
                at_once += 1;
            } else {
                later += 1;
            }
            driver.clock(Some((&planes, number)));
            for _ in 0..BUSY {
                driver.clock(None);
            }
        }
    }
    for _ in 0..4 {
        driver.clock(None);
    }
    println!("{backend}: {windows} windows, {at_once} rows at once, {later} rows later");
    assert_eq!(driver.windows, windows);
    assert!(at_once > positions && later > positions);
    driver.dut.finish();
}

impl Driver {
    /// Runs a cycle, with the load of a row or with anything on the other inputs.
    fn clock(&mut self, load: Option<(&[Map; PLANES], usize)>) {
        let busy = (self.taken.as_ref()).is_some_and(|taken| taken.age <= BUSY);
        self.dut.expect(self.ready, (!busy).into());
        let window = self.taken.as_ref().and_then(Taken::window);
        self.dut.expect(self.valid, window.is_some().into());
        self.windows += usize::from(window.is_some());
        if let Some(columns) = window.or(self.held) {
            for (port, column) in self.columns.into_iter().zip(columns) {
                self.dut.expect(port, column);
            }
        }
        self.held = window;

        self.dut.drive(self.load, load.is_some().into());
        let number = load.map_or_else(|| self.rng.below(16) as usize, |(_, number)| number);
        self.dut.drive(self.number, number as u64);
        for (plane, port) in self.row.into_iter().enumerate() {
            let row = match load {
                Some((planes, number)) => planes[plane].get(number).copied().unwrap_or(0),
                None => self.rng.next_u32() as u16 & 0x3fff,
            };
            self.dut.drive(port, row.into());
        }
        self.dut.clock();
        if let Some(taken) = &mut self.taken {
            taken.age += 1;
        }
        if let Some((&planes, number)) = load {
            self.taken = Some(Taken {
                planes,
                number,
                age: 1,
            });
        }
    }
}
