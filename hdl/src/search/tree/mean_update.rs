//! Mean update of one child: weight of the result and step of the mean.
//!
//! Timing: see [`super::bank`]; each port has the number of its cycle in its name.

use duoforge_twin::search::SearchParameters;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::amaf_table::{AmafEntry, MARK};
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
        /// High if there is a result.
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
        pub count_3: Signal<In, Bits<16>>,
        /// High if `count_3` marks a proven value: all 16 bits are ones.
        pub proven_3: Signal<Out, Bit>,
        /// Value count including the result.
        pub count_4: Signal<Out, Bits<16>>,

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
        pub count_8: Signal<Out, Bits<16>>,
        /// New mean, in units of 2^-24.
        pub mean_8: Signal<Out, Bits<24>>,
        weight_of: ROM<Bits<WEIGHT>, 6> = given,
        weights: [DFF<Bits<WEIGHT>>; 2],
        proves: DFF<Bit>,
        changes: [DFF<Bit>; 5],
        counts: [DFF<Bits<16>>; 5],
        differences: [DFF<Bits<19>>; 2],
        rate: Multiplier<WEIGHT, 17, 23> = given,
        step: Multiplier<19, 23, 32> = given,
        mean: DFF<Bits<24>>,
        rave_hit: Signal<Local, Bit>,
        entry_ply: Signal<Local, Bits<6>>,
        weight: Signal<Local, Bits<WEIGHT>>,
        saturated: Signal<Local, Bit>,
        difference: Signal<Local, Bits<25>>,
        sign_fill: Signal<Local, Bits<32>>,
        shifted_step: Signal<Local, Bits<32>>,
        moved_mean: Signal<Local, Bits<32>>,
        own_weight: Constant<Bits<WEIGHT>> = given,
        proven_count: Constant<Bits<16>> = given,
        saturated_count: Constant<Bits<10>> = given,
        max_sibling_count: Constant<Bits<16>> = given,
        // Sign bits that fill the word after shifts by 1, 2, 4 and 8.
        ones: [Constant<Bits<32>>; 4] = given,
        all_ones: Constant<Bits<32>> = given,
    }
}

impl MeanUpdate {
    /// Creates a mean update with the RAVE weights of the parameters.
    ///
    /// # Panics
    /// If a weight is wider than six bits.
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
        let sibling_most = (16 * u64::from(p.rave_child_max)).min(0xffff);
        Self::from(MeanUpdateParts {
            weight_of: (0..64).map(|distance| weight(distance).to_bits()).into(),
            rate: Multiplier::unsigned(),
            step: Multiplier::signed(),
            own_weight: Constant::new(16_u32.to_bits()),
            proven_count: Constant::new(0xffff_u32.to_bits()),
            saturated_count: Constant::new(0x3ff_u32.to_bits()),
            max_sibling_count: Constant::new(sibling_most.to_bits()),
            ones: [1, 2, 4, 8].map(|places| Constant::new((!0_u32 << (32 - places)).to_bits())),
            all_ones: Constant::new((!0_u32).to_bits()),
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

        // Cycle 3: weight and new value count. A saturated value count has ones in its ten highest
        // bits; that of a proven value has ones in all bits.
        self.entry_ply.next = self.amaf_entry_3.val().get_bits::<6>(AmafEntry::PLY);
        self.rave_hit.next = self.sibling_3.val()
            & self.entry_ply.val().any()
            & (self.amaf_entry_3.val().get_bit(AmafEntry::SIDE) == self.side_3.val())
            & (self.count_3.val() <= self.max_sibling_count.val());
        self.weight_of.address.next = self.entry_ply.val() - self.ply_3.val();
        self.weight.next = self.weight_of.data.val();
        if self.chosen_3.val() {
            self.weight.next = self.own_weight.val();
        }
        self.weights[0].d.next = self.weight.val();
        self.weights[1].d.next = self.weights[0].q.val();
        self.saturated.next = self.count_3.val().get_bits::<10>(6) == self.saturated_count.val();
        self.proven_3.next = self.count_3.val() == self.proven_count.val();
        self.changes[0].d.next = self.updating.val()
            & (!self.proven_3.val())
            & (self.chosen_3.val() | self.rave_hit.val());
        self.proves.d.next = self.chosen_3.val() & self.prove_3.val();
        self.counts[0].d.next = self.count_3.val() + bit_cast::<16, 6>(self.weight.val());
        if self.saturated.val() {
            self.counts[0].d.next = self.count_3.val();
        }
        if self.chosen_3.val() & self.prove_3.val() {
            self.counts[0].d.next = self.proven_count.val();
        }
        self.count_4.next = self.counts[0].q.val();

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

        // Cycle 7: the product has lost ten bits; the shift keeps its sign. Rounding down can take
        // the mean below 0. It cannot exceed the result, since no weight exceeds its value count.
        self.sign_fill.next = bits::<32>(0);
        if self.step.product.val().get_bit(31) {
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
        self.moved_mean.next = self.shifted_step.val() + bit_cast::<32, 24>(self.mean_7.val());
        self.mean.d.next = self.moved_mean.val().get_bits::<24>(0);
        if self.moved_mean.val().get_bit(31) {
            self.mean.d.next = bits::<24>(0);
        }
        self.changes_8.next = self.changes[4].q.val();
        self.count_8.next = self.counts[4].q.val();
        self.mean_8.next = self.mean.q.val();
    }
}
