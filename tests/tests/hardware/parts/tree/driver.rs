//! Driver of the tree in hardware and its twin.

use duoforge_hdl::harness::cached_tree::CachedTreeUnit;
use duoforge_hdl::search::tree::{Tree, amaf_table as memory};
use duoforge_rules::{Colour, Placement};
use duoforge_sim::{Backend, Options, PortId, Simulator, open};
use duoforge_twin::search::SearchParameters;
use duoforge_twin::search::amaf::AmafTable;
use duoforge_twin::search::arithmetic::MAX_VALUE;
use duoforge_twin::search::node_cache::NodeCache;
use duoforge_twin::search::prior::Candidate;
use duoforge_twin::search::tree::{self, Child, ChildLink, Node, PathStep};

use super::answers::{ANSWER, answer, bus, number};
use super::reached::Reached;

/// Cycles from power-up until the AMAF table is cleared.
const SWEEP: u64 = memory::WORDS as u64 + 1;

/// Maximum cycles of a job: two lines are transferred at most.
const LIMIT: u64 = 1_000;

/// Tree in hardware and its twin.
pub struct Driver {
    sim: Box<dyn Simulator>,
    parameters: SearchParameters,
    /// Twin of the tree.
    pub twin: tree::Tree,
    /// Limits that were reached.
    pub reached: Reached,
    /// Twin of the cache, for a tree with an external memory. The cycles of such a tree depend on
    /// transfers, and are not compared.
    cache: Option<NodeCache>,
    /// Maximum number of nodes.
    pub room: usize,
    marks: AmafTable,
    idle: PortId,
    ready: PortId,
    selects: u64,
    learned: u64,
}

impl Driver {
    /// Opens a tree and waits until it is idle.
    pub fn open(backend: Backend, parameters: &SearchParameters) -> Self {
        let block = Tree::new(parameters);
        let sim = open(backend, block, "tree", &Options::default()).expect("it can be built");
        Self::of(sim, parameters, None)
    }

    /// Opens a tree of which `lines` nodes are in block RAM, the others in an external memory if that
    /// `works`, and waits until it is idle.
    pub fn open_cached(
        backend: Backend,
        parameters: &SearchParameters,
        lines: usize,
        works: bool,
    ) -> Self {
        let block = CachedTreeUnit::new(parameters, lines);
        let sim = open(backend, block, "cached_tree_unit", &Options::default());
        let cache = NodeCache::new(lines, 1);
        let mut driver = Self::of(
            sim.expect("the model can be built"),
            parameters,
            Some(cache),
        );
        driver.drive(&[("memory_works", works.into())]);
        if !works {
            driver.room = lines;
        }
        driver
    }

    fn of(
        mut sim: Box<dyn Simulator>,
        parameters: &SearchParameters,
        cache: Option<NodeCache>,
    ) -> Self {
        let port = |name: &str| sim.port(name).expect("the tree has the port");
        let [idle, ready, selected] = ["idle", "ready", "selected"].map(port);
        let answer = ANSWER.map(port);
        sim.sample(selected, &answer).expect("a list");
        let run = sim.run_until(idle, 1, SWEEP + 1).expect("it runs");
        assert_eq!(run.cycles, SWEEP);
        Self {
            sim,
            parameters: parameters.clone(),
            twin: tree::Tree::default(),
            reached: Reached::default(),
            cache,
            room: parameters.nodes,
            marks: AmafTable::default(),
            idle,
            ready,
            selects: 0,
            learned: 0,
        }
    }

    /// Drives inputs.
    fn drive(&mut self, values: &[(&str, u64)]) {
        for &(name, value) in values {
            let port = self.sim.port(name).expect("the tree has the port");
            self.sim.poke(port, value).expect("the value fits");
        }
    }

    /// Raises this request for one cycle.
    fn request(&mut self, name: &str) {
        self.drive(&[(name, 1)]);
        self.sim.step(1).expect("it runs");
        self.drive(&[(name, 0)]);
    }

    /// Checks that the request of the last cycle finishes this number of cycles after it.
    fn done_after(&mut self, port: PortId, cycles: u64, what: &str) {
        let run = self.sim.run_until(port, 1, LIMIT).expect("it runs");
        assert!(run.reached, "{what} never ends");
        if self.cache.is_none() {
            assert_eq!(run.cycles + 1, cycles, "cycles of {what}");
        }
    }

