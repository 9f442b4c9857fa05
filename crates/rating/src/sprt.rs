use serde::Serialize;

use crate::counts::{Counts, score};
use crate::elo::score_of_elo;

/// What stands in for a count of 0, so that a result without losses, or without wins, has a likelihood.
const UNSEEN: f64 = 1e-3;

/// Halvings of the interval of the multiplier: more than a double can tell apart.
const HALVINGS: u32 = 100;

/// A sequential test of two hypotheses: the difference is `elo0`, or it is `elo1`.
///
/// It is the generalised sequential probability ratio test: of all distributions of scores that have a
/// hypothesis' mean, the one that makes the counts most likely stands for it. See Michel Van den Bergh,
/// "Comments on normalized Elo", proposition 1.1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// Elo difference of the hypothesis "not stronger".
    pub elo0: f64,
    /// Elo difference of the hypothesis "stronger".
    pub elo1: f64,
    /// Chance to call a player stronger whose difference is `elo0`.
    pub alpha: f64,
    /// Chance to call a player not stronger whose difference is `elo1`.
    pub beta: f64,
}

/// What a test cannot be.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not two numbers in order.
    #[error("elo0 = {elo0} must be less than elo1 = {elo1}, and both finite")]
    Hypotheses {
        /// The lower difference.
        elo0: f64,
        /// The higher difference.
        elo1: f64,
    },
    /// The chances of error are no chances, or leave no room for a decision.
    #[error("alpha = {alpha} and beta = {beta} must lie above 0, and their sum below 1")]
    Chances {
        /// Chance of the first error.
        alpha: f64,
        /// Chance of the second one.
        beta: f64,
    },
}

/// What a test says of counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Judgement {
    /// Logarithm of the likelihood ratio of `elo1` to `elo0`.
    pub llr: f64,
    /// At or below this `llr` the test ends with [`Verdict::NotStronger`].
    pub lower: f64,
    /// At or above this `llr` the test ends with [`Verdict::Stronger`].
    pub upper: f64,
    /// The decision.
    pub verdict: Verdict,
}

/// How a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// `elo0` is accepted.
    NotStronger,
    /// More games are needed.
    Undecided,
    /// `elo1` is accepted.
    Stronger,
}

impl Sprt {
    /// A test of `elo0` against `elo1`, with the chances of a wrong decision in either case.
    ///
    /// # Errors
    /// [`SprtError`], if the numbers make no test.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Chances { alpha, beta });
        }
        Ok(Self {
            elo0,
            elo1,
            alpha,
            beta,
        })
    }

    /// Judges counts. It may be asked after every sample.
    #[must_use]
    pub fn judge(&self, counts: &impl Counts) -> Judgement {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let llr = self.ratio(counts);
        let verdict = if llr <= lower {
            Verdict::NotStronger
        } else if llr >= upper {
            Verdict::Stronger
        } else {
            Verdict::Undecided
        };
        Judgement {
            llr,
            lower,
            upper,
            verdict,
        }
    }

    fn ratio(&self, counts: &impl Counts) -> f64 {
        if counts.samples() == 0 {
            return 0.0;
        }
        let seen = |&count: &u64| if count == 0 { UNSEEN } else { count as f64 };
        let seen: Vec<f64> = counts.counts().iter().map(seen).collect();
        let [zero, one] = [self.elo0, self.elo1].map(|elo| Likeliest::new(&seen, elo));
        let each = seen.iter().enumerate();
        each.map(|(index, count)| count * (zero.divisor(index) / one.divisor(index)).ln())
            .sum()
    }
}

/// The distribution with a given mean that makes counts most likely: each share that was seen, divided by
/// `1 + multiplier * (score - mean)`.
struct Likeliest {
    mean: f64,
    multiplier: f64,
    len: usize,
}

impl Likeliest {
    fn new(seen: &[f64], elo: f64) -> Self {
        // Where a double rounds the mean to 0 or 1 no distribution has it but one.
        let mean = score_of_elo(elo).clamp(1e-9, 1.0 - 1e-9);
        // Every divisor is positive between these two, and the excess falls from infinity to minus infinity.
        let mut low = -1.0 / (1.0 - mean);
        let mut high = 1.0 / mean;
        let mut likeliest = Self {
            mean,
            multiplier: 0.0,
            len: seen.len(),
        };
        for _ in 0..HALVINGS {
            likeliest.multiplier = f64::midpoint(low, high);
            if likeliest.excess(seen) > 0.0 {
                low = likeliest.multiplier;
            } else {
                high = likeliest.multiplier;
            }
        }
        likeliest
    }

    fn divisor(&self, index: usize) -> f64 {
        1.0 + self.multiplier * (score(index, self.len) - self.mean)
    }

    /// How far the distribution's mean lies above the wanted one, but for a positive factor.
    fn excess(&self, seen: &[f64]) -> f64 {
        let each = seen.iter().enumerate();
        each.map(|(index, count)| {
            count * (score(index, self.len) - self.mean) / self.divisor(index)
        })
        .sum()
    }
}
