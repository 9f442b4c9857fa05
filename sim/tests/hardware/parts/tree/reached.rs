//! Which limits of the tree's counters and tables a bench has reached, by the twin's numbers.

use duoforge_engine::search::Parameters;
use duoforge_engine::search::arithmetic::{ONE, Reciprocal, spread};
use duoforge_engine::search::tree::{Child, Tree};

/// Exploration terms are cut off here, in units of a value: 20 bits.
const MOST: u64 = (1 << 20) - 1;

/// Entries of the table of exploration: 16 for each power of two below 2^18, and one for 2^18.
pub const EXPLORATIONS: usize = 18 * 16 + 1;

/// Entries of the table of reciprocals.
pub const RECIPROCALS: usize = 256;

/// Limits that were reached.
#[derive(Debug)]
pub struct Reached {
    /// Most visits of a node.
    pub node_visits: u32,
    /// Most visits of a child.
    pub child_visits: u32,
    /// Largest divisor of a selection.
    pub divisor: u32,
    /// Largest value count of an estimate, in 16ths.
    pub count: u32,
    /// Most children of a node.
    pub children: usize,
    /// Most nodes.
    pub nodes: usize,
    /// Proven children that a selection saw.
    pub proven: u64,
    /// Exploration terms that were cut off.
    pub cut_off: u64,
    /// Selections after 65,536 visits of their node that would be others without exploration.
    pub explored: u64,
    /// Children whose mean was 0, and such with the largest mean.
    pub means: [u64; 2],
    /// Entries of the table of exploration that were read.
    explorations: Vec<bool>,
    /// Entries of the table of reciprocals that were read in selections.
    reciprocals: Vec<bool>,
}

impl Default for Reached {
    fn default() -> Self {
        Self {
            node_visits: 0,
            child_visits: 0,
            divisor: 0,
            count: 0,
            children: 0,
            nodes: 0,
            proven: 0,
            cut_off: 0,
            explored: 0,
            means: [0; 2],
            explorations: vec![false; EXPLORATIONS],
            reciprocals: vec![false; RECIPROCALS],
        }
    }
}

impl Reached {
    /// Notes a selection at a node that is about to be made.
    pub fn selecting(&mut self, tree: &Tree, node: u32, p: &Parameters) {
        let visits = tree.nodes[node as usize].visits + 1;
        let children = tree.children(node);
        let exponent = visits.ilog2();
        let below = (visits << 4 >> exponent) & 15;
        self.explorations[(16 * exponent + below) as usize] = true;
        self.node_visits = self.node_visits.max(visits);
        self.nodes = self.nodes.max(tree.nodes.len());
        self.children = self.children.max(children.len());
        for child in children {
            self.scoring(child, visits, p);
        }
        if visits > 1 << 16 {
            let blind = Parameters {
                explore: 0,
                ..p.clone()
            };
            let other = tree.select(node, &blind).child != tree.select(node, p).child;
            self.explored += u64::from(other);
        }
    }

    /// Notes a child that a selection scores.
    fn scoring(&mut self, child: &Child, visits: u32, p: &Parameters) {
        self.child_visits = self.child_visits.max(child.visits + 1);
        self.means[0] += u64::from(child.mean == 0);
        self.means[1] += u64::from(child.value() == ONE);
        if child.is_sure() {
            self.proven += 1;
            return;
        }
        self.count = self.count.max(child.count);
        let known = child.known(p.rest);
        self.divisor = self.divisor.max(known);
        let zeros = known.leading_zeros();
        self.reciprocals[((known << zeros) >> 23) as usize - RECIPROCALS] = true;
        let Reciprocal { factor, shift } = Reciprocal::of(known);
        let share = (spread(p.explore, visits) * u64::from(child.prior)) >> 10;
        self.cut_off += u64::from((share * u64::from(factor)) >> (shift - 4) > MOST);
    }

    /// Prints all of it, one limit a line.
    pub fn print(&self) {
        let (explorations, last) = self.explorations();
        let rows = [
            ("nodes (511)", self.nodes as u64),
            ("children of a node (32)", self.children as u64),
            ("visits of a node (18 bits)", self.node_visits.into()),
            ("visits of a child (18 bits)", self.child_visits.into()),
            ("divisor of a selection (19 bits)", self.divisor.into()),
            ("value count of an estimate (16 bits)", self.count.into()),
            ("entries of the table of exploration", explorations as u64),
            ("last of them", last as u64),
            (
                "entries of the table of reciprocals",
                self.reciprocals() as u64,
            ),
            ("proven children", self.proven),
            ("exploration terms cut off", self.cut_off),
            ("choices by exploration after 65,536 visits", self.explored),
            ("lowest means", self.means[0]),
            ("highest means", self.means[1]),
        ];
        for (what, value) in rows {
            println!("coverage: {what}: {value}");
        }
    }

    /// The entries of the table of exploration that were read, and the last of them.
    pub fn explorations(&self) -> (usize, usize) {
        counted(&self.explorations)
    }

    /// How many entries of the table of reciprocals were read in selections.
    pub fn reciprocals(&self) -> usize {
        counted(&self.reciprocals).0
    }
}

/// How many are true, and which is the last one.
fn counted(entries: &[bool]) -> (usize, usize) {
    let count = entries.iter().filter(|&&it| it).count();
    (count, entries.iter().rposition(|&it| it).unwrap_or(0))
}
