//! Mean update of one child: weight of the result and step of the mean.
//!
//! A value count grows by the weight of each result. If it is the divisor of the exploration term,
//! that of the chosen child grows with the selection instead, so that a simulation in flight counts.
//!
//! Timing: see [`super::bank`]; each port has the number of its cycle in its name.

use duoforge_twin::search::SearchParameters;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::amaf_table::{AmafEntry, MARK};
use super::bank::COUNT;
use crate::block::block;
use crate::search::multiplier::Multiplier;

/// Bits of a weight, which is in 16ths of a visit.
const WEIGHT: usize = 6;

block! {
    /// Mean update, pipelined over cycles 3 to 8.
    pub struct MeanUpdate from MeanUpdateParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Cycles 3 and 4: weight of the result, and new value count.
        /// High if there is a result, low if children are scored.
        pub updating: Signal<In, Bit>,
        /// High for the child of the path.
        pub chosen_3: Signal<In, Bit>,
        /// High if the child may receive a RAVE update.
        pub sibling_3: Signal<In, Bit>,
        /// High if the result is the proven value of the child of the path.
        pub prove_3: Signal<In, Bit>,
        /// High if this child takes the result as its proven value.
        pub prove_4: Signal<Out, Bit>,
        /// Side that makes the placement of the child.
        pub side_3: Signal<In, Bit>,
        /// Ply of the node plus one, as in the AMAF table.
        pub ply_3: Signal<In, Bits<6>>,
        /// AMAF entry of the child's placement.
        pub amaf_entry_3: Signal<In, Bits<MARK>>,
        /// Value count of the child, in 16ths of a visit.
        pub count_3: Signal<In, Bits<COUNT>>,
        /// High if `count_3` marks a proven value.
        pub proven_3: Signal<Out, Bit>,
        /// Value count including the result.
        pub count_4: Signal<Out, Bits<COUNT>>,
        /// Without a result: value count including one more visit.
        pub count_7: Signal<Out, Bits<COUNT>>,

        // Cycles 4 to 7: step of the mean.
        /// Mean of the child, in units of 2^-24.
        pub mean_4: Signal<In, Bits<24>>,
        /// Result for the side that makes the placement, in units of 2^-16.
        pub result_4: Signal<In, Bits<16>>,
        /// Mantissa of the reciprocal of `count_4`.
        pub factor_5: Signal<In, Bits<17>>,
        /// Mean of the child, or its value if that becomes proven; in units of 2^-24.
        pub mean_7: Signal<In, Bits<24>>,
        /// Position of the leading one of `count_4`.
        pub exponent_7: Signal<In, Bits<5>>,

        // Cycle 8: data to write.
        /// High if the result changes the child.
        pub changes_8: Signal<Out, Bit>,
        /// New value count.
        pub count_8: Signal<Out, Bits<COUNT>>,
        /// New mean, in units of 2^-24.
        pub mean_8: Signal<Out, Bits<24>>,
        weight_of: ROM<Bits<WEIGHT>, 6> = given,
        weights: [DFF<Bits<WEIGHT>>; 2],
        proves: DFF<Bit>,
        changes: [DFF<Bit>; 5],
        counts: [DFF<Bits<COUNT>>; 5],
        differences: [DFF<Bits<19>>; 2],
        rate: Multiplier<WEIGHT, 17, 23> = given,
        step: Multiplier<19, 23, 33> = given,
        mean: DFF<Bits<24>>,
        rave_hit: Signal<Local, Bit>,
        entry_ply: Signal<Local, Bits<6>>,
        weight: Signal<Local, Bits<WEIGHT>>,
        saturated: Signal<Local, Bit>,
        grows: Signal<Local, Bit>,
        grown: Signal<Local, Bits<COUNT>>,
        difference: Signal<Local, Bits<25>>,
        sign_fill: Signal<Local, Bits<33>>,
        shifted_step: Signal<Local, Bits<33>>,
        // Mean and half a unit, then the sum; the lowest bit is half a unit.
        mean_and_half: Signal<Local, Bits<33>>,
        moved_mean: Signal<Local, Bits<33>>,
        own_weight: Constant<Bits<WEIGHT>> = given,
        proven_count: Constant<Bits<COUNT>> = given,
        // Value count after `proven_count`, which marks proven values and is skipped.
        after_proven: Constant<Bits<COUNT>> = given,
        // Ones in the bits of a value count that are in use.
        used_bits: Constant<Bits<COUNT>> = given,
        // A saturated value count without its six lowest bits.
        saturated_count: Constant<Bits<{ COUNT - 6 }>> = given,
        max_sibling_count: Constant<Bits<COUNT>> = given,
        // High if the value count is the divisor of the exploration term.
        is_divisor: Constant<Bit> = given,
        // High if value counts have more than 16 bits. Then counts skip the mark, and steps are
        // rounded to the nearest, not down.
        is_wide: Constant<Bit> = given,
        // Sign bits that fill the word after shifts by 1, 2, 4, 8 and 16.
        ones: [Constant<Bits<33>>; 5] = given,
        all_ones: Constant<Bits<33>> = given,
    }
}

