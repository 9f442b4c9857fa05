use serde::{Deserialize, Serialize};

/// Distribution of scores over samples.
pub trait Counts {
    /// Returns the counts by score, lowest score first. The scores run from 0 to 1 point per game
    /// in equal steps.
    fn counts(&self) -> &[u64];

    /// Returns the number of samples: pairs, or single games.
    fn samples(&self) -> u64 {
        self.counts().iter().sum()
    }
}

/// Pairs of games by their total score: 0, 1/2, 1, 3/2 and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Adds a pair that scored `halves` half points.
    ///
    /// # Panics
    /// If `halves` exceeds 4, the maximum of two games.
    pub fn add(&mut self, halves: u8) {
        self.0[usize::from(halves)] += 1;
    }

    /// Returns the same pairs from the opponent's point of view.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }
}

impl Counts for Pairs {
    fn counts(&self) -> &[u64] {
        &self.0
    }
}

/// Single games by score: losses, draws, wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Singles(pub [u64; 3]);

impl Singles {
    /// Adds a game that scored `halves` half points.
    ///
    /// # Panics
    /// If `halves` exceeds 2, the maximum of one game.
    pub fn add(&mut self, halves: u8) {
        self.0[usize::from(halves)] += 1;
    }

    /// Returns the same games from the opponent's point of view.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }
}

impl Counts for Singles {
    fn counts(&self) -> &[u64] {
        &self.0
    }
}

/// Returns the score in points per game of the count at `index` of `len`.
pub(crate) fn score(index: usize, len: usize) -> f64 {
    index as f64 / (len - 1) as f64
}
