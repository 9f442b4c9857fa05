//! Inputs of a network: maps of a position for the side to move, and the tiles of both sides.

use duoforge_rules::{Bitboard, Duo, Tile};
use duoforge_twin::search::{NETWORK_PLANES, Position};

/// Number of maps.
pub const PLANES: usize = NETWORK_PLANES;

/// Number of inputs that hold for the whole board.
pub const GLOBALS: usize = 2 * Tile::COUNT + 2;

/// Number of tiles on the board that counts as 1.
const TILES: f32 = 30.0;

/// Inputs of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Maps, see [`Position::network_planes`].
    pub planes: [Bitboard<Duo>; PLANES],
    /// 1 for each tile that the side to move has not placed, then for those of the opponent; the
    /// number of tiles on the board, divided by 30; and 1.
    pub globals: [f32; GLOBALS],
}

impl Input {
    /// Returns the inputs of a position for the side to move.
    pub fn new(position: &Position) -> Self {
        let me = position.to_move();
        let sides = [me, me.opponent()];
        let mut globals = [0.0; GLOBALS];
        let mut left = 0;
        for (side, inputs) in sides.into_iter().zip(globals.chunks_exact_mut(Tile::COUNT)) {
            for tile in position.tiles(side).iter() {
                inputs[tile.index()] = 1.0;
                left += 1;
            }
        }
        globals[GLOBALS - 2] = (2 * Tile::COUNT as i32 - left) as f32 / TILES;
        globals[GLOBALS - 1] = 1.0;
        Self {
            planes: position.network_planes(),
            globals,
        }
    }
}
