//! Scores of all candidates of a position from one score for each cell.
//!
//! Every feature counts the cells of a map that a placement covers, or that share an edge or a
//! corner with it. The sum of a placement is therefore a sum over these cells. Each cell has one
//! score as a covered cell, one as an edge and one as a corner.

use duoforge_rules::{Bitboard, Duo, Orientation, Placement, TileSet, legal_anchors};
use multiversion::multiversion;

use super::{PriorMaps, Weights, candidate_tiles, phase};
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

/// Scores of the cells of a board: as covered cells, edges and corners.
struct CellScores([i16; 3 * ENTRIES]);

impl CellScores {
    #[inline(always)]
    fn new(maps: &PriorMaps, weights: &[i8; super::FEATURES]) -> Self {
        let mut scores = Self([0; 3 * ENTRIES]);
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
        scores
    }

    /// Adds the weight of a feature to the cells of its map.
    #[inline(always)]
    fn add(&mut self, kind: usize, map: &Bitboard<Duo>, weight: i8) {
        let rows = self.0[kind * ENTRIES + COLUMNS..].chunks_exact_mut(COLUMNS);
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
            .map(|&entry| i32::from(self.0[anchor + usize::from(entry)]))
            .sum()
    }
}

/// Offset of scores in a key; no score is as far from 0.
const MIDDLE: i32 = 1 << 14;

/// Returns the best `keep` candidates with their scores, best first. Ties go to the first by row,
/// column and orientation.
pub(super) fn ranking(
    position: &Position,
    weights: &Weights,
    keep: usize,
) -> Vec<(Placement, i32)> {
    let me = position.to_move();
    let (allowed, corners) = (position.allowed(me), position.corner_points(me));
    let maps = PriorMaps::new(position);
    let phase = phase(position);
    let list = |tiles| {
        let anchors = legal_anchors(&allowed, &corners, tiles);
        let mut keys = Vec::new();
        add_keys(&anchors, tiles, &maps, weights, phase, &mut keys);
        keys
    };
    let mut keys = list(candidate_tiles(position));
    if keys.is_empty() {
        keys = list(position.tiles(me));
    }
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
    maps: &PriorMaps,
    weights: &Weights,
    phase: usize,
    keys: &mut Vec<u32>,
) {
    let scores = CellScores::new(maps, &weights.kinds[phase]);
    for tile in tiles.iter() {
        let tile_weight = i32::from(weights.tiles[phase][tile.index()]);
        for orientation in Orientation::of_tile(tile) {
            let offsets = &OFFSETS[orientation.index()];
            for cell in anchors[orientation.index()].iter() {
                let score = tile_weight + scores.sum(offsets, cell.x, cell.y);
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
