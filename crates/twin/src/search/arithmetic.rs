//! Division, square root and powers as in the hardware: a table lookup and a multiplication.

/// Maximum value: a win with the largest margin. A loss with the largest margin is 0.
pub const MAX_VALUE: u32 = (1 << 16) - 1;

/// Number of leading bits of a divisor that index the table.
const MANTISSA: u32 = 9;

/// Fraction bits of the mantissa of a reciprocal.
const FRACTION: u32 = 24;

/// Reciprocals of the integers from 2^8 to 2^9 - 1, in units of 2^-24.
static RECIPROCALS: [u32; 1 << (MANTISSA - 1)] = {
    let mut table = [0; 1 << (MANTISSA - 1)];
    let mut i = 0;
    while i < table.len() {
        let divisor = (1 << (MANTISSA - 1)) + i as u32;
        table[i] = (1 << FRACTION) / divisor;
        i += 1;
    }
    table
};

/// Reciprocal as a factor and a shift: multiply by `factor`, then shift right by `shift`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reciprocal {
    /// Factor, from 2^15 to 2^16.
    pub factor: u32,
    /// Right shift in bits, at least 16.
    pub shift: u32,
}

impl Reciprocal {
    /// Returns the reciprocal of a positive number, from its nine leading bits only: at most 0.4 %
    /// too large.
    #[inline]
    pub fn of(divisor: u32) -> Self {
        debug_assert!(divisor > 0);
        let zeros = divisor.leading_zeros();
        let mantissa = (divisor << zeros) >> (32 - MANTISSA);
        let index = mantissa - (1 << (MANTISSA - 1));
        Self {
            factor: RECIPROCALS[index as usize],
            // The mantissa is the divisor times 2^(zeros - (32 - MANTISSA)).
            shift: FRACTION + (32 - MANTISSA) - zeros,
        }
    }

    /// Returns a number times the reciprocal, rounded down.
    #[inline]
    pub fn times(self, number: i64) -> i64 {
        (number * i64::from(self.factor)) >> self.shift
    }
}

/// Fraction bits of the result of [`exploration_scale`].
pub const SPREAD_FRACTION: u32 = 6;

/// Returns the exploration scale `exploration / 64 * sqrt(n) * log2(n + 1)` in 64ths, for a
/// positive `n`.
///
/// Only the five leading bits of `n` are used, so a table of 18 * 16 entries covers all `n` below
/// 2^18.
pub fn exploration_scale(exploration: u32, n: u32) -> u64 {
    let exponent = n.ilog2();
    let kept = if exponent > 4 {
        (n >> (exponent - 4)) << (exponent - 4)
    } else {
        n
    };
    // Root in 16ths; logarithm in 16ths, interpolated linearly between powers of two.
    let root = (u64::from(kept) << 8).isqrt();
    let above = u64::from(kept) + 1;
    let whole = above.ilog2();
    let log = u64::from(16 * whole) + ((above << 4 >> whole) & 15);
    (u64::from(exploration) * root * log) >> (6 + 8 - SPREAD_FRACTION)
}

