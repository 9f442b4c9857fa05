//! Tests of the scheduler in an environment that takes its time: the turns of the cores, every
//! event that ends a search, the children that are read at the end, and a tree that loses its job.

use duoforge_hdl::search::scheduler::{LaneTurn, Scheduler, twin};
use duoforge_sim::Backend;
use duoforge_twin::Rng;

use super::scheduler::{Child, best};
use crate::support::in_every_simulator;
use crate::support::reactive::{Reactive, number};

in_every_simulator!(four_lanes; verilator 60, icarus 4, rust 20);

/// The final placement by the product of visit count and value.
mod by_product {
    use super::{Backend, bench, in_every_simulator};

    in_every_simulator!(four_lanes; verilator 60, icarus 8, rust 20);

    fn four_lanes(backend: Backend, searches: u32) {
        bench(backend, searches, 4, true);
    }
}

/// Fewer cores, and as many as the scheduler can number.
mod other_lanes {
    use super::{Backend, bench};

    #[test]
    fn in_rust() {
        for lanes in [1, 2, 8] {
            bench(Backend::Rust, 20, lanes, false);
        }
    }
}

/// Simulations that end a search.
const LIMIT: u32 = 40;

/// Cycles that end a search.
const DEADLINE: u32 = 500;

/// Inputs of the scheduler.
const INPUTS: [&str; 15] = [
    "think",
    "stop",
    "builder_busy",
    "child_count",
    "first_placement",
    "descent_busy",
    "root_solved",
    "backup_busy",
    "finished",
    "tree_idle",
    "was_read",
    "placement",
    "visits",
    "value",
    "proven",
];

/// Place of `finished` among the inputs, which follows the output `lane` in the same cycle.
const FINISHED: usize = 8;

/// Outputs of the scheduler.
const OUTPUTS: [&str; 12] = [
    "busy",
    "found",
    "best",
    "simulations",
    "expand",
    "simulate",
    "backup",
    "lane",
    "clear",
    "read",
    "reading",
    "child",
];

/// Search with its environment.
struct Case {
    children: Vec<Child>,
    /// Number of children that the tree reports; then it loses its job.
    known: usize,
    /// Cycle in which the search is stopped.
    stop: Option<u32>,
    /// Simulation that finds the root solved.
    solved: Option<u64>,
    /// Cycles of a phase or of a playout, at most.
    slowness: u32,
}

impl Case {
    fn random(rng: &mut Rng, round: u32, final_wins: bool) -> Self {
        let mut children = Child::random(rng);
        match round % 10 {
            8 => children.clear(),
            9 => children.truncate(1),
            // Visit counts and values of all bits in place of close ones.
            0..4 => {
                for child in &mut children {
                    (child.visits, child.value) = (number(rng, 18), number(rng, 16));
                }
            }
            // The proven children are as good as the best of the others.
            4..6 => {
                if let Some(value) = best(&children, final_wins)[1].map(|open| open.value) {
                    for child in children.iter_mut().filter(|child| child.proven) {
                        child.value = value;
                    }
                }
            }
            _ => {}
        }
        let count = children.len();
        Self {
            known: match round % 6 {
                5 => rng.below(count as u32 + 1) as usize,
                _ => count,
            },
            children,
            stop: (round % 4 == 1).then(|| 1 + rng.below(DEADLINE)),
            solved: (round % 4 == 2).then(|| rng.below(LIMIT).into()),
            slowness: match round % 4 {
                3 => 60,
                _ => 1 + rng.below(6),
            },
        }
    }
}

/// Record of a search.
#[derive(Default)]
struct Record {
    /// Turns with their cycles.
    turns: Vec<(u32, LaneTurn)>,
    /// Numbers of the children that were read.
    read: Vec<u64>,
    /// Cycles of the tree's clear and of the root's expansion.
    cleared: Vec<u32>,
    grown: Vec<u32>,
    /// First cycle from which on no simulation may start.
    ended: Option<u32>,
    /// Cycle of the first read, or the end.
    closed: u32,
    /// `found`, `best` and `simulations` after the end.
    result: [u64; 3],
}

