use serde::Serialize;

use crate::counts::{Counts, score};

/// Standard errors on each side of the mean that enclose 95 % of a normal distribution.
pub(crate) const SIDES_95: f64 = 1.959_963_984_540_054;

/// Estimated Elo difference between a player and its opponent.
///
/// The Elo difference is infinite if the score is 0 or 1; JSON represents it as `null`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Elo difference that corresponds to the score.
    pub elo: f64,
    /// Lower end of the 95 % interval, in Elo.
    pub low: f64,
    /// Upper end of the 95 % interval, in Elo.
    pub high: f64,
    /// Match score: points per game, from 0 to 1.
    pub score: f64,
    /// Standard error of `score`.
    pub error: f64,
}

impl Estimate {
    /// Returns half the width of the interval in Elo: the number after "±".
    #[must_use]
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// Estimates the Elo difference from counts, with a 95 % interval.
///
/// The interval of the score follows from the sample variance and is converted to Elo. If all
/// samples have the same score, the sample variance is 0. Then, with 97.5 % certainty, a share of
/// at least `0.025^(1/n)` of all samples has that score; the remaining ones may have any score.
/// Without samples the score is 1/2, and the interval is unbounded.
#[must_use]
pub fn elo(counts: &impl Counts) -> Estimate {
    let samples = counts.samples();
    if samples == 0 {
        return Estimate {
            elo: 0.0,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            score: 0.5,
            error: 0.5,
        };
    }
    let number = samples as f64;
    let Moments { mean, variance } = moments(counts.counts(), number);
    let error = (variance / number).sqrt();
    let alike = counts.counts().contains(&samples);
    let (low, high) = if alike {
        let share = 0.025_f64.powf(1.0 / number);
        (share * mean, 1.0 - share * (1.0 - mean))
    } else {
        (mean - SIDES_95 * error, mean + SIDES_95 * error)
    };
    Estimate {
        elo: elo_of_score(mean),
        low: elo_of_score(low),
        high: elo_of_score(high),
        score: mean,
        error,
    }
}

/// Returns the Elo difference that corresponds to a score in points per game; infinite for scores
/// up to 0 and from 1.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// Returns the expected score in points per game, from 0 to 1, for an Elo difference.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

struct Moments {
    mean: f64,
    variance: f64,
}

fn moments(counts: &[u64], number: f64) -> Moments {
    let weighted = |value: &dyn Fn(f64) -> f64| -> f64 {
        let each = counts.iter().enumerate();
        let sum: f64 = each
            .map(|(index, &count)| count as f64 * value(score(index, counts.len())))
            .sum();
        sum / number
    };
    let mean = weighted(&|score| score);
    Moments {
        mean,
        variance: weighted(&|score| (score - mean).powi(2)),
    }
}
