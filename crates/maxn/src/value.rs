//! Value of a finished game for each seat.

use crate::position::Position;
use crate::rules::{BySeat, FlatRules, MAX};

/// Values of results. The share of the first place counts most; the margin, relative to the margins
/// of earlier simulations, distinguishes won games from one another, and lost ones.
#[derive(Clone, Debug, Default)]
pub struct ResultValues {
    seats: usize,
    margin_share: f64,
    count: f64,
    /// By seat: sum of the values.
    sums: BySeat<f64>,
    /// By seat: mean margin.
    means: BySeat<f64>,
    /// By seat: sum of the squared distances from the mean margin.
    squared: BySeat<f64>,
}

impl ResultValues {
    /// Creates the values of a search. `margin_share` is the share of the margin, from 0 to 1.
    pub fn new(rules: &FlatRules, margin_share: f32) -> Self {
        Self {
            seats: rules.seats,
            margin_share: margin_share.into(),
            ..Self::default()
        }
    }

    /// Returns the number of seats.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// Returns the mean value of a seat so far; without a result the share of each seat.
    pub fn mean(&self, seat: usize) -> f32 {
        if self.count == 0.0 {
            return 1.0 / self.seats.max(2) as f32;
        }
        (self.sums[seat] / self.count) as f32
    }

    /// Returns the value of a finished game for each seat, from 0 to 1, and counts it.
    pub fn add(&mut self, position: &Position) -> BySeat<f32> {
        let scores = position.scores();
        self.count += 1.0;
        self.values(
            position.rules().shares(&scores),
            position.rules().margins(&scores),
        )
    }

    fn values(&mut self, shares: BySeat<f32>, margins: BySeat<i32>) -> BySeat<f32> {
        let mut values = [0.0; MAX];
        for seat in 0..self.seats {
            let margin = f64::from(margins[seat]);
            // Welford's recurrence.
            let before = margin - self.means[seat];
            self.means[seat] += before / self.count;
            self.squared[seat] += before * (margin - self.means[seat]);
            let deviation = (self.squared[seat] / self.count).sqrt().max(1.0);
            let distance = (margin - self.means[seat]) / deviation;
            // From 0 to 1, without a function whose last bits differ between platforms.
            let bonus = 0.5 + 0.5 * distance / (1.0 + distance.abs());
            let share = f64::from(shares[seat]);
            let value = share + self.margin_share * (bonus - share);
            self.sums[seat] += value;
            values[seat] = value as f32;
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use duoforge_rules::GameVariant;

    /// By hand: margins 4 and 0 have the mean 2 and the deviation 2 from the second result on, and
    /// the second one lies one deviation below the mean.
    #[test]
    fn the_margin_counts_relative_to_the_mean() {
        let rules = FlatRules::new(&GameVariant::CLASSIC_2);
        let mut values = ResultValues::new(&rules, 0.2);
        assert_eq!([values.mean(0), values.mean(1)], [0.5, 0.5]);
        let mut add = |scores| {
            values.count += 1.0;
            values.values(rules.shares(&scores), rules.margins(&scores))
        };
        let near = |found: BySeat<f32>, expected: [f32; 4]| {
            let error = |(a, b): (f32, f32)| (a - b).abs();
            assert!(
                found
                    .into_iter()
                    .zip(expected)
                    .map(error)
                    .all(|it| it < 1e-6),
                "{found:?}"
            );
        };
        near(add([-10, -14, 0, 0]), [0.9, 0.1, 0.0, 0.0]);
        near(add([-12, -12, 0, 0]), [0.45, 0.55, 0.0, 0.0]);
        assert!((values.mean(0) - 0.675).abs() < 1e-6);
    }

    #[test]
    fn without_a_margin_the_value_is_the_share() {
        let rules = FlatRules::new(&GameVariant::CLASSIC);
        let mut values = ResultValues::new(&rules, 0.0);
        values.count = 1.0;
        let scores = [5, 7, 7, -3];
        let found = values.values(rules.shares(&scores), rules.margins(&scores));
        assert_eq!(found, [0.0, 0.5, 0.5, 0.0]);
        assert_eq!(values.mean(1), 0.5);
    }
}
