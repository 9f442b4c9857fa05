//! Limits of the tree's counters and tables that a bench has reached, from the twin's numbers.

use duoforge_twin::search::SearchParameters;
use duoforge_twin::search::arithmetic::{MAX_VALUE, Reciprocal, exploration_scale};
use duoforge_twin::search::tree::{Child, Tree};

use crate::support::coverage::{Counted, covered};

/// Saturation limit of exploration terms, in units of a value: 20 bits.
const MOST: u64 = (1 << 20) - 1;

/// Entries of the exploration table that an 18-bit counter can address: 16 per power of two. Some
/// entries of the powers below 16 are never read, which leaves 239.
const EXPLORATIONS: usize = 18 * 16;

/// Entries of the reciprocal table.
const RECIPROCALS: usize = 256;

/// Limits that were reached.
#[derive(Debug)]
pub struct Reached {
    /// Maximum visits of a node.
    pub node_visits: u32,
    /// Maximum visits of a child.
    pub child_visits: u32,
    /// Maximum divisor of a selection.
    pub divisor: u32,
    /// Maximum value count of an estimate, in 16ths.
    pub count: u32,
    /// Maximum number of children of a node.
    pub children: usize,
    /// Maximum number of nodes.
    pub nodes: usize,
    /// Number of proven children in selections.
    pub proven: u64,
    /// Number of saturated exploration terms.
    pub cut_off: u64,
    /// Number of selections after 65,536 visits of their node whose choice would differ without
    /// exploration.
    pub explored: u64,
    /// Numbers of children whose mean was 0, and whose value was the maximum.
    pub means: [u64; 2],
    /// Entries of the exploration table that were read.
    explorations: Counted,
    /// Entries of the reciprocal table that were read in selections.
    reciprocals: Counted,
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
            explorations: Counted::new(EXPLORATIONS),
            reciprocals: Counted::new(RECIPROCALS),
        }
    }
}

impl Reached {
    /// Records a selection at a node before it is made.
    pub fn selecting(&mut self, tree: &Tree, node: u32, p: &SearchParameters) {
        let visits = tree.nodes[node as usize].visits + 1;
        let children = tree.children(node);
        let exponent = visits.ilog2();
        let below = (visits << 4 >> exponent) & 15;
        self.explorations.note((16 * exponent + below) as usize);
        self.node_visits = self.node_visits.max(visits);
        self.nodes = self.nodes.max(tree.nodes.len());
        self.children = self.children.max(children.len());
        for child in children {
            self.scoring(child, visits, p);
        }
        if visits > 1 << 16 {
            let blind = SearchParameters {
                exploration: 0,
                ..p.clone()
            };
            let other = tree.select(node, &blind).child != tree.select(node, p).child;
            self.explored += u64::from(other);
        }
    }

    /// Records a child that a selection scores.
    fn scoring(&mut self, child: &Child, visits: u32, p: &SearchParameters) {
        self.child_visits = self.child_visits.max(child.visits + 1);
        self.means[0] += u64::from(child.mean == 0);
        self.means[1] += u64::from(child.value() == MAX_VALUE);
        if child.is_proven() {
            self.proven += 1;
            return;
        }
        self.count = self.count.max(child.value_count);
        if p.formulas.value_count_divisor {
            return;
        }
        let known = child.exploration_visits(p.value_count_cap);
        self.divisor = self.divisor.max(known);
        let zeros = known.leading_zeros();
        self.reciprocals
            .note(((known << zeros) >> 23) as usize - RECIPROCALS);
        let Reciprocal { factor, shift } = Reciprocal::of(known);
        let share = (exploration_scale(p.exploration, visits) * u64::from(child.prior)) >> 10;
        self.cut_off += u64::from((share * u64::from(factor)) >> (shift - 4) > MOST);
    }

    /// Compares limits with their rows in docs/coverage.md.
    ///
    /// # Panics
    /// If the table lacks one of the rows, or has a different value there.
    pub fn cover(&self, names: &[&str]) {
        let rows = self.rows();
        for name in names {
            let row = rows.iter().find(|(what, _)| what == name);
            let (_, value) = row.unwrap_or_else(|| panic!("no limit is called '{name}'"));
            covered(name, value);
        }
    }

    /// Returns all limits with their names.
    fn rows(&self) -> [(&'static str, String); 13] {
        [
            ("tree: nodes", self.nodes.to_string()),
            ("tree: children of a node", self.children.to_string()),
            ("tree: visits of a node", self.node_visits.to_string()),
            ("tree: visits of a child", self.child_visits.to_string()),
            ("tree: divisor of a selection", self.divisor.to_string()),
            ("tree: value count of an estimate", self.count.to_string()),
            ("tree: table of exploration", self.explorations.to_string()),
            ("tree: table of reciprocals", self.reciprocals.to_string()),
            (
                "tree: proven children in selections",
                self.proven.to_string(),
            ),
            (
                "tree: exploration terms at their limit",
                self.cut_off.to_string(),
            ),
            (
                "tree: choices that exploration decides after 65,536 visits",
                self.explored.to_string(),
            ),
            ("tree: means of 0", self.means[0].to_string()),
            ("tree: means of 2^16 - 1", self.means[1].to_string()),
        ]
    }
}
