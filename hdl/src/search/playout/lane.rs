//! Lane: a playout core with the placement list of its simulation.
//!
//! Strobes count only while `selected` is high. The list holds the steps down the tree, which come
//! from outside, then the placements of the playout. A list of
//! [`LONGEST`](crate::search::descent::LONGEST) words ends the playout, so that a list never
//! exceeds its memory.

use duoforge_twin::search::SearchParameters;
use rust_hdl_core::prelude::*;

use super::core::Core;
use crate::block::block;
use crate::search::placement_list::{MOVE, PlacementList, StepWord};
use crate::search::position_ring::{PLACEMENT, ROWS};

block! {
    /// Playout core and placement list.
    pub struct Lane from LaneParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Loads the seed of the core, even if `selected` is low.
        pub restart: Signal<In, Bit>,
        /// See [`Core::start_is_a`].
        pub start_is_a: Signal<In, Bit>,
        /// High if the strobes are for this lane.
        pub selected: Signal<In, Bit>,

        // Core: one revolution per step.
        /// Starts the core with the placement of `step`.
        pub start: Signal<In, Bit>,
        /// With `start`: copies the root.
        pub take: Signal<In, Bit>,
        /// With `start`: plays the game to its end.
        pub finish: Signal<In, Bit>,

        // Placement list.
        /// Appends `step` to the list.
        pub append: Signal<In, Bit>,
        /// Empties the list.
        pub clear: Signal<In, Bit>,
        /// Step down the tree, see [`crate::search::placement_list`].
        pub step: Signal<In, Bits<MOVE>>,

        // Root.
        /// Passing row of the root.
        pub incoming: Signal<In, Bits<ROWS>>,
        /// Tiles that side 0 has used at the root; bit 0 is tile `a`.
        pub side_0_used: Signal<In, Bits<21>>,
        /// Tiles that side 1 has used at the root; bit 0 is tile `a`.
        pub side_1_used: Signal<In, Bits<21>>,

        // Results.
        /// High while the core can start.
        pub ready: Signal<Out, Bit>,
        /// Margin for side 0 at the end of the playout, in cells; two's complement.
        pub margin: Signal<Out, Bits<8>>,
        /// Number of words in the list.
        pub count: Signal<Out, Bits<6>>,
        /// Index of the word to read.
        pub index: Signal<In, Bits<6>>,
        /// Word at the `index` of the previous cycle.
        pub word: Signal<Out, Bits<MOVE>>,
        core: Core = given,
        placement_list: PlacementList,
        playout_placement: Signal<Local, Bits<PLACEMENT>>,
        length: Signal<Local, Bits<6>>,
    }
}

impl Lane {
    /// Creates a lane whose core has the random numbers of `seed`.
    pub fn new(parameters: &SearchParameters, seed: u64) -> Self {
        Self::from(LaneParts {
            core: Core::new(parameters, seed),
        })
    }
}

impl Logic for Lane {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, core, placement_list);
        self.core.restart.next = self.restart.val();
        self.core.start_is_a.next = self.start_is_a.val();
        self.core.start.next = self.start.val() & self.selected.val();
        self.core.take.next = self.take.val();
        self.core.stamp.next = true;
        self.core.side.next = self.step.val().get_bit(StepWord::SIDE);
        self.core.placement.next = self.step.val().get_bits::<15>(StepWord::PLACEMENT);
        self.core.finish.next = self.finish.val();
        self.core.to_move.next = !self.step.val().get_bit(StepWord::SIDE);
        self.core.incoming.next = self.incoming.val();
        self.core.incoming_used[0].next = self.side_0_used.val();
        self.core.incoming_used[1].next = self.side_1_used.val();
        self.length.next = self.placement_list.count.val();
        self.core.stop.next = self.length.val().get_bit(5) & self.length.val().get_bit(4);
        self.ready.next = self.core.ready.val();
        self.margin.next = self.core.margin.val();

        self.playout_placement.next = self.core.played_placement.val();
        self.placement_list.entry.next = bit_cast::<54, 15>(self.playout_placement.val());
        if self.core.played_side.val() {
            self.placement_list.entry.next =
                bit_cast::<54, 15>(self.playout_placement.val()) | bits::<54>(StepWord::BY_SIDE_1);
        }
        if !self.core.played.val() {
            self.placement_list.entry.next = self.step.val();
        }
        self.placement_list.append.next =
            self.core.played.val() | (self.append.val() & self.selected.val());
        self.placement_list.clear.next = self.clear.val() & self.selected.val();
        self.placement_list.index.next = self.index.val();
        self.count.next = self.placement_list.count.val();
        self.word.next = self.placement_list.word.val();
    }
}
