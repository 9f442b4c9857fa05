//! Tests of the tree against its twin: every answer, its cycle, and finally every child.

use duoforge_rules::{Colour, Placement};
use duoforge_sim::Backend;
use duoforge_twin::Rng;
use duoforge_twin::search::SearchParameters;
use duoforge_twin::search::prior::Candidate;
use duoforge_twin::search::tree::{ChildLink, PathStep};

use self::driver::Driver;
use crate::support::{games::placements, in_every_simulator};

mod answers;
mod driver;
mod full;
mod reached;
mod searched;

in_every_simulator!(played; verilator 2_500, icarus 200, rust 200);

mod narrow {
    use super::{in_every_simulator, narrow};

    in_every_simulator!(narrow; verilator 2_500, icarus 200, rust 200);
}

mod long {
    use super::{in_every_simulator, long};

    in_every_simulator!(long; verilator 262_143, icarus 300, rust 300);
}

/// Value counts of 22 bits as divisors.
mod counted {
    use super::{counted, in_every_simulator};

    in_every_simulator!(counted; verilator 2_500, icarus 200, rust 200);
}

/// Value counts of 21 bits as divisors, up to the largest one.
mod counted_long {
    use super::{counted_long, in_every_simulator};

    in_every_simulator!(counted_long; verilator 262_143, icarus 300, rust 300);
}

/// A tree of which two or four nodes are in block RAM.
mod cached {
    use super::{cached, in_every_simulator};

    in_every_simulator!(cached; verilator 2_500, icarus 50, rust 50);
}

/// Steps of a path through the tree.
type Path = Vec<PathStep>;

/// Placements with their colours.
type Moves = Vec<(Colour, Placement)>;

/// Returns the parameters of the largest search that ships; no bench uses a smaller tree.
fn parameters() -> SearchParameters {
    SearchParameters::of_block_ram()
}

fn played(backend: Backend, rounds: u32) {
    let driver = any(backend, rounds, &parameters());
    if backend == Backend::Verilator {
        driver.reached.cover(&[
            "tree: proven children in selections",
            "tree: means of 0",
            "tree: means of 2^16 - 1",
        ]);
    }
}

/// Tests parameters with which the limits are reached soon and all weights differ.
fn narrow(backend: Backend, rounds: u32) {
    let parameters = SearchParameters {
        exploration: 109,
        value_count_cap: 5,
        rave_weight_max: 63,
        rave_weight_min: 0,
        rave_decay: 700,
        rave_child_max: 7,
        rave_parent_max: 40,
        fpu_weight: 16,
        ..parameters()
    };
    let driver = any(backend, rounds, &parameters);
    if backend == Backend::Verilator {
        driver
            .reached
            .cover(&["tree: exploration terms at their limit"]);
    }
}

fn counted(backend: Backend, rounds: u32) {
    let mut parameters = SearchParameters {
        rave_child_max: 4_000,
        ..parameters()
    };
    parameters.formulas.value_count_divisor = true;
    parameters.formulas.value_count_bits = 22;
    any(backend, rounds, &parameters);
}

/// Tests a tree that has more nodes than lines, and one whose memory has failed: its nodes are as many
/// as the lines, and none is transferred.
fn cached(backend: Backend, rounds: u32) {
    let parameters = SearchParameters {
        nodes: 60,
        ..parameters()
    };
    let cases = [(2, true), (4, true), (4, false)];
    // A sample suffices for slow simulators.
    let count = if backend == Backend::Verilator { 3 } else { 1 };
    for (lines, works) in cases.into_iter().take(count) {
        let driver = Driver::open_cached(backend, &parameters, lines, works);
        let driver = random_requests(driver, rounds);
        let transfers = driver.transfers().expect("it has a cache");
        assert_eq!(transfers > 0, works, "{transfers} lines");
    }
}

fn any(backend: Backend, rounds: u32, p: &SearchParameters) -> Driver {
    random_requests(Driver::open(backend, p), rounds)
}

/// Runs random requests on random trees.
fn random_requests(mut driver: Driver, rounds: u32) -> Driver {
    let mut rng = Rng::new(3);
    let all = placements();
    for round in 0..rounds {
        if round % 90 == 0 {
            driver.compare_all();
            driver.clear();
            let scored = random_children(&mut rng, &all);
            let value = rng.below(1 << 16) >> rng.below(16);
            driver.add(Colour(0), &scored, value);
        }
        // Node 0 is visited often, to reach the limits of visits.
        let node = rng.below(driver.twin.nodes.len() as u32) * rng.below(2);
        let child = rng.below(driver.twin.nodes[node as usize].len) as usize;
        match rng.below(12) {
            0 if driver.twin.nodes.len() < driver.room => {
                let player = Colour(rng.below(2) as u8);
                let scored = random_children(&mut rng, &all);
                let value = rng.below(1 << 16) >> rng.below(16);
                let added = driver.add(player, &scored, value);
                driver.link(node, child, ChildLink::Node(added));
            }
            1 => driver.link(
                node,
                child,
                [ChildLink::End, ChildLink::Leaf][rng.below(2) as usize],
            ),
            2 => driver.read(node, child),
            3..7 => {
                for _ in 0..rng.below(8) {
                    driver.select(node);
                }
            }
            _ => {
                let (path, moves) = random_simulation(&mut rng, &driver, &all);
                // For some rounds all results are extreme, so that means reach their limits.
                let value = match round / 64 % 3 {
                    0 => 0,
                    1 => 0xffff,
                    _ => rng.below(1 << 16),
                };
                let waiting = rng.below(3) == 0;
                let over = rng.below(8) == 0;
                driver.learn(&path, &moves, (value, over), waiting);
            }
        }
    }
    driver.compare_all();
    driver.report();
    driver
}

