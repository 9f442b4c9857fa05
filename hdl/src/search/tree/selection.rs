//! Selection: the unproven child with the highest score, or the best child if all are proven.
//!
//! Two argmax units work in parallel, one over unproven and one over proven children. The reason is
//! timing: the proven flag of a child is valid only together with its score.
//!
//! Timing: as [`super::argmax`]. Twin: `duoforge_twin::search::tree::Tree::select`.

use rust_hdl_core::prelude::*;

use super::argmax::Argmax;
use super::bank::{END, NODE, NODES, SCORE};
use crate::block::block;
use crate::search::position_ring::PLACEMENT;

block! {
    /// Selection of one child per node.
    pub struct Selection from SelectionParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Stream of pairs; element 0 is the child with the even number.
        /// High while the inputs hold a pair.
        pub valid: Signal<In, Bit>,
        /// High with the first pair of a node.
        pub first: Signal<In, Bit>,
        /// Number of the pair: half the number of its even child.
        pub pair: Signal<In, Bits<4>>,
        /// High for the children that take part.
        pub present: [Signal<In, Bit>; 2],
        /// High for the children whose values are proven.
        pub sures: [Signal<In, Bit>; 2],
        /// Scores of the pair.
        pub scores: [Signal<In, Bits<SCORE>>; 2],
        /// Placements of the pair.
        pub placements: [Signal<In, Bits<PLACEMENT>>; 2],
        /// Visit counts of the pair.
        pub visit_counts: [Signal<In, Bits<18>>; 2],
        /// Values of the pair, in units of 2^-16.
        pub values: [Signal<In, Bits<16>>; 2],
        /// Links of the pair.
        pub nexts: [Signal<In, Bits<NODE>>; 2],
        /// Number of children of the node.
        pub len: Signal<In, Bits<6>>,

        // Selected child.
        /// Number of the selected child.
        pub child: Signal<Out, Bits<5>>,
        /// Placement of the selected child.
        pub placement: Signal<Out, Bits<PLACEMENT>>,
        /// Visit count of the selected child.
        pub visits: Signal<Out, Bits<18>>,
        /// Value of the selected child, in units of 2^-16.
        pub value: Signal<Out, Bits<16>>,
        /// Link of the selected child, with the number of the end of the game widened to twelve
        /// bits.
        pub leads: Signal<Out, Bits<12>>,
        /// High if the value of the selected child is proven.
        pub sure: Signal<Out, Bit>,

        // Proven alternative and solved node.
        /// High if the selected child is not proven, but a proven child's value exceeds its score.
        pub better: Signal<Out, Bit>,
        /// Best proven value, in units of 2^-16.
        pub best: Signal<Out, Bits<16>>,
        /// High if the node is solved: all children are proven, and they are fewer than the
        /// maximum.
        pub settled: Signal<Out, Bit>,
        open: Argmax,
        safe: Argmax,
        following: Signal<Local, Bits<NODE>>,
        most: Constant<Bits<6>> = given,
        end_outside: Constant<Bits<12>> = given,
        end_inside: Constant<Bits<NODE>> = given,
    }
}

impl Selection {
    /// Creates a selection for nodes that keep at most `children` children.
    pub fn new(children: usize) -> Self {
        Self::from(SelectionParts {
            most: Constant::new(children.to_bits()),
            end_outside: Constant::new(END.to_bits()),
            end_inside: Constant::new(NODES.to_bits()),
        })
    }
}

impl Logic for Selection {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, open, safe);
        self.open.valid.next = self.valid.val();
        self.open.first.next = self.first.val();
        self.open.pair.next = self.pair.val();
        self.open.even.next = self.present[0].val() & (!self.sures[0].val());
        self.open.odd.next = self.present[1].val() & (!self.sures[1].val());
        self.safe.valid.next = self.valid.val();
        self.safe.first.next = self.first.val();
        self.safe.pair.next = self.pair.val();
        self.safe.even.next = self.present[0].val() & self.sures[0].val();
        self.safe.odd.next = self.present[1].val() & self.sures[1].val();
        for i in 0..2 {
            self.open.scores[i].next = self.scores[i].val();
            self.open.placements[i].next = self.placements[i].val();
            self.open.visit_counts[i].next = self.visit_counts[i].val();
            self.open.values[i].next = self.values[i].val();
            self.open.nexts[i].next = self.nexts[i].val();
            self.safe.scores[i].next = self.scores[i].val();
            self.safe.placements[i].next = self.placements[i].val();
            self.safe.visit_counts[i].next = self.visit_counts[i].val();
            self.safe.values[i].next = self.values[i].val();
            self.safe.nexts[i].next = self.nexts[i].val();
        }

        self.child.next = self.open.child.val();
        self.placement.next = self.open.placement.val();
        self.visits.next = self.open.visits.val();
        self.value.next = self.open.value.val();
        self.following.next = self.open.leads.val();
        if !self.open.any.val() {
            self.child.next = self.safe.child.val();
            self.placement.next = self.safe.placement.val();
            self.visits.next = self.safe.visits.val();
            self.value.next = self.safe.value.val();
            self.following.next = self.safe.leads.val();
        }
        self.leads.next = bit_cast::<12, 10>(self.following.val());
        if self.following.val() == self.end_inside.val() {
            self.leads.next = self.end_outside.val();
        }
        self.sure.next = !self.open.any.val();
        self.better.next = self.open.any.val()
            & self.safe.any.val()
            & (self.safe.score.val() > self.open.score.val());
        self.best.next = self.safe.value.val();
        self.settled.next = (!self.open.any.val()) & (self.len.val() != self.most.val());
    }
}
