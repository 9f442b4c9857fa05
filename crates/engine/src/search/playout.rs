//! The rest of a game, quickly.

use duoforge_rules::{Class, Placement, Player, Tile, TileSet, draw};

use super::position::Position;
use crate::Rng;

/// The bit of a turn's random number that says whether tile `a` is looked at first; the others follow.
pub const SOME: u32 = u32::BITS - Tile::COUNT as u32;

/// Tiles by their number of cells, from one on.
static BY_SIZE: [TileSet; 5] = {
    let mut sets = [0; 5];
    let mut i = 0;
    while i < Tile::COUNT {
        let tile = Tile::ALL[i];
        sets[tile.size() as usize - 1] |= 1 << tile.index();
        i += 1;
    }
    let mut tiles = [TileSet::EMPTY; 5];
    let mut size = 0;
    while size < 5 {
        tiles[size] = TileSet::from_bits(sets[size]);
        size += 1;
    }
    tiles
};

/// Plays on until nobody can place a tile; tells each placement to `played`.
///
/// Each turn looks at some of the tiles only, those whose bits in a random number are set, so that not
/// everybody always begins with the biggest; where none of these fits, it looks at all. Of the tiles that
/// it looks at it takes the biggest ones, at the spot that the rival just opened while tiles of at least
/// `local` cells fit there, else anywhere.
pub fn finish(
    position: &mut Position,
    local: u32,
    rng: &mut Rng,
    mut played: impl FnMut(Player, Placement),
) {
    let mut stuck = 0;
    while stuck < 2 {
        let player = position.to_move();
        match next(position, local, rng) {
            Some(placement) => {
                stuck = 0;
                played(player, placement);
                position.place(placement);
            }
            None => {
                stuck += 1;
                position.set_to_move(player.rival());
            }
        }
    }
}

/// The classes that a player with these tiles draws from, the first one first: those of
/// placements that cover a marked cell, the biggest tiles first, then those of all.
pub fn classes(tiles: TileSet, local: u32) -> [Class; 10] {
    let mut classes = [Class {
        tiles: TileSet::EMPTY,
        marked: false,
    }; 10];
    for size in (1..=5_usize).rev() {
        let tiles = TileSet::from_bits(tiles.bits() & BY_SIZE[size - 1].bits());
        if size as u32 >= local {
            classes[5 - size] = Class {
                tiles,
                marked: true,
            };
        }
        classes[10 - size] = Class {
            tiles,
            marked: false,
        };
    }
    classes
}

/// The tiles that a turn with this random number looks at first. The number also draws the placement: the
/// bits of the row have two uses, which does no harm that could be measured.
pub fn some(tiles: TileSet, random: u32) -> TileSet {
    TileSet::from_bits(tiles.bits() & random >> SOME)
}

fn next(position: &Position, local: u32, rng: &mut Rng) -> Option<Placement> {
    let tiles = position.tiles(position.to_move());
    let (ground, random) = (position.ground(), rng.next_u32());
    let look = |tiles| draw(&ground, &classes(tiles, local), random);
    look(some(tiles, random)).or_else(|| look(tiles))
}
