//! Parallel search of one tree by several threads.
//!
//! A thread holds the tree only during selection and backup. During playouts and while the
//! placements of new nodes are scored, other threads hold it. In-flight visits are counted on the
//! way down, so the other threads select different paths.

use std::hint;
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use duoforge_rules::{Colour, Placement};
use duoforge_twin::Rng;
use duoforge_twin::search::amaf::AmafTable;
use duoforge_twin::search::tree::{Child, ChildLink, PathStep, Tree};
use duoforge_twin::search::{
    DrawMemory, Limit, Position, Replies, Results, SearchParameters, playout,
};

use super::expansion::{Expansion, expand};
use super::network::Network;
use super::observer::{SearchObserver, SearchProgress};
use super::ranked::{WinStats, rank};

/// Simulations between two polls of the clock.
const LOOK: u64 = 16;

/// Simulations between two checks for an early stop.
const CHECK: u64 = 256;

/// Attempts to lock the tree before a thread blocks.
const SPINS: u32 = 2_000;

/// Search task.
#[derive(Clone, Copy)]
pub struct SearchTask<'a> {
    pub parameters: &'a SearchParameters,
    /// Network for the prior; without one, the weights of the parameters are used.
    pub network: Option<&'a Network>,
    pub root: Position,
    pub seed: u64,
    pub threads: usize,
    /// Maximum size of the tree in bytes.
    pub memory: usize,
    pub begin: Instant,
    pub limit: Limit,
    /// True if the search may stop early, once no other move can exceed the visit count of the best
    /// one.
    pub early: bool,
    /// Receives the progress, and may end the search.
    pub observer: Option<&'a dyn SearchObserver>,
}

/// Search statistics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchStats {
    pub simulations: u64,
    /// True if the tree reached the memory limit.
    pub full: bool,
    /// True if the root is solved: the values of all its children are proven.
    pub solved: bool,
    /// Win statistics of each child of the root.
    pub tallies: Vec<WinStats>,
}

/// State that the threads share.
struct Shared<'t> {
    tree: &'t mut Tree,
    results: Results,
    done: SearchStats,
    stop: bool,
    /// Time of the last report to the observer.
    reported: Duration,
}

/// Returns the statistics of the results that a reused tree contains.
fn earlier_results(tree: &Tree) -> Results {
    let visited = |sum: (u64, u64), child: &Child| {
        let visits = u64::from(child.visits);
        (sum.0 + visits * u64::from(child.mean), sum.1 + visits)
    };
    let (sum, visits) = tree.children(0).iter().fold((0, 0), visited);
    match sum.checked_div(visits) {
        Some(mean) => Results::of_mean(mean as u32, visits.min(u32::MAX.into()) as u32),
        None => Results::default(),
    }
}

/// Searches with several threads until the limit is reached. With one thread and a limit in
/// simulations, the result depends on the seed only.
pub fn run(tree: &mut Tree, task: &SearchTask<'_>) -> SearchStats {
    let shared = Mutex::new(Shared {
        done: SearchStats {
            tallies: vec![WinStats::default(); tree.children(0).len()],
            ..SearchStats::default()
        },
        results: earlier_results(tree),
        tree,
        stop: false,
        reported: task.begin.elapsed(),
    });
    let worker = |number: u64| Worker {
        task,
        shared: &shared,
        rng: Rng::new(task.seed ^ number << 32),
        amaf: AmafTable::default(),
        replies: Replies::new(task.parameters.formulas.replies),
        draw_memory: DrawMemory::default(),
        path: Vec::new(),
        moves: Vec::new(),
    };
    thread::scope(|scope| {
        for number in 1..task.threads as u64 {
            let worker = worker(number);
            scope.spawn(move || worker.run());
        }
        worker(0).run();
    });
    shared.into_inner().expect("no thread has panicked").done
}

