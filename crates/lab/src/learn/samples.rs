//! Training samples: positions with all placements that a player could choose from.

use std::ops::Range;

/// Training sample: a position with a chosen placement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Number of the game.
    pub game: usize,
    /// Phase of the game.
    pub phase: usize,
    /// Rows of the placements of this position among those of all samples.
    pub rows: Range<usize>,
    /// Index of the chosen placement within `rows`.
    pub chosen: usize,
}

/// Training samples: positions and their placements, each with its tile and feature counts.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Number of features per placement.
    pub kinds: usize,
    /// Feature counts of all placements, row by row.
    counts: Vec<u8>,
    /// Tile indices of all placements.
    tiles: Vec<u8>,
    /// Positions.
    pub samples: Vec<Sample>,
}

impl Samples {
    /// Creates an empty set of samples with this number of features per placement.
    #[must_use]
    pub fn new(kinds: usize) -> Self {
        Self {
            kinds,
            ..Self::default()
        }
    }

    /// Adds a position: tile and feature counts of each placement, and the index `chosen` of the
    /// chosen one.
    ///
    /// # Panics
    /// If a placement has another number of feature counts, or `chosen` is out of range.
    pub fn add<C: AsRef<[u8]>>(
        &mut self,
        game: usize,
        phase: usize,
        chosen: usize,
        placements: impl IntoIterator<Item = (usize, C)>,
    ) {
        let start = self.tiles.len();
        for (tile, counts) in placements {
            assert_eq!(counts.as_ref().len(), self.kinds);
            self.counts.extend_from_slice(counts.as_ref());
            self.tiles.push(tile as u8);
        }
        let rows = start..self.tiles.len();
        assert!(chosen < rows.len());
        self.samples.push(Sample {
            game,
            phase,
            rows,
            chosen,
        });
    }

    /// Returns the number of placements of all positions.
    #[must_use]
    pub fn placements(&self) -> usize {
        self.tiles.len()
    }

    /// Returns the feature counts of a placement.
    #[must_use]
    pub fn counts(&self, row: usize) -> &[u8] {
        &self.counts[row * self.kinds..][..self.kinds]
    }

    /// Returns the tile index of a placement.
    #[must_use]
    pub fn tile(&self, row: usize) -> usize {
        self.tiles[row].into()
    }
}
