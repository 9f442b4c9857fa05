//! Which runs make up which orientation, computed from the shapes.

use crate::{Orientation, TileSet};

/// Number of planes: one for each length of run and each column in which such a run of a shape
/// can start.
pub(super) const PLANES: usize = 4 + 3 + 2 + 1 + 1;

/// Rows from one plane to the next: those of the largest board, and empty ones below for shapes
/// that reach beyond it.
pub(super) const STRIDE: usize = 40;

/// Number of columns, from the anchor's on, in which runs of `len` cells can start: only the
/// straight tile of five is wider than four columns.
pub(super) const fn planes_of_length(len: usize) -> usize {
    if len < 5 { 5 - len } else { 1 }
}

/// The plane of runs of `len` cells that start `dx` columns right of the anchor.
pub(super) const fn plane(len: usize, dx: usize) -> usize {
    let mut plane = dx;
    let mut shorter = 1;
    while shorter < len {
        plane += planes_of_length(shorter);
        shorter += 1;
    }
    plane
}

/// The runs of one orientation.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) orientation: Orientation,
    /// The tile, as a bit of [`TileSet::bits`].
    tile: u32,
    /// For each run the entry of the planes, counted through all of them, that belongs to the
    /// topmost anchor.
    starts: [u16; 5],
    len: usize,
}

impl Plan {
    /// Whether the orientation is one of these tiles.
    #[inline(always)]
    pub(super) fn is_of(&self, tiles: TileSet) -> bool {
        tiles.bits() & self.tile != 0
    }

    /// For each run, at least one, the entry of the planes that belongs to the topmost anchor.
    #[inline(always)]
    pub(super) fn starts(&self) -> &[u16] {
        &self.starts[..self.len]
    }
}

/// The plans of all orientations, ordered by their number of runs, so that the processor
/// predicts the loops over the runs well.
pub(super) static PLANS_BY_RUNS: [Plan; Orientation::COUNT] = {
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