    /// Accesses a node in the twin of the cache.
    fn access(&mut self, node: u32, is_new: bool, write: bool) {
        if let Some(cache) = &mut self.cache {
            cache.access(node, is_new, write);
        }
    }

    /// Waits until a tree with an external memory is idle; one without is idle in every cycle.
    fn wait(&mut self) {
        let run = self.sim.run_until(self.idle, 1, LIMIT).expect("it runs");
        assert!(run.reached && (run.cycles == 0 || self.cache.is_some()));
    }

    /// Removes all nodes.
    pub fn clear(&mut self) {
        self.request("clear");
        self.twin.clear();
        if let Some(cache) = &mut self.cache {
            cache.clear();
        }
        self.wait();
    }

    /// Adds a node whose position has this value, and returns its number.
    pub fn add(&mut self, player: Colour, scored: &[Candidate], value: u32) -> u32 {
        let number = self.twin.add_node(player, scored, value, &self.parameters);
        self.enter(number);
        number
    }

    /// Adds the twin's newest node to the hardware.
    pub fn enter(&mut self, number: u32) {
        let Node { player, .. } = self.twin.nodes[number as usize];
        if self.cache.is_some() {
            self.access(number, true, true);
            self.request("prepare");
            self.wait();
        }
        self.drive(&[("add_side", player.0.into())]);
        self.request("add");
        for child in self.twin.children(number).to_vec() {
            self.drive(&[
                ("entry_placement", bus(child.placement)),
                ("entry_prior", child.prior.into()),
                ("entry_mean", child.mean.into()),
            ]);
            self.request("entry");
        }
        let nodes = self.twin.nodes.len();
        let [added, full] = ["added", "full"].map(|name| self.sim.port(name).expect("a port"));
        let seen = self.sim.peek_all(&[added, full]).expect("it runs");
        let full = nodes == self.room;
        assert_eq!(seen, [u64::from(number), full.into()], "node and full");
    }

    /// Links a child to a node, a leaf or the end of the game.
    pub fn link(&mut self, node: u32, child: usize, next: ChildLink) {
        self.twin.link(node, child, next);
        self.access(node, false, true);
        self.operands(node, child);
        self.drive(&[("link_to", number(next)), ("single", 1)]);
        self.request("link");
        self.drive(&[("single", 0)]);
        self.done_after(self.idle, 3, "link");
    }

    /// Selects a child of a node.
    pub fn select(&mut self, node: u32) -> (PathStep, Child) {
        let clock = self.sim.cycles();
        let half = self.half(node);
        self.access(node, false, true);
        self.operands(node, 31);
        self.request("select");
        self.done_after(self.idle, half + 9, "select");
        let (step, child) = self.twin_step(node);
        self.expect_answers(&[(clock + half + 8, answer(&self.twin, step, &child))]);
        (step, child)
    }

    /// Selects a child in the twin.
    fn twin_step(&mut self, node: u32) -> (PathStep, Child) {
        self.reached.selecting(&self.twin, node, &self.parameters);
        self.twin.select_and_visit(node, &self.parameters)
    }

    /// Selects a child of a node repeatedly, at the maximum rate.
    pub fn select_often(&mut self, node: u32, times: u32) {
        let half = self.half(node);
        self.operands(node, 0);
        let mut expected = Vec::new();
        for _ in 0..times {
            let clock = self.sim.cycles();
            self.access(node, false, true);
            self.request("select");
            self.done_after(self.idle, half + 9, "select");
            let (step, child) = self.twin_step(node);
            expected.push((clock + half + 8, answer(&self.twin, step, &child)));
        }
        self.expect_answers(&expected);
    }

    /// Reads a child.
    pub fn read(&mut self, node: u32, child: usize) {
        let clock = self.sim.cycles();
        self.access(node, false, false);
        self.operands(node, child);
        self.drive(&[("single", 1)]);
        self.request("read");
        self.drive(&[("single", 0)]);
        self.done_after(self.idle, 10, "read");
        let known = self.twin.children(node)[child];
        let whole = self.twin.children(node).len() < self.parameters.children;
        // The answer's fields about other children are meaningless after a read.
        let step = PathStep {
            node,
            child,
            proven_alternative: None,
            solved: known.is_proven() && whole,
        };
        self.expect_answers(&[(clock + 9, answer(&self.twin, step, &known))]);
    }

