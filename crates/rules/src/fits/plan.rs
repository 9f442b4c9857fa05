//! Decomposition of each orientation into runs, computed from the shapes.

use crate::{Orientation, TileSet};

/// Number of planes: one for each run length and each column in which a run of that length can
/// start in a shape.
pub(super) const PLANES: usize = 4 + 3 + 2 + 1 + 1;

/// Rows per plane: the rows of the largest board, and empty rows below for shapes that extend
/// beyond it.
pub(super) const STRIDE: usize = 40;

/// Returns the number of columns, from the anchor's, in which runs of `len` cells can start. Only
/// the straight tile of five cells is wider than four columns.
pub(super) const fn planes_of_length(len: usize) -> usize {
    if len < 5 { 5 - len } else { 1 }
}

/// Returns the plane of runs of `len` cells that start `dx` columns right of the anchor.
pub(super) const fn plane(len: usize, dx: usize) -> usize {
    let mut plane = dx;
    let mut shorter = 1;
    while shorter < len {
        plane += planes_of_length(shorter);
        shorter += 1;
    }
    plane
}

/// Runs of one orientation.
#[derive(Clone, Copy)]
pub struct Plan {
    /// The orientation.
    pub orientation: Orientation,
    /// Tile as a bit of [`TileSet::bits`].
    tile: u32,
    /// By run: index of the entry for the topmost anchor, counted through all planes.
    starts: [u16; 5],
    len: usize,
}

impl Plan {
    /// True if `tiles` contains the orientation's tile.
    #[must_use]
    #[inline(always)]
    pub fn is_of(&self, tiles: TileSet) -> bool {
        tiles.bits() & self.tile != 0
    }

    /// Returns for each run the index of the entry for the topmost anchor; at least one run.
    #[inline(always)]
    pub(super) fn starts(&self) -> &[u16] {
        &self.starts[..self.len]
    }
}

/// Plans of all orientations, sorted by number of runs for good branch prediction in the loops over
/// the runs.
pub static PLANS_BY_RUNS: [Plan; Orientation::COUNT] = {
    let mut sorted = [plan(0); Orientation::COUNT];
    let mut count = 0;
    let mut len = 1;
    while len <= 5 {
        let mut o = 0;
        while o < Orientation::COUNT {
            let plan = plan(o);
            if plan.len == len {
                sorted[count] = plan;
                count += 1;
            }
            o += 1;
        }
        len += 1;
    }
    assert!(count == Orientation::COUNT);
    sorted
};

const fn plan(index: usize) -> Plan {
    let orientation = Orientation::from_index(index).expect("the index is below the count");
    let rows = orientation.rows();
    let mut plan = Plan {
        orientation,
        tile: 1 << orientation.tile().index(),
        starts: [0; 5],
        len: 0,
    };
    let mut dy = 0;
    while dy < rows.len() {
        let mut dx = 0;
        while rows[dy] >> dx != 0 {
            dx += (rows[dy] >> dx).trailing_zeros() as usize;
            let len = (rows[dy] >> dx).trailing_ones() as usize;
            assert!(dx < planes_of_length(len));
            plan.starts[plan.len] = (plane(len, dx) * STRIDE + dy) as u16;
            plan.len += 1;
            dx += len;
        }
        dy += 1;
    }
    plan
}
