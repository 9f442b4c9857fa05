//! Terms of the score of a child: what selection needs of it in one word, so that the scores of
//! several children are computed at once.

use multiversion::multiversion;

use super::super::arithmetic::Reciprocal;
use super::super::parameters::SearchParameters;
use super::Child;

/// Maximum of the exploration term: 16 times the maximum value.
const MOST: i64 = (1 << 20) - 1;

/// Bits of the number of a child in its node.
const NUMBER: u32 = 12;

/// Scales below this have shares of 32 bits.
const SHORT_SCALE: u64 = 1 << 26;

/// Position of the prior, of 16 bits. The value is in the 16 bits below.
const PRIOR: u32 = 16;

/// Position of the reciprocal's factor, of 17 bits.
const FACTOR: u32 = 32;

/// Position of the shift of the exploration term, of six bits.
const SHIFT: u32 = 49;

/// Position of the flag of a proven value: the sign.
const PROVEN: u32 = 63;

/// Terms of the score of a child: its value, its prior and the reciprocal of the divisor of its
/// exploration term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScoreTerms(u64);

impl ScoreTerms {
    /// Returns the terms of a child.
    #[inline]
    pub fn of(child: &Child, p: &SearchParameters) -> Self {
        let value = u64::from(child.value());
        if child.is_proven() {
            return Self(value | 1 << PROVEN);
        }
        // The value count is in 16ths of a visit.
        let (divisor, more) = match p.formulas.value_count_divisor {
            false => (child.exploration_visits(p.value_count_cap), 0),
            true => (child.value_count, 4),
        };
        let Reciprocal { factor, shift } = Reciprocal::of(divisor);
        // A share is in units of 2^-12, the exploration term in units of 2^-16.
        let shift = u64::from(shift - 4 - more);
        let reciprocal = u64::from(factor) << FACTOR | shift << SHIFT;
        Self(value | u64::from(child.prior) << PRIOR | reciprocal)
    }

    /// Returns the value.
    #[inline(always)]
    fn value(self) -> i64 {
        (self.0 & 0xffff) as i64
    }

    /// Returns the sum of the value and the exploration term. Shares have 32 bits if `SHORT`.
    #[inline(always)]
    fn score<const SHORT: bool>(self, scale: u64) -> i64 {
        let prior = self.0 >> PRIOR & 0xffff;
        let factor = self.0 >> FACTOR & 0x1_ffff;
        let share = (scale * prior) >> 10;
        let share = if SHORT { share & 0xffff_ffff } else { share };
        let exploration = (share * factor) >> (self.0 >> SHIFT & 0x3f);
        self.value() + (exploration as i64).min(MOST)
    }
}

/// Returns the highest score and the number of its child, of the children without a proven value
/// and of those with one. A proven value has no exploration term. Ties go to the first child. There
/// are at most 4,096 children.
pub(super) fn best(terms: &[ScoreTerms], scale: u64) -> [Option<(i64, usize)>; 2] {
    debug_assert!(terms.len() <= 1 << NUMBER);
    let best = match u32::try_from(scale) {
        Ok(scale) if u64::from(scale) < SHORT_SCALE => best_of_short(terms, scale),
        _ => best_of::<false>(terms, scale),
    };
    let last = (1 << NUMBER) - 1;
    best.map(|best| (best >= 0).then_some((best >> NUMBER, (last - (best & last)) as usize)))
}

#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn best_of_short(terms: &[ScoreTerms], scale: u32) -> [i64; 2] {
    best_of::<true>(terms, scale.into())
}

/// Returns the greatest words of score and number, where the first child has the greatest number;
/// -1 if there is no child.
// Without branches: the compiler computes several children at once.
#[inline(always)]
fn best_of<const SHORT: bool>(terms: &[ScoreTerms], scale: u64) -> [i64; 2] {
    let (mut open, mut proven) = (-1, -1);
    let mut number: i64 = (1 << NUMBER) - 1;
    for &terms in terms {
        let is_proven = (terms.0 as i64) < 0;
        let score = terms.score::<SHORT>(scale) << NUMBER | number;
        let value = terms.value() << NUMBER | number;
        open = i64::max(open, if is_proven { -1 } else { score });
        proven = i64::max(proven, if is_proven { value } else { -1 });
        number -= 1;
    }
    [open, proven]
}

#[cfg(test)]
mod tests {
    use duoforge_rules::DuoBoard;

    use super::super::ChildLink;
    use super::*;
    use crate::Rng;

    /// Returns random terms, with proven values and equal scores.
    fn terms(rng: &mut Rng, p: &SearchParameters) -> Vec<ScoreTerms> {
        let placement = DuoBoard::duo().legal().next().expect("a placement");
        let terms = std::iter::repeat_with(|| {
            let mut child = Child {
                placement,
                prior: rng.below(4) * 21_845,
                visits: rng.below(3),
                value_count: 16 + rng.below(3) * 9_000,
                mean: rng.below(3) << 22,
                next: ChildLink::Leaf,
            };
            if rng.below(4) == 0 {
                child.set_proven(rng.below(3) << 14);
            }
            ScoreTerms::of(&child, p)
        });
        terms.take(37).collect()
    }

    /// The dispatched code, the portable code and that of large scales agree wherever shares have 32
    /// bits, and the first of equal scores is the best.
    #[test]
    fn all_orders_of_computation_find_the_first_best_child() {
        let mut rng = Rng::new(3);
        for value_count_divisor in [false, true] {
            let mut p = SearchParameters::default();
            p.formulas.value_count_divisor = value_count_divisor;
            for scale in [0, 1, 700, 900_000, SHORT_SCALE - 1] {
                let terms = terms(&mut rng, &p);
                let words = best_of::<false>(&terms, scale);
                assert_eq!(best_of_short(&terms, scale as u32), words);
                assert_eq!(best_of::<true>(&terms, scale), words);
                for (is_proven, best) in [false, true].into_iter().zip(best(&terms, scale)) {
                    let of_kind =
                        |(_, terms): &(_, ScoreTerms)| ((terms.0 as i64) < 0) == is_proven;
                    let mut expected = None;
                    for (i, terms) in terms.iter().copied().enumerate().filter(of_kind) {
                        let score = match is_proven {
                            true => terms.value(),
                            false => terms.score::<false>(scale),
                        };
                        if expected.is_none_or(|(most, _)| score > most) {
                            expected = Some((score, i));
                        }
                    }
                    assert_eq!(best, expected, "{scale}");
                }
            }
            assert_eq!(best(&[], 7), [None; 2]);
        }
    }

    /// With the greatest scale a share has more than 32 bits.
    #[test]
    fn shares_of_large_scales_are_whole() {
        let p = SearchParameters::default();
        let placement = DuoBoard::duo().legal().next().expect("a placement");
        let child = |value_count, mean| Child {
            placement,
            prior: 65_535,
            visits: 0,
            value_count,
            mean,
            next: ChildLink::Leaf,
        };
        let children = [child(16 * 4_000, 0), child(16 * 3_000, 0)];
        let terms = children.map(|child| ScoreTerms::of(&child, &p));
        for scale in [SHORT_SCALE, 1 << 33] {
            let most = MOST.min((scale as i64 * 65_535 / 3_000) >> 6);
            let (score, child) = best(&terms, scale)[0].expect("a child");
            assert!(
                (most - score).abs() <= most / 200,
                "{scale}: {score} {most}"
            );
            assert_eq!(child, usize::from(most < MOST));
        }
    }
}