impl MeanUpdate {
    /// Creates a mean update with the RAVE weights and the value counts of the parameters.
    ///
    /// # Panics
    /// If a weight is wider than six bits, or a value count narrower than 16 bits or wider than
    /// [`COUNT`].
    pub fn new(p: &SearchParameters) -> Self {
        let weight = |distance: u32| {
            let fall = (distance * p.rave_decay) >> 8;
            p.rave_weight_max
                .saturating_sub(fall)
                .max(p.rave_weight_min)
        };
        let most = (1 << WEIGHT) - 1;
        assert!(
            p.rave_weight_max <= most && p.rave_weight_min <= most,
            "a weight has {WEIGHT} bits"
        );
        let width = p.formulas.value_count_bits as usize;
        assert!(
            (16..=COUNT).contains(&width),
            "a value count has 16 to {COUNT} bits"
        );
        let used_bits = (1_u64 << width) - 1;
        let sibling_most = (16 * u64::from(p.rave_child_max)).min(used_bits);
        let ones = (1_u64 << 33) - 1;
        Self::from(MeanUpdateParts {
            weight_of: (0..64).map(|distance| weight(distance).to_bits()).into(),
            rate: Multiplier::unsigned(),
            step: Multiplier::signed(),
            own_weight: Constant::new(16_u32.to_bits()),
            proven_count: Constant::new(0xffff_u32.to_bits()),
            after_proven: Constant::new((0x1_0000_u32 & used_bits as u32).to_bits()),
            used_bits: Constant::new(used_bits.to_bits()),
            saturated_count: Constant::new((used_bits >> 6).to_bits()),
            max_sibling_count: Constant::new(sibling_most.to_bits()),
            is_divisor: Constant::new(p.formulas.value_count_divisor),
            is_wide: Constant::new(width > 16),
            ones: [1, 2, 4, 8, 16]
                .map(|places| Constant::new((ones >> (33 - places) << (33 - places)).to_bits())),
            all_ones: Constant::new(ones.to_bits()),
        })
    }
}

