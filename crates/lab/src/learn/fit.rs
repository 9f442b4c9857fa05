//! Multinomial logistic regression by Newton's method.
//!
//! The score of a placement is linear in its feature counts and its tile. The probability of a
//! choice is proportional to the exponential of the score. Newton's method finds the
//! maximum-likelihood weights in a few steps; the result is deterministic. A small ridge penalty
//! keeps weights without data at 0.

use duoforge_rules::Tile;

use super::samples::{Sample, Samples};

/// Maximum number of Newton steps.
const STEPS: usize = 30;

/// Minimum gain of a step in the mean log-likelihood per choice; a smaller gain ends the fit.
const ENOUGH: f64 = 1e-7;

/// Fitted weights in units of the natural exponent: one for each feature, then one for each tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted(pub Vec<f64>);

impl Fitted {
    /// Returns the score of a placement.
    #[must_use]
    pub fn score(&self, samples: &Samples, row: usize) -> f64 {
        let counts = samples.counts(row).iter().zip(&self.0);
        let sum: f64 = counts
            .map(|(&count, weight)| f64::from(count) * weight)
            .sum();
        sum + self.0[samples.kinds + samples.tile(row)]
    }
}

/// Fits the maximum-likelihood weights to the samples `of`.
#[must_use]
pub fn fit(samples: &Samples, of: &[&Sample], ridge: f64) -> Fitted {
    let size = samples.kinds + Tile::COUNT;
    let mut fitted = Fitted(vec![0.0; size]);
    let mut slope = Slope::of(samples, of, &fitted, ridge);
    for _ in 0..STEPS {
        let step = solve(slope.curvature.clone(), slope.gradient.clone());
        // With few choices, a full step may overshoot.
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

/// Penalised log-likelihood of all choices at given weights, with its derivatives.
struct Slope {
    /// Penalised log-likelihood.
    value: f64,
    /// Gradient of the penalised log-likelihood.
    gradient: Vec<f64>,
    /// Negated Hessian matrix; positive definite.
    curvature: Vec<Vec<f64>>,
}

impl Slope {
    /// Evaluates the log-likelihood at these weights.
    fn of(samples: &Samples, of: &[&Sample], fitted: &Fitted, ridge: f64) -> Self {
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
            let (above, here) = curvature.split_at_mut(i);
            for (row, &value) in above.iter_mut().zip(&here[0]) {
                row[i] = value;
            }
        }
        Self {
            value,
            gradient,
            curvature,
        }
    }
}

/// Solves `matrix * x = right` for a symmetric positive definite matrix by Cholesky decomposition.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
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

#[cfg(test)]
mod tests {
    use duoforge_twin::Rng;

    use super::*;

    /// Returns random positions with two features per placement, in which the choices follow the
    /// weights.
    fn drawn(fitted: &Fitted, positions: usize) -> Samples {
        let mut rng = Rng::new(1);
        let mut samples = Samples::new(2);
        for game in 0..positions {
            let placements: Vec<_> = (0..6)
                .map(|tile| (tile, [rng.below(4) as u8, rng.below(4) as u8]))
                .collect();
            let weight = |&(tile, [a, b]): &(usize, [u8; 2])| {
                let counts = f64::from(a) * fitted.0[0] + f64::from(b) * fitted.0[1];
                (counts + fitted.0[2 + tile]).exp()
            };
            let sum: f64 = placements.iter().map(weight).sum();
            let mut rest = f64::from(rng.next_u32()) / f64::from(u32::MAX) * sum;
            let chosen = placements.iter().position(|placement| {
                rest -= weight(placement);
                rest <= 0.0
            });
            samples.add(game, 0, chosen.unwrap_or(5), placements);
        }
        samples
    }

    fn weights() -> Fitted {
        let mut weights = vec![0.0; 2 + Tile::COUNT];
        weights[..4].copy_from_slice(&[0.8, -0.5, 1.0, -1.0]);
        Fitted(weights)
    }

    #[test]
    fn weights_are_found_that_choices_were_made_by() {
        let samples = drawn(&weights(), 4000);
        let found = fit(&samples, &samples.samples.iter().collect::<Vec<_>>(), 0.1);
        for (found, weight) in found.0[..2].iter().zip(&weights().0) {
            assert!((found - weight).abs() < 0.1, "{found} for {weight}");
        }
        let tiles = found.0[2] - found.0[3];
        assert!((tiles - 2.0).abs() < 0.25, "{tiles}");
        // Tiles that never occur keep the weight 0.
        assert_eq!(found.0[20], 0.0);
    }

    #[test]
    fn slopes_are_those_of_small_steps() {
        let samples = drawn(&weights(), 50);
        let of: Vec<_> = samples.samples.iter().collect();
        let at = |step: f64, k: usize| {
            let mut there = weights();
            there.0[k] += step;
            Slope::of(&samples, &of, &there, 2.0)
        };
        for k in 0..5 {
            let (less, here, more) = (at(-1e-4, k), at(0.0, k), at(1e-4, k));
            let gradient = (more.value - less.value) / 2e-4;
            assert!((gradient - here.gradient[k]).abs() < 1e-4);
            for j in 0..5 {
                let second = (less.gradient[j] - more.gradient[j]) / 2e-4;
                assert!((second - here.curvature[j][k]).abs() < 1e-4);
            }
        }
    }
}
