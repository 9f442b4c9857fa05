//! Weights of the prior.

use duoforge_rules::Tile;

/// Number of features: kinds of cells that the prior counts.
pub const FEATURES: usize = 13;

/// Number of phases of the game, each with its own weights.
pub const PHASES: usize = 4;

/// Weights of the log-linear model, in 16ths of an octave: 16 more double the probability of a
/// placement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Weight of each tile, by phase.
    pub tiles: [[i8; Tile::COUNT]; PHASES],
    /// Weight of each feature, by phase.
    pub features: [[i8; FEATURES]; PHASES],
}

/// Tiles and the first ten features as the hardware's search learned them on 14x14 cells; the
/// others set by hand.
impl Default for Weights {
    fn default() -> Self {
        Self {
            tiles: [
                [
                    -37, -37, -37, -37, -52, -83, -89, -48, -93, 0, -11, -18, -49, -19, -30, -27,
                    -8, -28, -19, -36, -20,
                ],
                [
                    -96, -91, -103, -127, -85, -118, -117, -101, -112, 0, -23, -35, -56, -36, -44,
                    -34, -19, -47, -31, -53, -52,
                ],
                [
                    -85, -85, -85, -104, -49, -70, -77, -64, -71, 0, -14, -28, -39, -21, -26, -10,
                    -8, -26, -5, -32, -34,
                ],
                [
                    -106, -96, -74, -86, -45, -55, -58, -48, -54, 0, -12, -19, -29, -15, -24, -9,
                    -6, -17, -4, -32, -29,
                ],
            ],
            features: [
                [29, -18, 7, 17, -21, -11, -23, 15, 31, -12, 8, -8, 8],
                [19, -9, 8, 16, -20, -9, -18, 13, 24, -10, 8, -8, 6],
                [22, -5, 15, 12, -17, -8, -12, 9, 17, -7, 8, -8, 3],
                [18, -4, 12, 16, -16, -9, -11, 10, 13, -5, 8, -8, 0],
            ],
        }
    }
}
