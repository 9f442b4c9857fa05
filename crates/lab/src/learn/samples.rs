//! What is learned from: positions with all placements that a player could choose from.

use std::ops::Range;

/// A position in which a placement was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Number of its game.
    pub game: usize,
    /// Its phase.
    pub phase: usize,
    /// Its placements among those of all samples.
    pub rows: Range<usize>,
    /// The one of them that was chosen, from 0.
    pub chosen: usize,
}

/// Positions and their placements, each with its tile and its counts.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Counts of a placement.
    pub kinds: usize,
    /// The counts of all placements, one after the other.
    counts: Vec<u8>,
    /// The tiles of all placements.
    tiles: Vec<u8>,
    /// The positions.
    pub samples: Vec<Sample>,
}

impl Samples {
    /// No samples yet, of placements with this many counts.
    #[must_use]
    pub fn new(kinds: usize) -> Self {
        Self {
            kinds,
            ..Self::default()
        }
    }

    /// Adds a position: a tile and counts for each placement, in which `chosen` is one of them.
    ///
    /// # Panics
    /// If a placement has another number of counts, or `chosen` is none of them.
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

    /// Number of placements of all positions.
    #[must_use]
    pub fn placements(&self) -> usize {
        self.tiles.len()
    }

    /// The counts of a placement.
    #[must_use]
    pub fn counts(&self, row: usize) -> &[u8] {
        &self.counts[row * self.kinds..][..self.kinds]
    }

    /// The tile of a placement.
    #[must_use]
    pub fn tile(&self, row: usize) -> usize {
        self.tiles[row].into()
    }
}
