//! Harness for simulation: an expander with the root ring from which it copies positions.

use duoforge_twin::search::SearchParameters;
use rust_hdl_core::prelude::*;

use crate::block::block;
use crate::search::expansion::expander::Expander;
use crate::search::position_ring::{PLACEMENT, PositionRing};

block! {
    /// Harness of an [`Expander`] and its root.
    pub struct ExpanderUnit from ExpanderUnitParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Positions. The root and the expander share `side` and `stamped`, which keeps the ports
        // few.
        /// See [`Expander::start_is_a`].
        pub start_is_a: Signal<In, Bit>,
        /// Empties the root.
        pub clear: Signal<In, Bit>,
        /// Stamps `stamped` of `side` into the root.
        pub root_stamp: Signal<In, Bit>,
        /// Copies the root into the expander; with `stamp` the expander also stamps `stamped`.
        pub take: Signal<In, Bit>,
        /// Stamps `stamped` of `side` into the position of the expander, with or without `take`.
        pub stamp: Signal<In, Bit>,
        /// See [`Expander::side`].
        pub side: Signal<In, Bit>,
        /// See [`Expander::stamped`].
        pub stamped: Signal<In, Bits<PLACEMENT>>,

        // Requests and outputs of the expander.
        /// See [`Expander::score`].
        pub score: Signal<In, Bit>,
        /// See [`Expander::value`].
        pub value: Signal<In, Bits<16>>,
        /// See [`Expander::list`].
        pub list: Signal<In, Bit>,
        /// High while the root and the expander are both idle.
        pub idle: Signal<Out, Bit>,
        /// See [`Expander::done`].
        pub done: Signal<Out, Bit>,
        /// See [`Expander::legal`].
        pub legal: Signal<Out, Bit>,
        /// See [`Expander::legal_placement`].
        pub legal_placement: Signal<Out, Bits<PLACEMENT>>,
        /// See [`Expander::legal_count`].
        pub legal_count: Signal<Out, Bits<14>>,
        /// See [`Expander::entry`].
        pub entry: Signal<Out, Bit>,
        /// See [`Expander::placement`].
        pub placement: Signal<Out, Bits<PLACEMENT>>,
        /// See [`Expander::prior`].
        pub prior: Signal<Out, Bits<16>>,
        /// See [`Expander::mean`].
        pub mean: Signal<Out, Bits<24>>,
        /// See [`Expander::count`].
        pub count: Signal<Out, Bits<6>>,
        root: PositionRing,
        expander: Expander = given,
    }
}

impl ExpanderUnit {
    /// See [`Expander::new`].
    pub fn new(parameters: &SearchParameters) -> Self {
        Self::from(ExpanderUnitParts {
            expander: Expander::new(parameters),
        })
    }
}

impl Logic for ExpanderUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, root, expander);
        self.root.start.next = self.clear.val() | self.root_stamp.val() | self.take.val();
        self.root.take.next = self.clear.val();
        self.root.stamp.next = self.root_stamp.val();
        self.root.side.next = self.side.val();
        self.root.placement.next = self.stamped.val();
        self.root.advance.next = true;
        self.root.incoming.next = 0.into();
        self.expander.start_is_a.next = self.start_is_a.val();
        self.expander.start.next = self.take.val() | self.stamp.val();
        self.expander.take.next = self.take.val();
        self.expander.stamp.next = self.stamp.val();
        self.expander.side.next = self.side.val();
        self.expander.stamped.next = self.stamped.val();
        self.expander.incoming.next = self.root.passing.val();
        for i in 0..2 {
            self.root.incoming_used[i].next = 0.into();
            self.expander.incoming_used[i].next = self.root.used[i].val();
        }
        self.expander.score.next = self.score.val();
        self.expander.value.next = self.value.val();
        self.expander.list.next = self.list.val();
        self.idle.next = self.root.idle.val() & self.expander.idle.val();
        self.done.next = self.expander.done.val();
        self.legal.next = self.expander.legal.val();
        self.legal_placement.next = self.expander.legal_placement.val();
        self.legal_count.next = self.expander.legal_count.val();
        self.entry.next = self.expander.entry.val();
        self.placement.next = self.expander.placement.val();
        self.prior.next = self.expander.prior.val();
        self.mean.next = self.expander.mean.val();
        self.count.next = self.expander.count.val();
    }
}
