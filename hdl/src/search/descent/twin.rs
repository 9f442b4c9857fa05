//! Twin function of the descent: its outputs for the children that the tree selects.

use super::LONGEST;
use crate::search::placement_list::StepWord;
use crate::search::tree::bank::END;

/// Child that the tree selects, and the result of its expansion if it becomes a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectedChild {
    /// Number of the child.
    pub child: u64,
    /// Placement of the child, as on a bus.
    pub placement: u64,
    /// Visit count, including this visit.
    pub visits: u64,
    /// Value for the side that places the child, in units of 2^-16.
    pub value: u64,
    /// Link: 0 for a leaf, [`END`] for the end of the game, else a node.
    pub next: u64,
    /// Side that places the child.
    pub side: u64,
    /// True if a proven alternative to the child exists.
    pub better: bool,
    /// Proven value of the alternative, in units of 2^-16.
    pub best: u64,
    /// True if the node of the child is solved.
    pub solved: bool,
    /// True if no further node can be opened.
    pub full: bool,
    /// Number of the node that an expansion of the child makes, or [`END`].
    pub grown: u64,
}

/// Output of the descent to the tree, the placement list, the node builder or the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DescentStep {
    /// Tree: selects a child of the node.
    Select(u64),
    /// List: appends the word, a [`StepWord`].
    Append(u64),
    /// Node builder: side to move, and value of the position for side 0, in units of 2^-16.
    Grow(u64, u64),
    /// Tree: node, number of its child, and the new link of that child.
    Link([u64; 3]),
    /// Core: revolution with the placement that was appended last.
    Start {
        /// True if the core copies the root.
        take: bool,
        /// True if the core plays the game to its end.
        finish: bool,
    },
}

/// Returns the outputs of a descent for the children that the tree selects, and how many of them
/// are used: the twin function of this block.
///
/// If the path is not at its end after the last of the children, the tree has lost its job.
pub fn twin(threshold: u64, selected: &[SelectedChild]) -> (Vec<DescentStep>, usize) {
    let end = u64::from(END);
    let (mut node, mut proving) = (0, false);
    let mut steps = vec![DescentStep::Select(node)];
    for (depth, it) in (0..).zip(selected) {
        // An alternative hides whether the node is solved.
        let mark = match (it.better, it.solved) {
            (true, _) => 1 << StepWord::ALTERNATIVE,
            (false, solved) => u64::from(solved) << StepWord::SOLVED,
        };
        steps.push(DescentStep::Append(
            it.placement << StepWord::PLACEMENT
                | it.side << StepWord::SIDE
                | 1 << StepWord::IN_PATH
                | it.child << StepWord::CHILD
                | node << StepWord::NODE
                | mark
                | it.best << StepWord::VALUE,
        ));
        proving |= it.better;
        let (mut next, mut finish) = (it.next, it.next == 0 || it.next == end || depth >= LONGEST);
        if it.next == 0 && (proving || it.visits > threshold) && !it.full {
            let value = [it.value, 0xffff - it.value][it.side as usize];
            steps.push(DescentStep::Grow(1 - it.side, value));
            steps.push(DescentStep::Link([node, it.child, it.grown]));
            // The step counts by then.
            (next, finish) = (it.grown, it.grown == end || depth + 1 >= LONGEST);
        }
        let take = depth == 0;
        steps.push(DescentStep::Start { take, finish });
        if finish {
            return (steps, depth as usize + 1);
        }
        node = next;
        steps.push(DescentStep::Select(node));
    }
    (steps, selected.len())
}
