//! Tables of the orientations: their rows on a padded board, and their cells around a corner point.

use std::sync::LazyLock;

use duoforge_rules::{Orientation, Tile};

/// Columns and rows of padding on each side of the board. A tile that covers a cell reaches at most
/// four cells further.
pub const PAD: usize = 4;

/// Rows of a padded board of up to 20 rows.
pub const ROWS: usize = 20 + 2 * PAD;

/// Set of cells of a padded board: bit `x + PAD` of entry `y + PAD` is the cell (`x`, `y`).
pub type Grid = [u32; ROWS];

/// Grid without cells.
pub const EMPTY: Grid = [0; ROWS];

/// Number of cells of a window, see [`window`].
pub const WINDOW: u32 = 41;

/// Bit of the centre of a window.
const CENTRE: u32 = 20;

/// Window bits of the cells before the centre, row by row.
pub const BEFORE_CENTRE: u64 = (1 << CENTRE) - 1;

/// Window bits of the upper, left, right and lower neighbour of the centre.
const NEIGHBOURS: [u32; 4] = [12, 19, 21, 28];

/// Returns the cells of a grid within four steps of a cell, as bits in the order of rows: the
/// window. Both coordinates are padded.
#[inline(always)]
pub fn window(grid: &Grid, x: usize, y: usize) -> u64 {
    let rows: &[u32; 9] = grid[y - PAD..=y + PAD].try_into().expect("nine rows");
    let part = |row: usize, reach: usize| {
        u64::from(rows[row] >> (x - reach) & ((1 << (2 * reach + 1)) - 1))
    };
    part(0, 0)
        | part(1, 1) << 1
        | part(2, 2) << 4
        | part(3, 3) << 9
        | part(4, 4) << 16
        | part(5, 3) << 25
        | part(6, 2) << 32
        | part(7, 1) << 37
        | part(8, 0) << 40
}

/// Returns the bit of a window for the offset (`dx`, `dy`) from its centre.
fn window_bit(dx: i32, dy: i32) -> u32 {
    const CENTRES: [i32; 9] = [0, 2, 6, 12, 20, 28, 34, 38, 40];
    (CENTRES[(dy + 4) as usize] + dx) as u32
}

/// Rows of one orientation.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Number of rows of the bounding box.
    pub height: usize,
    /// Index of the tile.
    pub tile: u32,
    /// Covered cells, from the anchor.
    pub cells: [u32; 5],
    /// Cells that share an edge with the tile, from one column left of the anchor and one row
    /// above.
    pub edges: [u32; 7],
    /// Cells diagonal to the tile that share no edge with it; the same origin.
    pub diagonals: [u32; 7],
    /// Offsets of the cells, then of the edge neighbours, then of the diagonal neighbours, in
    /// [`index`]es from the anchor.
    pub offsets: [i16; 32],
    /// Ends of the three parts of `offsets`.
    pub ends: [u8; 3],
}

/// Index of a padded cell in a table with one entry for each cell.
#[inline(always)]
pub const fn index(x: usize, y: usize) -> usize {
    y * STRIDE + x
}

/// Entries of a row in a table with one entry for each cell.
pub const STRIDE: usize = 32;

/// Entries of a table with one entry for each padded cell.
pub const CELLS: usize = ROWS * STRIDE;

/// Placement of an orientation that covers the centre of a window.
#[derive(Clone, Copy, Debug)]
pub struct WindowShape {
    /// Window bits of the cells without the centre, and bit `WINDOW` + index of the tile.
    pub mask: u64,
    /// Weight in a playout, in units without meaning.
    pub weight: u32,
    /// Index of the orientation.
    pub orientation: u8,
    /// Column of the centre, from the anchor.
    pub dx: u8,
    /// Row of the centre, from the anchor.
    pub dy: u8,
    /// Number of cells.
    pub size: u8,
}

/// Tables of all orientations.
#[derive(Debug)]
pub struct Shapes {
    /// By orientation index.
    pub shapes: [Shape; Orientation::COUNT],
    /// By the set of free edge neighbours of the centre, in the order of [`NEIGHBOURS`]: the
    /// placements that cover no other neighbour, the largest first.
    lists: [Vec<WindowShape>; 16],
}

impl Shapes {
    /// Returns the tables.
    pub fn get() -> &'static Self {
        static SHAPES: LazyLock<Shapes> = LazyLock::new(Shapes::new);
        &SHAPES
    }

    /// Returns the placements that can fit in a window with these forbidden cells.
    #[inline(always)]
    pub fn list(&self, forbidden: u64) -> &[WindowShape] {
        let mut free = 0;
        for (i, bit) in NEIGHBOURS.iter().enumerate() {
            free |= (!forbidden >> bit & 1) << i;
        }
        &self.lists[free as usize]
    }

    fn new() -> Self {
        let mut all: Vec<WindowShape> = Orientation::all().flat_map(window_shapes).collect();
        all.sort_by_key(|it| (u8::MAX - it.size, it.orientation));
        let list = |free: usize| {
            let blocked = NEIGHBOURS.iter().enumerate();
            let blocked = blocked.filter(|(i, _)| free >> i & 1 == 0);
            let blocked = blocked.fold(0, |set, (_, bit)| set | 1_u64 << bit);
            let fit = all.iter().filter(|it| it.mask & blocked == 0);
            fit.copied().collect()
        };
        let mut shapes = Orientation::all().map(shape);
        Self {
            shapes: std::array::from_fn(|_| shapes.next().expect("91 orientations")),
            lists: std::array::from_fn(list),
        }
    }
}

