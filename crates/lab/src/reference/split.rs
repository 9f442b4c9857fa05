//! Training half and held-out half of the positions.

use clap::ValueEnum;
use duoforge_rules::{Bitboard, Colour, Duo, DuoBoard};
use serde::{Deserialize, Serialize};

use crate::seed::derive;

/// Seed of the hash that splits positions. A change would mix the halves of existing tables.
const SEED: u64 = 2;

/// Half of the positions to which a position belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    /// Positions for choosing formulas and parameters.
    Training,
    /// Positions for the final measurement only.
    HeldOut,
}

impl Split {
    /// Returns the half of a position. The half depends only on the cells of both sides, so a
    /// position and its mirror image belong to the same half.
    #[must_use]
    pub fn of(board: &DuoBoard) -> Self {
        let [first, second] = key(board);
        let rows = first.into_iter().chain(second).map(u64::from);
        match derive(SEED, &rows.collect::<Vec<_>>()) & 1 {
            0 => Self::Training,
            _ => Self::HeldOut,
        }
    }
}

/// Rows of the cells of a side.
type Rows = [u32; 14];

/// Returns a key that is equal for positions with the same cells of both sides, on the board or on
/// its mirror image along the diagonal through the start cells.
#[must_use]
pub fn key(board: &DuoBoard) -> [Rows; 2] {
    let sides = [Colour(0), Colour(1)].map(|player| board.cells(player));
    let plain = sides.map(rows);
    let mirrored = sides.map(|cells| {
        let mut mirrored = [0; 14];
        for cell in cells.iter() {
            mirrored[usize::from(cell.x)] |= 1 << cell.y;
        }
        mirrored
    });
    plain.min(mirrored)
}

fn rows(cells: Bitboard<Duo>) -> Rows {
    std::array::from_fn(|y| cells.row(y as u8))
}

#[cfg(test)]
mod tests {
    use duoforge_twin::{Policy, Rng};

    use super::*;
    use crate::openings::walk;

    fn board(codes: &str) -> DuoBoard {
        let mut board = DuoBoard::duo();
        for code in codes.split_whitespace() {
            board.play(code.parse().expect("a code")).expect("legal");
        }
        board
    }

    #[test]
    fn mirror_images_share_a_key_and_a_half() {
        // A bar of two cells to the right of the start cell, and one below it.
        let [right, down] = [board("55b6"), board("55b0")];
        assert_ne!(right.moves(), down.moves());
        assert_eq!(key(&right), key(&down));
        assert_eq!(Split::of(&right), Split::of(&down));
        assert_ne!(key(&right), key(&board("55a0")));
    }

    #[test]
    fn halves_are_of_about_equal_size() {
        let mut held_out = 0;
        for seed in 0..400 {
            let board = walk(&Policy::default(), DuoBoard::duo(), 8, &mut Rng::new(seed));
            held_out += u32::from(Split::of(&board) == Split::HeldOut);
        }
        assert!((160..=240).contains(&held_out), "{held_out}");
    }
}
