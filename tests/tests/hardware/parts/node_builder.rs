//! Tests of the node builder: random positions and candidates, with an expander that takes its
//! time, that loses requests, and that finds nothing for a side.

use std::collections::VecDeque;

use duoforge_hdl::search::node_builder::{BuildRequest, BuildStep, NodeBuilder, twin};
use duoforge_hdl::search::tree::bank::END;
use duoforge_sim::Backend;
use duoforge_twin::Rng;

use crate::support::in_every_simulator;
use crate::support::reactive::{Reactive, number};

in_every_simulator!(bench; verilator 80, icarus 8, rust 40);

/// Inputs of the builder.
const INPUTS: [&str; 16] = [
    "expand",
    "depth",
    "side",
    "value",
    "one_side",
    "list",
    "word",
    "root_idle",
    "expander_idle",
    "found",
    "found_placement",
    "found_prior",
    "found_mean",
    "done",
    "added",
    "tree_idle",
];

/// Outputs of the builder.
const OUTPUTS: [&str; 20] = [
    "busy",
    "built_node",
    "child_count",
    "first_placement",
    "index",
    "start",
    "take",
    "stamp",
    "stamped",
    "score",
    "start_list",
    "expander_side",
    "expander_value",
    "add",
    "add_side",
    "entry",
    "entry_placement",
    "entry_prior",
    "entry_mean",
    "prepare",
];

/// Placement, prior and initial mean.
type Candidate = [u64; 3];

/// Activity of the expander.
enum Expander {
    Idle,
    /// Cycles until its revolution ends.
    Moves(u32),
    /// Candidates that are still to come; true once the last one is out.
    Serves(VecDeque<Candidate>, bool),
}

/// Request with its environment.
struct Case {
    list: Vec<u64>,
    request: BuildRequest,
    candidates: [Vec<Candidate>; 2],
    node: u64,
    /// True if the expander becomes idle without `done`.
    lost: bool,
    /// Root, expander and tree are idle in one of this number of cycles.
    pace: u32,
}

impl Case {
    fn random(rng: &mut Rng, round: u32) -> Self {
        let length = match round % 8 {
            3 => 0,
            5 => 42,
            7 => 63,
            _ => rng.below(43) as usize,
        };
        let depth = match rng.below(3) {
            0 => rng.below(length as u32 + 1) as usize,
            _ => length,
        };
        let nothing = round % 8 == 6;
        let candidates = [(); 2].map(|()| {
            let count = match [0, 0, 1, 2, 31, 32][rng.below(6) as usize] {
                _ if nothing => 0,
                count => count,
            };
            let entries = (0..count).map(|_| [15, 16, 24].map(|bits| number(rng, bits)));
            entries.collect()
        });
        Self {
            list: (0..length).map(|_| number(rng, 52)).collect(),
            request: BuildRequest {
                depth,
                side: rng.below(2).into(),
                value: number(rng, 16),
                alone: !nothing && rng.below(3) == 0,
                list: rng.below(4) == 0,
            },
            candidates,
            // Nodes are numbered from 1; the last number is `END`.
            node: (1 + rng.below(u32::from(END) - 1)).into(),
            lost: round % 5 == 4,
            pace: 1 + rng.below(4),
        }
    }
}

struct Unit {
    dut: Reactive<16, 20>,
    rng: Rng,
    index: usize,
}

fn bench(backend: Backend, requests: u32) {
    let mut unit = Unit {
        dut: Reactive::open(
            backend,
            NodeBuilder::default(),
            "node_builder",
            INPUTS,
            OUTPUTS,
        ),
        rng: Rng::new(36),
        index: 0,
    };
    let [mut others, mut ends, mut lost] = [0; 3];
    for round in 0..requests {
        let case = Case::random(&mut unit.rng, round);
        let expected = twin(
            &case.list,
            &case.request,
            case.candidates.each_ref().map(Vec::as_slice),
        );
        let (seen, result) = unit.run(&case);
        assert_eq!(seen, expected, "{backend}: request {round}");
        let entries: Vec<_> = expected
            .iter()
            .filter_map(|step| match step {
                BuildStep::Entry(entry) => Some(entry[0]),
                _ => None,
            })
            .collect();
        let node = if entries.is_empty() {
            END.into()
        } else {
            case.node
        };
        assert_eq!(result[..2], [node, entries.len() as u64], "request {round}");
        if let Some(&first) = entries.first() {
            assert_eq!(result[2], first, "request {round}");
        }
        let scored = expected
            .iter()
            .filter(|it| matches!(it, BuildStep::Score { .. }));
        others += u32::from(scored.count() == 2);
        ends += u32::from(entries.is_empty());
        lost += u32::from(case.lost);
    }
    println!(
        "{backend}: {requests} requests, {others} for both sides, {ends} without a child, {lost} lost"
    );
    assert!(others > 0 && ends > 0 && lost > 0);
}

