//! Lanes: all playout cores with their placement lists.
//!
//! Requests and results concern one lane at a time, the one on `lane`. The cores continue their
//! playouts independently.
//!
//! Encoding: all lanes share one set of wires, and each has its own strobe. So an additional lane
//! costs little more than its core.

use duoforge_twin::search::SearchParameters;
use rust_hdl_core::prelude::*;

use super::lane::Lane;
use crate::block::block;
use crate::search::placement_list::MOVE;
use crate::search::position_ring::ROWS;

block! {
    /// Playout cores and placement lists.
    pub struct Lanes<const LANES: usize> from LanesParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Inputs of all lanes.
        /// All cores load their seeds.
        pub restart: Signal<In, Bit>,
        /// High if the start cell of side 0 is (a,a), low if it is (5,5).
        pub start_is_a: Signal<In, Bit>,
        /// Lane that the ports below concern.
        pub lane: Signal<In, Bits<3>>,

        // Core of that lane: one revolution per step.
        /// Starts the core with the placement of `step`.
        pub start: Signal<In, Bit>,
        /// With `start`: copies the root.
        pub take: Signal<In, Bit>,
        /// With `start`: plays the game to its end.
        pub finish: Signal<In, Bit>,

        // Placement list of that lane.
        /// Appends `step` to the list.
        pub append: Signal<In, Bit>,
        /// Empties the list.
        pub clear: Signal<In, Bit>,
        /// Step down the tree, see [`crate::search::placement_list`].
        pub step: Signal<In, Bits<MOVE>>,

        // Root, shared by all lanes.
        /// Passing row of the root.
        pub incoming: Signal<In, Bits<ROWS>>,
        /// Tiles used by each side at the root; bit 0 is tile `a`.
        pub incoming_used: [Signal<In, Bits<21>>; 2],

        // Results of that lane.
        /// High if the core can start or the lane does not exist.
        pub ready: Signal<Out, Bit>,
        /// Margin for side 0 at the end of the playout, in cells; two's complement.
        pub margin: Signal<Out, Bits<8>>,
        /// Number of words in the list.
        pub count: Signal<Out, Bits<6>>,
        /// Index of the word to read.
        pub index: Signal<In, Bits<6>>,
        /// Word at the `index` of the previous cycle.
        pub word: Signal<Out, Bits<MOVE>>,
        /// Number of cores that are busy, over all lanes.
        pub playing: Signal<Out, Bits<4>>,
        lanes: [Lane; LANES] = given,
        is_selected: Signal<Local, Bit>,
        numbers: [Constant<Bits<3>>; LANES] = given,
    }
}

impl<const LANES: usize> Lanes<LANES> {
    /// Creates the lanes, with the random numbers of the twin's lanes.
    pub fn new(parameters: &SearchParameters, seed: u64) -> Self {
        Self::from(LanesParts {
            lanes: std::array::from_fn(|lane| Lane::new(parameters, seed ^ (lane as u64) << 32)),
            numbers: std::array::from_fn(|lane| Constant::new(lane.to_bits())),
        })
    }
}

impl<const LANES: usize> Logic for Lanes<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        self.ready.next = true;
        self.margin.next = bits::<8>(0);
        self.count.next = bits::<6>(0);
        self.word.next = bits::<54>(0);
        self.playing.next = bits::<4>(0);
        for i in 0..LANES {
            self.lanes[i].clock.next = self.clock.val();
            self.is_selected.next = self.lane.val() == self.numbers[i].val();
            self.lanes[i].selected.next = self.is_selected.val();
            self.lanes[i].restart.next = self.restart.val();
            self.lanes[i].start_is_a.next = self.start_is_a.val();
            self.lanes[i].start.next = self.start.val();
            self.lanes[i].take.next = self.take.val();
            self.lanes[i].finish.next = self.finish.val();
            self.lanes[i].append.next = self.append.val();
            self.lanes[i].clear.next = self.clear.val();
            self.lanes[i].step.next = self.step.val();
            self.lanes[i].incoming.next = self.incoming.val();
            self.lanes[i].side_0_used.next = self.incoming_used[0].val();
            self.lanes[i].side_1_used.next = self.incoming_used[1].val();
            self.lanes[i].index.next = self.index.val();
            if !self.lanes[i].ready.val() {
                self.playing.next = self.playing.val() + 1;
            }
            if self.is_selected.val() {
                self.ready.next = self.lanes[i].ready.val();
                self.margin.next = self.lanes[i].margin.val();
                self.count.next = self.lanes[i].count.val();
                self.word.next = self.lanes[i].word.val();
            }
        }
    }
}
