use duoforge_rules::{Bitboard, Duo, DuoBoard, Placement, Tile};

use crate::PolicyMaps;

/// Number of features: kinds of cells that the policy counts.
pub const FEATURES: usize = 6;

/// Number of entries in the table of a feature; no count exceeds 12.
pub const VALUES: usize = 16;

/// Pattern policy: scores placements with tables of small unsigned numbers.
///
/// The score of a placement is the base value of its tile plus, for each feature, the table entry
/// for the count of the feature. The features, in order:
///
/// 0. cells on a corner point of the opponent,
/// 1. cells next to such a corner point,
/// 2. new corner points: allowed cells diagonal to the tile that were not corner points before,
/// 3. new corner points that are open cells (see [`PolicyMaps::open_cells`]),
/// 4. allowed cells at the edges of the tile, which the player loses,
/// 5. own corner points at the edges of the tile, which are lost.
///
/// Tables allow values that are not linear in the count. The entries are unsigned, so the hardware
/// adds and compares without signs. For a feature with a negative weight, an entry is an offset
/// minus the loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    base: [u8; Tile::ALL.len()],
    values: [[u8; VALUES]; FEATURES],
}

/// Placement chosen by a policy, with its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredPlacement {
    /// Chosen placement.
    pub placement: Placement,
    /// Score of the placement.
    pub score: u16,
}

impl Default for Policy {
    /// Weights found by `examples/tune.rs` with the arguments `77 500 5`. They score 0.61 ± 0.01
    /// against the weights from which the tuning started.
    fn default() -> Self {
        Self::linear(&[10, 5, 8, 2, 4, 3, 5])
    }
}

impl Policy {
    /// Creates a policy whose values are proportional to the counts.
    ///
    /// The first weight is for each cell of the tile; the others are for the features, in order.
    /// The last two features count as losses.
    pub fn linear(weights: &[u8; FEATURES + 1]) -> Self {
        let gain = |weight: u8, n: usize| weight.saturating_mul(n as u8);
        let loss = |weight: u8, n: usize| gain(weight, 12) - gain(weight, n.min(12));
        let [cell, features @ ..] = weights;
        Self {
            base: Tile::ALL.map(|tile| gain(*cell, tile.size() as usize)),
            values: std::array::from_fn(|f| {
                std::array::from_fn(|n| match f {
                    0..4 => gain(features[f], n),
                    _ => loss(features[f], n),
                })
            }),
        }
    }

    /// Returns the base value of a tile.
    pub fn base(&self, tile: Tile) -> u8 {
        self.base[tile.index()]
    }

    /// Returns the table of a feature, indexed by count.
    pub fn values(&self, feature: usize) -> &[u8; VALUES] {
        &self.values[feature]
    }

    /// Returns the feature counts of a placement, in order.
    pub fn features(maps: &PolicyMaps, placement: Placement) -> [u32; FEATURES] {
        let cells: Bitboard<Duo> = placement.cells().collect();
        let edges = cells.edge_neighbours() - cells;
        let corners = cells.diagonal_neighbours() - cells - edges;
        [
            cells & maps.opponent_corner,
            cells & maps.opponent_near,
            (corners & maps.allowed) - maps.corner,
            (corners & maps.open_cells) - maps.corner,
            edges & maps.allowed,
            edges & maps.corner,
        ]
        .map(|set| set.len())
    }

    /// Returns the score of a placement.
    pub fn score(&self, maps: &PolicyMaps, placement: Placement) -> u16 {
        let features = Self::features(maps, placement);
        let values = features.iter().zip(&self.values);
        let sum: u16 = values
            .map(|(&count, table)| u16::from(table[count as usize]))
            .sum();
        sum + u16::from(self.base(placement.tile()))
    }

    /// Returns the legal placement with the highest score, or `None` if no placement is legal.
    ///
    /// Ties go to the first placement by row, column and orientation: the hardware's order.
    pub fn best(&self, board: &DuoBoard) -> Option<ScoredPlacement> {
        let maps = PolicyMaps::new(board, board.to_move());
        let order = |p: &Placement| (p.y, p.x, p.orientation);
        board
            .legal()
            .map(|placement| ScoredPlacement {
                placement,
                score: self.score(&maps, placement),
            })
            .max_by(|a, b| {
                a.score
                    .cmp(&b.score)
                    .then(order(&b.placement).cmp(&order(&a.placement)))
            })
    }
}
