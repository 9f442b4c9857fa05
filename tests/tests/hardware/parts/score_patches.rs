//! Tests of the score patches: the bit planes around each placement that the placement scan
//! outputs, for positions of games, for random maps, and after scans that were abandoned.

use duoforge_hdl::generator::store::SIDE;
use duoforge_hdl::harness::network::ScorePatchesUnit;
use duoforge_hdl::search::expansion::network::SCORE_PLANES;
use duoforge_hdl::search::expansion::placement_scan::twin;
use duoforge_hdl::search::expansion::prior_maps::{self, MAPS};
use duoforge_rules::TileSet;
use duoforge_sim::{Backend, Options, PortId, Simulator, open};
use duoforge_twin::Rng;
use duoforge_twin::search::Position;

use crate::support::games::Game;
use crate::support::in_every_simulator;
use crate::support::patch::patches;

in_every_simulator!(bench; verilator (6, 2, 24), icarus (1, 8, 4), rust (1, 24, 2));

/// Rows that enter before the windows are aligned to the first row: an empty one and six of the
/// board.
const LEAD: usize = 7;

/// Maximum cycles from a row to the next: 15 columns with all orientations.
const LIMIT: u64 = 15 * 91 + 20;

/// Row, column and orientation of a placement, then its surroundings in each bit plane.
type Found = [u64; 3 + SCORE_PLANES];

struct Unit {
    sim: Box<dyn Simulator>,
    push: PortId,
    rows: [PortId; MAPS],
    score_rows: [PortId; SCORE_PLANES],
    load: PortId,
    row: PortId,
    tiles: PortId,
    ready: PortId,
    idle: PortId,
    // Rows that were loaded while placements of the row before were still output, and others.
    overlapping: u32,
    later: u32,
    abandoned: u32,
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
        let row = |rng: &mut Rng| rng.next_u32() as u16 & 0x3fff;
        let rng = &mut unit.rng;
        let mut maps = [[0; SIDE]; MAPS];
        maps[prior_maps::ALLOWED] = std::array::from_fn(|_| row(rng) | row(rng) | row(rng));
        maps[prior_maps::CORNER] = std::array::from_fn(|_| row(rng) & row(rng) & row(rng));
        placements += unit.compare(&maps);
        scans += 1;
    }
    println!(
        "{backend}: {placements} placements in {scans} scans, {} rows overlap, {} do not",
        unit.overlapping, unit.later
    );
    assert!(placements > 10 * scans);
    assert!(unit.overlapping > 0 && unit.later > 0 && unit.abandoned > 0);
}

impl Unit {
    fn open(backend: Backend) -> Self {
        let unit = ScorePatchesUnit::default();
        let sim = open(backend, unit, "score_patches_unit", &Options::default());
        let mut sim = sim.expect("the model can be built");
        let port = |name: &str| sim.port(name).expect("the unit has the port");
        let patches = (0..SCORE_PLANES).map(|plane| port(&format!("patch${plane}")));
        let place = ["y", "x", "orientation"].map(port);
        let ports: Vec<_> = place.into_iter().chain(patches).collect();
        let (push, load, row, tiles) = (port("push"), port("load"), port("row"), port("tiles"));
        let (ready, idle, valid) = (port("ready"), port("idle"), port("valid"));
        let rows = std::array::from_fn(|map| port(&format!("rows${map}")));
        let score_rows = std::array::from_fn(|plane| port(&format!("score_rows${plane}")));
        sim.sample(valid, &ports).expect("a list");
        Self {
            sim,
            push,
            rows,
            score_rows,
            load,
            row,
            tiles,
            ready,
            idle,
            overlapping: 0,
            later: 0,
            abandoned: 0,
            rng: Rng::new(82),
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

    /// Scans the maps with random bit planes, and with all tiles or with some. Returns the number
    /// of placements.
    fn compare(&mut self, maps: &[[u16; SIDE]; MAPS]) -> usize {
        let tiles = match self.rng.below(4) {
            0 => TileSet::from_bits(self.rng.next_u32() & TileSet::FULL.bits()),
            _ => TileSet::FULL,
        };
        if self.rng.below(4) == 0 {
            // Nothing of an abandoned scan is left in the next one.
            let rows = self.rng.below(SIDE as u32) as usize;
            let planes = self.any_planes();
            self.scan(maps, &planes, TileSet::FULL, rows);
            self.abandoned += 1;
        }
        let planes = self.any_planes();
        let found = self.scan(maps, &planes, tiles, SIDE);
        let expected = twin(maps, tiles);
        assert_eq!(found.len(), expected.len(), "{tiles:?} {maps:x?}");
        for (number, (found, placement)) in found.iter().zip(expected).enumerate() {
            let (x, y) = (placement.x.into(), placement.y.into());
            let place = [y, x, placement.orientation.index() as u64];
            let patch = patches(&planes, placement);
            assert_eq!(found[..3], place, "placement {number}");
            assert_eq!(found[3..], patch, "surroundings of {placement:?}");
        }
        found.len()
    }

    /// Returns random bit planes; some are full.
    fn any_planes(&mut self) -> [[u16; SIDE]; SCORE_PLANES] {
        std::array::from_fn(|_| match self.rng.below(8) {
            0 => [0x3fff; SIDE],
            _ => std::array::from_fn(|_| self.rng.next_u32() as u16 & 0x3fff),
        })
    }

    /// Streams the rows of the maps and planes with pauses, and loads this number of anchor rows:
    /// each as soon as the scan accepts it, or later. The windows move on in the same cycle.
    fn scan(
        &mut self,
        maps: &[[u16; SIDE]; MAPS],
        planes: &[[u16; SIDE]; SCORE_PLANES],
        tiles: TileSet,
        rows: usize,
    ) -> Vec<Found> {
        self.poke(self.tiles, tiles.bits().into());
        for entering in 0..rows + LEAD {
            let anchor_row = entering.checked_sub(LEAD);
            if anchor_row.is_some() {
                self.wait(self.ready);
            }
            while self.rng.below(4) == 0 {
                self.any_rows();
                self.step();
            }
            // The row before the board is empty.
            let row = |map: &[u16; SIDE]| {
                let row = entering.checked_sub(1).and_then(|row| map.get(row));
                u64::from(row.copied().unwrap_or(0))
            };
            for (port, map) in self.rows.into_iter().zip(maps) {
                self.poke(port, row(map));
            }
            for (port, plane) in self.score_rows.into_iter().zip(planes) {
                self.poke(port, row(plane));
            }
            self.poke(self.push, 1);
            if let Some(row) = anchor_row {
                match self.sim.peek(self.idle).expect("it runs") {
                    0 => self.overlapping += 1,
                    _ => self.later += 1,
                }
                self.poke(self.row, row as u64);
                self.poke(self.load, 1);
            }
            self.step();
            self.poke(self.push, 0);
            self.poke(self.load, 0);
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
        for port in self.rows.into_iter().chain(self.score_rows) {
            let row = self.rng.next_u32() & 0x3fff;
            self.poke(port, row.into());
        }
        let row = self.rng.below(16);
        self.poke(self.row, row.into());
    }
}
