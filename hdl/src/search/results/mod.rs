//! Value of a result by running statistics of margin and length, and the mean of all values.
//!
//! Twin: `duoforge_twin::search::Results`, bit for bit. Its `value` and `add` are one request
//! here. A search in hardware uses this block if its parameters have a bonus.
//!
//! Encoding: the state is the step whose operands are read. Means and deviations are in units of
//! 2^-16, distances and bonuses in units of the twin, all in two's complement. The mean value has
//! units of 2^-24. Both statistics have the same count.
//!
//! Timing: a pipeline of one multiplier does ten steps, one every three cycles: the means of margin
//! and length, their deviations, the distances from the means, the bonuses, and the mean value. The
//! steps of margin and length alternate, since each takes five cycles and needs the one before.
//! `start` is sampled while `busy` is low. `busy` is high for [`CYCLES`] cycles from the next one on;
//! `ready` is low in the first [`VALUE`] of them.

use duoforge_twin::search::SearchParameters;
use duoforge_twin::search::arithmetic::Reciprocal;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::multiplier::Multiplier;
use super::tree::normaliser::{MANTISSA, Normaliser};
use crate::block::block;
use crate::memory::block_rom::BlockRom;

mod logic;

/// Cycles of a result.
pub const CYCLES: u64 = 32;

/// Cycles of a result until its value is valid.
pub const VALUE: u64 = 27;

/// Bits of a mean, a deviation and a difference.
const STATISTIC: usize = 25;

/// Step of a result: the one that reads its operands.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum ResultState {
    /// No result.
    Idle,
    /// Mean of the margins.
    MarginMean,
    /// Mean of the lengths.
    LengthMean,
    /// Mean deviation of the margins.
    MarginDeviation,
    /// Mean deviation of the lengths.
    LengthDeviation,
    /// Distance of the margin from the mean, in deviations.
    MarginDistance,
    /// Distance of the length from the mean, in deviations.
    LengthDistance,
    /// Bonus for the margin.
    MarginBonus,
    /// Bonus for the length.
    LengthBonus,
    /// Value: the sum of result and bonuses.
    Value,
    /// Mean of all values.
    ValueMean,
    /// End of the last step.
    End,
}

block! {
    /// Running statistics of the results of a search.
    pub struct Results from ResultsParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Requests.
        /// Discards all results. May come at any time and ends a result in progress.
        pub clear: Signal<In, Bit>,
        /// Starts a result.
        pub start: Signal<In, Bit>,
        /// With `start`: margin of side 0 in cells; two's complement.
        pub margin: Signal<In, Bits<8>>,
        /// With `start`: number of placements of the simulation.
        pub length: Signal<In, Bits<6>>,

        // Answers.
        /// High while a result is in progress.
        pub busy: Signal<Out, Bit>,
        /// High while `value` is valid; always high while `busy` is low.
        pub ready: Signal<Out, Bit>,
        /// Value of the last result for side 0, in units of 2^-16.
        pub value: Signal<Out, Bits<16>>,
        /// Mean of all values for side 0, in units of 2^-16.
        pub mean: Signal<Out, Bits<16>>,

        // Statistics. The mean value is kept as its distance from the half, modulo 2^24.
        count: DFF<Bits<17>>,
        margin_mean: DFF<Bits<STATISTIC>>,
        margin_deviation: DFF<Bits<STATISTIC>>,
        length_mean: DFF<Bits<STATISTIC>>,
        length_deviation: DFF<Bits<STATISTIC>>,
        value_mean: DFF<Bits<24>>,

        // Result in progress.
        state: DFF<ResultState>,
        // Cycle of the step, from 0 to 2.
        cycle: DFF<Bits<2>>,
        margin_sample: DFF<Bits<8>>,
        length_sample: DFF<Bits<6>>,
        margin_distance: DFF<Bits<STATISTIC>>,
        length_distance: DFF<Bits<STATISTIC>>,
        margin_more: DFF<Bits<18>>,
        length_more: DFF<Bits<18>>,
        last_value: DFF<Bits<16>>,

        // Pipeline: operands, shift of the product, and its result.
        difference: DFF<Bits<STATISTIC>>,
        divisor: DFF<Bits<STATISTIC>>,
        shift: DFF<Bits<5>>,
        quotient: DFF<Bits<STATISTIC>>,
        normaliser: Normaliser,
        reciprocal: BlockRom<17, MANTISSA> = given,
        multiplier: Multiplier<STATISTIC, 17, 41> = given,
        margin_scaled: Signal<Local, Bits<STATISTIC>>,
        length_scaled: Signal<Local, Bits<STATISTIC>>,
        margin_difference: Signal<Local, Bits<STATISTIC>>,
        length_difference: Signal<Local, Bits<STATISTIC>>,
        margin_size: Signal<Local, Bits<STATISTIC>>,
        length_size: Signal<Local, Bits<STATISTIC>>,
        value_difference: Signal<Local, Bits<STATISTIC>>,
        present_mean: Signal<Local, Bits<24>>,
        recent_count: Signal<Local, Bits<STATISTIC>>,
        below: Signal<Local, Bit>,
        shifted: Signal<Local, Bits<41>>,
        size: Signal<Local, Bits<STATISTIC>>,
        base: Signal<Local, Bits<18>>,
        signed_more: Signal<Local, Bits<18>>,
        sum: Signal<Local, Bits<18>>,
        margin_bonus: Constant<Bits<17>> = given,
        length_bonus: Constant<Bits<17>> = given,
        // Results that the statistics and the mean value count.
        memory: Constant<Bits<17>> = given,
        most: Constant<Bits<17>> = given,
    }
}

impl Results {
    /// Creates statistics with the bonuses of the parameters.
    ///
    /// # Panics
    /// If a bonus is wider than 16 bits.
    pub fn new(p: &SearchParameters) -> Self {
        let [margin_bonus, length_bonus] = [p.formulas.margin_bonus, p.formulas.length_bonus];
        assert!(margin_bonus < 1 << 16 && length_bonus < 1 << 16);
        let factors = (256..512).map(|divisor| Reciprocal::of(divisor).factor.into());
        Self::from(ResultsParts {
            reciprocal: BlockRom::new(factors),
            multiplier: Multiplier::signed(),
            margin_bonus: Constant::new(margin_bonus.to_bits()),
            length_bonus: Constant::new(length_bonus.to_bits()),
            memory: Constant::new((1_u64 << 12).to_bits()),
            most: Constant::new((1_u64 << 16).to_bits()),
        })
    }
}
