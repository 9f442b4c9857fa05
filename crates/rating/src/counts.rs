use serde::{Deserialize, Serialize};

/// How often each score came up.
pub trait Counts {
    /// Counts by score, the lowest score first. The scores go from 0 to 1 a game in equal steps.
    fn counts(&self) -> &[u64];

    /// Number of samples: pairs, or single games.
    fn samples(&self) -> u64 {
        self.counts().iter().sum()
    }
}

/// Pairs of games by what they scored together: 0, 1/2, 1, 3/2 and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Adds a pair that scored `halves` half points.
    ///
    /// # Panics
    /// If `halves` is more than 4, which two games cannot score.
    pub fn add(&mut self, halves: u8) {
        self.0[usize::from(halves)] += 1;
    }

    /// The same pairs as the other player sees them.
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

/// Single games by what they scored: losses, draws, wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Singles(pub [u64; 3]);

impl Singles {
    /// Adds a game that scored `halves` half points.
    ///
    /// # Panics
    /// If `halves` is more than 2, which one game cannot score.
    pub fn add(&mut self, halves: u8) {
        self.0[usize::from(halves)] += 1;
    }

    /// The same games as the other player sees them.
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

/// The points a game that the count at `index` of `len` stands for.
pub(crate) fn score(index: usize, len: usize) -> f64 {
    index as f64 / (len - 1) as f64
}
