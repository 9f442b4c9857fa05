use serde::Serialize;

use crate::counts::{Counts, score};

/// Standard errors on each side of the mean that hold 95 % of a normal distribution.
const SIDES_95: f64 = 1.959_963_984_540_054;

/// How much stronger a player is than its rival, as far as games tell.
///
/// An Elo difference is infinite where the score is 0 or 1; in JSON that is `null`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Elo difference that the score stands for.
    pub elo: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end of its 95 % interval.
    pub high: f64,
    /// Points a game, from 0 to 1.
    pub score: f64,
    /// Standard error of `score`.
    pub error: f64,
}

impl Estimate {
    /// Half the width of the interval in Elo: what stands behind "±".
    #[must_use]
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The Elo difference that counts stand for, with a 95 % interval.
///
/// The interval is the score's, from the variance that was seen, carried over to Elo. Where all samples
/// scored the same no variance was seen: then at least a share of `0.025^(1/n)` of all samples is like
/// these with 97.5 % certainty, and the others may score anything. Without samples the score is said to be
/// 1/2, and the interval holds everything.
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

/// The Elo difference at which a player scores `score` a game; infinite from 0 down and from 1 up.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// The points a game, from 0 to 1, that an Elo difference promises.
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
