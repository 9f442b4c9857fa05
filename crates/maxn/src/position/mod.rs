//! Position of the search: bitboards that are kept up to date by each placement, without
//! allocation.
//!
//! Allowed cells, tiles left and with them the placements of a colour that cover a given cell only
//! ever decrease. A corner point therefore keeps an upper bound of the size of the tiles that fit
//! at it, and is dropped for good once none does.

use duoforge_rules::{CellSet, Game, Move, Orientation, Placement, Tile};

use crate::rules::{FlatRules, MAX, bit};
use crate::shapes::{EMPTY, Grid, PAD, ROWS, Shapes};

mod points;
#[cfg(test)]
mod tests;
mod turns;

pub use points::{PaddedCell, ReplyCells, cells, key_at};

/// Placement as a number: orientation index, column and row of the anchor, one byte each from bit
/// 16 down.
pub type Key = u32;

/// Creates the number of a placement.
#[inline(always)]
pub fn key(orientation: u8, x: u8, y: u8) -> Key {
    u32::from(orientation) << 16 | u32::from(x) << 8 | u32::from(y)
}

/// Returns the placement of a number.
pub fn placement(key: Key) -> Placement {
    let orientation = Orientation::from_index((key >> 16) as usize);
    let orientation = orientation.expect("a number of a placement");
    Placement::new(orientation, (key >> 8) as u8, key as u8)
}

/// Number of tile sizes.
pub const SIZES: usize = 5;

/// Number of plies whose corner points are recent.
const RECENT: usize = 3;

/// Corner points that a placement created.
#[derive(Clone, Copy, Debug)]
struct RecentPoints {
    /// Colour of the placement.
    colour: u8,
    /// Padded row of the first entry.
    top: u8,
    rows: [u32; 7],
}

/// Position of a game.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    shapes: &'static Shapes,
    rules: FlatRules,
    /// By colour: cells that it can never cover, and the padding.
    forbidden: [Grid; MAX],
    /// By colour and upper bound of the size of the tiles that fit, less one: its corner points.
    /// Some cells may be forbidden by now.
    points: [[Grid; SIZES]; MAX],
    /// By colour: tiles placed, as bits by index.
    used: [u32; MAX],
    /// By colour: index of the tile placed last.
    last: [u8; MAX],
    recent: [RecentPoints; RECENT],
    next_recent: u8,
    colour: u8,
    /// Colours that have passed since the last placement.
    passed: u8,
    /// Colours that take no further turn after a final pass.
    out: u8,
    /// Colours without a placement that are known to have none.
    blocked: u8,
    over: bool,
}

impl Position {
    /// Creates the position of a game.
    pub fn new(game: &Game) -> Self {
        let mut position = Self {
            shapes: Shapes::get(),
            rules: FlatRules::new(game.variant()),
            forbidden: [[u32::MAX; ROWS]; MAX],
            points: [[EMPTY; SIZES]; MAX],
            used: [0; MAX],
            last: [u8::MAX; MAX],
            recent: [RecentPoints {
                colour: 0,
                top: 0,
                rows: [0; 7],
            }; RECENT],
            next_recent: 0,
            colour: 0,
            passed: 0,
            out: 0,
            blocked: 0,
            over: game.is_over(),
        };
        for colour in game.colours() {
            let c = colour.index();
            position.forbidden[c] = grid(&game.allowed(colour)).map(|row| !row);
            position.points[c][SIZES - 1] = grid(&game.corner_points(colour));
            position.used[c] = !game.tiles_left(colour).bits() & ((1 << Tile::COUNT) - 1);
            position.last[c] = game
                .last_tile(colour)
                .map_or(u8::MAX, |tile| tile.index() as u8);
            if game.is_out(colour) {
                position.out |= bit(colour);
            }
        }
        let plies = game.plies();
        for ply in &plies[plies.len().saturating_sub(RECENT)..] {
            if let Move::Place(placement) = ply.mv {
                position.remember(ply.colour.0, placement);
            }
        }
        for ply in plies.iter().rev().take_while(|ply| ply.mv == Move::Pass) {
            position.passed |= bit(ply.colour);
        }
        position.colour = game.to_move().map_or(0, |colour| colour.0);
        position.bound_points();
        position
    }

