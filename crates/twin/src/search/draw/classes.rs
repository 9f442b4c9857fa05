//! Placement classes of a playout.

use duoforge_rules::{Tile, TileSet};

use crate::search::SearchParameters;

/// Placement class: priority group of legal placements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacementClass {
    /// Tiles of the placements, all of one size.
    pub tiles: TileSet,
    /// Minimum number of reply cells that the placements cover.
    pub min_replies: u32,
}

/// Number of sizes of tiles.
pub const SIZES: usize = 5;

/// Maximum number of reply cells that a class demands.
pub const MAX_COUNT: u32 = 4;

/// Number of classes, see [`placement_classes`].
const CLASSES: usize = (MAX_COUNT as usize + 1) * SIZES;

/// Tiles by size: entry `i` holds the tiles of `i + 1` cells.
static BY_SIZE: [TileSet; SIZES] = {
    let mut sets = [0; SIZES];
    let mut i = 0;
    while i < Tile::COUNT {
        let tile = Tile::ALL[i];
        sets[tile.size() as usize - 1] |= 1 << tile.index();
        i += 1;
    }
    let mut tiles = [TileSet::EMPTY; SIZES];
    let mut size = 0;
    while size < SIZES {
        tiles[size] = TileSet::from_bits(sets[size]);
        size += 1;
    }
    tiles
};

/// Returns the placement classes of a side with these tiles, in order of priority: five for each
/// number of reply cells from 4 to 0, the largest tiles first. Classes of tiles that are too small,
/// and of more reply cells than `reply_count_max`, have no tiles.
pub fn placement_classes(tiles: TileSet, p: &SearchParameters) -> [PlacementClass; CLASSES] {
    let mut classes = [PlacementClass {
        tiles: TileSet::EMPTY,
        min_replies: 0,
    }; CLASSES];
    let counts = (0..=MAX_COUNT).rev();
    let all = counts.flat_map(|count| (1..=SIZES as u32).rev().map(move |size| (count, size)));
    for (class, (min_replies, size)) in classes.iter_mut().zip(all) {
        class.min_replies = min_replies;
        let may_reply =
            min_replies <= p.formulas.reply_count_max && size >= p.reply_min_size.max(min_replies);
        if min_replies == 0 || may_reply {
            class.tiles = TileSet::from_bits(tiles.bits() & BY_SIZE[size as usize - 1].bits());
        }
    }
    classes
}
