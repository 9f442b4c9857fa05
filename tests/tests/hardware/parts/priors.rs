//! Tests of the second pass of an expansion: every entry of both halves of its table, and lists of
//! every length.

use duoforge_hdl::search::expansion::priors::{self, Priors};
use duoforge_hdl::search::expansion::ranking::LENGTH;
use duoforge_hdl::search::position_ring::code;
use duoforge_rules::Placement;
use duoforge_sim::Backend;
use duoforge_twin::Rng;
use duoforge_twin::search::SearchParameters;
use duoforge_twin::search::arithmetic::exp2_neg;

use crate::support::bench::Bench;
use crate::support::coverage::{Counted, covered};
use crate::support::{games::placements, in_every_simulator};

in_every_simulator!(shipped; verilator 2_500, icarus 20, rust 20);

/// Parameters with a large first-play urgency reduction, and fewer kept entries than the ranking
/// holds.
mod other {
    use super::{in_every_simulator, other};

    in_every_simulator!(other; verilator 500, icarus 20, rust 20);
}

/// Cycles from `start` to the first entry.
const FIRST: u64 = 41;

/// Cycles from `start` to `done` of an empty list.
const EMPTY: u64 = 38;

/// Cycles from `start` to the right `count`.
const COUNT: u64 = 35;

/// Maximum score: 13 bits.
const TOP: u32 = (1 << 13) - 1;

fn shipped(backend: Backend, lists: u32) {
    let reached = bench(backend, lists, &SearchParameters::of_block_ram());
    if backend == Backend::Verilator {
        covered("priors: distances to the best score", &reached[0]);
        covered("priors: mantissas of the sum", &reached[1]);
        covered("priors: entries of a list", &reached[2]);
    }
}

fn other(backend: Backend, lists: u32) {
    let parameters = SearchParameters {
        fpu_reduction: 40,
        children: 19,
        ..SearchParameters::of_block_ram()
    };
    bench(backend, lists, &parameters);
}

/// Tests random lists. Returns the distances, mantissas and lengths that occurred.
fn bench(backend: Backend, lists: u32, parameters: &SearchParameters) -> [Counted; 3] {
    let mut dut = Bench::open(backend, Priors::new(parameters), "priors");
    let [start, value, best, last, last_score, last_placement] = [
        "start",
        "value",
        "best",
        "last",
        "last_score",
        "last_placement",
    ]
    .map(|name| dut.input(name));
    let [drain, idle, entry, count, done] =
        ["drain", "idle", "entry", "count", "done"].map(|name| dut.output(name));
    let values = ["placement", "prior", "mean"].map(|name| dut.input(name));
    dut.sample(entry, &values);
    let mut rng = Rng::new(27);
    let mut other_rng = Rng::new(28);
    let all = placements();
    let mut reached = [256, 256, LENGTH + 1].map(Counted::new);
    for number in 0..lists {
        let ranking = random_ranking(&mut rng, number, &all);
        let node_value = (rng.below(1 << 16) >> rng.below(16)) as u16;
        let expected = priors::twin(&ranking, node_value, parameters);
        note(&mut reached, &ranking, parameters.children);

        let length = expected.len() as u64;
        let end = if length == 0 { EMPTY } else { FIRST + length };
        for cycle in 0..=end {
            // A request while it is busy has no effect, and the best score counts with `start`.
            let again = cycle < end && other_rng.below(4) == 0;
            dut.drive(start, u64::from(cycle == 0 || again));
            dut.drive(value, node_value.into());
            let first = match cycle {
                0 => ranking.first().map_or(0, |&(_, score)| score as u64),
                _ => other_rng.below(TOP + 1).into(),
            };
            dut.drive(best, first);
            // In cycle 1 the ranking shows its last place, in cycle 32 its first.
            let place = (LENGTH as u64).checked_sub(cycle).filter(|_| cycle > 0);
            let shown = place.and_then(|place| ranking.get(place as usize));
            dut.drive(last, u64::from(shown.is_some()));
            let (shown, score) = shown.copied().unwrap_or((all[7], 99));
            dut.drive(last_placement, code(shown).into());
            dut.drive(last_score, score as u64);

            dut.expect(drain, u64::from((1..=LENGTH as u64).contains(&cycle)));
            dut.expect(idle, u64::from(cycle == 0 || cycle == end));
            dut.expect(done, u64::from(cycle == end));
            if cycle >= COUNT {
                dut.expect(count, length);
            }
            dut.expect(entry, u64::from((FIRST..FIRST + length).contains(&cycle)));
            dut.clock();
        }
        assert_eq!(dut.samples(), expected, "list {number}");
    }
    let compared = dut.finish();
    println!("{backend}: {lists} lists, {compared} values");
    reached
}

/// Returns up to 32 placements, the best first: with equal scores, adjacent scores, and scores so
/// low that distances saturate.
fn random_ranking(rng: &mut Rng, number: u32, all: &[Placement]) -> Vec<(Placement, i32)> {
    let length = number as usize % (LENGTH + 1);
    let top = TOP - rng.below(4) * rng.below(2_000);
    let spread = 1 << rng.below(10);
    let mut behind: Vec<u32> = (0..length).map(|_| rng.below(spread)).collect();
    behind.sort_unstable();
    let least = behind.first().copied().unwrap_or(0);
    let scored = behind.into_iter().map(|behind| {
        let placement = all[rng.below(all.len() as u32) as usize];
        (placement, (top - (behind - least)) as i32)
    });
    scored.collect()
}

fn note(reached: &mut [Counted; 3], ranking: &[(Placement, i32)], children: usize) {
    let kept = &ranking[..ranking.len().min(children)];
    reached[2].note(kept.len());
    let Some(&(_, top)) = kept.first() else {
        return;
    };
    let behind = |&(_, score): &(_, i32)| (top - score).min(255) as u32;
    let mut sum: u32 = 0;
    for distance in kept.iter().map(behind) {
        reached[0].note(distance as usize);
        sum += exp2_neg(distance);
    }
    reached[1].note((sum << sum.leading_zeros() >> 23) as usize - 256);
}
