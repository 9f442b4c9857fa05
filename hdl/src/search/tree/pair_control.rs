//! Pair control: role of each child of a pair in the job, if the child takes part.
//!
//! Timing: the inputs belong to the pair whose words are valid, in cycle 1 of [`super::bank`].
//! `even`, `odd` and `last` follow one cycle later. The other outputs have the number of their
//! cycle in their names.

use duoforge_twin::search::SearchParameters;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::bank::ChildNumber;
use super::node_allocator::{NodeWord, WORD};
use crate::block::block;
use crate::word::ShiftBy;

block! {
    /// Pair control.
    pub struct PairControl from PairControlParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Pair of children and word of its node.
        /// High while the inputs hold a pair.
        pub valid: Signal<In, Bit>,
        /// Number of the pair: half the number of its even child.
        pub pair: Signal<In, Bits<4>>,
        /// Word of the node.
        pub word: Signal<In, Bits<WORD>>,

        // Job.
        /// High if only `child` takes part.
        pub single: Signal<In, Bit>,
        /// Child of the job.
        pub child: Signal<In, Bits<5>>,
        /// Result for side 0, in units of 2^-16.
        pub result: Signal<In, Bits<16>>,
        /// Ply of the node.
        pub ply: Signal<In, Bits<6>>,
        /// High if the result is the proven value of `child`.
        pub prove: Signal<In, Bit>,

        // Roles for the selection, one cycle later.
        /// High if the even child takes part.
        pub even: Signal<Out, Bit>,
        /// High if the odd child takes part.
        pub odd: Signal<Out, Bit>,
        /// High if the pair is the last one of the job.
        pub last: Signal<Out, Bit>,

        // Roles for the backup.
        /// Side to move at the node.
        pub side_3: Signal<Out, Bit>,
        /// Ply of the node plus one.
        pub ply_3: Signal<Out, Bits<6>>,
        /// High for the child of the job.
        pub chosen_3: [Signal<Out, Bit>; 2],
        /// High for children that may receive a RAVE update.
        pub sibling_3: [Signal<Out, Bit>; 2],
        /// High if the result is the proven value of the job's child.
        pub prove_3: Signal<Out, Bit>,
        /// Result for the side to move at the node, in units of 2^-16.
        pub result_4: Signal<Out, Bits<16>>,
        even_in: DFF<Bit>,
        odd_in: DFF<Bit>,
        at_end: DFF<Bit>,
        side: [DFF<Bit>; 2],
        next_ply: [DFF<Bits<6>>; 2],
        chosen: [DFF<Bit>; 2],
        delayed_chosen: [DFF<Bit>; 2],
        sibling: [DFF<Bit>; 2],
        delayed_sibling: [DFF<Bit>; 2],
        proves: [DFF<Bit>; 2],
        results: [DFF<Bits<16>>; 3],
        child_count: Signal<Local, Bits<6>>,
        visits: Signal<Local, Bits<18>>,
        even_number: Signal<Local, Bits<6>>,
        odd_number: Signal<Local, Bits<6>>,
        next_number: Signal<Local, Bits<6>>,
        to_odd: Signal<Local, Bit>,
        holds_child: Signal<Local, Bit>,
        rave_enabled: Signal<Local, Bit>,
        max_parent_visits: Constant<Bits<18>> = given,
        rave: Constant<Bit> = given,
    }
}

impl PairControl {
    /// Creates a pair control with the RAVE limits of the parameters.
    pub fn new(p: &SearchParameters) -> Self {
        Self::from(PairControlParts {
            max_parent_visits: Constant::new(p.rave_parent_max.min(0x3_ffff).to_bits()),
            rave: Constant::new(p.rave_weight_max > 0),
        })
    }
}

impl Logic for PairControl {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, even_in, odd_in, at_end);
        self.child_count.next = self.word.val().get_bits::<6>(NodeWord::CHILDREN);
        self.visits.next = self.word.val().get_bits::<18>(NodeWord::VISITS);
        self.even_number.next = bit_cast::<6, 4>(self.pair.val()) << ChildNumber::PAIR.val();
        self.odd_number.next = self.even_number.val() | bits::<6>(1);
        self.next_number.next = self.even_number.val() + 2;
        self.to_odd.next = self.child.val().get_bit(ChildNumber::ODD);
        self.even_in.d.next = self.valid.val();
        self.odd_in.d.next = self.valid.val() & (self.odd_number.val() < self.child_count.val());
        self.at_end.d.next = self.next_number.val() >= self.child_count.val();
        self.rave_enabled.next = self.valid.val()
            & self.rave.val()
            & (self.visits.val() <= self.max_parent_visits.val());
        self.sibling[0].d.next = self.rave_enabled.val();
        self.sibling[1].d.next =
            self.rave_enabled.val() & (self.odd_number.val() < self.child_count.val());
        if self.single.val() {
            self.even_in.d.next = self.valid.val() & (!self.to_odd.val());
            self.odd_in.d.next = self.valid.val() & self.to_odd.val();
            self.at_end.d.next = true;
        }
        self.holds_child.next = self.valid.val()
            & (self.child.val().get_bits::<4>(ChildNumber::PAIR) == self.pair.val());
        self.chosen[0].d.next = self.holds_child.val() & (!self.to_odd.val());
        self.chosen[1].d.next = self.holds_child.val() & self.to_odd.val();
        self.side[0].d.next = self.word.val().get_bit(NodeWord::SIDE);
        self.next_ply[0].d.next = self.ply.val() + 1;
        self.results[0].d.next = self.result.val();
        if self.word.val().get_bit(NodeWord::SIDE) {
            self.results[0].d.next = !self.result.val();
        }
        self.results[1].d.next = self.results[0].q.val();
        self.results[2].d.next = self.results[1].q.val();
        self.results[2].clock.next = self.clock.val();
        self.side[1].d.next = self.side[0].q.val();
        self.next_ply[1].d.next = self.next_ply[0].q.val();
        self.proves[0].d.next = self.prove.val();
        self.proves[1].d.next = self.proves[0].q.val();
        for i in 0..2 {
            self.side[i].clock.next = self.clock.val();
            self.proves[i].clock.next = self.clock.val();
            self.next_ply[i].clock.next = self.clock.val();
            self.delayed_chosen[i].clock.next = self.clock.val();
            self.delayed_sibling[i].clock.next = self.clock.val();
            self.delayed_chosen[i].d.next = self.chosen[i].q.val();
            self.delayed_sibling[i].d.next = self.sibling[i].q.val();
            self.chosen[i].clock.next = self.clock.val();
            self.sibling[i].clock.next = self.clock.val();
            self.results[i].clock.next = self.clock.val();
            self.chosen_3[i].next = self.delayed_chosen[i].q.val();
            self.sibling_3[i].next = self.delayed_sibling[i].q.val();
        }
        self.even.next = self.even_in.q.val();
        self.odd.next = self.odd_in.q.val();
        self.last.next = self.at_end.q.val();
        self.side_3.next = self.side[1].q.val();
        self.ply_3.next = self.next_ply[1].q.val();
        self.prove_3.next = self.proves[1].q.val();
        self.result_4.next = self.results[2].q.val();
    }
}
