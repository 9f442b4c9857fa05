//! Logic of the running statistics: operands by step, and one pipeline for all of them.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::{ResultState, Results};

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
        self.ready.next = (self.state.q.val() == ResultState::Idle)
            | (self.state.q.val() == ResultState::ValueMean)
            | (self.state.q.val() == ResultState::End);
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

        // Cycle 1: reciprocal of the divisor.
        self.normaliser.number.next = self.divisor.q.val();
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
            self.shift.d.next = self.normaliser.exponent.val() + bits::<5>(15);
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
                    self.shift.d.next = self.normaliser.exponent.val();
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
                    self.shift.d.next = self.normaliser.exponent.val();
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
