//! Game of a batch, with its legal moves once they are known.

use duoforge_rules::{Game, Move};
use duoforge_twin::Rng;

/// Game whose legal moves are computed at most once for each position.
#[derive(Clone)]
pub(crate) struct Slot {
    game: Game,
    legal: Option<Vec<Move>>,
}

impl Slot {
    pub(crate) fn new(game: Game) -> Self {
        Self { game, legal: None }
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the game for a change of its position.
    pub(crate) fn change(&mut self) -> &mut Game {
        self.legal = None;
        &mut self.game
    }

    /// Returns the legal moves in the order of their action numbers; none if the game is over.
    pub(crate) fn legal(&mut self) -> &[Move] {
        self.legal.get_or_insert_with(|| self.game.legal_moves())
    }

    /// Returns a random legal move, or `None` if the game is over.
    pub(crate) fn random_move(&mut self, rng: &mut Rng) -> Option<Move> {
        let moves = self.legal();
        let count = u32::try_from(moves.len()).ok().filter(|&count| count > 0)?;
        Some(moves[rng.below(count) as usize])
    }
}
