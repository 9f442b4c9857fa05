//! Board whose size is chosen at run time.

use crate::{Board, Cell, Classic, Colour, Duo, IllegalMove, Move, Size, Variant};

/// Board of either size, for programs that read the variant from a file.
#[derive(Clone, Debug)]
pub enum AnyBoard {
    /// Board of 14x14 cells.
    Duo(Box<Board<Duo>>),
    /// Board of 20x20 cells.
    Classic(Box<Board<Classic>>),
}

macro_rules! on_board {
    ($self:expr, $board:ident => $do:expr) => {
        match $self {
            AnyBoard::Duo($board) => $do,
            AnyBoard::Classic($board) => $do,
        }
    };
}

impl AnyBoard {
    /// Creates an empty board on which player `i` starts at `starts[i]`.
    ///
    /// # Panics
    ///
    /// If the variant has neither size, or `starts` does not name exactly one cell of the board for
    /// each player.
    #[must_use]
    pub fn new(variant: &'static Variant, starts: &[Cell]) -> Self {
        match variant.size {
            Duo::WIDTH => Self::Duo(Box::new(Board::with_starts(variant, starts))),
            // Refuses a variant of another size.
            _ => Self::Classic(Box::new(Board::with_starts(variant, starts))),
        }
    }

    /// Returns the side to move; after the end of the game, the side that would be to move.
    #[must_use]
    pub fn to_move(&self) -> Colour {
        on_board!(self, board => board.to_move())
    }

    /// True if the game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        on_board!(self, board => board.is_over())
    }

    /// Plays a move for the side to move.
    ///
    /// # Errors
    ///
    /// The reason why the move is illegal; the board is then unchanged.
    pub fn play(&mut self, turn: Move) -> Result<(), IllegalMove> {
        on_board!(self, board => board.play(turn))
    }

    /// True if the side to move has no legal placement.
    fn is_stuck(&self) -> bool {
        on_board!(self, board => board.legal().next().is_none())
    }

    /// Plays forced passes until a side has a legal placement or the game is over; returns their
    /// number.
    pub fn pass_if_stuck(&mut self) -> usize {
        let mut passes = 0;
        while !self.is_over() && self.is_stuck() && self.play(Move::Pass).is_ok() {
            passes += 1;
        }
        passes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All players have the same start cell, so the monomino of the first one leaves no placement
    /// to the others.
    #[test]
    fn players_without_a_placement_pass() {
        for (variant, passes) in [(&Variant::DUO, 1), (&Variant::CLASSIC, 3)] {
            let starts = vec![Cell::new(4, 4); variant.players()];
            let mut board = AnyBoard::new(variant, &starts);
            assert_eq!(board.pass_if_stuck(), 0);
            board.play("55a0".parse().unwrap()).unwrap();
            assert_eq!((board.to_move(), board.is_over()), (Colour(1), false));
            assert_eq!(board.pass_if_stuck(), passes);
            assert_eq!((board.to_move(), board.is_over()), (Colour(0), false));
        }
    }

    #[test]
    fn the_size_is_that_of_the_variant() {
        let new = |variant: &'static Variant| AnyBoard::new(variant, variant.starts);
        assert!(matches!(new(&Variant::DUO), AnyBoard::Duo(_)));
        assert!(matches!(new(&Variant::ENDLESS_DUO), AnyBoard::Duo(_)));
        assert!(matches!(new(&Variant::CLASSIC), AnyBoard::Classic(_)));
    }
}
