/// Seeded pseudo-random generator with 64 bits of state, built from shifts and XORs alone.
///
/// The generator is Marsaglia's xorshift with the triple (13, 7, 17). In hardware it takes 64
/// flip-flops and a few gates, without a multiplier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator from a seed; different seeds, even small ones, give unrelated streams.
    pub fn new(seed: u64) -> Self {
        // The finaliser of SplitMix64 mixes the seed. Zero is xorshift's only fixed state.
        let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        Self(if z == 0 { 1 } else { z })
    }

    /// Returns the complete state, for implementations that repeat the generator elsewhere.
    pub fn state(&self) -> u64 {
        self.0
    }

    /// Returns the next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32
    }

    /// Returns a number in `0..bound`, with a bias below 2^-32 * bound.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "a number below zero does not exist");
        ((u64::from(self.next_u32()) * u64::from(bound)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn follows_the_published_recurrence() {
        // First output of xorshift64 (13, 7, 17) from state 1, computed by hand: 1 ^ 1 << 13 =
        // 0x2001; ^ >> 7 = 0x2041; ^ << 17 = 0x4082_2041.
        let mut rng = Rng(1);
        rng.next_u32();
        assert_eq!(rng.0, 0x4082_2041);
    }

    /// First outputs of Vigna's reference program `splitmix64.c` with the seeds 0 and 1234567. The
    /// third seed, the negated increment of the program, gives output 0.
    #[test]
    fn seeds_are_spread_by_splitmix64() {
        assert_eq!(Rng::new(0).state(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(Rng::new(1_234_567).state(), 6_457_827_717_110_365_317);
        assert_eq!(
            Rng::new(0x9e37_79b9_7f4a_7c15_u64.wrapping_neg()).state(),
            1
        );
    }

    /// First states after 88172645463325252, the initial state in Marsaglia's paper; the generator
    /// returns their upper halves.
    #[test]
    fn numbers_are_those_of_xorshift64() {
        let mut rng = Rng(88_172_645_463_325_252);
        let states = [
            8_748_534_153_485_358_512_u64,
            3_040_900_993_826_735_515,
            3_453_997_556_048_239_312,
            16_431_732_851_926_010_853,
            8_204_724_074_003_728_306,
        ];
        for state in states {
            assert_eq!(rng.next_u32(), (state >> 32) as u32);
            assert_eq!(rng.state(), state);
        }
    }

    /// A bounded number is the upper half of the product of 32 random bits and the bound.
    #[test]
    fn a_bounded_number_is_a_share_of_the_bound() {
        for bound in [1, 2, 14, 1_274, u32::MAX] {
            let (mut one, mut two) = (Rng::new(5), Rng::new(5));
            for _ in 0..20 {
                let share = u128::from(one.next_u32()) * u128::from(bound) / (1 << 32);
                assert_eq!(u128::from(two.below(bound)), share);
            }
        }
    }

    #[test]
    fn seeds_differ_and_repeat() {
        let draw = |seed| {
            let mut rng = Rng::new(seed);
            [(); 4].map(|()| rng.next_u32())
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        assert_ne!(draw(0), draw(1));
    }

    #[test]
    fn below_reaches_every_value_and_none_else() {
        let mut rng = Rng::new(3);
        let mut seen = [0; 6];
        for _ in 0..6000 {
            seen[rng.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (800..1200).contains(&n)), "{seen:?}");
    }
}
