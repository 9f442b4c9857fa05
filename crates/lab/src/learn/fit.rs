//! Multinomial logistic regression by Newton's method.
//!
//! Each placement has a score, which is linear in its counts and in its tile. The probability that it is
//! chosen is in proportion to e to that power. The weights that make the choices most likely are found
//! in a few steps, and are the same in each run. A small penalty on their squares, the ridge, holds those
//! that nothing is known of at 0.

use duoforge_rules::Tile;

use super::samples::{Sample, Samples};

/// Steps after which a fit ends in any case.
const STEPS: usize = 30;

/// A step that makes the mean logarithm of a choice's probability better by less than this is the last.
const ENOUGH: f64 = 1e-7;

/// Weights in units of the natural exponent: one for each kind of count, then one for each tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted(pub Vec<f64>);

impl Fitted {
    /// The score of a placement.
    #[must_use]
    pub fn score(&self, samples: &Samples, row: usize) -> f64 {
        let counts = samples.counts(row).iter().zip(&self.0);
        let sum: f64 = counts
            .map(|(&count, weight)| f64::from(count) * weight)
            .sum();
        sum + self.0[samples.kinds + samples.tile(row)]
    }
}

/// The weights under which these choices are the likeliest.
#[must_use]
pub fn fit(samples: &Samples, of: &[&Sample], ridge: f64) -> Fitted {
    let size = samples.kinds + Tile::COUNT;
    let mut fitted = Fitted(vec![0.0; size]);
    let mut slope = Slope::of(samples, of, &fitted, ridge);
    for _ in 0..STEPS {
        let step = solve(slope.curvature.clone(), slope.gradient.clone());
        // A full step may go too far where few choices decide.
        let mut scale = 1.0;
        let (next, better) = loop {
            let weights = fitted.0.iter().zip(&step);
            let next = Fitted(weights.map(|(w, step)| w + scale * step).collect());
            let there = Slope::of(samples, of, &next, ridge);
            if there.value >= slope.value || scale < 1e-3 {
                break (next, there);
            }
            scale /= 2.0;
        };
        let gain = better.value - slope.value;
        if gain <= 0.0 {
            break;
        }
        (fitted, slope) = (next, better);
        if gain < ENOUGH * of.len() as f64 {
            break;
        }
    }
    fitted
}

/// The logarithm of the probability of all choices, less the penalty, as a function of the weights.
pub struct Slope {
    /// Its value.
    pub value: f64,
    /// Its gradient.
    pub gradient: Vec<f64>,
    /// Its second derivatives, with their sign turned; positive.
    pub curvature: Vec<Vec<f64>>,
}

impl Slope {
    /// At these weights.
    #[must_use]
    pub fn of(samples: &Samples, of: &[&Sample], fitted: &Fitted, ridge: f64) -> Self {
        let size = fitted.0.len();
        let mut value = 0.0;
        let mut gradient = vec![0.0; size];
        let mut curvature = vec![vec![0.0; size]; size];
        let mut mean = vec![0.0; size];
        let mut scores = Vec::new();
        let mut terms = Vec::with_capacity(size);
        for sample in of {
            scores.clear();
            scores.extend(sample.rows.clone().map(|row| fitted.score(samples, row)));
            let top = scores.iter().copied().fold(f64::MIN, f64::max);
            let sum: f64 = scores.iter().map(|score| (score - top).exp()).sum();
            value += scores[sample.chosen] - top - sum.ln();
            mean.fill(0.0);
            for (row, score) in sample.rows.clone().zip(&scores) {
                let probability = (score - top).exp() / sum;
                let chosen = row == sample.rows.start + sample.chosen;
                terms.clear();
                let counts = samples.counts(row).iter().enumerate();
                terms.extend(
                    counts
                        .filter(|&(_, &count)| count > 0)
                        .map(|(kind, &count)| (kind, f64::from(count))),
                );
                terms.push((samples.kinds + samples.tile(row), 1.0));
                for (at, &(i, x)) in terms.iter().enumerate() {
                    mean[i] += probability * x;
                    gradient[i] += (f64::from(u8::from(chosen)) - probability) * x;
                    for &(j, y) in &terms[..=at] {
                        curvature[i][j] += probability * x * y;
                    }
                }
            }
            for i in 0..size {
                if mean[i] != 0.0 {
                    for j in 0..=i {
                        curvature[i][j] -= mean[i] * mean[j];
                    }
                }
            }
        }
        for i in 0..size {
            value -= ridge / 2.0 * fitted.0[i] * fitted.0[i];
            gradient[i] -= ridge * fitted.0[i];
            curvature[i][i] += ridge;
            for j in 0..i {
                curvature[j][i] = curvature[i][j];
            }
        }
        Self {
            value,
            gradient,
            curvature,
        }
    }
}

/// Solves `matrix * x = right` for a symmetric positive matrix, by Cholesky's method.
pub fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for i in 0..size {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let rest = matrix[i][j] - sum;
            matrix[i][j] = if i == j {
                rest.max(f64::MIN_POSITIVE).sqrt()
            } else {
                rest / matrix[j][j]
            };
        }
        let sum: f64 = (0..i).map(|k| matrix[i][k] * right[k]).sum();
        right[i] = (right[i] - sum) / matrix[i][i];
    }
    for i in (0..size).rev() {
        let sum: f64 = (i + 1..size).map(|k| matrix[k][i] * right[k]).sum();
        right[i] = (right[i] - sum) / matrix[i][i];
    }
    right
}
