//! Tests of the scheduler with the shipped parameters, in an environment that answers at once. Its
//! counter of simulations and its timer run to their ends. The choice of the best child is tested by
//! visit count and by product.

use duoforge_hdl::search::scheduler::Scheduler;
use duoforge_hdl::search::settings::{SIMULATIONS, SearchConfig};
use duoforge_sim::{Backend, Options, PortId, Simulator, open};
use duoforge_twin::Rng;

use crate::support::coverage::covered;
use crate::support::reactive::number;

/// Cycles of a simulation if every unit answers at once: two selections, a wait, an update, a
/// descent.
const SIMULATION: u64 = 5;

/// Maximum cycles from the stop signal to the end: the results of four lanes, the 32 children of
/// the root, and a few states between.
const ENDING: u64 = 3 * 4 + 3 * 32 + 10;

struct Bench {
    sim: Box<dyn Simulator>,
    busy: PortId,
    deadline: u64,
    lanes: u64,
}

impl Bench {
    fn open() -> Self {
        Self::open_with(false)
    }

    fn open_with(final_wins: bool) -> Self {
        let settings = SearchConfig::default().on_clock(50_000_000);
        assert_eq!(settings.simulations, SIMULATIONS);
        let lanes = settings.parameters.lanes;
        let block = Scheduler::new(lanes, settings.simulations, settings.cycles, final_wins);
        let sim = open(Backend::Verilator, block, "scheduler", &Options::default());
        let sim = sim.expect("the model can be built");
        let mut bench = Self {
            busy: sim.port("busy").expect("the scheduler has the port"),
            deadline: settings.cycles.into(),
            lanes: lanes as u64,
            sim,
        };
        for (name, value) in [
            ("child_count", 32),
            ("first_placement", 1),
            ("finished", 1),
            ("tree_idle", 1),
            ("was_read", 1),
            ("placement", 77),
            ("visits", SIMULATIONS.into()),
        ] {
            bench.drive(name, value);
        }
        bench
    }

    fn drive(&mut self, name: &str, value: u64) {
        let port = self.sim.port(name).expect("the scheduler has the port");
        self.sim.poke(port, value).expect("the value fits");
    }

    fn pulse(&mut self, name: &str) {
        self.drive(name, 1);
        self.step(1);
        self.drive(name, 0);
    }

    fn step(&mut self, cycles: u64) {
        self.sim.step(cycles).expect("it runs");
    }

    fn peek(&mut self, name: &str) -> u64 {
        let port = self.sim.port(name).expect("the scheduler has the port");
        self.sim.peek(port).expect("it runs")
    }

    /// Returns the cycles until the search has ended.
    fn end(&mut self, most: u64) -> u64 {
        let run = self.sim.run_until(self.busy, 0, most).expect("it runs");
        assert!(run.reached, "busy after {most} cycles more");
        run.cycles
    }
}

/// The counter of simulations reaches its last value, and the lanes alternate.
#[test]
fn as_many_simulations_as_the_counter_holds() {
    let mut bench = Bench::open();
    let ports = ["simulate", "lane"].map(|name| bench.sim.port(name).expect("a port"));
    bench.sim.sample(ports[0], &ports[1..]).expect("a list");
    bench.pulse("think");
    let simulations = u64::from(SIMULATIONS);
    let cycles = bench.end(SIMULATION * simulations + 200);
    assert!(
        cycles >= SIMULATION * (simulations - bench.lanes),
        "{cycles}"
    );
    assert_eq!(bench.peek("simulations"), simulations);
    assert_eq!(bench.peek("best"), 77);
    let flown = bench.sim.samples().expect("it runs");
    assert_eq!(flown.len() as u64, simulations);
    let mut lanes = flown.iter().zip(0_u64..);
    assert!(lanes.all(|(sample, number)| sample.values[0] == number % bench.lanes));
    covered("search: simulations", &simulations);
}

/// A search at the contest's clock ends at its deadline; slow playouts keep the number of
/// simulations below the limit.
#[test]
fn the_contest_s_deadline() {
    let mut bench = Bench::open();
    bench.drive("finished", 0);
    bench.pulse("think");
    let quiet = bench.deadline - 1_000;
    bench.step(quiet);
    assert_eq!(bench.peek("busy"), 1);
    assert_eq!(bench.peek("simulations"), bench.lanes);
    bench.drive("finished", 1);
    let cycles = quiet + bench.end(2_000);
    let (deadline, simulations) = (bench.deadline, bench.peek("simulations"));
    covered("search: cycles of the deadline", &deadline);
    assert!((deadline..=deadline + ENDING).contains(&cycles), "{cycles}");
    let expected = bench.lanes + 1_000 / SIMULATION;
    assert!(
        (expected - 3..=expected + 3).contains(&simulations),
        "{simulations}"
    );
    // The next search has its full time again.
    bench.pulse("think");
    bench.step(100_000);
    assert_eq!(bench.peek("busy"), 1);
}