struct Worker<'a, 't> {
    task: &'a SearchTask<'a>,
    shared: &'a Mutex<Shared<'t>>,
    rng: Rng,
    amaf: AmafTable,
    /// Last good replies in the simulations of this thread.
    replies: Replies,
    draw_memory: DrawMemory,
    /// Steps of the selection of the current simulation.
    path: Vec<PathStep>,
    /// Placements of the current simulation.
    moves: Vec<(Colour, Placement)>,
}

impl<'a, 't> Worker<'a, 't> {
    fn run(mut self) {
        let mut shared = self.lock();
        while shared.goes_on(self.task) {
            shared.done.simulations += 1;
            self.path.clear();
            self.moves.clear();
            let mut position = self.task.root;
            shared = self.descend(shared, &mut position);
            drop(shared);
            playout::finish(
                &mut position,
                self.task.parameters,
                &mut self.rng,
                &self.replies,
                &mut self.draw_memory,
                &mut self.moves,
            );
            let margin = position.margin(self.task.root.to_move());
            self.amaf.set_all(&self.moves);
            shared = self.lock();
            self.back_up(&mut shared, margin);
            self.amaf.clear();
        }
    }

    /// Locks the tree. Spins first: another thread holds the lock for a few microseconds, less than
    /// a thread needs to sleep and wake up.
    fn lock(&self) -> MutexGuard<'a, Shared<'t>> {
        for _ in 0..SPINS {
            if let Ok(shared) = self.shared.try_lock() {
                return shared;
            }
            hint::spin_loop();
        }
        self.shared.lock().expect("no thread has panicked")
    }

    /// Selects a path to a leaf, and expands the leaf if it has enough visits. The lock is released
    /// while the placements of the new node are scored.
    fn descend(
        &mut self,
        mut shared: MutexGuard<'a, Shared<'t>>,
        position: &mut Position,
    ) -> MutexGuard<'a, Shared<'t>> {
        let p = self.task.parameters;
        let (mut node, mut proving) = (0, false);
        loop {
            let (step, child) = shared.tree.select_and_visit(node, p);
            self.path.push(step);
            proving |= step.proven_alternative.is_some();
            let mover = position.to_move();
            self.moves.push((mover, child.placement));
            position.place(child.placement);
            let mut next = child.next;
            let at_threshold = proving || p.may_expand(child.visits, self.path.len());
            if next == ChildLink::Leaf && at_threshold && !shared.done.full {
                drop(shared);
                let expansion = expand(position, p, self.task.network);
                shared = self.lock();
                next = shared.link(step, mover, expansion, self.task);
            }
            match next {
                ChildLink::Node(next) => {
                    node = next;
                    position.set_to_move(shared.tree.nodes[node as usize].player);
                }
                ChildLink::Leaf | ChildLink::End => return shared,
            }
        }
    }

    fn back_up(&mut self, shared: &mut Shared<'_>, margin: i32) {
        let p = self.task.parameters;
        let over = self.moves.len() == self.path.len();
        let value = match p.formulas.has_bonus() {
            true => (shared.results).value(margin, self.moves.len(), &p.formulas),
            false => p.value(margin),
        };
        let side = self.task.root.to_move();
        let result = (side, value);
        shared.tree.backup(&self.path, result, over, &self.amaf, p);
        shared.results.add(value);
        self.replies.record_result(&self.moves, value, side);
        shared.done.solved |= self.path[0].solved;
        let tally = &mut shared.done.tallies[self.path[0].child];
        tally.games += 1;
        tally.half_wins += (margin.signum() + 1) as u32;
        tally.margin += i64::from(margin);
    }
}

