use duoforge_rules::{Game, GameVariant, IllegalMove, Move};

use super::GameTree;
use crate::record::played_variant;

/// Positions on a path of a tree from its root: a walk along the lines plays each move once.
pub struct Positions {
    /// Nodes of the path with their positions; the index is the depth.
    path: Vec<(usize, Game)>,
}

impl Positions {
    /// Creates the path that ends at the root.
    pub fn new(tree: &GameTree) -> Self {
        Self {
            path: vec![(0, Game::new(&tree.variant))],
        }
    }

    /// Returns the position of a node, at which the path then ends.
    pub fn at(&mut self, tree: &GameTree, node: usize) -> &Game {
        let mut missing = Vec::new();
        let mut known = node;
        while !self.holds(tree, known) {
            missing.push(known);
            known = tree.nodes[known].parent.expect("the path holds the root");
        }
        self.path.truncate(tree.nodes[known].depth + 1);
        for node in missing.into_iter().rev() {
            let position = self.last();
            let game = match tree.nodes[node].mv {
                None => position.clone(),
                Some(mv) => play(position, &tree.variant, mv).expect("a tree holds legal moves"),
            };
            self.path.push((node, game));
        }
        self.last()
    }

    /// Adds a child of the node at which the path ends.
    pub fn enter(&mut self, node: usize, game: Game) {
        self.path.push((node, game));
    }

    fn holds(&self, tree: &GameTree, node: usize) -> bool {
        let entry = self.path.get(tree.nodes[node].depth);
        entry.is_some_and(|(known, _)| *known == node)
    }

    fn last(&self) -> &Game {
        let (_, game) = self.path.last().expect("the path holds the root");
        game
    }
}

/// Plays a move. In Blokus Duo, the first placement chooses the start cell.
pub fn play(game: &Game, variant: &GameVariant, mv: Move) -> Result<Game, IllegalMove> {
    let mut game = match game.plies() {
        [] => Game::new(&played_variant(variant, Some(mv))),
        _ => game.clone(),
    };
    game.play(mv)?;
    Ok(game)
}
