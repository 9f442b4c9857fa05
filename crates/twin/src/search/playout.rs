//! Playout: fast random completion of a game.

use duoforge_rules::{Colour, Placement, Tile, TileSet};
use multiversion::multiversion;

use super::draw::{DrawMemory, Draws};
use super::parameters::SearchParameters;
use super::position::Position;
use super::replies::{Context, Replies};
use super::weighted::draw_inline;
use crate::Rng;

/// Bit of a move's random number that selects tile `a` for the tile sample; the bits of the other
/// tiles follow.
pub const SOME: u32 = u32::BITS - Tile::COUNT as u32;

/// Plays until neither side has a legal placement, and adds the placements to `moves`. A side without
/// a legal placement never has one again; the generator advances at its turns too.
///
/// Each move first tries a random sample of the tiles, so that play does not always begin with the
/// largest ones. If no tile of the sample fits, the move tries all tiles. It takes the largest
/// tiles that fit: at reply cells first, then anywhere, see [`draw`](super::draw()). With
/// [`Formulas::playout_weights`](super::Formulas::playout_weights), placements are drawn by weight.
/// The last good reply to the placements before is played instead if it is legal.
// Everything up to the cells of a placement is compiled for the processor: most of the time of a
// search is spent here. Closures in functions of the library would not be.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
pub fn finish(
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
        let mut placement = None;
        if !is_finished[player.index()] {
            let mut replies = replies.get(player, context);
            placement = replies.find(|&reply| position.is_legal(reply));
            if placement.is_none() {
                placement = match p.formulas.playout_weights {
                    false => draw_sampled(position, p, random, memory),
                    true => draw_inline(
                        &position.wide_playout_maps(),
                        position.tiles(player),
                        random,
                        memory,
                    ),
                };
            }
        }
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

/// Returns the sample of tiles that a move with this random number tries first. The number also
/// draws the placement. The bits of the row are used twice, without a measurable effect.
pub fn tile_sample(tiles: TileSet, random: u32) -> TileSet {
    TileSet::from_bits(tiles.bits() & random >> SOME)
}

/// Draws a placement of the tile sample, or of all tiles if none of the sample is legal.
#[inline(always)]
fn draw_sampled(
    position: &Position,
    p: &SearchParameters,
    random: u32,
    memory: &mut DrawMemory,
) -> Option<Placement> {
    let maps = match p.formulas.reply_count_max {
        1 => position.playout_maps(),
        _ => position.wide_playout_maps(),
    };
    let tiles = position.tiles(position.to_move());
    let sample = tile_sample(tiles, random);
    let mut draws = Draws::new(&maps, p, memory)?;
    let others = TileSet::from_bits(tiles.bits() & !sample.bits());
    match draws.draw(sample, random) {
        None => draws.draw(others, random),
        drawn => drawn,
    }
}
