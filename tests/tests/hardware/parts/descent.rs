//! Tests of the descent: random paths through a tree, leaves that become nodes, paths that never
//! end, and a tree that loses its job.

use duoforge_hdl::search::descent::{Descent, DescentStep, LONGEST, SelectedChild, twin};
use duoforge_hdl::search::settings::SIMULATIONS;
use duoforge_hdl::search::tree::bank::END;
use duoforge_sim::Backend;
use duoforge_twin::Rng;
use duoforge_twin::search::SearchParameters;

use crate::support::in_every_simulator;
use crate::support::reactive::{Reactive, number};

in_every_simulator!(shipped; verilator 120, icarus 10, rust 40);

/// The least and the greatest expansion threshold.
mod thresholds {
    use super::{Backend, SIMULATIONS, bench};

    #[test]
    fn in_rust() {
        for threshold in [0, SIMULATIONS] {
            bench(Backend::Rust, 80, threshold);
        }
    }
}

/// Inputs of the descent.
const INPUTS: [&str; 17] = [
    "simulate",
    "root_idle",
    "lane_ready",
    "tree_idle",
    "tree_full",
    "builder_busy",
    "built_node",
    "selected",
    "selected_child",
    "selected_placement",
    "selected_visits",
    "selected_value",
    "selected_next_node",
    "selected_side",
    "selected_alternative",
    "selected_alternative_value",
    "selected_solved",
];

/// Widths of the inputs after `selected`.
const WIDTHS: [u32; 9] = [5, 15, 18, 16, 12, 1, 1, 16, 1];

/// Outputs of the descent.
const OUTPUTS: [&str; 17] = [
    "busy",
    "root_solved",
    "start",
    "take",
    "finish",
    "append",
    "step",
    "select",
    "node",
    "linking",
    "link",
    "child",
    "link_to",
    "expand",
    "depth",
    "expand_side",
    "expand_value",
];

/// Returns a random child; that of a deep path leads to a node or grows.
fn random_child(rng: &mut Rng, threshold: u32, deep: bool) -> SelectedChild {
    let node = |rng: &mut Rng| u64::from(1 + rng.below(u32::from(END) - 1));
    let visits = match rng.below(4) {
        0 => rng.below(SIMULATIONS + 1),
        1 => rng.below(threshold + 1),
        near => (threshold + near - 2).min(SIMULATIONS),
    };
    SelectedChild {
        child: number(rng, 5),
        placement: number(rng, 15),
        visits: visits.into(),
        value: number(rng, 16),
        next: match if deep { 5 } else { rng.below(6) } {
            0 | 1 => 0,
            2 => END.into(),
            _ => node(rng),
        },
        side: rng.below(2).into(),
        better: rng.below(8) == 0,
        best: number(rng, 16),
        solved: rng.below(8) == 0,
        full: rng.below(5) == 0,
        grown: match rng.below(3) {
            0 => END.into(),
            _ => node(rng),
        },
    }
}

/// Job of the tree.
enum Tree {
    Idle,
    /// Cycles until the job ends, and the child that it selects.
    Works(u32, Option<SelectedChild>),
}

struct Unit {
    dut: Reactive<17, 17>,
    rng: Rng,
}

fn shipped(backend: Backend, simulations: u32) {
    let threshold = SearchParameters::of_block_ram().expand_threshold;
    bench(backend, simulations, threshold);
}

fn bench(backend: Backend, simulations: u32, threshold: u32) {
    let block = Descent::new(threshold);
    let mut unit = Unit {
        dut: Reactive::open(backend, block, "descent", INPUTS, OUTPUTS),
        rng: Rng::new(37),
    };
    let [mut grown, mut lost] = [0; 2];
    let mut longest = 0;
    let mut solved = false;
    for round in 0..simulations {
        let children: Vec<_> = (0..=LONGEST)
            .map(|_| random_child(&mut unit.rng, threshold, round % 10 == 3))
            .collect();
        let (_, used) = twin(threshold.into(), &children);
        // Some of the jobs get lost.
        let known = match round % 7 {
            5 => unit.rng.below(used as u32) as usize,
            _ => used,
        };
        let (expected, _) = twin(threshold.into(), &children[..known]);
        let (seen, root) = unit.run(&children[..known]);
        assert_eq!(seen, expected, "{backend}: simulation {round}");
        solved = children[..known].first().map_or(solved, |it| it.solved);
        assert_eq!(root, solved, "{backend}: root in simulation {round}");
        grown += expected
            .iter()
            .filter(|it| matches!(it, DescentStep::Grow(..)))
            .count();
        lost += usize::from(known < used);
        longest = longest.max(known);
    }
    println!(
        "{backend}: {simulations} simulations, {grown} expansions, {lost} lost jobs, longest path \
         {longest}"
    );
    assert!(grown > 0 && lost > 0 && longest as u64 == LONGEST + 1);
}

