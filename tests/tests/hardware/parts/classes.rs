//! Tests of the placement classes with their run windows: columns of every class, for positions of
//! games and for random maps.

use duoforge_hdl::generator::store::SIDE;
use duoforge_hdl::harness::scans::ClassesUnit;
use duoforge_hdl::search::playout::classes::{CLASSES, twin};
use duoforge_hdl::search::playout::playout_maps::{self, is_wide};
use duoforge_rules::TileSet;
use duoforge_sim::{Backend, PortId};
use duoforge_twin::Rng;
use duoforge_twin::search::{Position, SearchParameters};

use super::reply_counts;
use crate::support::games::Game;
use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator (6, 1), icarus (1, 16), rust (1, 24));

/// Replies with tiles of four and five cells only, and no replies.
mod reply_sizes {
    use super::{Backend, columns, reply_counts};

    #[test]
    fn in_rust() {
        for local in [4, 6] {
            columns(Backend::Rust, (1, 32), &reply_counts(local, 1));
        }
    }
}

/// Two reply cells before one.
mod reply_pairs {
    use super::{Backend, columns, in_every_simulator, reply_counts};

    fn bench(backend: Backend, games: (u32, usize)) {
        columns(backend, games, &reply_counts(1, 2));
    }

    in_every_simulator!(bench; verilator (6, 1), icarus (1, 16), rust (1, 24));

    #[test]
    fn of_large_tiles_in_verilator() {
        columns(Backend::Verilator, (2, 1), &reply_counts(4, 2));
    }
}

/// Cycles from the entry of an anchor row to its columns: four rows below it enter, then the runs
/// and the columns are registered.
const LATENCY: usize = 6;

/// Rows of allowed cells, corner points and reply cells.
type Maps = [[u16; SIDE]; 3];

struct Driver {
    dut: Bench,
    rows: [PortId; 3],
    used: PortId,
    columns: [PortId; CLASSES],
    parameters: SearchParameters,
    /// Number of columns with a placement, by class.
    seen: [u32; CLASSES],
}

fn bench(backend: Backend, games: (u32, usize)) {
    columns(backend, games, &SearchParameters::of_block_ram());
}

/// Tests one of `share` positions of each game, and as many random maps.
fn columns(backend: Backend, (games, share): (u32, usize), parameters: &SearchParameters) {
    let mut dut = Bench::open(backend, ClassesUnit::new(parameters), "classes_unit");
    let mut driver = Driver {
        rows: ["allowed", "corner", "reply_cells"].map(|name| dut.input(name)),
        used: dut.input("used"),
        columns: dut.outputs("columns"),
        dut,
        parameters: parameters.clone(),
        seen: [0; CLASSES],
    };
    let mut rng = Rng::new(34);
    for _ in 0..games {
        for (board, _) in Game::random(&mut rng).moves.iter().step_by(share) {
            let mut position = Position::new(board);
            for player in board.players() {
                position.set_to_move(player);
                let used = rng.next_u32() & rng.next_u32();
                driver.stream(&playout_maps::twin(&position, parameters), used);
            }
            driver.stream(&any_maps(&mut rng), rng.next_u32());
        }
    }
    // Every cell of every map, with all tiles, without any, and with single ones.
    let full = [[0x3fff; SIDE]; 3];
    driver.stream(&full, 0);
    driver.stream(&full, !0);
    for tile in (0..21).step_by(share) {
        driver.stream(&full, !(1 << tile));
    }
    driver.dut.finish();
    let seen = driver.seen;
    println!("{backend}: columns with a placement by class: {seen:?}");
    for (class, columns) in (0..).zip(seen) {
        let (size, is_possible) = match class {
            0..4 => (5 - class, is_wide(parameters)),
            4..9 => (9 - class, true),
            _ => (6, true),
        };
        let is_possible = is_possible && size >= parameters.reply_min_size;
        assert_eq!(columns > 0, is_possible, "class {class}");
    }
}

/// Returns maps that no game has: reply cells and corner points anywhere.
fn any_maps(rng: &mut Rng) -> Maps {
    let row = |rng: &mut Rng| rng.next_u32() as u16 & 0x3fff;
    let dense = |rng: &mut Rng| row(rng) | row(rng) | row(rng);
    let sparse = |rng: &mut Rng| row(rng) & row(rng) & row(rng);
    [
        std::array::from_fn(|_| dense(rng)),
        std::array::from_fn(|_| sparse(rng)),
        std::array::from_fn(|_| sparse(rng)),
    ]
}

impl Driver {
    /// Streams the rows of three maps, followed by empty ones. Only the lowest 21 bits of `used`
    /// count.
    fn stream(&mut self, maps: &Maps, used: u32) {
        let used = TileSet::from_bits(used & TileSet::FULL.bits());
        self.dut.drive(self.used, used.bits().into());
        let delays = [0, 0, is_wide(&self.parameters).into()];
        for cycle in 0..SIDE + LATENCY {
            for ((port, map), delay) in self.rows.into_iter().zip(maps).zip(delays) {
                let row = cycle.checked_sub(delay).and_then(|row| map.get(row));
                let row = row.copied().unwrap_or(0);
                self.dut.drive(port, row.into());
            }
            if let Some(row) = cycle.checked_sub(LATENCY) {
                let expected = twin(maps, used, &self.parameters, row);
                for (class, columns) in expected.into_iter().enumerate() {
                    self.seen[class] += columns.count_ones();
                    self.dut.expect(self.columns[class], columns.into());
                }
            }
            self.dut.clock();
        }
    }
}
