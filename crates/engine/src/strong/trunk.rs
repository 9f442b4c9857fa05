//! The tree from move to move of a game.

use duoforge_rules::{Cell, DuoBoard, Move, Placement, Player};

use crate::search::arithmetic::ONE;
use crate::search::tree::{Child, Next, Node, Tree};
use crate::search::{Parameters, Position, prior};

/// A tree, and the position at its root.
#[derive(Clone, Debug, Default)]
pub struct Trunk {
    pub tree: Tree,
    root: Option<Root>,
}

/// A position by the way that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Root {
    starts: [Cell; 2],
    moves: Vec<Move>,
}

impl Trunk {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.root = None;
    }

    /// Makes the position of a board the root: with what is known of it, if the moves since the last
    /// root are all in the tree, else anew. The player to move must be able to place a tile.
    pub fn go_to(&mut self, board: &DuoBoard, p: &Parameters) {
        match self.find(board) {
            Some(node) => prune(&mut self.tree, node),
            None => {
                let root = Position::new(board);
                let scored = prior::best(&root, &p.weights, p.children);
                self.tree.nodes.clear();
                self.tree.children.clear();
                self.tree.add(root.to_move(), &scored, ONE / 2, p);
            }
        }
        self.root = Some(Root {
            starts: starts(board),
            moves: board.moves().to_vec(),
        });
    }

    /// The node of the position of a board.
    fn find(&self, board: &DuoBoard) -> Option<u32> {
        let root = self.root.as_ref()?;
        let since = board.moves().strip_prefix(&root.moves[..])?;
        if root.starts != starts(board) {
            return None;
        }
        let mut node = 0;
        for (i, turn) in since.iter().enumerate() {
            let mover = Player(((root.moves.len() + i) % 2) as u8);
            let has_turn = self.tree.nodes[node as usize].player == mover;
            match turn {
                // Who cannot place has no node.
                Move::Pass if !has_turn => {}
                Move::Place(placement) if has_turn => node = self.after(node, *placement)?,
                _ => return None,
            }
        }
        (self.tree.nodes[node as usize].player == board.to_move()).then_some(node)
    }

    fn after(&self, node: u32, placement: Placement) -> Option<u32> {
        let mut children = self.tree.children(node).iter();
        match children.find(|child| child.placement == placement)?.next {
            Next::Node(next) => Some(next),
            Next::Leaf | Next::End => None,
        }
    }

    /// What is most visited after a child of the root, as far as the tree reaches, with the passes
    /// of who cannot place.
    pub fn line(&self, child: usize) -> Vec<Move> {
        let mut line = Vec::new();
        let (mut node, mut child) = (0, self.tree.children(0)[child]);
        loop {
            line.push(Move::Place(child.placement));
            let Next::Node(next) = child.next else {
                return line;
            };
            let player = |node: u32| self.tree.nodes[node as usize].player;
            let best = self.tree.children(next)[self.tree.best(next)];
            if best.visits == 0 {
                return line;
            }
            if player(next) == player(node) {
                line.push(Move::Pass);
            }
            (node, child) = (next, best);
        }
    }
}

fn starts(board: &DuoBoard) -> [Cell; 2] {
    [Player(0), Player(1)].map(|player| board.start(player))
}

/// Makes room for another node of this many children, within a memory of this many bytes; false
/// where it is full.
pub fn make_room(tree: &mut Tree, children: usize, memory: usize) -> bool {
    let nodes = (tree.nodes.len() + 1) * size_of::<Node>();
    let needed = tree.children.len() + children;
    let most = memory.saturating_sub(nodes) / size_of::<Child>();
    if needed > most {
        return false;
    }
    if needed > tree.children.capacity() {
        // Twice as much, as any vector would take, but no more than may be used.
        let wanted = (2 * tree.children.capacity()).clamp(needed, most);
        tree.children.reserve_exact(wanted - tree.children.len());
    }
    true
}

/// Keeps a node and what is below it, in the same order; the node becomes the root.
fn prune(tree: &mut Tree, root: u32) {
    // A node comes behind the one that leads to it.
    let mut numbers = vec![None; tree.nodes.len()];
    numbers[root as usize] = Some(0);
    let (mut nodes, mut children) = (0, 0);
    for i in root as usize..tree.nodes.len() {
        if numbers[i].is_none() {
            continue;
        }
        numbers[i] = Some(nodes);
        let node = tree.nodes[i];
        let block = node.first as usize..(node.first + node.len) as usize;
        for child in &tree.children[block.clone()] {
            if let Next::Node(next) = child.next {
                numbers[next as usize] = Some(0);
            }
        }
        tree.children.copy_within(block, children as usize);
        tree.nodes[nodes as usize] = Node {
            first: children,
            ..node
        };
        nodes += 1;
        children += node.len;
    }
    tree.nodes.truncate(nodes as usize);
    tree.children.truncate(children as usize);
    for child in &mut tree.children {
        if let Next::Node(next) = &mut child.next {
            *next = numbers[*next as usize].expect("what follows is kept");
        }
    }
}

#[cfg(test)]
mod tests;
