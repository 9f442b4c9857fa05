use duoforge_rules::{Bitboard, Duo, DuoBoard, Placement, Tile};

use crate::Maps;

/// Kinds of cells that the policy counts.
pub const FEATURES: usize = 6;

/// Entries of a feature's table; no count exceeds 12.
pub const VALUES: usize = 16;

/// A pattern score for placements, as tables of small unsigned numbers.
///
/// The score of a placement is a base value of its tile plus, for each feature, the table entry for
/// the feature's count. The features, in order:
///
/// 0. cells on a corner point of the rival,
/// 1. cells next to one,
/// 2. corner points opened, that is, allowed cells diagonal to the tile that were none before,
/// 3. those of them that are roomy,
/// 4. allowed cells at the tile's edges, which it makes useless to its own side,
/// 5. own corner points at its edges, which it spoils.
///
/// Tables, so that a value need not be linear in its count; unsigned, so that the hardware adds and
/// compares without signs: an entry that should be negative is an offset minus the loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    base: [u8; Tile::ALL.len()],
    values: [[u8; VALUES]; FEATURES],
}

/// The placement that a policy chose, with its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What is to be placed.
    pub placement: Placement,
    /// Its score.
    pub score: u16,
}

impl Default for Policy {
    /// The weights that `examples/tune.rs` found with the arguments `77 500 5`: they score
    /// 0.61 +- 0.01 against the first guess it starts from.
    fn default() -> Self {
        Self::linear(&[10, 5, 8, 2, 4, 3, 5])
    }
}

impl Policy {
    /// A policy whose values are proportional to the counts: weights of a tile's cell, then of the
    /// features in their order, the last two being losses.
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

    /// The base value of a tile.
    pub fn base(&self, tile: Tile) -> u8 {
        self.base[tile.index()]
    }

    /// The table of a feature, indexed by its count.
    pub fn values(&self, feature: usize) -> &[u8; VALUES] {
        &self.values[feature]
    }

    /// The features of a placement, in their order.
    pub fn features(maps: &Maps, placement: Placement) -> [u32; FEATURES] {
        let cells: Bitboard<Duo> = placement.cells().collect();
        let edges = cells.edge_neighbours() - cells;
        let corners = cells.diagonal_neighbours() - cells - edges;
        [
            cells & maps.rival_corner,
            cells & maps.rival_near,
            (corners & maps.allowed) - maps.corner,
            (corners & maps.roomy) - maps.corner,
            edges & maps.allowed,
            edges & maps.corner,
        ]
        .map(|set| set.len())
    }

    /// The score of a placement.
    pub fn score(&self, maps: &Maps, placement: Placement) -> u16 {
        let features = Self::features(maps, placement);
        let values = features.iter().zip(&self.values);
        let sum: u16 = values
            .map(|(&count, table)| u16::from(table[count as usize]))
            .sum();
        sum + u16::from(self.base(placement.tile()))
    }

    /// The legal placement with the best score, or none where none is legal.
    ///
    /// Of equal ones the first by row, column and orientation, which is the hardware's order.
    pub fn best(&self, board: &DuoBoard) -> Option<Choice> {
        let maps = Maps::new(board, board.to_move());
        let order = |p: &Placement| (p.y, p.x, p.orientation);
        board
            .legal()
            .map(|placement| Choice {
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
