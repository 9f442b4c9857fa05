//! Division, roots and powers as the hardware has them: a table and a multiplication.

/// The value of a won game with the largest margin; a lost one is 0.
pub const ONE: u32 = 1 << 16;

/// Bits of a divisor that the table looks at.
const MANTISSA: u32 = 9;

/// Bits behind the point of a reciprocal's mantissa.
const FRACTION: u32 = 24;

/// Reciprocals of the numbers from 2^8 to 2^9 - 1.
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

/// A reciprocal: multiply, then shift right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reciprocal {
    factor: u32,
    shift: u32,
}

impl Reciprocal {
    /// Of a positive number, of which only the first nine bits count: at most 0.4 % too large.
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

    /// A number times the reciprocal, rounded down.
    #[inline]
    pub fn times(self, number: i64) -> i64 {
        (number * i64::from(self.factor)) >> self.shift
    }
}

/// The square root of a number times 16, rounded down.
pub fn root16(number: u32) -> u32 {
    (u64::from(number) << 8).isqrt() as u32
}

/// 2^(-n/16) in units of 2^-16, for n up to 255.
pub fn halves(n: u32) -> u32 {
    // 2^(16 - i/16) for the sixteenths, rounded.
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

    #[test]
    fn roots_and_powers_are_those_of_reals() {
        for number in [0, 1, 2, 15, 16, 100, 12345, u32::MAX] {
            let real = (f64::from(number).sqrt() * 16.0).floor();
            assert!((f64::from(root16(number)) - real).abs() <= 1.0);
        }
        for n in 0..256 {
            let real = 65536.0 * (-f64::from(n) / 16.0).exp2();
            assert!((f64::from(halves(n)) - real).abs() <= 1.0, "{n}");
        }
    }
}
