//! Selection: the unproven child with the highest score, or the best child if all are proven.
//!
//! Two argmax units work in parallel, one over unproven and one over proven children. The reason is
//! timing: the proven flag of a child is valid only together with its score.
//!
//! Timing: as [`super::argmax`]. Twin: `duoforge_twin::search::tree::Tree::select`.

use rust_hdl_core::prelude::*;

use super::argmax::Argmax;
use super::bank::{COUNT, NODE, SCORE};
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
        pub proven_children: [Signal<In, Bit>; 2],
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
        /// Number of children of the node.
        pub child_count: Signal<In, Bits<6>>,

        // Selected child.
        /// Number of the selected child.
        pub child: Signal<Out, Bits<5>>,
        /// Placement of the selected child.
        pub placement: Signal<Out, Bits<PLACEMENT>>,
        /// Visit count of the selected child.
        pub visits: Signal<Out, Bits<18>>,
        /// Value count of the selected child with one more visit, in 16ths of a visit; meaningless if
        /// that child is proven.
        pub grown_count: Signal<Out, Bits<COUNT>>,
        /// Value of the selected child, in units of 2^-16.
        pub value: Signal<Out, Bits<16>>,
        /// Link of the selected child.
        pub next_node: Signal<Out, Bits<NODE>>,
        /// High if the value of the selected child is proven.
        pub proven: Signal<Out, Bit>,

        // Proven alternative and solved node.
        /// High if the selected child is not proven, but a proven child's value exceeds its score.
        pub alternative: Signal<Out, Bit>,
        /// Best proven value, in units of 2^-16.
        pub alternative_value: Signal<Out, Bits<16>>,
        /// High if the node is solved: all children are proven, and they are fewer than the
        /// maximum.
        pub solved: Signal<Out, Bit>,
        unproven_argmax: Argmax,
        proven_argmax: Argmax,
        max_children: Constant<Bits<6>> = given,
    }
}

impl Selection {
    /// Creates a selection for nodes that keep at most `children` children.
    pub fn new(children: usize) -> Self {
        Self::from(SelectionParts {
            max_children: Constant::new(children.to_bits()),
        })
    }
}

impl Logic for Selection {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, unproven_argmax, proven_argmax);
        self.unproven_argmax.valid.next = self.valid.val();
        self.unproven_argmax.first.next = self.first.val();
        self.unproven_argmax.pair.next = self.pair.val();
        self.unproven_argmax.even.next = self.present[0].val() & (!self.proven_children[0].val());
        self.unproven_argmax.odd.next = self.present[1].val() & (!self.proven_children[1].val());
        self.proven_argmax.valid.next = self.valid.val();
        self.proven_argmax.first.next = self.first.val();
        self.proven_argmax.pair.next = self.pair.val();
        self.proven_argmax.even.next = self.present[0].val() & self.proven_children[0].val();
        self.proven_argmax.odd.next = self.present[1].val() & self.proven_children[1].val();
        for i in 0..2 {
            self.unproven_argmax.scores[i].next = self.scores[i].val();
            self.unproven_argmax.placements[i].next = self.placements[i].val();
            self.unproven_argmax.visit_counts[i].next = self.visit_counts[i].val();
            self.unproven_argmax.grown_counts[i].next = self.grown_counts[i].val();
            self.unproven_argmax.values[i].next = self.values[i].val();
            self.unproven_argmax.next_nodes[i].next = self.next_nodes[i].val();
            self.proven_argmax.scores[i].next = self.scores[i].val();
            self.proven_argmax.placements[i].next = self.placements[i].val();
            self.proven_argmax.visit_counts[i].next = self.visit_counts[i].val();
            self.proven_argmax.grown_counts[i].next = self.grown_counts[i].val();
            self.proven_argmax.values[i].next = self.values[i].val();
            self.proven_argmax.next_nodes[i].next = self.next_nodes[i].val();
        }

        self.child.next = self.unproven_argmax.child.val();
        self.placement.next = self.unproven_argmax.placement.val();
        self.visits.next = self.unproven_argmax.visits.val();
        self.grown_count.next = self.unproven_argmax.grown_count.val();
        self.value.next = self.unproven_argmax.value.val();
        self.next_node.next = self.unproven_argmax.next_node.val();
        if !self.unproven_argmax.any.val() {
            self.child.next = self.proven_argmax.child.val();
            self.placement.next = self.proven_argmax.placement.val();
            self.visits.next = self.proven_argmax.visits.val();
            self.value.next = self.proven_argmax.value.val();
            self.next_node.next = self.proven_argmax.next_node.val();
        }
        self.proven.next = !self.unproven_argmax.any.val();
        self.alternative.next = self.unproven_argmax.any.val()
            & self.proven_argmax.any.val()
            & (self.proven_argmax.score.val() > self.unproven_argmax.score.val());
        self.alternative_value.next = self.proven_argmax.value.val();
        self.solved.next =
            (!self.unproven_argmax.any.val()) & (self.child_count.val() != self.max_children.val());
    }
}
