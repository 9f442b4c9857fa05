//! Tests of the scorer: scores, the best placement and the idle signal, cycle by cycle.

use std::collections::VecDeque;

use duoforge_hdl::generator::policy_maps::MAPS;
use duoforge_hdl::pattern::policy_scorer::PolicyScorer;
use duoforge_hdl::tables;
use duoforge_rules::{Bitboard, Cell, Duo, Placement};
use duoforge_sim::{Backend, PortId};
use duoforge_twin::{Policy, PolicyMaps, Rng};

use crate::support::patch::patches;
use crate::support::{bench::Bench, games::placements, in_every_simulator};

in_every_simulator!(played; verilator 8000, icarus 500, rust 400);

mod large_values {
    use super::{in_every_simulator, large};

    in_every_simulator!(large; verilator 8000, icarus 500, rust 400);
}

/// Tests the shipped policy.
fn played(backend: Backend, cycles: u32) {
    run(backend, cycles, &Policy::default());
}

/// Tests a policy whose tables reach the largest possible values.
fn large(backend: Backend, cycles: u32) {
    run(
        backend,
        cycles,
        &Policy::linear(&[51, 60, 45, 38, 21, 20, 21]),
    );
}

/// Cycles from the input of a placement to its score.
const STAGES: usize = 4;

struct Outputs {
    scored: PortId,
    score: PortId,
    idle: PortId,
    cells_of: PortId,
    found: PortId,
    best: [PortId; 3],
}

/// Input of one cycle: a placement and its score.
type Entry = Option<(Placement, u16)>;

fn run(backend: Backend, cycles: u32, policy: &Policy) {
    let mut dut = Bench::open(backend, PolicyScorer::new(policy), "policy_scorer");
    let [restart, valid] = ["restart", "valid"].map(|name| dut.input(name));
    let at = ["orientation", "x", "y"].map(|name| dut.input(name));
    let patch: [_; MAPS] = std::array::from_fn(|map| dut.input(&format!("patch${map}")));
    let outputs = Outputs {
        scored: dut.output("scored"),
        score: dut.output("score"),
        idle: dut.output("idle"),
        cells_of: dut.output("orientation_cells"),
        found: dut.output("found"),
        best: ["best_orientation", "best_x", "best_y"].map(|name| dut.output(name)),
    };
    let mut rng = Rng::new(9);
    let placements = placements();
    // Entries in the pipeline, the oldest first.
    let mut pipeline: VecDeque<Entry> = VecDeque::from([None; STAGES]);
    let mut best: Entry = None;
    let mut last = placements[0];
    let (mut scored, mut ties, mut highest) = (0, 0, 0);
    for clock in 0..cycles {
        // Placements arrive in bursts, so that the pipeline sometimes drains. In every second burst
        // all maps are empty, which causes ties.
        let bursting = clock / 32 % 2 == 0;
        let plain = clock / 64 % 2 == 0;
        let offered = bursting && rng.below(4) > 0;
        let empty = pipeline.iter().all(Option::is_none);
        let restarting = empty && rng.below(8) == 0;
        let (placement, rows) = stimulus(&mut rng, &placements, plain);
        dut.drive(restart, restarting.into());
        dut.drive(valid, offered.into());
        for (port, value) in at.into_iter().zip(ports_of(placement)) {
            dut.drive(port, value);
        }
        for (port, value) in patch.into_iter().zip(patches(&rows, placement)) {
            dut.drive(port, value);
        }

        if clock > 0 {
            dut.expect(outputs.cells_of, tables::footprint(last.orientation));
        }
        dut.expect(outputs.idle, empty.into());
        let oldest = pipeline.pop_front().flatten();
        dut.expect(outputs.scored, oldest.is_some().into());
        dut.expect(outputs.found, best.is_some().into());
        for (port, value) in outputs
            .best
            .into_iter()
            .zip(best.map_or([0; 3], |b| ports_of(b.0)))
        {
            if best.is_some() {
                dut.expect(port, value);
            }
        }
        if let Some((_, score)) = oldest {
            dut.expect(outputs.score, score.into());
            scored += 1;
            highest = highest.max(score);
            ties += u32::from(best.is_some_and(|best| best.1 == score));
            if best.is_none_or(|best| score > best.1) {
                best = oldest;
            }
        }
        if restarting {
            best = None;
        }
        let score = policy.score(&maps(&rows), placement);
        pipeline.push_back(offered.then_some((placement, score)));
        last = placement;
        dut.clock();
    }
    println!("{backend}: {scored} placements, {ties} ties with the best, highest score {highest}");
    assert!(scored > cycles / 4 && ties > cycles / 100);
    dut.finish();
}

fn ports_of(placement: Placement) -> [u64; 3] {
    let index = placement.orientation.index() as u64;
    [index, placement.x.into(), placement.y.into()]
}

/// Returns a placement with maps of any density, or empty maps.
fn stimulus(
    rng: &mut Rng,
    placements: &[Placement],
    plain: bool,
) -> (Placement, [[u16; 14]; MAPS]) {
    let placement = placements[rng.below(placements.len() as u32) as usize];
    let maps = std::array::from_fn(|_| {
        let density = if plain { 0 } else { rng.below(5) };
        let row = |rng: &mut Rng| {
            (0..14)
                .map(|x| u16::from(rng.below(4) < density) << x)
                .sum()
        };
        std::array::from_fn(|_| row(rng))
    });
    (placement, maps)
}

/// Converts rows in the order of the scan's windows to the policy's maps.
fn maps(rows: &[[u16; 14]; MAPS]) -> PolicyMaps {
    let set = |rows: &[u16; 14]| -> Bitboard<Duo> {
        let cells = (0..14).flat_map(|y| (0..14).map(move |x| Cell::new(x, y)));
        cells
            .filter(|cell| rows[usize::from(cell.y)] >> cell.x & 1 == 1)
            .collect()
    };
    let [allowed, corner, open_cells, opponent_corner, opponent_near] = rows.each_ref().map(set);
    PolicyMaps {
        allowed,
        corner,
        open_cells,
        opponent_corner,
        opponent_near,
    }
}