/// Visits one node up to the limit of the visit counter. Its children receive occasional updates,
/// each separately, and their value counts are full. One child gets most of the visits, and
/// exploration decides which one.
fn long(backend: Backend, visits: u32) {
    let parameters = SearchParameters {
        fpu_weight: 65_400,
        rave_weight_max: 0,
        rave_child_max: 5_000,
        ..parameters()
    };
    let driver = visited(backend, visits, &parameters);
    if backend == Backend::Verilator {
        driver.reached.cover(&[
            "tree: visits of a node",
            "tree: visits of a child",
            "tree: divisor of a selection",
            "tree: value count of an estimate",
            "tree: table of exploration",
            "tree: table of reciprocals",
            "tree: choices that exploration decides after 65,536 visits",
        ]);
    }
}

/// Visits one node as [`long`] does. A value count meets the mark of a proven value after eight
/// visits, and its limit of 21 bits in the end. Little exploration lets one child get nearly all visits.
fn counted_long(backend: Backend, visits: u32) {
    let mut parameters = SearchParameters {
        fpu_weight: 0xffff - 8 * 16,
        exploration: 1,
        rave_child_max: 300_000,
        ..parameters()
    };
    parameters.formulas.value_count_divisor = true;
    parameters.formulas.value_count_bits = 21;
    let driver = visited(backend, visits, &parameters);
    if backend == Backend::Verilator {
        let count = driver.reached.count;
        assert!(
            count >= (1 << 21) - 64,
            "the largest value count is {count}"
        );
    }
}

/// Visits one node repeatedly.
fn visited(backend: Backend, visits: u32, parameters: &SearchParameters) -> Driver {
    let mut rng = Rng::new(5);
    let all = placements();
    let mut driver = Driver::open(backend, parameters);
    let scored = [(0xffff, 0), (0x4000, 1), (0x1000, 2)].map(|(prior, place)| Candidate {
        placement: all[place],
        prior,
        score_gap: 0,
    });
    driver.add(Colour(0), &scored, 0x8000);
    for begun in (0..visits).step_by(500) {
        driver.select_often(0, (visits - begun).min(500));
        let (path, moves) = random_simulation(&mut rng, &driver, &all);
        let value = 0x7e00 + rng.below(0x400);
        driver.learn(&path, &moves, (value, false), true);
    }
    driver.compare_all();
    driver.report();
    driver
}

/// Returns up to 32 children. Priors and score gaps are of all sizes, or all equal, which causes
/// ties.
fn random_children(rng: &mut Rng, all: &[Placement]) -> Vec<Candidate> {
    let len = match rng.below(4) {
        0 => 32,
        1 => 1 + rng.below(4),
        _ => 1 + rng.below(32),
    };
    let plain = rng.below(3) == 0;
    let mut scored: Vec<Candidate> = Vec::new();
    while scored.len() < len as usize {
        let placement = all[rng.below(all.len() as u32) as usize];
        if scored.iter().all(|other| other.placement != placement) {
            let prior = rng.below(1 << 16) >> rng.below(if plain { 3 } else { 16 });
            let behind = rng.below(256) >> rng.below(8);
            scored.push(match scored.first() {
                Some(&first) if plain => Candidate { placement, ..first },
                _ => Candidate {
                    placement,
                    prior,
                    score_gap: behind,
                },
            });
        }
    }
    scored
}

/// Returns a path through some nodes, and the placements of a simulation. Many of them are children
/// of these nodes.
fn random_simulation(rng: &mut Rng, driver: &Driver, all: &[Placement]) -> (Path, Moves) {
    let nodes = &driver.twin.nodes;
    let (mut path, mut moves) = (Path::new(), Moves::new());
    for _ in 0..1 + rng.below(6) {
        let node = rng.below(nodes.len() as u32) * rng.below(2);
        let children = driver.twin.children(node);
        // In a game no placement occurs twice, and a legal placement of a node was not placed
        // before.
        let known = |placement| moves.iter().any(|(_, other)| *other == placement);
        if path.iter().any(|step| step.node == node) || children.iter().any(|c| known(c.placement))
        {
            continue;
        }
        let child = rng.below(children.len() as u32) as usize;
        moves.push((nodes[node as usize].player, children[child].placement));
        // The proven values of a node are random, since they matter only above it.
        path.push(PathStep {
            node,
            child,
            proven_alternative: (rng.below(8) == 0).then(|| rng.below(1 << 16)),
            solved: rng.below(8) == 0,
        });
    }
    for _ in 0..rng.below(42 - moves.len() as u32) {
        let (player, placement) = match rng.below(4) {
            0 => (Colour(0), all[rng.below(all.len() as u32) as usize]),
            _ => {
                let node = path[rng.below(path.len() as u32) as usize].node;
                let children = driver.twin.children(node);
                let child = &children[rng.below(children.len() as u32) as usize];
                (nodes[node as usize].player, child.placement)
            }
        };
        let player = if rng.below(8) == 0 {
            player.opponent()
        } else {
            player
        };
        if moves.iter().all(|(_, other)| *other != placement) {
            moves.push((player, placement));
        }
    }
    (path, moves)
}