impl Unit {
    /// Returns the steps of a simulation for which the tree selects these children, and whether the
    /// root is solved.
    fn run(&mut self, children: &[SelectedChild]) -> (Vec<DescentStep>, bool) {
        let rng = &mut self.rng;
        let mut steps = Vec::new();
        let mut selections = children.iter();
        let (mut tree, mut core, mut builder) = (Tree::Idle, 0, 0);
        let pace = 1 + rng.below(3);
        // Child that was selected last.
        let mut current: Option<SelectedChild> = None;
        let mut appended = 0;
        for cycle in 0_u32.. {
            assert!(cycle < 20_000, "it never ends");
            let root_idle = rng.below(pace) == 0;
            let ready = core == 0 && rng.below(pace) == 0;
            core -= u32::from(core > 0);
            let growing = builder > 0;
            builder -= u32::from(growing);
            let mut selected = None;
            let mut idle = false;
            tree = match tree {
                Tree::Idle => {
                    idle = rng.below(pace) == 0;
                    Tree::Idle
                }
                Tree::Works(0, child) => {
                    // It may be idle in the same cycle already.
                    idle = rng.below(2) == 0;
                    selected = child;
                    Tree::Idle
                }
                Tree::Works(left, child) => Tree::Works(left - 1, child),
            };
            current = selected.or(current);
            let full = current.map_or(number(rng, 1), |it| it.full.into());
            let grown = current.filter(|_| !growing);
            let grown = grown.map_or_else(|| number(rng, 12), |it| it.grown);
            let fields = selected.map(|it| {
                [
                    it.child,
                    it.placement,
                    it.visits,
                    it.value,
                    it.next,
                    it.side,
                    it.better.into(),
                    it.best,
                    it.solved.into(),
                ]
            });
            // They are valid while `selected` is high.
            let fields = fields.unwrap_or_else(|| WIDTHS.map(|bits| number(rng, bits)));
            let mut inputs = [0; 17];
            inputs[1..8].copy_from_slice(&[
                root_idle.into(),
                ready.into(),
                idle.into(),
                full,
                growing.into(),
                grown,
                selected.is_some().into(),
            ]);
            inputs[8..].copy_from_slice(&fields);
            let [busy, solved, start, take, finish, outputs @ ..] = self.dut.look(inputs);
            let [append, step, select, node, linking, outputs @ ..] = outputs;
            let [link, child, leads_to, grow, depth, grow_side, grow_value] = outputs;
            if cycle == 0 {
                assert_eq!(busy, 0, "before the request");
            } else if busy == 0 {
                return (steps, solved == 1);
            }
            if growing {
                assert_eq!(depth, appended, "placements of a position that grows");
            }
            if select == 1 {
                assert!(idle && linking == 0, "cycle {cycle}");
                steps.push(DescentStep::Select(node));
                tree = Tree::Works(rng.below(4), selections.next().copied());
            }
            if append == 1 {
                steps.push(DescentStep::Append(step));
                appended = (appended + 1).min(LONGEST);
            }
            if grow == 1 {
                steps.push(DescentStep::Grow(grow_side, grow_value));
                builder = 1 + rng.below(4);
            }
            if link == 1 {
                assert!(idle && linking == 1, "cycle {cycle}");
                steps.push(DescentStep::Link([node, child, leads_to]));
                tree = Tree::Works(rng.below(4), None);
            }
            if start == 1 {
                assert!(ready && (root_idle || take == 0), "cycle {cycle}");
                steps.push(DescentStep::Start {
                    take: take == 1,
                    finish: finish == 1,
                });
                core = rng.below(4);
            }
            // A request while it is busy has no effect.
            inputs[0] = u64::from(cycle == 0 || rng.below(3) == 0);
            self.dut.clock(inputs);
        }
        unreachable!()
    }
}
