//! Tests of the placement scan: all legal placements in order and with their surroundings, for
//! positions of games, for random maps, and after scans that were abandoned.

use duoforge_hdl::generator::store::SIDE;
use duoforge_hdl::harness::scans::PlacementScanUnit;
use duoforge_hdl::search::expansion::placement_scan::twin;
use duoforge_hdl::search::expansion::prior_maps::{self, MAPS};
use duoforge_rules::TileSet;
use duoforge_sim::{Backend, Options, PortId, Simulator, open};
use duoforge_twin::Rng;
use duoforge_twin::search::Position;

use crate::support::games::Game;
use crate::support::in_every_simulator;
use crate::support::patch::patches;

in_every_simulator!(bench; verilator (6, 2, 16), icarus (1, 12, 1), rust (1, 30, 0));

/// Rows that enter before the windows are aligned to the first row.
const LEAD: usize = 5;

/// Maximum cycles from a row to the next: 15 columns with all orientations.
const LIMIT: u64 = 15 * 91 + 20;

/// Row, column and orientation of a placement, then its surroundings in each map.
type Found = [u64; 3 + MAPS];

/// Rows of the maps.
type Maps = [[u16; SIDE]; MAPS];

struct Unit {
    sim: Box<dyn Simulator>,
    push: PortId,
    rows: [PortId; MAPS],
    load: PortId,
    row: PortId,
    tiles: PortId,
    ready: PortId,
    idle: PortId,
    rng: Rng,
}

/// Scans one of `share` positions of each game for both sides, then random maps.
fn bench(backend: Backend, (games, share, random): (u32, usize, u32)) {
    let mut unit = Unit::open(backend);
    let (mut placements, mut scans) = (0, 0);
    for _ in 0..games {
        for (board, _) in Game::random(&mut unit.rng).moves.iter().step_by(share) {
            let mut position = Position::new(board);
            for player in board.players() {
                position.set_to_move(player);
                placements += unit.compare(&prior_maps::twin(&position));
                scans += 1;
            }
        }
    }
    for _ in 0..random {
        let maps = any_maps(&mut unit.rng);
        placements += unit.compare(&maps);
        scans += 1;
    }
    println!("{backend}: {placements} placements in {scans} scans");
    assert!(placements > 10 * scans);
}

/// Returns maps that no game has; in every other set of maps all cells are allowed.
fn any_maps(rng: &mut Rng) -> Maps {
    let row = |rng: &mut Rng| rng.next_u32() as u16 & 0x3fff;
    let mut maps: Maps = std::array::from_fn(|_| std::array::from_fn(|_| row(rng)));
    if rng.below(2) == 0 {
        maps[0] = [0x3fff; SIDE];
    } else {
        maps[0] = std::array::from_fn(|_| row(rng) | row(rng) | row(rng));
    }
    // One map of corner points in eight is full; most have few.
    maps[1] = match rng.below(8) {
        0 => [0x3fff; SIDE],
        _ => std::array::from_fn(|_| row(rng) & row(rng) & row(rng)),
    };
    maps
}

impl Unit {
    fn open(backend: Backend) -> Self {
        let unit = PlacementScanUnit::default();
        let sim = open(backend, unit, "placement_scan_unit", &Options::default());
        let mut sim = sim.expect("the model can be built");
        let port = |name: &str| sim.port(name).expect("the unit has the port");
        let patches = (0..MAPS).map(|map| port(&format!("patch${map}")));
        let place = ["y", "x", "orientation"].map(port);
        let ports: Vec<_> = place.into_iter().chain(patches).collect();
        let (push, load, row, tiles) = (port("push"), port("load"), port("row"), port("tiles"));
        let (ready, idle, valid) = (port("ready"), port("idle"), port("valid"));
        let rows = std::array::from_fn(|map| port(&format!("rows${map}")));
        sim.sample(valid, &ports).expect("a list");
        Self {
            sim,
            push,
            rows,
            load,
            row,
            tiles,
            ready,
            idle,
            rng: Rng::new(38),
        }
    }

    fn poke(&mut self, port: PortId, value: u64) {
        self.sim.poke(port, value).expect("the value fits");
    }

    fn step(&mut self) {
        self.sim.step(1).expect("the simulator runs");
    }

    fn wait(&mut self, port: PortId) {
        let run = self.sim.run_until(port, 1, LIMIT).expect("it runs");
        assert!(run.reached, "after {LIMIT} cycles");
    }

    /// Scans the maps with all tiles, or with some. Returns the number of placements.
    fn compare(&mut self, maps: &Maps) -> usize {
        let tiles = match self.rng.below(8) {
            0..4 => TileSet::FULL,
            4 => TileSet::EMPTY,
            5 => TileSet::from_bits(1 << self.rng.below(21)),
            _ => TileSet::from_bits(self.rng.next_u32() & TileSet::FULL.bits()),
        };
        if self.rng.below(4) == 0 {
            // Nothing of an abandoned scan is left in the next one.
            let rows = self.rng.below(SIDE as u32) as usize;
            self.scan(maps, TileSet::FULL, rows);
        }
        let found = self.scan(maps, tiles, SIDE);
        let expected = twin(maps, tiles);
        assert_eq!(found.len(), expected.len(), "{tiles:?} {maps:x?}");
        for (number, (found, placement)) in found.iter().zip(expected).enumerate() {
            let (x, y) = (placement.x.into(), placement.y.into());
            let place = [y, x, placement.orientation.index() as u64];
            let patch = patches(maps, placement);
            assert_eq!(found[..3], place, "placement {number}");
            assert_eq!(found[3..], patch, "surroundings of {placement:?}");
        }
        found.len()
    }

    /// Streams the rows of the maps, with pauses, and loads this number of anchor rows, each as
    /// soon as the scan accepts it: placements of the row before are still output.
    fn scan(&mut self, maps: &Maps, tiles: TileSet, rows: usize) -> Vec<Found> {
        self.poke(self.tiles, tiles.bits().into());
        // The row before the board is empty.
        for entering in 0..rows + LEAD + 1 {
            while self.rng.below(8) == 0 {
                self.any_rows();
                self.step();
            }
            for (map, port) in self.rows.into_iter().enumerate() {
                let row = entering.checked_sub(1).and_then(|row| maps[map].get(row));
                self.poke(port, row.copied().unwrap_or(0).into());
            }
            self.poke(self.push, 1);
            self.step();
            self.poke(self.push, 0);
            // Row `y + 5` has entered: the windows are aligned to row `y`.
            if let Some(row) = entering.checked_sub(LEAD + 1) {
                self.wait(self.ready);
                self.poke(self.row, row as u64);
                self.poke(self.load, 1);
                self.step();
                self.poke(self.load, 0);
            }
        }
        self.wait(self.idle);
        let samples = self.sim.samples().expect("it runs");
        let found = samples.into_iter().map(|sample| sample.values.try_into());
        found
            .map(|found| found.expect("a value for each port"))
            .collect()
    }

    /// Drives inputs that count only with `push` or `load`.
    fn any_rows(&mut self) {
        for port in self.rows {
            let row = self.rng.next_u32() & 0x3fff;
            self.poke(port, row.into());
        }
        let row = self.rng.below(16);
        self.poke(self.row, row.into());
    }
}