    /// Returns the rules.
    pub fn rules(&self) -> &FlatRules {
        &self.rules
    }

    /// Returns the tables of the orientations.
    pub fn shapes(&self) -> &'static Shapes {
        self.shapes
    }

    /// Returns the colour to move.
    pub fn colour(&self) -> usize {
        self.colour.into()
    }

    /// Returns the seat that decides for the colour to move.
    pub fn seat(&self) -> usize {
        self.rules.seat(self.colour(), self.placed(self.colour()))
    }

    /// True if the game has ended and this is known.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Returns the number of tiles that a colour has placed.
    pub fn placed(&self, colour: usize) -> u32 {
        self.used[colour].count_ones()
    }

    /// Returns the score of each seat in points.
    pub fn scores(&self) -> [i32; MAX] {
        self.rules.scores(&self.used, &self.last)
    }

    /// Cells that a colour can never cover, and the padding.
    pub fn forbidden(&self, colour: usize) -> &Grid {
        &self.forbidden[colour]
    }

    /// Plays a placement of the colour to move, and passes the turn to the next colour.
    #[inline(always)]
    pub fn play(&mut self, key: Key) {
        let colour = self.colour();
        let shape = &self.shapes.shapes[(key >> 16) as usize];
        let (x, y) = (
            (key >> 8 & 0xff) as usize + PAD,
            (key & 0xff) as usize + PAD,
        );
        for r in 0..shape.height {
            let row = shape.cells[r] << x;
            for forbidden in &mut self.forbidden[..self.rules.colours] {
                forbidden[y + r] |= row;
            }
        }
        let forbidden = &mut self.forbidden[colour];
        for r in 0..shape.height + 2 {
            forbidden[y + r - 1] |= shape.edges[r] << (x - 1);
        }
        if self.used[colour] == 0 && !self.rules.starts_stay {
            self.points[colour] = [EMPTY; SIZES];
        }
        let mut recent = RecentPoints {
            colour: colour as u8,
            top: (y - 1) as u8,
            rows: [0; 7],
        };
        for r in 0..shape.height + 2 {
            let row = shape.diagonals[r] << (x - 1) & !self.forbidden[colour][y + r - 1];
            self.points[colour][SIZES - 1][y + r - 1] |= row;
            recent.rows[r] = row;
        }
        self.push_recent(recent);
        self.used[colour] |= 1 << shape.tile;
        self.last[colour] = shape.tile as u8;
        self.passed = 0;
        let has_all = self.used[colour] == (1 << Tile::COUNT) - 1;
        if has_all && self.rules.ends_when_all_placed() {
            self.over = true;
        } else {
            self.next_colour();
        }
    }

    fn push_recent(&mut self, recent: RecentPoints) {
        self.recent[usize::from(self.next_recent)] = recent;
        self.next_recent = (self.next_recent + 1) % RECENT as u8;
    }

    /// Records the corner points of a placement that has been played.
    fn remember(&mut self, colour: u8, placement: Placement) {
        let shape = &self.shapes.shapes[placement.orientation.index()];
        let (x, y) = (
            usize::from(placement.x) + PAD,
            usize::from(placement.y) + PAD,
        );
        let mut rows = [0; 7];
        let forbidden = &self.forbidden[usize::from(colour)][y - 1..];
        for ((row, diagonals), forbidden) in rows.iter_mut().zip(shape.diagonals).zip(forbidden) {
            *row = diagonals << (x - 1) & !forbidden;
        }
        self.push_recent(RecentPoints {
            colour,
            top: (y - 1) as u8,
            rows,
        });
    }
}

/// Converts a set of cells to a grid.
fn grid(set: &CellSet) -> Grid {
    let mut grid = EMPTY;
    for (row, &cells) in grid[PAD..].iter_mut().zip(set.rows()) {
        *row = cells << PAD;
    }
    grid
}
