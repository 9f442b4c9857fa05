//! Legal moves: lists, counts, action numbers and perft.

use super::position::with_position;
use super::{ActionSpace, Game};
use crate::{Colour, Move, Placement};

impl Game {
    /// Returns the legal placements of the colour to move, ordered by orientation, then row, then
    /// column; empty after the end of the game.
    #[must_use]
    pub fn legal(&self) -> Vec<Placement> {
        let placements = |colour| self.placements_of(colour);
        self.to_move().map_or_else(Vec::new, placements)
    }

    /// Mobility: number of legal placements of the colour to move; 0 after the end of the game.
    #[must_use]
    pub fn count_legal(&self) -> u32 {
        let count = |colour| self.count_placements(colour);
        self.to_move().map_or(0, count)
    }

    /// Returns the placements that would be legal if it were the turn of `colour`, ordered as by
    /// [`legal`](Self::legal). Turns, passes and the end of the game do not matter.
    #[must_use]
    pub fn placements_of(&self, colour: Colour) -> Vec<Placement> {
        with_position!(&self.position, position => position.placements(colour))
    }

    /// Returns the number of [`placements_of`](Self::placements_of) `colour`.
    #[must_use]
    pub fn count_placements(&self, colour: Colour) -> u32 {
        with_position!(&self.position, position => position.count(colour))
    }

    /// True if `colour` has a placement, as in [`placements_of`](Self::placements_of).
    #[must_use]
    pub fn can_place(&self, colour: Colour) -> bool {
        with_position!(&self.position, position => position.can_place(colour))
    }

    /// Returns the legal moves of the colour to move: its placements, then a pass if it is legal.
    /// The list is empty after the end of the game, and not before.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves: Vec<Move> = self.legal().into_iter().map(Move::Place).collect();
        if self.check(Move::Pass).is_ok() {
            moves.push(Move::Pass);
        }
        moves
    }

    /// Returns the action numbers of the variant's board.
    #[must_use]
    pub fn actions(&self) -> ActionSpace {
        ActionSpace::new(self.size())
    }

    /// Sets entry `n` of `mask` to `true` if action `n` is legal, and to `false` otherwise.
    ///
    /// # Panics
    ///
    /// If `mask` does not have one entry for each action.
    pub fn write_action_mask(&self, mask: &mut [bool]) {
        let actions = self.actions();
        assert_eq!(mask.len(), actions.len(), "a mask has one entry per action");
        mask.fill(false);
        for mv in self.legal_moves() {
            let number = actions.number(mv).expect("a legal move is on the board");
            mask[number as usize] = true;
        }
    }

    /// Returns the number of sequences of `depth` placements from this position.
    ///
    /// The last ply is counted in bulk. A pass is not a placement: a sequence in which the colour
    /// to move has no placement ends and does not count. The game is unchanged afterwards.
    pub fn perft(&mut self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_legal().into(),
            _ => {
                let mut sequences = 0;
                for placement in self.legal() {
                    self.place(placement);
                    sequences += self.perft(depth - 1);
                    self.undo();
                }
                sequences
            }
        }
    }
}