fn shape(orientation: Orientation) -> Shape {
    let mut cells = [0; 5];
    for (row, &bits) in cells.iter_mut().zip(orientation.rows()) {
        *row = bits.into();
    }
    // Rows of the tile with a border of one cell, one more on top and below for the loops.
    let mut framed = [0; 9];
    for (row, &bits) in framed[2..].iter_mut().zip(&cells) {
        *row = bits << 1;
    }
    let (mut edges, mut diagonals) = ([0; 7], [0; 7]);
    for r in 0..7 {
        let (above, here, below) = (framed[r], framed[r + 1], framed[r + 2]);
        let beside = here << 1 | here >> 1 | above | below;
        edges[r] = beside & !here;
        let vertical = above | below;
        diagonals[r] = (vertical << 1 | vertical >> 1) & !beside & !here;
    }
    let mut offsets = [0; 32];
    let mut ends = [0; 3];
    let mut len = 0;
    let parts: [(&[u32], i16); 3] = [(&cells, 0), (&edges, -1), (&diagonals, -1)];
    for (end, (rows, origin)) in ends.iter_mut().zip(parts) {
        for (y, row) in rows.iter().enumerate() {
            for x in (0..7).filter(|x| row >> x & 1 != 0) {
                offsets[len] = (y as i16 + origin) * STRIDE as i16 + x + origin;
                len += 1;
            }
        }
        *end = len as u8;
    }
    Shape {
        height: orientation.height().into(),
        tile: orientation.tile().index() as u32,
        cells,
        edges,
        diagonals,
        offsets,
        ends,
    }
}

/// Returns the placements of an orientation around a centre, one for each of its cells.
fn window_shapes(orientation: Orientation) -> impl Iterator<Item = WindowShape> {
    let tile = orientation.tile();
    orientation.cells().iter().map(move |centre| {
        let mut mask = 1 << (WINDOW + tile.index() as u32);
        for cell in orientation.cells().iter().filter(|&cell| cell != centre) {
            let (dx, dy) = (
                cell.x as i32 - centre.x as i32,
                cell.y as i32 - centre.y as i32,
            );
            mask |= 1 << window_bit(dx, dy);
        }
        WindowShape {
            mask,
            weight: playout_weight(tile, orientation),
            orientation: orientation.index() as u8,
            dx: centre.x,
            dy: centre.y,
            size: tile.size(),
        }
    })
}

/// Weight of a placement in a playout: a factor 3 for each cell, and 1.8 for each corner of the
/// tile.
fn playout_weight(tile: Tile, orientation: Orientation) -> u32 {
    let corners: u32 = shape(orientation)
        .diagonals
        .iter()
        .map(|row| row.count_ones())
        .sum();
    let mut weight = 16;
    for _ in 0..tile.size() {
        weight *= 3;
    }
    for _ in 4..corners {
        weight = weight * 9 / 5;
    }
    weight
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts of the tiles' geometry: 91 orientations with 430 cells in all; tiles that lie between
    /// two opposite neighbours of the centre are straight.
    #[test]
    fn every_orientation_covers_the_centre_with_each_of_its_cells() {
        let shapes = Shapes::get();
        let cells: usize = Orientation::all().map(|it| it.cells().len()).sum();
        assert_eq!(shapes.lists[15].len(), cells);
        assert_eq!(
            shapes.lists[0].len(),
            1,
            "only the monomino has no second cell"
        );
        for (free, list) in shapes.lists.iter().enumerate() {
            assert!(list.is_sorted_by_key(|it| u8::MAX - it.size));
            for it in list {
                assert_eq!(
                    u32::from(it.size),
                    it.mask.count_ones(),
                    "tile bit for the centre"
                );
                let used = NEIGHBOURS.iter().enumerate();
                let used = used.filter(|(_, bit)| it.mask >> **bit & 1 != 0);
                assert!(used.into_iter().all(|(i, _)| free >> i & 1 != 0));
            }
        }
    }

    #[test]
    fn a_window_holds_the_cells_within_four_steps() {
        for (x, y) in [(0, 0), (7, 3), (19, 19)] {
            for cell_y in 0..20_usize {
                for cell_x in 0..20_usize {
                    let mut grid = EMPTY;
                    grid[cell_y + PAD] = 1 << (cell_x + PAD);
                    let (dx, dy) = (cell_x as i32 - x, cell_y as i32 - y);
                    let inside = dx.abs() + dy.abs() <= 4;
                    let expected = if inside { 1 << window_bit(dx, dy) } else { 0 };
                    let found = window(&grid, x as usize + PAD, y as usize + PAD);
                    assert_eq!(found, expected, "({cell_x}, {cell_y}) around ({x}, {y})");
                }
            }
        }
    }

    /// Counted on paper: monomino, straight tile of five cells, cross.
    #[test]
    fn edges_and_corners_of_tiles_are_those_on_paper() {
        let count = |rows: &[u32; 7]| rows.iter().map(|row| row.count_ones()).sum::<u32>();
        let of = |letter| {
            let tile = Tile::from_letter(letter).expect("a tile");
            let first = Orientation::of_tile(tile).next().expect("an orientation");
            let shape = Shapes::get().shapes[first.index()];
            (count(&shape.edges), count(&shape.diagonals))
        };
        assert_eq!([of(b'a'), of(b'j'), of(b'u')], [(4, 4), (12, 4), (8, 8)]);
    }
}
