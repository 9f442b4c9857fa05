//! Argmax over the children of a node, which arrive in pairs; the first of equal ones wins.
//!
//! Timing: a pair that is sampled with `valid` is included in the outputs from the next cycle on.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::bank::{COUNT, ChildNumber, NODE, SCORE};
use crate::block::block;
use crate::search::position_ring::PLACEMENT;
use crate::word::ShiftBy;

block! {
    /// Register for the best child so far, with its comparators.
    pub struct Argmax {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Stream of pairs; element 0 is the child with the even number.
        /// High while the inputs hold a pair.
        pub valid: Signal<In, Bit>,
        /// High with the first pair of a node, which replaces the previous result.
        pub first: Signal<In, Bit>,
        /// Number of the pair: half the number of its even child.
        pub pair: Signal<In, Bits<4>>,
        /// High if the even child takes part.
        pub even: Signal<In, Bit>,
        /// High if the odd child takes part.
        pub odd: Signal<In, Bit>,
        /// Scores of the pair.
        pub scores: [Signal<In, Bits<SCORE>>; 2],
        /// Placements of the pair.
        pub placements: [Signal<In, Bits<PLACEMENT>>; 2],
        /// Visit counts of the pair.
        pub visit_counts: [Signal<In, Bits<18>>; 2],
        /// Value counts of the pair with one more visit, in 16ths of a visit.
        pub grown_counts: [Signal<In, Bits<COUNT>>; 2],
        /// Values of the pair, in units of 2^-16.
        pub values: [Signal<In, Bits<16>>; 2],
        /// Links of the pair.
        pub next_nodes: [Signal<In, Bits<NODE>>; 2],

        // Best child so far.
        /// High if a child has taken part; the outputs below are valid only then.
        pub any: Signal<Out, Bit>,
        /// Score of the best child.
        pub score: Signal<Out, Bits<SCORE>>,
        /// Number of the best child.
        pub child: Signal<Out, Bits<5>>,
        /// Placement of the best child.
        pub placement: Signal<Out, Bits<PLACEMENT>>,
        /// Visit count of the best child.
        pub visits: Signal<Out, Bits<18>>,
        /// Value count of the best child with one more visit, in 16ths of a visit.
        pub grown_count: Signal<Out, Bits<COUNT>>,
        /// Value of the best child, in units of 2^-16.
        pub value: Signal<Out, Bits<16>>,
        /// Link of the best child.
        pub next_node: Signal<Out, Bits<NODE>>,
        found: DFF<Bit>,
        best_score: DFF<Bits<SCORE>>,
        best_child: DFF<Bits<5>>,
        best_placement: DFF<Bits<PLACEMENT>>,
        best_visits: DFF<Bits<18>>,
        best_grown_count: DFF<Bits<COUNT>>,
        best_value: DFF<Bits<16>>,
        best_next_node: DFF<Bits<NODE>>,
        odd_higher: Signal<Local, Bit>,
        take_odd: Signal<Local, Bit>,
        higher: Signal<Local, Bits<SCORE>>,
        takes_part: Signal<Local, Bit>,
        even_child: Signal<Local, Bits<5>>,
    }
}

impl Logic for Argmax {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, found, best_score, best_child, best_placement);
        dff_setup!(
            self,
            clock,
            best_visits,
            best_grown_count,
            best_value,
            best_next_node
        );
        self.odd_higher.next = self.scores[1].val() > self.scores[0].val();
        self.take_odd.next = self.odd.val() & ((!self.even.val()) | self.odd_higher.val());
        self.higher.next = self.scores[0].val();
        if self.take_odd.val() {
            self.higher.next = self.scores[1].val();
        }
        self.takes_part.next = self.even.val() | self.odd.val();
        if self.valid.val() {
            self.found.d.next = self.takes_part.val() | (self.found.q.val() & (!self.first.val()));
        }
        self.even_child.next = bit_cast::<5, 4>(self.pair.val()) << ChildNumber::PAIR.val();
        if self.valid.val()
            & self.takes_part.val()
            & (self.first.val()
                | (!self.found.q.val())
                | (self.higher.val() > self.best_score.q.val()))
        {
            self.best_score.d.next = self.higher.val();
            self.best_child.d.next = self.even_child.val();
            self.best_placement.d.next = self.placements[0].val();
            self.best_visits.d.next = self.visit_counts[0].val();
            self.best_grown_count.d.next = self.grown_counts[0].val();
            self.best_value.d.next = self.values[0].val();
            self.best_next_node.d.next = self.next_nodes[0].val();
            if self.take_odd.val() {
                self.best_child.d.next = self.even_child.val() | bits::<5>(1);
                self.best_placement.d.next = self.placements[1].val();
                self.best_visits.d.next = self.visit_counts[1].val();
                self.best_grown_count.d.next = self.grown_counts[1].val();
                self.best_value.d.next = self.values[1].val();
                self.best_next_node.d.next = self.next_nodes[1].val();
            }
        }
        self.any.next = self.found.q.val();
        self.score.next = self.best_score.q.val();
        self.child.next = self.best_child.q.val();
        self.placement.next = self.best_placement.q.val();
        self.visits.next = self.best_visits.q.val();
        self.grown_count.next = self.best_grown_count.q.val();
        self.value.next = self.best_value.q.val();
        self.next_node.next = self.best_next_node.q.val();
    }
}