/// `stop` in every cycle of the beginning, and later: the search ends soon, and the next one is not
/// affected.
#[test]
fn stops() {
    let mut bench = Bench::open();
    for before in (0..40).chain([1_000, 10_007, 20_011]) {
        bench.pulse("think");
        bench.step(before);
        bench.pulse("stop");
        let cycles = bench.end(1_000);
        assert!(cycles <= ENDING, "{cycles} cycles after {before}");
        assert!(bench.peek("simulations") <= before / SIMULATION + bench.lanes);
        bench.pulse("think");
        bench.step(2_000);
        assert_eq!(bench.peek("busy"), 1, "after {before} cycles");
        bench.pulse("stop");
        bench.end(1_000);
        // Between searches `stop` has no effect.
        bench.pulse("stop");
        bench.step(5);
    }
}

/// A solved root ends the search, and the next search starts again.
#[test]
fn a_solved_root() {
    let mut bench = Bench::open();
    for _ in 0..3 {
        bench.pulse("think");
        bench.step(1_000);
        assert_eq!(bench.peek("busy"), 1);
        bench.drive("root_solved", 1);
        let cycles = bench.end(1_000);
        assert!(cycles <= SIMULATION + ENDING, "{cycles}");
        bench.drive("root_solved", 0);
    }
}

/// Child of the root, as the tree reports it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) placement: u64,
    pub(super) visits: u64,
    pub(super) value: u64,
    pub(super) proven: bool,
}

impl Child {
    /// Returns up to 32 random children. Their visit counts and values are close together, so that
    /// ties are frequent.
    pub(super) fn random(rng: &mut Rng) -> Vec<Self> {
        let lowest = rng.below(0xffc0);
        let share = rng.below(5);
        let count = 2 + rng.below(31);
        let child = |_| Self {
            placement: rng.below(1 << 15).into(),
            visits: rng.below(12).into(),
            value: (lowest + rng.below(64)).into(),
            proven: rng.below(4) < share,
        };
        (0..count).map(child).collect()
    }
}

/// Returns the first of the children with the highest key.
fn first_best<'c>(
    children: impl DoubleEndedIterator<Item = &'c Child>,
    key: impl Fn(&Child) -> u64,
) -> Option<&'c Child> {
    children.rev().max_by_key(|child| key(child))
}

/// Returns the best proven child, and the most visited one of the others; with `final_wins`, the one
/// of the others with the greatest product of visit count and value.
pub(super) fn best(children: &[Child], final_wins: bool) -> [Option<&Child>; 2] {
    let proven = children.iter().filter(|child| child.proven);
    let open = children.iter().filter(|child| !child.proven);
    [
        first_best(proven, |child| child.value),
        first_best(open, |child| match final_wins {
            true => child.visits * child.value,
            false => child.visits,
        }),
    ]
}

/// The scheduler plays the most visited child that is not proven, or a proven child with at least
/// its value, whatever the order in which the tree reports them.
#[test]
fn the_best_child_of_the_root() {
    best_children(false);
}

/// With `final_wins`, the product of visit count and value replaces the visit count.
#[test]
fn the_child_with_the_greatest_product() {
    best_children(true);
}

fn best_children(final_wins: bool) {
    let mut bench = Bench::open_with(final_wins);
    bench.drive("root_solved", 1);
    let read = bench.sim.port("read").expect("a port");
    let mut rng = Rng::new(12);
    let [mut proven_first, mut open_first, mut by_product] = [0; 3];
    for search in 0..300 {
        let mut children = Child::random(&mut rng);
        if search % 3 == 0 {
            // Visit counts and values of all bits in place of close ones.
            for child in &mut children {
                (child.visits, child.value) = (number(&mut rng, 18), number(&mut rng, 16));
            }
        }
        bench.drive("child_count", children.len() as u64);
        bench.pulse("think");
        for (number, child) in (0..).zip(&children) {
            let run = bench.sim.run_until(read, 1, 100).expect("it runs");
            assert!(run.reached, "child {number} is not read");
            assert_eq!(bench.peek("child"), number);
            bench.drive("placement", child.placement);
            bench.drive("visits", child.visits);
            bench.drive("value", child.value);
            bench.drive("proven", child.proven.into());
            bench.step(1);
        }
        bench.end(10);
        let most = best(&children, false)[1].map(|child| child.placement);
        let best = best(&children, final_wins);
        by_product += u32::from(best[1].map(|child| child.placement) != most);
        let best = match best {
            [Some(proven), Some(open)] if proven.value < open.value => {
                open_first += 1;
                open
            }
            [Some(proven), other] => {
                proven_first += u32::from(other.is_some());
                proven
            }
            [None, open] => open.expect("there are children"),
        };
        assert_eq!(bench.peek("best"), best.placement, "{search}: {children:?}");
        assert_eq!(bench.peek("found"), 1);
    }
    assert!(
        proven_first > 50 && open_first > 10,
        "{proven_first}, {open_first}"
    );
    assert_eq!(by_product > 30, final_wins, "{by_product}");
}
