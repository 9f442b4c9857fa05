//! Playout: fast random completion of a game.

use duoforge_rules::{Colour, Placement, Tile, TileSet};
use multiversion::multiversion;

use super::draw::{PlacementClass, draw};
use super::parameters::SearchParameters;
use super::position::Position;
use super::replies::{Context, Replies};
use super::weighted::{DrawMemory, draw_inline};
use crate::Rng;

/// Bit of a move's random number that selects tile `a` for the tile sample; the bits of the other
/// tiles follow.
pub const SOME: u32 = u32::BITS - Tile::COUNT as u32;

/// Tiles by size: entry `i` holds the tiles of `i + 1` cells.
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

/// Plays until neither side has a legal placement; calls `played` for each placement. A side without
/// a legal placement never has one again; the generator advances at its turns too.
///
/// Each move first tries a random sample of the tiles, so that play does not always begin with the
/// largest ones. If no tile of the sample fits, the move tries all tiles. It takes the largest
/// tiles that fit: at reply cells first, for tiles of at least `reply_min_size` cells, then
/// anywhere.
pub fn finish(
    position: &mut Position,
    reply_min_size: u32,
    rng: &mut Rng,
    mut played: impl FnMut(Colour, Placement),
) {
    let (mut passes, mut is_finished) = (0, [false; 2]);
    while passes < 2 {
        let player = position.to_move();
        let random = rng.next_u32();
        let placement = match is_finished[player.index()] {
            true => None,
            false => next(position, reply_min_size, 1, random),
        };
        match placement {
            Some(placement) => {
                passes = 0;
                played(player, placement);
                position.place(placement);
            }
            None => {
                passes += 1;
                is_finished[player.index()] = true;
                position.set_to_move(player.opponent());
            }
        }
    }
}

/// Plays like [`finish`] and adds the placements to `moves`, but plays the last good reply to the
/// placements before, if it is legal. The generator advances in any case. With
/// [`Formulas::playout_weights`](super::Formulas::playout_weights), placements are drawn by weight.
// Everything up to the cells of a placement is compiled for the processor: most of the time of a
// search is spent here.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn finish_with_replies(
    position: &mut Position,
    p: &SearchParameters,
    rng: &mut Rng,
    replies: &Replies,
    memory: &mut DrawMemory,
    moves: &mut Vec<(Colour, Placement)>,
) {
    let mut context = Context::after(moves);
    let (mut passes, mut is_finished) = (0, [false; 2]);
    while passes < 2 {
        let player = position.to_move();
        let random = rng.next_u32();
        let draw = || match p.formulas.playout_weights {
            false => next(
                position,
                p.reply_min_size,
                p.formulas.reply_count_max,
                random,
            ),
            true => draw_inline(
                &position.wide_playout_maps(),
                position.tiles(player),
                random,
                memory,
            ),
        };
        let placement = match is_finished[player.index()] {
            true => None,
            false => replies
                .get(player, context)
                .find(|&reply| position.is_legal(reply))
                .or_else(draw),
        };
        match placement {
            Some(placement) => {
                passes = 0;
                moves.push((player, placement));
                context.push(placement);
                position.place(placement);
            }
            None => {
                passes += 1;
                is_finished[player.index()] = true;
                position.set_to_move(player.opponent());
            }
        }
    }
}

/// Returns the placement classes of a side with these tiles, in order of priority: first placements
/// that cover a reply cell, largest tiles first, then all placements, largest tiles first.
pub fn classes(tiles: TileSet, reply_min_size: u32) -> [PlacementClass; 10] {
    let mut classes = [PlacementClass {
        tiles: TileSet::EMPTY,
        min_replies: 0,
    }; 10];
    for size in (1..=5_usize).rev() {
        let tiles = TileSet::from_bits(tiles.bits() & BY_SIZE[size - 1].bits());
        if size as u32 >= reply_min_size {
            classes[5 - size] = PlacementClass {
                tiles,
                min_replies: 1,
            };
        }
        classes[10 - size] = PlacementClass {
            tiles,
            min_replies: 0,
        };
    }
    classes
}

/// Number of classes with a minimum number of reply cells: from 4 to 1, for each size of tiles.
const REPLY_CLASSES: usize = 20;

/// Returns the placement classes of a side with these tiles: first placements that cover
/// `reply_count_max` reply cells, 1 to 4, largest tiles first; then those that cover one less, and so
/// on; then all placements, largest tiles first.
pub fn classes_by_count(
    tiles: TileSet,
    reply_min_size: u32,
    reply_count_max: u32,
) -> [PlacementClass; REPLY_CLASSES + 5] {
    let mut classes = [PlacementClass {
        tiles: TileSet::EMPTY,
        min_replies: 0,
    }; REPLY_CLASSES + 5];
    let sizes = || (1..=5_u32).rev();
    let of_size = |size: u32| TileSet::from_bits(tiles.bits() & BY_SIZE[size as usize - 1].bits());
    let counts = (1..=4).rev();
    let replies = counts.flat_map(|count| sizes().map(move |size| (count, size)));
    for (class, (min_replies, size)) in classes.iter_mut().zip(replies) {
        if min_replies <= reply_count_max && size >= reply_min_size.max(min_replies) {
            *class = PlacementClass {
                tiles: of_size(size),
                min_replies,
            };
        }
    }
    for (class, size) in classes[REPLY_CLASSES..].iter_mut().zip(sizes()) {
        class.tiles = of_size(size);
    }
    classes
}

/// Returns the sample of tiles that a move with this random number tries first. The number also
/// draws the placement. The bits of the row are used twice, without a measurable effect.
pub fn tile_sample(tiles: TileSet, random: u32) -> TileSet {
    TileSet::from_bits(tiles.bits() & random >> SOME)
}

fn next(
    position: &Position,
    reply_min_size: u32,
    reply_count_max: u32,
    random: u32,
) -> Option<Placement> {
    let tiles = position.tiles(position.to_move());
    let sample = tile_sample(tiles, random);
    if reply_count_max == 1 {
        let maps = position.playout_maps();
        let look = |tiles| draw(&maps, &classes(tiles, reply_min_size), random);
        return look(sample).or_else(|| look(tiles));
    }
    let maps = position.wide_playout_maps();
    let look = |tiles| {
        let classes = classes_by_count(tiles, reply_min_size, reply_count_max);
        draw(&maps, &classes, random)
    };
    look(sample).or_else(|| look(tiles))
}