    /// Backs up the result of a simulation along a path; `over` is true if the game ended with the
    /// path. Between the steps, `waiting` waits until the tree is idle instead of ready.
    pub fn learn(
        &mut self,
        path: &[PathStep],
        moves: &[(Colour, Placement)],
        (value, over): (u32, bool),
        waiting: bool,
    ) {
        self.mark(moves, "amaf_enter");
        let (mut learned, mut proven) = (value, over);
        for (ply, step) in path.iter().enumerate().rev() {
            self.access(step.node, false, true);
            self.operands(step.node, step.child);
            self.drive(&[
                ("ply", ply as u64),
                ("value", learned.into()),
                ("prove", proven.into()),
            ]);
            self.request("update");
            let half = self.half(step.node);
            if waiting || ply == 0 && moves.len().is_multiple_of(2) {
                self.done_after(self.idle, half + 9, "update");
            } else {
                self.done_after(self.ready, half.max(2), "learn's reading");
            }
            proven = step.solved;
            let side = self.twin.nodes[step.node as usize].player;
            learned = step
                .proven_alternative
                .map_or(learned, |best| match side.0 {
                    0 => best,
                    _ => MAX_VALUE - best,
                });
        }
        self.mark(moves, "amaf_remove");
        self.sim.run_until(self.idle, 1, LIMIT).expect("it runs");
        self.marks.set_all(moves);
        let before = self.statistics();
        let p = &self.parameters;
        let result = (self.twin.nodes[0].player, value);
        self.twin.backup(path, result, over, &self.marks, p);
        let after = self.statistics();
        let changed = before
            .iter()
            .zip(&after)
            .filter(|(before, after)| before != after);
        self.learned += changed.count() as u64;
        self.marks.clear();
        for step in path {
            self.read(step.node, step.child);
        }
    }

    /// Enters all placements into the AMAF table, or removes them.
    fn mark(&mut self, moves: &[(Colour, Placement)], what: &str) {
        for (ply, &(player, placement)) in moves.iter().enumerate() {
            self.drive(&[
                ("placement", bus(placement)),
                ("side", player.0.into()),
                ("ply", ply as u64),
            ]);
            self.request(what);
        }
    }

    /// Reads all children.
    pub fn compare_all(&mut self) {
        for node in 0..self.twin.nodes.len() as u32 {
            for child in 0..self.twin.children(node).len() {
                self.read(node, child);
            }
        }
    }

    /// Prints the number of comparisons.
    pub fn report(&mut self) {
        let (backend, selects, learned) = (self.sim.backend(), self.selects, self.learned);
        println!("{backend}: {selects} answers, {learned} updates of children");
        assert!(selects > 0 && learned > 0);
        let Some(cache) = &self.cache else { return };
        let counts = ["reads", "writes"].map(|name| self.sim.port(name).expect("a port"));
        let seen = self.sim.peek_all(&counts).expect("it runs");
        println!("{backend}: {} lines read, {} written", seen[0], seen[1]);
        assert_eq!(
            seen,
            [cache.reads(), cache.write_backs()],
            "lines read and written"
        );
    }

    /// Returns the number of lines that the twin of the cache transfers, if there is one.
    pub fn transfers(&self) -> Option<u64> {
        let cache = self.cache.as_ref()?;
        Some(cache.reads() + cache.write_backs())
    }

    /// Returns the value counts and means of all children.
    fn statistics(&self) -> Vec<(u32, u32)> {
        (0..self.twin.nodes.len() as u32)
            .flat_map(|node| self.twin.children(node))
            .map(|child| (child.value_count, child.mean))
            .collect()
    }

    fn half(&self, node: u32) -> u64 {
        u64::from(self.twin.nodes[node as usize].len.div_ceil(2))
    }

    fn operands(&mut self, node: u32, child: usize) {
        self.drive(&[("node", node.into()), ("child", child as u64)]);
    }

    /// Compares the hardware's answers with the twin's; `None` matches any value.
    fn expect_answers(&mut self, expected: &[(u64, Vec<Option<u64>>)]) {
        let samples = self.sim.samples().expect("it runs");
        assert_eq!(samples.len(), expected.len(), "answers");
        for (sample, (clock, answer)) in samples.iter().zip(expected) {
            let seen = sample.values.iter().zip(answer);
            let seen: Vec<_> = seen.map(|(&seen, known)| known.map(|_| seen)).collect();
            assert_eq!(&seen, answer, "{ANSWER:?}");
            if self.cache.is_none() {
                assert_eq!(sample.clock, *clock, "clock of the answer");
            }
        }
        self.selects += samples.len() as u64;
    }
}
