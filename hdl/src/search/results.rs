//! Value of a result by running statistics of margin and length, and the mean of all values.
//!
//! Twin: `duoforge_twin::search::Results`, bit for bit. Its `value` and `add` are one request
//! here. No search in hardware contains this block yet.
//!
//! Encoding: the state is the step whose operands are read. Means and deviations are in units of 2^-16, distances and bonuses in units of the twin,
//! all in two's complement. The mean value has units of 2^-24. Both statistics have the same count.
//!
//! Timing: a pipeline of one multiplier does ten steps, one every three cycles: the means of margin
//! and length, their deviations, the distances from the means, the bonuses, and the mean value. The
//! steps of margin and length alternate, since each takes five cycles and needs the one before.
//! `start` is sampled while `busy` is low. `busy` is high for [`CYCLES`] cycles from the next one on;
//! `value` is valid after the first [`VALUE`] of them.

use duoforge_twin::search::SearchParameters;
use duoforge_twin::search::arithmetic::Reciprocal;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::multiplier::Multiplier;
use super::tree::normaliser::{MANTISSA, Normaliser};
use crate::block::block;
use crate::memory::block_rom::BlockRom;

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
        is_large: Signal<Local, Bit>,
        exponent: Signal<Local, Bits<5>>,
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

impl Logic for Results {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, reciprocal, multiplier);
        dff_setup!(
            self,
            clock,
            count,
            margin_mean,
            margin_deviation,
            length_mean,
            length_deviation,
            value_mean,
            state
        );
        dff_setup!(
            self,
            clock,
            cycle,
            margin_sample,
            length_sample,
            margin_distance,
            length_distance,
            margin_more
        );
        dff_setup!(
            self,
            clock,
            length_more,
            last_value,
            difference,
            divisor,
            shift,
            quotient
        );
        self.present_mean.next = self.value_mean.q.val() ^ bits::<24>(0x80_0000);
        self.busy.next = self.state.q.val() != ResultState::Idle;
        self.value.next = self.last_value.q.val();
        self.mean.next = self.present_mean.val().get_bits::<16>(8);

        // Distances of the samples from the means, and their sizes.
        self.margin_scaled.next = bit_cast::<25, 8>(self.margin_sample.q.val()) << 16;
        if self.margin_sample.q.val().get_bit(7) {
            self.margin_scaled.next =
                (bit_cast::<25, 8>(self.margin_sample.q.val()) << 16) | bits::<25>(0x100_0000);
        }
        self.length_scaled.next = bit_cast::<25, 6>(self.length_sample.q.val()) << 16;
        self.margin_difference.next = self.margin_scaled.val() - self.margin_mean.q.val();
        self.length_difference.next = self.length_scaled.val() - self.length_mean.q.val();
        self.margin_size.next = self.margin_difference.val();
        if self.margin_difference.val().get_bit(24) {
            self.margin_size.next = bits::<25>(0) - self.margin_difference.val();
        }
        self.length_size.next = self.length_difference.val();
        if self.length_difference.val().get_bit(24) {
            self.length_size.next = bits::<25>(0) - self.length_difference.val();
        }
        self.value_difference.next = (bit_cast::<25, 16>(self.last_value.q.val()) << 8)
            - bit_cast::<25, 24>(self.present_mean.val());
        self.recent_count.next = bit_cast::<25, 17>(self.count.q.val());
        if self.count.q.val() > self.memory.val() {
            self.recent_count.next = bit_cast::<25, 17>(self.memory.val());
        }

        // Cycle 1: reciprocal of the divisor, which has up to 23 bits.
        self.is_large.next = self.divisor.q.val().get_bits::<6>(19).any();
        self.normaliser.number.next = self.divisor.q.val().get_bits::<19>(0);
        self.exponent.next = self.normaliser.exponent.val();
        if self.is_large.val() {
            self.normaliser.number.next = self.divisor.q.val().get_bits::<19>(4);
            self.exponent.next = self.normaliser.exponent.val() + bits::<5>(4);
        }
        self.reciprocal.address.next = self.normaliser.mantissa.val();

        // Cycle 2: product.
        self.multiplier.a.next = self.difference.q.val();
        self.multiplier.b.next = self.reciprocal.data.val();
        if self.state.q.val() == ResultState::MarginBonus {
            self.multiplier.b.next = self.margin_bonus.val();
        }
        if self.state.q.val() == ResultState::LengthBonus {
            self.multiplier.b.next = self.length_bonus.val();
        }

        // Cycle 3, the first one of the next step: the shift keeps the sign of the product. A
        // distance has at most 2 deviations.
        self.below.next = self.multiplier.product.val().get_bit(40);
        self.shifted.next = self.multiplier.product.val();
        if self.below.val() {
            self.shifted.next = !self.multiplier.product.val();
        }
        if self.shift.q.val().get_bit(0) {
            self.shifted.next = self.shifted.val() >> 1;
        }
        if self.shift.q.val().get_bit(1) {
            self.shifted.next = self.shifted.val() >> 2;
        }
        if self.shift.q.val().get_bit(2) {
            self.shifted.next = self.shifted.val() >> 4;
        }
        if self.shift.q.val().get_bit(3) {
            self.shifted.next = self.shifted.val() >> 8;
        }
        if self.shift.q.val().get_bit(4) {
            self.shifted.next = self.shifted.val() >> 16;
        }
        self.size.next = self.shifted.val().get_bits::<25>(0);
        if ((self.state.q.val() == ResultState::LengthDistance)
            | (self.state.q.val() == ResultState::MarginBonus))
            & self.shifted.val().get_bits::<25>(16).any()
        {
            self.size.next = bits::<25>(0x1_0000);
            if self.below.val() {
                self.size.next = bits::<25>(0xffff);
            }
        }
        if self.cycle.q.val() == bits::<2>(0) {
            self.quotient.d.next = self.size.val();
            if self.below.val() {
                self.quotient.d.next = !self.size.val();
            }
        }

        // Value of the result.
        self.base.next = bits::<18>(0x8000);
        self.signed_more.next = bits::<18>(0);
        if self.margin_sample.q.val().get_bit(7) {
            self.base.next = bits::<18>(0x2000);
            self.signed_more.next = bits::<18>(0) - self.length_more.q.val();
        } else if self.margin_sample.q.val().any() {
            self.base.next = bits::<18>(0xe000);
            self.signed_more.next = self.length_more.q.val();
        }
        self.sum.next = self.base.val() + self.margin_more.q.val() + self.signed_more.val();

        self.cycle.d.next = self.cycle.q.val() + 1;
        if self.cycle.q.val() == bits::<2>(2) {
            self.cycle.d.next = bits::<2>(0);
        }
        if self.cycle.q.val() == bits::<2>(1) {
            self.shift.d.next = self.exponent.val() + bits::<5>(15);
        }

        // A step reads its operands in cycle 0, and its quotient is used in cycle 1 of the next one.
        match self.state.q.val() {
            ResultState::Idle => {
                self.cycle.d.next = bits::<2>(0);
                if self.start.val() {
                    self.margin_sample.d.next = self.margin.val();
                    self.length_sample.d.next = self.length.val();
                    if self.count.q.val() != self.most.val() {
                        self.count.d.next = self.count.q.val() + 1;
                    }
                    self.state.d.next = ResultState::MarginMean;
                }
            }
            ResultState::MarginMean => {
                if self.cycle.q.val() == bits::<2>(0) {
                    self.difference.d.next = self.margin_difference.val();
                    self.divisor.d.next = self.recent_count.val();
                }
                if self.cycle.q.val() == bits::<2>(2) {
                    self.state.d.next = ResultState::LengthMean;
                }
            }
            ResultState::LengthMean => {
                if self.cycle.q.val() == bits::<2>(0) {
                    self.difference.d.next = self.length_difference.val();
                }
                if self.cycle.q.val() == bits::<2>(1) {
                    self.margin_mean.d.next = self.margin_mean.q.val() + self.quotient.q.val();
                }
                if self.cycle.q.val() == bits::<2>(2) {
                    self.state.d.next = ResultState::MarginDeviation;
                }
            }
            ResultState::MarginDeviation => {
                if self.cycle.q.val() == bits::<2>(0) {
                    self.difference.d.next = self.margin_size.val() - self.margin_deviation.q.val();
                }
                if self.cycle.q.val() == bits::<2>(1) {
                    self.length_mean.d.next = self.length_mean.q.val() + self.quotient.q.val();
                }
                if self.cycle.q.val() == bits::<2>(2) {
                    self.state.d.next = ResultState::LengthDeviation;
                }
            }
            ResultState::LengthDeviation => {
                if self.cycle.q.val() == bits::<2>(0) {
                    self.difference.d.next = self.length_size.val() - self.length_deviation.q.val();
                }
                if self.cycle.q.val() == bits::<2>(1) {
                    self.margin_deviation.d.next =
                        self.margin_deviation.q.val() + self.quotient.q.val();
                }
                if self.cycle.q.val() == bits::<2>(2) {
                    self.state.d.next = ResultState::MarginDistance;
                }
            }
            ResultState::MarginDistance => {
                if self.cycle.q.val() == bits::<2>(0) {
                    self.difference.d.next = self.margin_difference.val();
                    self.divisor.d.next = self.margin_deviation.q.val();
                    if !self.margin_deviation.q.val().any() {
                        self.divisor.d.next = bits::<25>(1);
                    }
                }
                if self.cycle.q.val() == bits::<2>(1) {
                    self.length_deviation.d.next =
                        self.length_deviation.q.val() + self.quotient.q.val();
                    self.shift.d.next = self.exponent.val();
                }
                if self.cycle.q.val() == bits::<2>(2) {
                    self.state.d.next = ResultState::LengthDistance;
                }
            }
            ResultState::LengthDistance => {
                if self.cycle.q.val() == bits::<2>(0) {
                    self.difference.d.next = self.length_difference.val();
                    self.divisor.d.next = self.length_deviation.q.val();
                    if !self.length_deviation.q.val().any() {
                        self.divisor.d.next = bits::<25>(1);
                    }
                }
                if self.cycle.q.val() == bits::<2>(1) {
                    self.margin_distance.d.next = self.quotient.q.val();
                    self.shift.d.next = self.exponent.val();
                }
                if self.cycle.q.val() == bits::<2>(2) {
                    self.state.d.next = ResultState::MarginBonus;
                }
            }
            ResultState::MarginBonus => {
                if self.cycle.q.val() == bits::<2>(0) {
                    self.difference.d.next = self.margin_distance.q.val();
                }
                if self.cycle.q.val() == bits::<2>(1) {
                    self.length_distance.d.next = self.quotient.q.val();
                    self.shift.d.next = bits::<5>(16);
                }
                if self.cycle.q.val() == bits::<2>(2) {
                    self.state.d.next = ResultState::LengthBonus;
                }
            }
            ResultState::LengthBonus => {
                if self.cycle.q.val() == bits::<2>(0) {
                    // A short game is good for its winner.
                    self.difference.d.next = bits::<25>(0) - self.length_distance.q.val();
                }
                if self.cycle.q.val() == bits::<2>(1) {
                    self.margin_more.d.next = self.quotient.q.val().get_bits::<18>(0);
                    self.shift.d.next = bits::<5>(16);
                }
                if self.cycle.q.val() == bits::<2>(2) {
                    self.state.d.next = ResultState::Value;
                }
            }
            ResultState::Value => {
                if self.cycle.q.val() == bits::<2>(1) {
                    self.length_more.d.next = self.quotient.q.val().get_bits::<18>(0);
                }
                if self.cycle.q.val() == bits::<2>(2) {
                    self.last_value.d.next = self.sum.val().get_bits::<16>(0);
                    if self.sum.val().get_bit(17) {
                        self.last_value.d.next = bits::<16>(0);
                    } else if self.sum.val().get_bit(16) {
                        self.last_value.d.next = bits::<16>(0xffff);
                    }
                    self.state.d.next = ResultState::ValueMean;
                }
            }
            ResultState::ValueMean => {
                if self.cycle.q.val() == bits::<2>(0) {
                    self.difference.d.next = self.value_difference.val();
                    self.divisor.d.next = bit_cast::<25, 17>(self.count.q.val());
                }
                if self.cycle.q.val() == bits::<2>(2) {
                    self.state.d.next = ResultState::End;
                }
            }
            ResultState::End => {
                if self.cycle.q.val() == bits::<2>(1) {
                    self.value_mean.d.next =
                        self.value_mean.q.val() + self.quotient.q.val().get_bits::<24>(0);
                    self.state.d.next = ResultState::Idle;
                }
            }
            _ => {
                self.state.d.next = ResultState::Idle;
            }
        }
        if self.clear.val() {
            self.count.d.next = bits::<17>(0);
            self.margin_mean.d.next = bits::<25>(0);
            self.margin_deviation.d.next = bits::<25>(0);
            self.length_mean.d.next = bits::<25>(0);
            self.length_deviation.d.next = bits::<25>(0);
            self.value_mean.d.next = bits::<24>(0);
            self.state.d.next = ResultState::Idle;
        }
    }
}
