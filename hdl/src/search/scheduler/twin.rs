//! Twin functions of the scheduler: the turns of the cores in a search, and the node at which a
//! search continues.

use crate::search::tree::bank::END;

/// Turn of a core in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneTurn {
    /// Starts a simulation on the core.
    Simulate(u64),
    /// Backs up the result of the core.
    BackUp(u64),
}

/// Returns the turns of the cores in a search of this number of simulations: the twin function of
/// this block. Simulations start on the cores in turn. Each result is backed up before the next
/// simulation of its core.
pub fn twin(lanes: u64, simulations: u64) -> Vec<LaneTurn> {
    let (mut begun, mut ended) = (0, 0);
    let mut turns = Vec::new();
    while ended < simulations {
        if begun < simulations && begun - ended < lanes {
            turns.push(LaneTurn::Simulate(begun % lanes));
            begun += 1;
        } else {
            turns.push(LaneTurn::BackUp(ended % lanes));
            ended += 1;
        }
    }
    turns
}

/// Returns the node at which a search continues after the opponent's reply: the twin function of
/// this block after a search in the opponent's time. `children` has the placement and the link of
/// each child of the root. Without a node the search begins with an empty tree, as it does if
/// side 1 has to move at that node.
pub fn reply_node(children: &[(u64, u64)], reply: u64) -> Option<u64> {
    let child = children.iter().find(|(placement, _)| *placement == reply);
    let link = child.map(|(_, link)| *link);
    link.filter(|&link| link != 0 && link != u64::from(END))
}
