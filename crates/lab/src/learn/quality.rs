//! Quality of predictions: how well scores predict the chosen placements.

use super::samples::{Sample, Samples};

/// Top-N sizes that are evaluated.
pub const TOP_N: [usize; 4] = [1, 16, 32, 64];

/// Prediction quality over some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// Number of positions.
    pub positions: usize,
    /// Sum of the negative binary logarithms of the choices' probabilities.
    bits: f64,
    /// Number of positions with the chosen placement among the top N, for each size in [`TOP_N`].
    kept: [usize; TOP_N.len()],
}

impl Quality {
    /// Evaluates scores in units of the natural exponent; `score` takes the row of the placement.
    pub fn of<'a>(
        samples: &Samples,
        of: impl IntoIterator<Item = &'a Sample>,
        mut score: impl FnMut(&Samples, &Sample, usize) -> f64,
    ) -> Self {
        let mut quality = Self::default();
        let mut scores = Vec::new();
        for sample in of {
            scores.clear();
            scores.extend(sample.rows.clone().map(|row| score(samples, sample, row)));
            let chosen = scores[sample.chosen];
            let top = scores.iter().copied().fold(f64::MIN, f64::max);
            let sum: f64 = scores.iter().map(|score| (score - top).exp()).sum();
            // Ties go to the first placement.
            let better = scores
                .iter()
                .enumerate()
                .filter(|&(at, &score)| score > chosen || score == chosen && at < sample.chosen);
            let rank = better.count();
            quality.positions += 1;
            quality.bits += (sum.ln() - (chosen - top)) / std::f64::consts::LN_2;
            for (kept, most) in quality.kept.iter_mut().zip(TOP_N) {
                *kept += usize::from(rank < most);
            }
        }
        quality
    }

    /// Returns the mean cross-entropy of the choices in bits.
    #[must_use]
    pub fn cross_entropy(&self) -> f64 {
        self.bits / self.positions.max(1) as f64
    }

    /// Returns the share of choices among the top N, for each size in [`TOP_N`].
    #[must_use]
    pub fn shares(&self) -> [f64; TOP_N.len()] {
        self.kept
            .map(|kept| kept as f64 / self.positions.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_and_bits_are_those_of_the_scores() {
        let mut samples = Samples::new(1);
        // Twenty placements with the counts 0 to 19; the best one is chosen, then the third best.
        for chosen in [19, 17] {
            samples.add(0, 0, chosen, (0..20).map(|count| (0, [count])));
        }
        let quality = |score: fn(&Samples, usize) -> f64| {
            Quality::of(&samples, &samples.samples, |samples, _, row| {
                score(samples, row)
            })
        };
        let by_count = quality(|samples, row| f64::from(samples.counts(row)[0]));
        assert_eq!(by_count.shares(), [0.5, 1.0, 1.0, 1.0]);
        // Equal scores carry no information: the first placements rank highest.
        let blind = quality(|_, _| 0.0);
        assert_eq!(blind.shares(), [0.0, 0.0, 1.0, 1.0]);
        assert!((blind.cross_entropy() - 20.0_f64.log2()).abs() < 1e-9);
        assert!(by_count.cross_entropy() < blind.cross_entropy());
    }
}
