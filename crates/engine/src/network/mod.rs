//! Learned network that scores the placements of a position and estimates its value.
//!
//! Convolutions of 3x3 cells over maps of the position give three scores to each cell: as a covered
//! cell, as an edge and as a corner of a placement. The prior adds them up for every placement
//! ([`CellScores`]). Means and maxima of the last layer give a score to each tile, and the value of
//! the position for the side to move.
//!
//! All sums are computed in a fixed order with fused multiply-add operations, so every processor
//! finds the same scores. docs/measuring.md has the recipe of the weights.

mod input;
mod layers;
mod weights;

pub use input::{GLOBALS, Input, PLANES};
pub use weights::{Network, NetworkError};

use duoforge_rules::{Cell, Tile};
use duoforge_twin::search::Position;
use duoforge_twin::search::arithmetic::{MAX_VALUE, exp2_neg};
use duoforge_twin::search::prior::CellScores;

/// Units of a score per natural unit: 16ths of an octave.
const UNIT: f32 = 16.0 / std::f32::consts::LN_2;

/// Evaluation of a position by a network.
#[derive(Clone)]
pub struct Evaluation {
    /// Scores of all placements of the side to move.
    pub scores: CellScores,
    /// Expected value for the side to move, from 0 to [`MAX_VALUE`].
    pub value: u32,
}

/// Outputs of the last layer, in natural units.
#[derive(Clone, Debug, PartialEq)]
struct Outputs {
    /// Scores as a covered cell, as an edge and as a corner, by cell, row by row.
    cells: Box<[[f32; 3]; 14 * 14]>,
    /// Score of each tile.
    tiles: [f32; Tile::COUNT],
    /// Logarithm of the odds of a win.
    value: f32,
}

impl Network {
    /// Evaluates a position for the side to move.
    pub fn evaluate(&self, position: &Position) -> Evaluation {
        Evaluation::from(&self.outputs(&Input::new(position)))
    }
}

impl From<&Outputs> for Evaluation {
    fn from(outputs: &Outputs) -> Self {
        let units = |score: f32| (score * UNIT).round() as i16;
        let mut scores = CellScores::new(outputs.tiles.map(units));
        for (i, cell) in outputs.cells.iter().enumerate() {
            let at = Cell::new((i % 14) as u8, (i / 14) as u8);
            scores.set(at, cell.map(units));
        }
        Self {
            scores,
            value: value(units(outputs.value)),
        }
    }
}

/// Returns the value for the logarithm of its odds in 16ths of an octave.
fn value(odds: i16) -> u32 {
    let less = u64::from(exp2_neg(u32::from(odds.unsigned_abs()).min(255)));
    // Odds of 1 to `less`.
    let smaller = (u64::from(MAX_VALUE) * less / ((1 << 16) + less)) as u32;
    if odds < 0 {
        smaller
    } else {
        MAX_VALUE - smaller
    }
}

#[cfg(test)]
mod tests;