struct Unit {
    dut: Reactive<15, 12>,
    rng: Rng,
    lanes: usize,
}

fn four_lanes(backend: Backend, searches: u32) {
    bench(backend, searches, 4, false);
}

fn bench(backend: Backend, searches: u32, lanes: usize, final_wins: bool) {
    let block = Scheduler::new(lanes, LIMIT, DEADLINE, final_wins);
    let mut unit = Unit {
        dut: Reactive::open(backend, block, "scheduler", INPUTS, OUTPUTS),
        rng: Rng::new(39),
        lanes,
    };
    let [mut limited, mut ended] = [0; 2];
    for round in 0..searches {
        let case = Case::random(&mut unit.rng, round, final_wins);
        let record = unit.run(&case);
        let context = format!("{backend}: search {round} with {lanes} cores");
        assert_eq!(record.cleared, record.grown, "{context}");
        assert_eq!(record.cleared.len(), 1, "{context}");
        let count = case.children.len();
        let first = case.children.first().map_or(0, |child| child.placement);
        assert_eq!(record.result[0], u64::from(count > 0), "{context}");
        if count < 2 {
            assert!(
                record.turns.is_empty() && record.read.is_empty(),
                "{context}"
            );
            assert_eq!(record.result[1..], [first, 0], "{context}");
            continue;
        }
        check_turns(&record, lanes as u64, &context);
        limited += u32::from(record.result[2] == u64::from(LIMIT));
        ended += u32::from(record.result[2] < u64::from(LIMIT));
        let asked = count.min(case.known + 1) as u64;
        assert!(record.read.iter().copied().eq(0..asked), "{context}");
        let best = match best(&case.children[..case.known], final_wins) {
            // Without a report of all children only those that are not proven count.
            [_, open] if case.known < count => open.map_or(first, |it| it.placement),
            [Some(proven), Some(open)] if proven.value < open.value => open.placement,
            [Some(proven), _] => proven.placement,
            [None, open] => open.map_or(first, |it| it.placement),
        };
        assert_eq!(record.result[1], best, "{context}");
    }
    println!("{backend}: {limited} searches ended by their limit, {ended} before");
    assert!(limited > 0 && ended > 0);
}

/// Compares the turns of a search with the twin's, and their end with the events that end a search.
fn check_turns(record: &Record, lanes: u64, context: &str) {
    let turns: Vec<_> = record.turns.iter().map(|&(_, turn)| turn).collect();
    let begun = record.result[2];
    assert_eq!(turns, twin(lanes, begun), "{context}");
    for &(cycle, turn) in &record.turns {
        let late = record.ended.is_some_and(|ended| cycle >= ended);
        assert!(!late || matches!(turn, LaneTurn::BackUp(_)), "{context}");
    }
    // A search of all simulations has another turn where this one deviates.
    let whole = twin(lanes, LIMIT.into());
    let same = turns.iter().zip(&whole).take_while(|(a, b)| a == b).count();
    if same < whole.len() {
        let deviates = record.turns.get(same).map_or(record.closed, |it| it.0);
        let ended = record.ended.expect("an event that ends the search");
        assert!(deviates >= ended, "{context}: {deviates}, {ended}");
    }
}

