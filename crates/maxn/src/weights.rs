//! Weights of the prior.

use duoforge_rules::{Duo, Size, Tile};

/// Number of features: kinds of cells that the prior counts.
pub const FEATURES: usize = 18;

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

impl Weights {
    /// Returns the score of a placement by its tile and the counts of its features, in 16ths of an
    /// octave.
    #[must_use]
    pub fn score(&self, phase: usize, tile: Tile, counts: &[u8; FEATURES]) -> i32 {
        let weights = self.features[phase].iter().zip(counts);
        let sum: i32 = weights
            .map(|(&weight, &count)| i32::from(weight) * i32::from(count))
            .sum();
        i32::from(self.tiles[phase][tile.index()]) + sum
    }

    /// Returns the weights for a board of `size` columns.
    #[must_use]
    pub fn for_size(size: usize) -> &'static Self {
        if size <= Duo::WIDTH.into() {
            &SMALL
        } else {
            &LARGE
        }
    }
}

/// For boards of up to 14 columns: tiles and the first ten features as the search player learned
/// them.
static SMALL: Weights = Weights {
    tiles: [
        [
            -37, -37, -37, -37, -52, -83, -89, -48, -93, 0, -11, -18, -49, -19, -30, -27, -8, -28,
            -19, -36, -20,
        ],
        [
            -96, -91, -103, -127, -85, -118, -117, -101, -112, 0, -23, -35, -56, -36, -44, -34,
            -19, -47, -31, -53, -52,
        ],
        [
            -85, -85, -85, -104, -49, -70, -77, -64, -71, 0, -14, -28, -39, -21, -26, -10, -8, -26,
            -5, -32, -34,
        ],
        [
            -106, -96, -74, -86, -45, -55, -58, -48, -54, 0, -12, -19, -29, -15, -24, -9, -6, -17,
            -4, -32, -29,
        ],
    ],
    features: [
        [
            29, -18, 7, 17, -21, -11, -23, 15, 31, -12, 8, 0, 0, 0, 0, 0, 0, 0,
        ],
        [
            19, -9, 8, 16, -20, -9, -18, 13, 24, -10, 8, 0, 0, 0, 0, 0, 0, 0,
        ],
        [
            22, -5, 15, 12, -17, -8, -12, 9, 17, -7, 8, 0, 0, 0, 0, 0, 0, 0,
        ],
        [
            18, -4, 12, 16, -16, -9, -11, 10, 13, -5, 8, 0, 0, 0, 0, 0, 0, 0,
        ],
    ],
};

/// For larger boards: fitted to 101 games of `classic-2` of Pentobi at levels 5 and 6 against
/// itself. `duoforge-lab learn --maxn` fits weights in the same way.
static LARGE: Weights = Weights {
    tiles: [
        [
            -43, -41, -41, -46, -51, -77, -80, -46, -82, -2, -29, -30, -61, -58, -101, -92, 0, -8,
            -4, -121, -74,
        ],
        [
            -128, -128, -107, -128, -96, -120, -128, -97, -128, 0, -35, -59, -71, -53, -63, -61,
            -34, -85, -64, -88, -95,
        ],
        [
            -128, -128, -108, -128, -77, -106, -122, -89, -114, 0, -28, -56, -62, -47, -56, -45,
            -27, -58, -46, -69, -64,
        ],
        [
            -109, -103, -87, -106, -47, -69, -82, -61, -76, 0, -17, -20, -45, -27, -41, -21, -9,
            -28, -20, -46, -38,
        ],
    ],
    features: [
        [
            18, -35, -11, -35, 18, -32, -33, 10, 26, -7, 4, -4, 25, 24, 9, 7, 0, 0,
        ],
        [
            29, -9, 14, 4, -20, -10, -8, 2, 30, -11, 18, 3, 3, 2, 5, -3, 10, -1,
        ],
        [
            27, -9, 10, 5, -17, -9, -7, 4, 27, -9, 13, 3, -1, -6, 1, -4, 12, -1,
        ],
        [
            19, -3, 16, 10, -16, -8, -13, 8, 21, -8, 12, 1, 1, -5, -1, -1, 5, -2,
        ],
    ],
};
