use serde::Serialize;

use crate::counts::{Counts, score};
use crate::elo::score_of_elo;

/// Replacement for a count of 0, so that a result without losses or without wins has a finite
/// likelihood ratio.
const UNSEEN: f64 = 1e-3;

/// Number of bisection steps for the multiplier; sufficient for the precision of a double.
const HALVINGS: u32 = 100;

/// Sequential probability ratio test (SPRT) of two hypotheses: the Elo difference is `elo0`, or it
/// is `elo1`.
///
/// The test is the generalised SPRT. Each hypothesis is represented by the distribution of scores
/// with the hypothesis' mean that has the maximum likelihood. See Michel Van den Bergh, "Comments
/// on normalized Elo", proposition 1.1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// Elo difference of the hypothesis "not stronger".
    pub elo0: f64,
    /// Elo difference of the hypothesis "stronger".
    pub elo1: f64,
    /// Probability of the verdict "stronger" if the difference is `elo0` (false positive).
    pub alpha: f64,
    /// Probability of the verdict "not stronger" if the difference is `elo1` (false negative).
    pub beta: f64,
}

/// Error for invalid parameters of a test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not two finite numbers in increasing order.
    #[error("elo0 = {elo0} must be less than elo1 = {elo1}, and both finite")]
    Hypotheses {
        /// Elo difference of "not stronger".
        elo0: f64,
        /// Elo difference of "stronger".
        elo1: f64,
    },
    /// The error probabilities are not positive, or their sum is not below 1.
    #[error("alpha = {alpha} and beta = {beta} must lie above 0, and their sum below 1")]
    Chances {
        /// False-positive probability.
        alpha: f64,
        /// False-negative probability.
        beta: f64,
    },
}

/// Result of a test for given counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Judgement {
    /// Log-likelihood ratio of `elo1` to `elo0` (natural logarithm).
    pub llr: f64,
    /// Lower bound: at or below it, the verdict is [`Verdict::NotStronger`].
    pub lower: f64,
    /// Upper bound: at or above it, the verdict is [`Verdict::Stronger`].
    pub upper: f64,
    /// Verdict.
    pub verdict: Verdict,
}

/// Verdict of a test.
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
    /// Creates a test of `elo0` against `elo1` with the error probabilities of both verdicts.
    ///
    /// # Errors
    /// [`SprtError`] if the parameters are invalid.
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

    /// Judges counts. The test is sequential: it may be repeated after every sample.
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

/// Maximum-likelihood distribution with a given mean: each observed share divided by `1 +
/// multiplier * (score - mean)`.
struct Likeliest {
    mean: f64,
    multiplier: f64,
    len: usize,
}

impl Likeliest {
    fn new(seen: &[f64], elo: f64) -> Self {
        // If rounding makes the mean 0 or 1, only one distribution has that mean.
        let mean = score_of_elo(elo).clamp(1e-9, 1.0 - 1e-9);
        // Between these bounds every divisor is positive, and the excess falls from infinity to
        // minus infinity.
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

    /// Returns the excess of the distribution's mean over the given mean, up to a positive factor.
    fn excess(&self, seen: &[f64]) -> f64 {
        let each = seen.iter().enumerate();
        each.map(|(index, count)| {
            count * (score(index, self.len) - self.mean) / self.divisor(index)
        })
        .sum()
    }
}