/// Returns 2^(-n/16) in units of 2^-16, for n up to 255.
pub fn exp2_neg(n: u32) -> u32 {
    // 2^(16 - i/16) for i from 0 to 15, rounded. Entry 5, exactly 52772.55, is rounded down, as in
    // the ROMs of the hardware.
    const SIXTEENTHS: [u32; 16] = [
        65536, 62757, 60097, 57549, 55109, 52772, 50535, 48393, 46341, 44376, 42495, 40693, 38968,
        37316, 35734, 34219,
    ];
    SIXTEENTHS[(n % 16) as usize] >> (n / 16).min(31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reciprocals_are_exact_to_half_a_percent() {
        for divisor in (1..5000).chain([65_535, 65_536, 1 << 20, u32::MAX]) {
            let number = i64::from(divisor) * 1000;
            let quotient = Reciprocal::of(divisor).times(number);
            assert!((999..=1004).contains(&quotient), "{divisor}: {quotient}");
        }
        assert_eq!(Reciprocal::of(1).times(12345), 12345);
        assert_eq!(Reciprocal::of(256).times(-512), -2);
    }

    /// Checks every table entry and the divisors it stands for: 2^24 divided by the nine leading
    /// bits of the divisor, rounded down.
    #[test]
    fn reciprocals_are_quotients_to_the_last_bit() {
        let mut rng = crate::Rng::new(1);
        let random = std::iter::repeat_with(|| rng.next_u32().max(1)).take(2_000);
        let powers =
            (0..32).flat_map(|bit| [1 << bit, (1_u32 << bit) | 1, (1 << bit) + ((1 << bit) - 1)]);
        for divisor in (1..5_000).chain(powers).chain(random) {
            let (mut mantissa, mut shift) = (u64::from(divisor), 24_i64);
            while mantissa < 256 {
                mantissa *= 2;
                shift -= 1;
            }
            while mantissa >= 512 {
                mantissa /= 2;
                shift += 1;
            }
            let reciprocal = Reciprocal::of(divisor);
            assert_eq!(
                u64::from(reciprocal.factor),
                (1 << 24) / mantissa,
                "{divisor}"
            );
            assert_eq!(i64::from(reciprocal.shift), shift, "{divisor}");
            for number in [0, 1, 1_000, 12_345_678, -1, -12_345_678] {
                let exact = (i128::from(number) * i128::from(reciprocal.factor))
                    .div_euclid(1 << reciprocal.shift);
                assert_eq!(
                    i128::from(reciprocal.times(number)),
                    exact,
                    "{number} / {divisor}"
                );
            }
        }
    }

    /// Checks visit counts against the root and logarithm in floating point, which are exact where
    /// the integer code rounds down.
    #[test]
    fn spreads_are_roots_and_logarithms_to_the_last_bit() {
        for n in (1..5_000)
            .chain((13..32).map(|bit| 1 << bit))
            .chain([u32::MAX])
        {
            let mut unit = 1.0;
            while (f64::from(n) / unit).floor() >= 32.0 {
                unit *= 2.0;
            }
            let kept = (f64::from(n) / unit).floor() * unit;
            let root = (kept.sqrt() * 16.0).floor();
            let whole = (kept + 1.0).log2().floor();
            let log = 16.0 * whole + (((kept + 1.0) / whole.exp2() - 1.0) * 16.0).floor();
            for exploration in [0, 1, 40, 4_096] {
                let exact = (f64::from(exploration) * root * log / 256.0).floor();
                assert_eq!(
                    exploration_scale(exploration, n) as f64,
                    exact,
                    "{exploration} {n}"
                );
            }
        }
    }

    /// Checks every entry: a rounded power (entry 5 is one less), shifted right for the whole part
    /// of the exponent and rounded down.
    #[test]
    fn powers_are_rounded_sixteenths() {
        for n in 0..256 {
            let real = 65_536.0 * (-f64::from(n % 16) / 16.0).exp2();
            let sixteenth = if n % 16 == 5 {
                real.floor()
            } else {
                real.round()
            } as u32;
            assert_eq!(exp2_neg(n), sixteenth / (1 << (n / 16)), "{n}");
        }
    }

    #[test]
    fn spreads_and_powers_are_those_of_reals() {
        for number in [1, 2, 15, 16, 17, 100, 12345, 1 << 17, u32::MAX] {
            let n = f64::from(number);
            let real = n.sqrt() * (n + 1.0).log2() * 64.0 * 0.5;
            let ratio = exploration_scale(32, number) as f64 / real;
            assert!((0.9..1.01).contains(&ratio), "{number}: {ratio}");
        }
        for n in 0..256 {
            let real = 65536.0 * (-f64::from(n) / 16.0).exp2();
            assert!((f64::from(exp2_neg(n)) - real).abs() <= 1.0, "{n}");
        }
    }
}
