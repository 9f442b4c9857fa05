//! Scores of all candidates of a position from one score for each cell.
//!
//! Every feature counts the cells of a map that a placement covers, or that share an edge or a
//! corner with it. The sum of a placement is therefore a sum over these cells. Each cell has one
//! score as a covered cell, one as an edge and one as a corner.

use duoforge_rules::{Bitboard, Cell, Duo, Orientation, Placement, Tile, TileSet};
use multiversion::multiversion;

use super::{FEATURES, PriorMaps, Weights, candidate_anchors, phase};
use crate::search::position::Position;

/// Cells of a row with an empty column on both sides of the board.
const COLUMNS: usize = 16;

/// Entries of a map with an empty row above and below the board.
const ENTRIES: usize = COLUMNS * COLUMNS;

/// Maximum number of cells, edges and corners of a shape.
const MAX_CELLS: usize = 32;

/// Cells, edges and corners of an orientation.
#[derive(Clone, Copy)]
struct Offsets {
    /// Indices relative to the entry of the anchor in the row above and the column before it.
    entries: [u16; MAX_CELLS],
    len: usize,
}

/// Offsets of all orientations. Maps of covered cells, edges and corners lie one after the other.
static OFFSETS: [Offsets; Orientation::COUNT] = {
    let empty = Offsets {
        entries: [0; MAX_CELLS],
        len: 0,
    };
    let mut all = [empty; Orientation::COUNT];
    let mut index = 0;
    while index < all.len() {
        all[index] = offsets(Orientation::from_index(index).expect("below the count"));
        index += 1;
    }
    all
};

const fn offsets(orientation: Orientation) -> Offsets {
    // The shape, moved by one row and one column.
    let shape = orientation.rows();
    let mut rows = [0_u32; 9];
    let mut y = 0;
    while y < shape.len() {
        rows[y + 2] = (shape[y] as u32) << 1;
        y += 1;
    }
    let mut offsets = Offsets {
        entries: [0; MAX_CELLS],
        len: 0,
    };
    let mut y = 1;
    while y < 8 {
        let (above, row, below) = (rows[y - 1], rows[y], rows[y + 1]);
        let near = above | below;
        let edges = (near | row << 1 | row >> 1) & !row;
        let corners = (near << 1 | near >> 1) & !row & !edges;
        let kinds = [row, edges, corners];
        let mut kind = 0;
        while kind < kinds.len() {
            let mut rest = kinds[kind];
            while rest != 0 {
                let x = rest.trailing_zeros() as usize;
                let entry = kind * ENTRIES + (y - 1) * COLUMNS + x;
                offsets.entries[offsets.len] = entry as u16;
                offsets.len += 1;
                rest &= rest - 1;
            }
            kind += 1;
        }
        y += 1;
    }
    offsets
}

/// Scores from which the score of every placement follows.
///
/// The score of a placement is that of its tile, plus the scores of the cells that it covers, of
/// its edges and of its corners. Cells off the board count nothing. The unit is a 16th of an
/// octave.
#[derive(Clone)]
pub struct CellScores {
    /// Scores of covered cells, of edges and of corners.
    cells: [i16; 3 * ENTRIES],
    /// Score of each tile.
    tiles: [i16; Tile::COUNT],
}

impl CellScores {
    /// Creates scores with those of the tiles, each from -1,000 to 1,000; all cells count nothing.
    pub fn new(tiles: [i16; Tile::COUNT]) -> Self {
        Self {
            cells: [0; 3 * ENTRIES],
            tiles: tiles.map(|score| score.clamp(-1_000, 1_000)),
        }
    }

    /// Sets the scores of a cell as a covered cell, as an edge and as a corner; each is from -500
    /// to 500, so that the sums of all placements are in range.
    pub fn set(&mut self, cell: Cell, scores: [i16; 3]) {
        let entry = (usize::from(cell.y) + 1) * COLUMNS + usize::from(cell.x) + 1;
        for (kind, score) in scores.into_iter().enumerate() {
            self.cells[kind * ENTRIES + entry] = score.clamp(-500, 500);
        }
    }