impl Shared<'_> {
    /// Links a leaf to its new successor, unless another thread linked it first or the memory limit
    /// is reached.
    fn link(
        &mut self,
        at: PathStep,
        mover: Colour,
        expansion: Expansion,
        task: &SearchTask<'_>,
    ) -> ChildLink {
        let leaf = self.tree.children(at.node)[at.child];
        let found = expansion.found.as_ref();
        let len = found.map_or(0, |(_, candidates)| candidates.len());
        if leaf.next != ChildLink::Leaf {
            return leaf.next;
        }
        if !self.tree.reserve(len, task.memory) {
            self.done.full = true;
            return ChildLink::Leaf;
        }
        let p = task.parameters;
        let value = expansion
            .value
            .unwrap_or_else(|| match p.formulas.fpu_root {
                true => self.results.mean(mover, task.root.to_move()),
                false => leaf.value(),
            });
        let next = self.tree.add_expansion(mover, value, expansion.found, p);
        self.tree.link(at.node, at.child, next);
        next
    }

    /// True if another simulation starts.
    fn goes_on(&mut self, task: &SearchTask<'_>) -> bool {
        if self.stop || self.done.solved {
            return false;
        }
        let made = self.done.simulations;
        if made.is_multiple_of(LOOK)
            && let Some(observer) = task.observer
            && self.is_cancelled(task, observer)
        {
            self.stop = true;
            return false;
        }
        let check = task.early && made > 0 && made.is_multiple_of(CHECK);
        self.stop = match task.limit {
            Limit::Simulations(limit) => {
                made >= limit || check && self.is_decided(limit - made, task)
            }
            Limit::Time(limit) if made.is_multiple_of(LOOK) => {
                let time = task.begin.elapsed();
                let left = limit.saturating_sub(time).as_secs_f64();
                // Later simulations may be faster.
                let more = 1.25 * left * made as f64 / time.as_secs_f64().max(1e-6);
                left <= 0.0 || check && self.is_decided(more as u64, task)
            }
            Limit::Time(_) => false,
        };
        !self.stop
    }

    /// Reports to the observer if a report is due; true if the observer ends the search.
    fn is_cancelled(&mut self, task: &SearchTask<'_>, observer: &dyn SearchObserver) -> bool {
        let time = task.begin.elapsed();
        if time.saturating_sub(self.reported) >= observer.interval() {
            self.reported = time;
            observer.report(SearchProgress {
                lines: rank(self.tree, &self.done.tallies, &task.parameters.formulas),
                simulations: self.done.simulations,
                time,
            });
        }
        observer.is_cancelled()
    }

    /// True if `more` further simulations cannot change the most visited child of the root, and
    /// this child is the best one.
    fn is_decided(&self, more: u64, task: &SearchTask<'_>) -> bool {
        let formulas = &task.parameters.formulas;
        let children = self.tree.children(0);
        let best = &children[self.tree.best_child_with(0, formulas)];
        let mut most = [0, 0];
        for child in children {
            let visits = u64::from(child.visits);
            if formulas.final_wins && child.visits > best.visits {
                return false;
            }
            if visits > most[0] {
                most = [visits, most[0]];
            } else {
                most[1] = most[1].max(visits);
            }
        }
        most[0] > most[1] + more
    }
}

#[cfg(test)]
mod tests {
    use duoforge_rules::DuoBoard;

    use super::*;

    #[test]
    fn results_of_a_reused_tree_are_the_mean_of_all_visits() {
        let p = SearchParameters::default();
        let position = Position::new(&DuoBoard::duo());
        let mut tree = Tree::default();
        let found = expand(&position, &p, None).found;
        tree.add_expansion(Colour(0), 0, found, &p);
        assert_eq!(earlier_results(&tree), Results::default());
        let mut children = tree.children(0).to_vec();
        let visited = [(3, 1 << 20), (1, 5 << 20), (4, 9 << 20)];
        for (child, (visits, mean)) in children.iter_mut().zip(visited) {
            (child.visits, child.mean) = (visits, mean);
        }
        let tree = Tree::with_root(Colour(0), children, &p);
        let mean = (3 + 5 + 36) * (1 << 20) / 8;
        assert_eq!(earlier_results(&tree), Results::of_mean(mean, 8));
    }
}