impl Logic for MeanUpdate {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, rate, step);
        dff_setup!(self, clock, mean, proves);
        for i in 0..2 {
            self.weights[i].clock.next = self.clock.val();
            self.differences[i].clock.next = self.clock.val();
        }
        for i in 0..5 {
            self.changes[i].clock.next = self.clock.val();
            self.counts[i].clock.next = self.clock.val();
        }
        for i in 0..4 {
            self.changes[i + 1].d.next = self.changes[i].q.val();
            self.counts[i + 1].d.next = self.counts[i].q.val();
        }

        // Cycle 3: weight and new value count. A saturated value count has ones in all bits in use
        // but the six lowest; that of a proven value is a mark.
        self.entry_ply.next = self.amaf_entry_3.val().get_bits::<6>(AmafEntry::PLY);
        self.rave_hit.next = self.sibling_3.val()
            & self.entry_ply.val().any()
            & (self.amaf_entry_3.val().get_bit(AmafEntry::SIDE) == self.side_3.val())
            & (self.count_3.val() <= self.max_sibling_count.val());
        self.weight_of.address.next = self.entry_ply.val() - self.ply_3.val();
        self.weight.next = self.weight_of.data.val();
        if self.chosen_3.val() | (!self.updating.val()) {
            self.weight.next = self.own_weight.val();
        }
        self.weights[0].d.next = self.weight.val();
        self.weights[1].d.next = self.weights[0].q.val();
        self.saturated.next = self.count_3.val().get_bits::<16>(6) == self.saturated_count.val();
        self.proven_3.next = self.count_3.val() == self.proven_count.val();
        self.changes[0].d.next = self.updating.val()
            & (!self.proven_3.val())
            & (self.chosen_3.val() | self.rave_hit.val());
        self.proves.d.next = self.chosen_3.val() & self.prove_3.val();
        self.grown.next =
            (self.count_3.val() + bit_cast::<22, 6>(self.weight.val())) & self.used_bits.val();
        self.grows.next = (!(self.updating.val() & self.chosen_3.val() & self.is_divisor.val()))
            & (!self.saturated.val())
            & (!self.proven_3.val());
        self.counts[0].d.next = self.count_3.val();
        if self.grows.val() {
            self.counts[0].d.next = self.grown.val();
            if self.is_wide.val() & (self.grown.val() == self.proven_count.val()) {
                self.counts[0].d.next = self.after_proven.val();
            }
        }
        if self.chosen_3.val() & self.prove_3.val() {
            self.counts[0].d.next = self.proven_count.val();
        }
        self.count_4.next = self.counts[0].q.val();
        self.count_7.next = self.counts[3].q.val();

        // Cycle 4: difference without its six lowest bits. A proven value replaces the mean
        // instead.
        self.prove_4.next = self.proves.q.val();
        self.difference.next =
            (bit_cast::<25, 16>(self.result_4.val()) << 8) - bit_cast::<25, 24>(self.mean_4.val());
        self.differences[0].d.next = self.difference.val().get_bits::<19>(6);
        if self.proves.q.val() {
            self.differences[0].d.next = bits::<19>(0);
        }
        self.differences[1].d.next = self.differences[0].q.val();

        // Cycles 5 and 6.
        self.rate.a.next = self.weights[1].q.val();
        self.rate.b.next = self.factor_5.val();
        self.step.a.next = self.differences[1].q.val();
        self.step.b.next = self.rate.product.val();

        // Cycle 7: the product has lost nine bits; the shift keeps its sign. A tenth bit is dropped
        // after the sum, which includes half a unit if steps are rounded. The step can take the mean below 0. It cannot
        // exceed the result, since no weight exceeds its value count.
        self.sign_fill.next = bits::<33>(0);
        if self.step.product.val().get_bit(32) {
            self.sign_fill.next = self.all_ones.val();
        }
        self.shifted_step.next = self.step.product.val();
        if self.exponent_7.val().get_bit(0) {
            self.shifted_step.next =
                (self.shifted_step.val() >> 1) | (self.sign_fill.val() & self.ones[0].val());
        }
        if self.exponent_7.val().get_bit(1) {
            self.shifted_step.next =
                (self.shifted_step.val() >> 2) | (self.sign_fill.val() & self.ones[1].val());
        }
        if self.exponent_7.val().get_bit(2) {
            self.shifted_step.next =
                (self.shifted_step.val() >> 4) | (self.sign_fill.val() & self.ones[2].val());
        }
        if self.exponent_7.val().get_bit(3) {
            self.shifted_step.next =
                (self.shifted_step.val() >> 8) | (self.sign_fill.val() & self.ones[3].val());
        }
        if self.exponent_7.val().get_bit(4) {
            self.shifted_step.next =
                (self.shifted_step.val() >> 16) | (self.sign_fill.val() & self.ones[4].val());
        }
        self.mean_and_half.next = bit_cast::<33, 24>(self.mean_7.val()) << 1;
        if self.is_wide.val() {
            self.mean_and_half.next = (bit_cast::<33, 24>(self.mean_7.val()) << 1) | bits::<33>(1);
        }
        self.moved_mean.next = self.shifted_step.val() + self.mean_and_half.val();
        self.mean.d.next = self.moved_mean.val().get_bits::<24>(1);
        if self.moved_mean.val().get_bit(32) {
            self.mean.d.next = bits::<24>(0);
        }
        self.changes_8.next = self.changes[4].q.val();
        self.count_8.next = self.counts[4].q.val();
        self.mean_8.next = self.mean.q.val();
    }
}