impl Unit {
    /// Returns the steps of a request, then number, children and first child of the node.
    fn run(&mut self, case: &Case) -> (Vec<BuildStep>, [u64; 3]) {
        let rng = &mut self.rng;
        let mut steps = Vec::new();
        let mut expander = Expander::Idle;
        let mut candidates = case.candidates.iter();
        // The tree numbers a node in the cycle after it was opened.
        let mut added = number(rng, 12);
        for cycle in 0_u32.. {
            assert!(cycle < 20_000, "it never ends");
            let word = case.list.get(self.index).copied();
            let word = word.unwrap_or_else(|| number(rng, 52));
            let root_idle = rng.below(case.pace) == 0;
            let tree_idle = rng.below(case.pace) == 0;
            let mut found = None;
            let (mut ready, mut done) = (false, false);
            expander = match expander {
                Expander::Idle => {
                    ready = rng.below(case.pace) == 0;
                    Expander::Idle
                }
                Expander::Moves(0) => Expander::Idle,
                Expander::Moves(left) => Expander::Moves(left - 1),
                Expander::Serves(mut left, false) => {
                    if rng.below(3) > 0 {
                        found = left.pop_front();
                    }
                    let last = left.is_empty();
                    Expander::Serves(left, last)
                }
                Expander::Serves(_, true) => {
                    done = !case.lost;
                    // It may be idle in the same cycle already.
                    ready = case.lost || rng.below(2) == 0;
                    Expander::Idle
                }
            };
            let [placement, prior, mean] =
                found.unwrap_or_else(|| [15, 16, 24].map(|bits| number(rng, bits)));
            // Only the depth counts after the request.
            let request = &case.request;
            let first = cycle == 0;
            let any = |value: u64, bits: u32, rng: &mut Rng| match first {
                true => value,
                false => number(rng, bits),
            };
            let mut inputs = [
                first.into(),
                request.depth as u64,
                any(request.side, 1, rng),
                any(request.value, 16, rng),
                any(request.alone.into(), 1, rng),
                any(request.list.into(), 1, rng),
                word,
                root_idle.into(),
                ready.into(),
                found.is_some().into(),
                placement,
                prior,
                mean,
                done.into(),
                added,
                tree_idle.into(),
            ];
            let outputs = self.dut.look(inputs);
            let [busy, made, count, top, index, rest @ ..] = outputs;
            if first {
                assert_eq!(busy, 0, "before the request");
            } else if busy == 0 {
                return (steps, [made, count, top]);
            }
            let [
                start,
                take,
                stamp,
                stamped,
                score,
                listing,
                whose,
                value,
                rest @ ..,
            ] = rest;
            let [add, add_side, entry, child @ .., prepare] = rest;
            if prepare == 1 {
                assert!(tree_idle, "cycle {cycle}");
                steps.push(BuildStep::Prepare);
            }
            if start == 1 {
                assert!(ready && (root_idle || take == 0), "cycle {cycle}");
                steps.push(BuildStep::Start {
                    take: take == 1,
                    stamp: (stamp == 1).then_some((stamped, whose)),
                });
                expander = Expander::Moves(rng.below(3));
            }
            if score + listing > 0 {
                assert!(ready && score + listing == 1, "cycle {cycle}");
                assert!(tree_idle || listing == 1, "cycle {cycle}");
                steps.push(BuildStep::Score {
                    list: listing == 1,
                    side: whose,
                    value,
                });
                let left: VecDeque<_> = candidates.next().expect("two sides").clone().into();
                let none = left.is_empty();
                expander = Expander::Serves(left, none);
            }
            if entry == 1 {
                steps.push(BuildStep::Entry(child));
            }
            if add == 1 {
                steps.push(BuildStep::Add { side: add_side });
                added = case.node;
            }
            self.index = index as usize;
            // A request while it is busy has no effect.
            inputs[0] = u64::from(first || rng.below(3) == 0);
            self.dut.clock(inputs);
        }
        unreachable!()
    }
}
