//! Placement check: compares the placement of the search or the book with the legal set before it is
//! played.
//!
//! After each `think` the check has the legal set of side 0 listed. If the proposed placement is not in
//! it, the first legal placement replaces it. A search whose memory is right never needs that; one
//! whose SDRAM returns other words than were written still makes no illegal move, and passes only if
//! there is no legal placement.
//!
//! Encoding: two flags, of which `waiting` comes first. With both, as with none, the check ends by
//! itself once the search engine is idle.
//!
//! Twin: [`legal_or_first`].

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::position_ring::PLACEMENT;
use crate::block::block;

block! {
    /// Check of a placement before it is played.
    pub struct PlacementCheck {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Jobs.
        /// Ends a check.
        pub clear: Signal<In, Bit>,
        /// Starts a check: the search engine gets its `think` in the same cycle, unless the book has a
        /// reply.
        pub think: Signal<In, Bit>,
        /// High from `think` to the end of the check.
        pub busy: Signal<Out, Bit>,

        // Search engine.
        /// High while it is idle. From the cycle after `think` it is low until `proposed` is valid.
        pub idle: Signal<In, Bit>,
        /// High once the search has a placement that a deadline may end it with.
        pub search_found: Signal<In, Bit>,
        /// Placement of the search or the book, while the legal set is listed.
        pub proposed: Signal<In, Bits<PLACEMENT>>,
        /// Requests the legal set of side 0.
        pub list: Signal<Out, Bit>,
        /// High while `listed_placement` holds a placement of the legal set.
        pub listed: Signal<In, Bit>,
        /// Placement of the legal set, a [`PlacementWord`](crate::word::PlacementWord).
        pub listed_placement: Signal<In, Bits<PLACEMENT>>,

        // Result, valid from the end of `busy` to the next `think`.
        /// High if there is a legal placement. Until the search has ended it is `search_found`, and low
        /// while the legal set is listed.
        pub found: Signal<Out, Bit>,
        /// Legal placement: `proposed`, or else the first of the legal set.
        pub placement: Signal<Out, Bits<PLACEMENT>>,
        // High until the search has ended.
        waiting: DFF<Bit>,
        // High while the legal set is listed.
        listing: DFF<Bit>,
        // High once a placement has been listed.
        any: DFF<Bit>,
        // The first of them, or `proposed` if that is listed.
        chosen: DFF<Bits<PLACEMENT>>,
    }
}

/// Returns the proposed placement if it is in the legal set, or else the first of that set.
pub fn legal_or_first(proposed: u16, legal: &[u16]) -> Option<u16> {
    let listed = legal.contains(&proposed).then_some(proposed);
    listed.or(legal.first().copied())
}

impl Logic for PlacementCheck {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, waiting, listing, any, chosen);
        self.list.next = false;
        if self.waiting.q.val() {
            if self.idle.val() {
                self.list.next = !self.clear.val();
                self.waiting.d.next = false;
                self.listing.d.next = true;
                self.any.d.next = false;
            }
        } else if self.listing.q.val() {
            if self.listed.val() {
                self.any.d.next = true;
                if (!self.any.q.val()) | (self.listed_placement.val() == self.proposed.val()) {
                    self.chosen.d.next = self.listed_placement.val();
                }
            }
            if self.idle.val() {
                self.listing.d.next = false;
            }
        }
        if self.think.val() {
            self.waiting.d.next = true;
        }
        if self.clear.val() {
            self.waiting.d.next = false;
            self.listing.d.next = false;
            self.any.d.next = false;
        }
        self.busy.next = self.waiting.q.val() | self.listing.q.val();
        self.found.next = self.any.q.val() & (!self.listing.q.val());
        if self.waiting.q.val() {
            self.found.next = self.search_found.val();
        }
        self.placement.next = self.chosen.q.val();
    }
}