impl Unit {
    fn run(&mut self, case: &Case) -> Record {
        let rng = &mut self.rng;
        let mut record = Record::default();
        let count = case.children.len() as u64;
        let first = case.children.first().map_or(0, |child| child.placement);
        // Cycles until each unit is idle.
        let [mut builder, mut descent, mut backup, mut tree] = [0_u32; 4];
        let mut playouts = vec![0_u32; self.lanes];
        let (mut flying, mut learning) = (None, None);
        // Child that the tree reads.
        let mut reads = None;
        for cycle in 0_u32.. {
            assert!(cycle < 20 * DEADLINE, "it never ends");
            let growing = builder > 0;
            builder -= u32::from(growing);
            let on_its_way = descent > 0;
            descent -= u32::from(on_its_way);
            let backs_up = backup > 0;
            backup -= u32::from(backs_up);
            let mut child = None;
            let mut idle = tree == 0 && rng.below(3) > 0;
            if tree > 0 {
                tree -= 1;
                if tree == 0 {
                    child = reads
                        .take()
                        .and_then(|it: usize| (it < case.known).then(|| case.children[it]));
                    // It may be idle in the same cycle already.
                    idle = rng.below(2) == 0;
                }
            }
            let stop = cycle > 0 && case.stop == Some(cycle);
            let is_solved = case.solved.is_some_and(|solved| {
                let flown = record.turns.iter();
                let flown = flown.filter(|(_, turn)| matches!(turn, LaneTurn::Simulate(_)));
                flown.count() as u64 > solved
            });
            let mut inputs = [0; 15];
            inputs[1..8].copy_from_slice(&[
                stop.into(),
                growing.into(),
                if growing { number(rng, 6) } else { count },
                if growing { number(rng, 15) } else { first },
                on_its_way.into(),
                is_solved.into(),
                backs_up.into(),
            ]);
            inputs[9] = idle.into();
            inputs[10] = child.is_some().into();
            // They are valid while `was_read` is high.
            let fields = child.map(|it| [it.placement, it.visits, it.value, it.proven.into()]);
            let fields = fields.unwrap_or_else(|| [15, 18, 16, 1].map(|bits| number(rng, bits)));
            inputs[11..].copy_from_slice(&fields);
            let [.., lane, _, _, _, _] = self.dut.look(inputs);
            let finished = playouts.get(lane as usize).is_none_or(|&left| left == 0);
            inputs[FINISHED] = finished.into();
            let [
                busy,
                found,
                best,
                simulations,
                grow,
                simulate,
                learn,
                same,
                clear,
                read,
                reading,
                at,
            ] = self.dut.look(inputs);
            assert_eq!(lane, same);
            for left in &mut playouts {
                *left -= u32::from(*left > 0);
            }
            if cycle == 0 {
                assert_eq!(busy, 0, "before the request");
            } else if busy == 0 {
                if record.read.is_empty() {
                    record.closed = cycle;
                }
                record.result = [found, best, simulations];
                return record;
            }
            // The flag that ends the search is high in the next cycle.
            let deadline = cycle == 1 + DEADLINE;
            let solved = flying.is_some() && !on_its_way && is_solved;
            if cycle > 0 && (stop || deadline || solved) && record.ended.is_none() {
                record.ended = Some(cycle + 1);
            }
            // The core plays from the end of the descent on.
            if !on_its_way && let Some(lane) = flying.take() {
                let own: &mut u32 = &mut playouts[lane as usize];
                *own = rng.below(4 * case.slowness);
            }
            if let Some(lane) = learning {
                assert_eq!(same, lane, "the lane is held during the backup");
                learning = backs_up.then_some(lane);
            }
            if clear == 1 {
                record.cleared.push(cycle);
            }
            if grow == 1 {
                record.grown.push(cycle);
                builder = 1 + rng.below(case.slowness);
            }
            if simulate == 1 {
                record.turns.push((cycle, LaneTurn::Simulate(lane)));
                descent = 1 + rng.below(case.slowness);
                flying = Some(lane);
            }
            if learn == 1 {
                assert!(finished, "a result of a core that plays");
                record.turns.push((cycle, LaneTurn::BackUp(lane)));
                backup = 1 + rng.below(case.slowness);
                learning = Some(lane);
            }
            if read == 1 {
                assert!(idle && reading == 1, "cycle {cycle}");
                if record.read.is_empty() {
                    record.closed = cycle;
                }
                record.read.push(at);
                reads = Some(at as usize);
                tree = 1 + rng.below(3);
            }
            // A request while it is busy has no effect.
            inputs[0] = u64::from(cycle == 0 || rng.below(3) == 0);
            self.dut.clock(inputs);
        }
        unreachable!()
    }
}
