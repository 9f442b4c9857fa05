//! Number of pairs of placements: the last two plies of perft, without playing them.

use super::Board;
use crate::{Bitboard, Orientation, Placement, Size, fits};

/// Steps over edges from one cell of a tile to any other, at most.
const STEPS: usize = 4;

impl<S: Size> Board<S> {
    /// Returns the number of sequences of two placements: one of the side to move, then one of the
    /// side after it. Returns `None` if the side to move would place both, since the others are
    /// out.
    ///
    /// A placement takes cells from the next side and gives it none. So the next side keeps the
    /// placements that share no cell with it. A placement out of that side's reach leaves it all of
    /// them; the others are listed, and the next side's placements are counted after each.
    pub(crate) fn count_legal_pairs(&self) -> Option<u64> {
        let side = self.to_move();
        let next = self.following()?;
        if next == side {
            return None;
        }
        let tiles = self.tiles_left(side);
        if self.is_over() || (tiles.len() == 1 && self.variant.ends_when_all_placed) {
            return Some(0);
        }
        let (allowed, corners) = (self.allowed(next), self.corner_points(next));
        let count = |allowed: &Bitboard<S>, corners: &Bitboard<S>| {
            u64::from(fits::count(allowed, corners, self.tiles_left(next)))
        };
        let reach = reach(allowed, corners);
        let (own_allowed, own_corners) = (self.allowed(side), self.corner_points(side));
        let placements = fits::count(&own_allowed, &own_corners, tiles);
        let apart = fits::count(&(own_allowed - reach), &(own_corners - reach), tiles);
        let mut pairs = u64::from(apart) * count(&allowed, &corners);
        if apart == placements {
            return Some(pairs);
        }
        let legal = fits::legal_anchors(&own_allowed, &own_corners, tiles);
        let near = fits::legal_anchors(&own_allowed, &(own_allowed & reach), tiles);
        for orientation in tiles.iter().flat_map(Orientation::of_tile) {
            let anchors = legal[orientation.index()] & near[orientation.index()];
            for anchor in anchors.iter() {
                let placement = Placement::new(orientation, anchor.x, anchor.y);
                let cells = Bitboard::from_placement(placement).expect("a legal anchor");
                pairs += count(&(allowed - cells), &(corners - cells));
            }
        }
        Some(pairs)
    }
}

/// Returns the allowed cells within [`STEPS`] of a corner point. All placements lie within them.
fn reach<S: Size>(allowed: Bitboard<S>, corners: Bitboard<S>) -> Bitboard<S> {
    let mut reach = corners;
    for _ in 0..STEPS {
        reach |= reach.edge_neighbours() & allowed;
    }
    reach
}
