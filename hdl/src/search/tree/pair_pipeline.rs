//! Pair pipeline: the pair of children that is in each stage of the banks, if any.
//!
//! Encoding: shift registers parallel to those of the banks. Each stage finds the address and the
//! flags of its pair there. The pipeline has no twin: the twin's tree processes one child after the
//! other.
//!
//! Timing: an output belongs to the cycle of [`super::bank`] in its name. `valid`, `first` and
//! `address` belong to the cycle before cycle 0.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::bank::ADDRESS;
use crate::block::block;

block! {
    /// Shift registers of pairs.
    pub struct PairPipeline {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Pair that enters.
        /// High while a pair is read.
        pub valid: Signal<In, Bit>,
        /// High with the first pair of a job.
        pub first: Signal<In, Bit>,
        /// Address of the pair in the banks.
        pub address: Signal<In, Bits<ADDRESS>>,
        /// High for the children of the pair that take part.
        pub present_2: [Signal<In, Bit>; 2],
        /// High with the last pair of a job.
        pub last_2: Signal<In, Bit>,

        // Pairs in stages 1, 7 and 8.
        /// High if a pair is in stage 1.
        pub valid_1: Signal<Out, Bit>,
        /// Address of the pair in stage 1.
        pub address_1: Signal<Out, Bits<ADDRESS>>,
        /// High if a pair is in stage 7.
        pub valid_7: Signal<Out, Bit>,
        /// High if that pair is the first one of its job.
        pub first_7: Signal<Out, Bit>,
        /// Address of the pair in stage 7.
        pub address_7: Signal<Out, Bits<ADDRESS>>,
        /// High for the children of that pair that take part.
        pub present_7: [Signal<Out, Bit>; 2],
        /// High if a pair is in stage 8.
        pub valid_8: Signal<Out, Bit>,
        /// Address of the pair in stage 8.
        pub address_8: Signal<Out, Bits<ADDRESS>>,
        /// High if that pair is the last one of its job.
        pub last_8: Signal<Out, Bit>,
        /// High if a pair is in one of the stages 0 to 7.
        pub any: Signal<Out, Bit>,
        stage_valid: [DFF<Bit>; 9],
        addresses: [DFF<Bits<ADDRESS>>; 9],
        firsts: [DFF<Bit>; 8],
        even: [DFF<Bit>; 5],
        odd: [DFF<Bit>; 5],
        last: [DFF<Bit>; 6],
    }
}

impl Logic for PairPipeline {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..9 {
            self.stage_valid[i].clock.next = self.clock.val();
            self.addresses[i].clock.next = self.clock.val();
        }
        for i in 0..8 {
            self.firsts[i].clock.next = self.clock.val();
            self.stage_valid[i + 1].d.next = self.stage_valid[i].q.val();
            self.addresses[i + 1].d.next = self.addresses[i].q.val();
        }
        for i in 0..7 {
            self.firsts[i + 1].d.next = self.firsts[i].q.val();
        }
        for i in 0..6 {
            self.last[i].clock.next = self.clock.val();
        }
        for i in 0..5 {
            self.last[i + 1].d.next = self.last[i].q.val();
            self.even[i].clock.next = self.clock.val();
            self.odd[i].clock.next = self.clock.val();
        }
        for i in 0..4 {
            self.even[i + 1].d.next = self.even[i].q.val();
            self.odd[i + 1].d.next = self.odd[i].q.val();
        }
        self.stage_valid[0].d.next = self.valid.val();
        self.firsts[0].d.next = self.first.val();
        self.addresses[0].d.next = self.address.val();
        self.even[0].d.next = self.present_2[0].val();
        self.odd[0].d.next = self.present_2[1].val();
        self.last[0].d.next = self.last_2.val();
        self.valid_1.next = self.stage_valid[1].q.val();
        self.address_1.next = self.addresses[1].q.val();
        self.valid_7.next = self.stage_valid[7].q.val();
        self.first_7.next = self.firsts[7].q.val();
        self.address_7.next = self.addresses[7].q.val();
        self.present_7[0].next = self.even[4].q.val();
        self.present_7[1].next = self.odd[4].q.val();
        self.valid_8.next = self.stage_valid[8].q.val();
        self.address_8.next = self.addresses[8].q.val();
        self.last_8.next = self.last[5].q.val();
        self.any.next = false;
        for i in 0..8 {
            if self.stage_valid[i].q.val() {
                self.any.next = true;
            }
        }
    }
}
