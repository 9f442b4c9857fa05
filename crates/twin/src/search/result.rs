//! Value of a result by running statistics of margin and length.

use duoforge_rules::Colour;

use super::arithmetic::{MAX_VALUE, Reciprocal};
use super::formulas::Formulas;

/// Number of samples after which old ones fade.
const MEMORY: u32 = 1 << 12;

/// Fraction bits of the statistics.
const FRACTION: u32 = 16;

/// Running mean and mean absolute deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Running {
    count: u32,
    mean: i32,
    deviation: i32,
}

impl Running {
    /// Adds a sample in units of 1.
    fn add(&mut self, sample: i32) {
        self.count = (self.count + 1).min(MEMORY);
        let part = Reciprocal::of(self.count);
        let step = |difference: i32| part.times(i64::from(difference)) as i32;
        let sample = sample << FRACTION;
        self.mean += step(sample - self.mean);
        self.deviation += step((sample - self.mean).abs() - self.deviation);
    }

    /// Returns a sample's distance from the mean, -2 to 2 deviations, in units of 2^-15: 2^16 is 2
    /// deviations.
    fn distance(&self, sample: i32) -> i32 {
        let difference = (sample << FRACTION) - self.mean;
        let deviation = Reciprocal::of(self.deviation.max(1) as u32);
        let distance = deviation.times(i64::from(difference) << 15);
        distance.clamp(-(1 << 16), 1 << 16) as i32
    }
}

/// Maximum number of results that the mean value counts; later ones replace old ones.
const MAX_RESULTS: u32 = 1 << 16;

/// Running statistics of the results of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Results {
    margin: Running,
    length: Running,
    count: u32,
    /// Mean value for the side to move at the root, in units of 2^-24.
    mean: u32,
}

impl Default for Results {
    /// Statistics without results: the mean value is that of a draw.
    fn default() -> Self {
        Self::of_mean(1 << 23, 0)
    }
}

impl Results {
    /// Creates statistics that continue a mean value of `count` earlier results, in units of 2^-24.
    pub fn of_mean(mean: u32, count: u32) -> Self {
        Self {
            margin: Running::default(),
            length: Running::default(),
            count: count.min(MAX_RESULTS),
            mean,
        }
    }

    /// Adds the value of a result to the mean.
    pub fn add(&mut self, value: u32) {
        self.count = (self.count + 1).min(MAX_RESULTS);
        let part = Reciprocal::of(self.count);
        let difference = i64::from(value << 8) - i64::from(self.mean);
        self.mean = (i64::from(self.mean) + part.times(difference)) as u32;
    }

    /// Returns the mean value for a side, from 0 to [`MAX_VALUE`]; `root` is the side to move at
    /// the root.
    pub fn mean(&self, side: Colour, root: Colour) -> u32 {
        let mean = self.mean >> 8;
        if side == root { mean } else { MAX_VALUE - mean }
    }

    /// Returns the value of a result for the side to move at the root, from 0 to [`MAX_VALUE`], and
    /// adds the result to the statistics. `margin` is that side's, in cells; `length` is the number
    /// of placements of the simulation.
    ///
    /// A loss, a draw and a win have 1/8, 1/2 and 7/8 of the range without bonuses. Each bonus
    /// grows linearly with the distance from the mean, up to 2 deviations in either direction. A
    /// short game is good for its winner.
    pub fn value(&mut self, margin: i32, length: usize, formulas: &Formulas) -> u32 {
        let length = length as i32;
        self.margin.add(margin);
        self.length.add(length);
        // Half the range at the greatest distance.
        let bonus =
            |range: u32, distance: i32| ((i64::from(range) * i64::from(distance)) >> 17) as i32;
        let result = margin.signum();
        let more = bonus(formulas.margin_bonus, self.margin.distance(margin))
            + result * bonus(formulas.length_bonus, -self.length.distance(length));
        let base = MAX_VALUE.div_ceil(2) as i32 + result * (3 << 13);
        (base + more).clamp(0, MAX_VALUE as i32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formulas(margin_bonus: u32, length_bonus: u32) -> Formulas {
        Formulas {
            margin_bonus,
            length_bonus,
            ..Formulas::default()
        }
    }

    #[test]
    fn statistics_are_those_of_the_samples() {
        let mut running = Running::default();
        for sample in [10, 20].into_iter().cycle().take(20_000) {
            running.add(sample);
        }
        assert!(
            (running.mean - (15 << FRACTION)).abs() < 1 << 12,
            "{running:?}"
        );
        assert!(
            (running.deviation - (5 << FRACTION)).abs() < 1 << 12,
            "{running:?}"
        );
        assert!(
            (running.distance(20) - (1 << 15)).abs() < 1_000,
            "{running:?}"
        );
        assert_eq!(running.distance(100), 1 << 16);
        assert_eq!(running.distance(-100), -(1 << 16));
    }

    #[test]
    fn the_mean_is_that_of_all_values_for_either_side() {
        let [root, other] = [Colour(0), Colour(1)];
        let mut results = Results::default();
        assert_eq!(results.mean(root, root), 32_768);
        for value in [10_000, 20_000].into_iter().cycle().take(2_000) {
            results.add(value);
        }
        let mean = results.mean(root, root);
        assert!(mean.abs_diff(15_000) < 100, "{mean}");
        assert_eq!(results.mean(other, root), MAX_VALUE - mean);
        // Earlier results count as many times as there were.
        let mut continued = Results::of_mean(30_000 << 8, 99);
        continued.add(0);
        assert!(continued.mean(root, root).abs_diff(29_700) < 10);
    }

    #[test]
    fn bonuses_do_not_hide_the_result() {
        let mut results = Results::default();
        let formulas = formulas(16_384, 0);
        for margin in [8, 12, 9, 11, 10, 2, 18] {
            results.value(margin, 30, &formulas);
        }
        let mut value = |margin| results.value(margin, 30, &formulas);
        let [loss, draw, small, large] = [-1, 0, 1, 30].map(&mut value);
        assert!(loss < draw && draw < small && small < large);
        // The range of the bonus is a quarter, half of it above the mean.
        assert_eq!(large, 32_768 + (3 << 13) + 8_192 - 1);
        assert_eq!(value(-40), 32_768 - (3 << 13) - 8_192);
    }

    #[test]
    fn short_games_favour_their_winner() {
        let mut results = Results::default();
        let formulas = formulas(0, 8_192);
        for length in [28, 32, 30, 26, 34] {
            results.value(0, length, &formulas);
        }
        let mut value = |margin, length| results.value(margin, length, &formulas);
        assert!(value(5, 20) > value(5, 40));
        assert!(value(-5, 20) < value(-5, 40));
        assert_eq!(value(0, 20), 32_768);
    }
}
