//! Plans of the orientations in the order of the draws.

use duoforge_rules::fits::{PLANS_BY_RUNS, Plan};
use duoforge_rules::{Orientation, Tile, TileSet};

/// Number of cells of the largest tiles.
const MAX_SIZE: u8 = 5;

/// Plans of all orientations: the largest tiles first, then by number of runs.
pub static PLANS_BY_SIZE: [Plan; Orientation::COUNT] = {
    let mut sorted = PLANS_BY_RUNS;
    let (mut count, mut size) = (0, MAX_SIZE);
    while size > 0 {
        let mut i = 0;
        while i < PLANS_BY_RUNS.len() {
            if PLANS_BY_RUNS[i].orientation.tile().size() == size {
                sorted[count] = PLANS_BY_RUNS[i];
                count += 1;
            }
            i += 1;
        }
        size -= 1;
    }
    sorted
};

/// Tiles in a part of a tile set.
const PART: usize = 7;

/// Sets of plans of the three parts of a tile set: bit `i` is entry `i` of [`PLANS_BY_SIZE`].
static PLANS_OF_PART: [[u128; 1 << PART]; Tile::COUNT / PART] = {
    let mut parts = [[0; 1 << PART]; Tile::COUNT / PART];
    let mut i = 0;
    while i < PLANS_BY_SIZE.len() {
        let tile = PLANS_BY_SIZE[i].orientation.tile().index();
        let mut set = 0;
        while set < 1 << PART {
            if set >> (tile % PART) & 1 == 1 {
                parts[tile / PART][set] |= 1 << i;
            }
            set += 1;
        }
        i += 1;
    }
    parts
};

/// Iterates over the indices in [`PLANS_BY_SIZE`] of the orientations of these tiles.
#[inline(always)]
pub fn plans_of(tiles: TileSet) -> impl Iterator<Item = u8> {
    let parts = PLANS_OF_PART.iter().zip(0..);
    let mut plans = parts.fold(0, |plans, (of_part, part)| {
        let set = tiles.bits() >> (PART * part) & ((1 << PART) - 1);
        plans | of_part[set as usize]
    });
    core::iter::from_fn(move || {
        let index = plans.trailing_zeros() as u8;
        plans &= plans.checked_sub(1)?;
        Some(index)
    })
}