    /// Returns the scores of the log-linear model for the side to move.
    pub(super) fn of_features(position: &Position, weights: &Weights) -> Self {
        let phase = phase(position);
        let mut scores = Self::new(weights.tiles[phase].map(i16::from));
        add_features(
            &mut scores,
            &PriorMaps::new(position),
            &weights.kinds[phase],
        );
        scores
    }

    /// Adds the weight of a feature to the cells of its map.
    #[inline(always)]
    fn add(&mut self, kind: usize, map: &Bitboard<Duo>, weight: i8) {
        let rows = self.cells[kind * ENTRIES + COLUMNS..].chunks_exact_mut(COLUMNS);
        for (y, scores) in rows.take(14).enumerate() {
            let row = map.row(y as u8) << 1;
            for (x, score) in scores.iter_mut().enumerate() {
                let member = (row >> x & 1) as i16;
                *score += i16::from(weight) & -member;
            }
        }
    }

    /// Returns the sum over a placement.
    #[inline(always)]
    fn sum(&self, offsets: &Offsets, x: u8, y: u8) -> i32 {
        let anchor = usize::from(y) * COLUMNS + usize::from(x);
        let entries = offsets.entries[..offsets.len].iter();
        entries
            .map(|&entry| i32::from(self.cells[anchor + usize::from(entry)]))
            .sum()
    }
}

/// Adds the weights of all features to the cells of their maps.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt"))]
fn add_features(scores: &mut CellScores, maps: &PriorMaps, weights: &[i8; FEATURES]) {
    let cells = [
        &maps.corner,
        &maps.around,
        &maps.opponent_beside,
        &maps.opponent_around,
    ];
    let edges = [
        &maps.allowed,
        &maps.around,
        &maps.opponent_corner,
        &maps.opponent_around,
    ];
    let corners = [&maps.allowed, &maps.around];
    for (map, &weight) in cells.into_iter().zip(&weights[..4]) {
        scores.add(0, map, weight);
    }
    for (map, &weight) in edges.into_iter().zip(&weights[4..8]) {
        scores.add(1, map, weight);
    }
    for (map, &weight) in corners.into_iter().zip(&weights[8..]) {
        scores.add(2, map, weight);
    }
}

/// Offset of scores in a key; no score is as far from 0: a placement has at most 27 cells, edges
/// and corners.
const MIDDLE: i32 = 1 << 14;

/// Returns the best `keep` candidates with their scores, best first. Ties go to the first by row,
/// column and orientation.
pub(super) fn ranking(
    position: &Position,
    scores: &CellScores,
    keep: usize,
) -> Vec<(Placement, i32)> {
    let (tiles, anchors) = candidate_anchors(position);
    let mut keys = Vec::new();
    add_keys(&anchors, tiles, scores, &mut keys);
    if keep < keys.len() {
        keys.select_nth_unstable(keep);
        keys.truncate(keep);
    }
    keys.sort_unstable();
    keys.into_iter().map(unpack).collect()
}

/// Adds a key for each placement. Keys are ordered by falling score, then by row, column and
/// orientation.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt"))]
fn add_keys(
    anchors: &[Bitboard<Duo>; Orientation::COUNT],
    tiles: TileSet,
    scores: &CellScores,
    keys: &mut Vec<u32>,
) {
    for tile in tiles.iter() {
        let tile_score = i32::from(scores.tiles[tile.index()]);
        for orientation in Orientation::of_tile(tile) {
            let offsets = &OFFSETS[orientation.index()];
            for cell in anchors[orientation.index()].iter() {
                let score = tile_score + scores.sum(offsets, cell.x, cell.y);
                let rank = (MIDDLE - score) as u32;
                let place = u32::from(cell.y) << 11 | u32::from(cell.x) << 7;
                keys.push(rank << 15 | place | orientation.index() as u32);
            }
        }
    }
}

fn unpack(key: u32) -> (Placement, i32) {
    let orientation = Orientation::from_index((key & 127) as usize).expect("of a placement");
    let (x, y) = (key >> 7 & 15, key >> 11 & 15);
    let placement = Placement::new(orientation, x as u8, y as u8);
    (placement, MIDDLE - (key >> 15) as i32)
}
