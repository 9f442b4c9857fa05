//! Positions of a search in simulation.

use duoforge_rules::{Colour, DuoBoard, Move};

use super::SearchUnit;
use crate::error::Result;

/// Sets up a position in which side 0 is the side to move.
///
/// # Errors
/// Errors of the model.
pub fn set_up(unit: &mut SearchUnit, board: &DuoBoard) -> Result<()> {
    set_up_for(unit, board, board.to_move())
}

/// Sets up a position in which side 0 is `me`.
///
/// # Errors
/// Errors of the model.
pub fn set_up_for(unit: &mut SearchUnit, board: &DuoBoard, me: Colour) -> Result<()> {
    let start = board.start(me);
    unit.begin((start.x, start.y) == (9, 9))?;
    for (ply, mv) in board.moves().iter().enumerate() {
        if let Move::Place(placement) = *mv {
            unit.place(u64::from(ply % 2 != me.index()), placement)?;
        }
    }
    Ok(())
}
