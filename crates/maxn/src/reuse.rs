//! Tree reuse: the part of the last search that the moves played since then reach.

use duoforge_rules::{Game, GameVariant, Move, PlayedMove};

use crate::position::key;
use crate::tree::{NO_NODE, Tree};

/// Position of the root of a tree.
#[derive(Clone, Debug)]
pub struct RootPosition {
    variant: GameVariant,
    plies: Vec<PlayedMove>,
}

impl RootPosition {
    /// Returns the position of a game.
    pub fn new(game: &Game) -> Self {
        Self {
            variant: game.variant().clone(),
            plies: game.plies().to_vec(),
        }
    }

    /// Returns the plies since this position; `None` if the game did not pass through it.
    pub fn since<'a>(&self, game: &'a Game) -> Option<&'a [PlayedMove]> {
        if self.variant != *game.variant() {
            return None;
        }
        game.plies().strip_prefix(&self.plies[..])
    }
}

/// Returns the node that plies lead to from the root; `None` if the tree has none.
pub fn descend(tree: &Tree, plies: &[PlayedMove]) -> Option<usize> {
    let mut index = 0;
    for ply in plies {
        let node = tree.nodes.get(index)?;
        let is_its_turn = usize::from(node.colour) == ply.colour.index();
        match ply.mv {
            // A forced pass has no node. A voluntary one leaves the tree.
            Move::Pass if is_its_turn => return None,
            Move::Pass => {}
            Move::Place(_) if !is_its_turn => return None,
            Move::Place(it) => {
                let child = tree.find(node, key(it.orientation.index() as u8, it.x, it.y))?;
                index = match tree.links[child] {
                    NO_NODE => return None,
                    link => link as usize,
                };
            }
        }
    }
    Some(index)
}

/// Copies the statistics of a node of another tree to the root, which has all placements of that
/// node, and the nodes below it.
pub fn graft(tree: &mut Tree, old: &Tree, node: usize) {
    let kept = &old.nodes[node];
    tree.nodes[0].visits = kept.visits;
    // Child of the new tree, and the old node below it.
    let mut links = Vec::new();
    for from in kept.children() {
        let Some(to) = tree.find(&tree.nodes[0], old.keys[from]) else {
            continue;
        };
        tree.values[to] = old.values[from];
        tree.counts[to] = old.counts[from];
        tree.visits[to] = old.visits[from];
        if old.links[from] != NO_NODE {
            links.push((to, old.links[from] as usize));
        }
    }
    while let Some((child, below)) = links.pop() {
        let from = old.nodes[below];
        let first = tree.keys.len();
        tree.links[child] = tree.nodes.len() as u32;
        tree.nodes.push(crate::tree::Node { first, ..from });
        let children = from.children();
        tree.keys.extend_from_slice(&old.keys[children.clone()]);
        tree.priors.extend_from_slice(&old.priors[children.clone()]);
        tree.values.extend_from_slice(&old.values[children.clone()]);
        tree.counts.extend_from_slice(&old.counts[children.clone()]);
        tree.visits.extend_from_slice(&old.visits[children.clone()]);
        tree.links.resize(tree.keys.len(), NO_NODE);
        let below = old.links[children].iter().enumerate();
        let below = below.filter(|&(_, &link)| link != NO_NODE);
        links.extend(below.map(|(i, &link)| (first + i, link as usize)));
    }
}
