//! Tests of the scan: every legal placement once and in order, with its patches, also after a
//! flush.

use duoforge_hdl::generator::policy_maps;
use duoforge_hdl::harness::ScanUnit;
use duoforge_hdl::pattern::{cycles, scan};
use duoforge_rules::{DuoBoard, Move, Orientation, Placement};
use duoforge_sim::{Backend, Options, PortId, open};
use duoforge_twin::Rng;

use crate::support::games::Game;
use crate::support::in_every_simulator;
use crate::support::patch::patches;
use crate::support::unit::BoardUnit;

in_every_simulator!(bench; verilator (40, 1), icarus (2, 4), rust (1, 4));

/// Cycles within which a scan with `flush` held must be idle.
const FLUSHED: u64 = 24;

struct Scan {
    unit: BoardUnit,
    flush: PortId,
    idle: PortId,
}

/// Placement and its patches.
type Found = (Placement, Vec<u64>);

/// Plays games; one of `share` positions is scanned undisturbed, and in two of three cases flushed
/// before.
fn bench(backend: Backend, (games, share): (u32, usize)) {
    let mut scan = Scan::open(backend);
    let mut rng = Rng::new(7);
    let (mut placements, mut cut_short) = (0, 0);
    for _ in 0..games {
        let game = Game::random(&mut rng);
        scan.unit.clear(game.start_is_a);
        for (number, (board, mv)) in game.moves.iter().enumerate() {
            let side = game.side(board.to_move());
            if number % share == 0 {
                let expected = expected(board);
                let cut = match number / share % 3 {
                    0 => scan.flush_for_good(side, &mut rng, &expected),
                    1 => scan.flush_once(side, &mut rng, &expected),
                    _ => 0,
                };
                cut_short += u32::from(cut > 0);
                // No flushed placement may reappear.
                scan.unit.stream(side);
                let found = scan.found_until_idle(cycles::search(board).into());
                assert!(found == expected, "{backend}: placements\n{board}");
                placements += found.len();
            }
            if let Move::Place(placement) = *mv {
                scan.unit.place(side, placement);
            }
        }
    }
    println!("{backend}: {placements} placements, {cut_short} scans cut short");
    assert!(cut_short > 0);
}

fn expected(board: &DuoBoard) -> Vec<Found> {
    let maps = policy_maps::twin(board, board.to_move());
    let placements = scan::twin(board).into_iter();
    placements
        .map(|placement| (placement, patches(&maps, placement).to_vec()))
        .collect()
}

impl Scan {
    fn open(backend: Backend) -> Self {
        let sim = open(
            backend,
            ScanUnit::default(),
            "scan_unit",
            &Options::default(),
        );
        let mut unit = BoardUnit::new(sim.expect("the model can be built"));
        let (valid, flush, idle) = (unit.port("valid"), unit.port("flush"), unit.port("idle"));
        let patches = (0..policy_maps::MAPS).map(|map| unit.port(&format!("patch${map}")));
        let found = ["found", "found_x", "found_y"].map(|name| unit.port(name));
        let ports: Vec<_> = found.into_iter().chain(patches).collect();
        unit.sim.sample(valid, &ports).expect("a list");
        Self { unit, flush, idle }
    }

    /// Waits until the scan is idle and takes the placements it found.
    fn found_until_idle(&mut self, limit: u64) -> Vec<Found> {
        let sim = &mut self.unit.sim;
        let run = sim.run_until(self.idle, 1, limit).expect("it runs");
        assert!(run.reached, "idle after {limit} cycles");
        let samples = sim.samples().expect("it runs");
        let found = samples.iter().map(|sample| {
            let orientation = Orientation::from_index(sample.values[0] as usize);
            let orientation = orientation.expect("one of the 91");
            let (x, y) = (sample.values[1] as u8, sample.values[2] as u8);
            let placement = Placement::new(orientation, x, y);
            (placement, sample.values[3..].to_vec())
        });
        found.collect()
    }

    /// Starts a scan and runs a random part of its cycles; then raises `flush`.
    fn begin(&mut self, side: u64, rng: &mut Rng, expected: &[Found]) {
        self.unit.stream(side);
        self.unit.step(rng.below(expected.len() as u32 + 40).into());
        self.unit.poke(self.flush, 1);
    }

    /// Flushes until the scan is idle: the placements found are a prefix of the expected ones.
    /// Returns the number of placements that were cut off.
    fn flush_for_good(&mut self, side: u64, rng: &mut Rng, expected: &[Found]) -> usize {
        self.begin(side, rng, expected);
        let found = self.found_until_idle(FLUSHED);
        self.unit.poke(self.flush, 0);
        assert!(expected.starts_with(&found));
        expected.len() - found.len()
    }

    /// Flushes for one cycle: the rest of a row is dropped, and possibly the row in flight. Returns
    /// the number of dropped placements.
    fn flush_once(&mut self, side: u64, rng: &mut Rng, expected: &[Found]) -> usize {
        self.begin(side, rng, expected);
        self.unit.step(1);
        self.unit.poke(self.flush, 0);
        let found = self.found_until_idle(expected.len() as u64 + 300);
        let left_out = expected.len() - found.len();
        let same = found.iter().zip(expected);
        let begin = same
            .take_while(|(found, expected)| found == expected)
            .count();
        let end = begin + left_out;
        assert_eq!(found[begin..], expected[end..], "placements of other rows");
        let mut rows: Vec<_> = expected[begin..end].iter().map(|(p, _)| p.y).collect();
        let after = expected.get(end).map(|(placement, _)| placement.y);
        assert!(
            left_out == 0 || rows.last().copied() != after,
            "a row's rest"
        );
        rows.dedup();
        assert!(rows.len() <= 2, "rows {rows:?} were left out");
        left_out
    }
}
