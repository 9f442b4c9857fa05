//! Harness of the search engine with a tree in an external memory, and a model of the memory.

use rust_hdl_core::prelude::*;

use super::cached_tree::LineMemory;
use crate::block::block;
use crate::search::placement_list::MOVE;
use crate::search::position_ring::PLACEMENT;
use crate::search::searcher::{ClockedSearchConfig, Searcher};

block! {
    /// Harness of [`Searcher`] with the ports that it has without an external memory.
    pub struct CachedSearcherUnit<const LANES: usize> from CachedSearcherUnitParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// See [`Searcher::clear`].
        pub clear: Signal<In, Bit>,
        /// See [`Searcher::start_is_a`].
        pub start_is_a: Signal<In, Bit>,
        /// See [`Searcher::side`].
        pub side: Signal<In, Bit>,
        /// See [`Searcher::place`].
        pub place: Signal<In, Bit>,
        /// See [`Searcher::placement`].
        pub placement: Signal<In, Bits<PLACEMENT>>,
        /// See [`Searcher::list`].
        pub list: Signal<In, Bit>,
        /// See [`Searcher::think`].
        pub think: Signal<In, Bit>,
        /// See [`Searcher::ponder`].
        pub ponder: Signal<In, Bit>,
        /// See [`Searcher::stop`].
        pub stop: Signal<In, Bit>,
        /// See [`Searcher::idle`].
        pub idle: Signal<Out, Bit>,
        /// See [`Searcher::listed`].
        pub listed: Signal<Out, Bit>,
        /// See [`Searcher::listed_placement`].
        pub listed_placement: Signal<Out, Bits<PLACEMENT>>,
        /// See [`Searcher::found`].
        pub found: Signal<Out, Bit>,
        /// See [`Searcher::best`].
        pub best: Signal<Out, Bits<PLACEMENT>>,
        /// See [`Searcher::simulations`].
        pub simulations: Signal<Out, Bits<18>>,
        /// See [`Searcher::pondered`].
        pub pondered: Signal<Out, Bits<18>>,
        /// See [`Searcher::cycles`].
        pub cycles: Signal<Out, Bits<32>>,
        /// See [`Searcher::tree_cycles`].
        pub tree_cycles: Signal<Out, Bits<32>>,
        /// See [`Searcher::expander_cycles`].
        pub expander_cycles: Signal<Out, Bits<32>>,
        /// See [`Searcher::lane_cycles`].
        pub lane_cycles: Signal<Out, Bits<36>>,
        /// See [`Searcher::trace_valid`].
        pub trace_valid: Signal<Out, Bit>,
        /// See [`Searcher::trace_step`].
        pub trace_step: Signal<Out, Bits<MOVE>>,
        /// See [`Searcher::trace_end`].
        pub trace_end: Signal<Out, Bit>,
        /// See [`Searcher::trace_result`].
        pub trace_result: Signal<Out, Bits<16>>,
        /// See [`Searcher::trace_read`].
        pub trace_read: Signal<Out, Bit>,
        /// See [`Searcher::trace_placement`].
        pub trace_placement: Signal<Out, Bits<PLACEMENT>>,
        /// See [`Searcher::trace_visits`].
        pub trace_visits: Signal<Out, Bits<18>>,
        /// See [`Searcher::trace_value`].
        pub trace_value: Signal<Out, Bits<16>>,
        /// See [`Searcher::trace_proven`].
        pub trace_proven: Signal<Out, Bit>,
        searcher: Searcher<LANES> = given,
        memory: LineMemory = given,
    }
}

impl<const LANES: usize> CachedSearcherUnit<LANES> {
    /// Creates a search engine from the settings.
    ///
    /// # Panics
    /// As [`Searcher::new`].
    pub fn new(settings: &ClockedSearchConfig) -> Self {
        let nodes = settings.parameters.nodes.next_power_of_two().max(2);
        Self::from(CachedSearcherUnitParts {
            searcher: Searcher::new(settings),
            memory: LineMemory::new(nodes),
        })
    }
}

impl<const LANES: usize> Logic for CachedSearcherUnit<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, searcher, memory);
        self.searcher.clear.next = self.clear.val();
        self.searcher.start_is_a.next = self.start_is_a.val();
        self.searcher.side.next = self.side.val();
        self.searcher.place.next = self.place.val();
        self.searcher.placement.next = self.placement.val();
        self.searcher.list.next = self.list.val();
        self.searcher.think.next = self.think.val();
        self.searcher.ponder.next = self.ponder.val();
        self.searcher.stop.next = self.stop.val();
        self.idle.next = self.searcher.idle.val();
        self.listed.next = self.searcher.listed.val();
        self.listed_placement.next = self.searcher.listed_placement.val();
        self.found.next = self.searcher.found.val();
        self.best.next = self.searcher.best.val();
        self.simulations.next = self.searcher.simulations.val();
        self.pondered.next = self.searcher.pondered.val();
        self.cycles.next = self.searcher.cycles.val();
        self.tree_cycles.next = self.searcher.tree_cycles.val();
        self.expander_cycles.next = self.searcher.expander_cycles.val();
        self.lane_cycles.next = self.searcher.lane_cycles.val();
        self.trace_valid.next = self.searcher.trace_valid.val();
        self.trace_step.next = self.searcher.trace_step.val();
        self.trace_end.next = self.searcher.trace_end.val();
        self.trace_result.next = self.searcher.trace_result.val();
        self.trace_read.next = self.searcher.trace_read.val();
        self.trace_placement.next = self.searcher.trace_placement.val();
        self.trace_visits.next = self.searcher.trace_visits.val();
        self.trace_value.next = self.searcher.trace_value.val();
        self.trace_proven.next = self.searcher.trace_proven.val();
        self.searcher.memory_works.next = true;
        self.memory.request.next = self.searcher.line_request.val();
        self.memory.write.next = self.searcher.line_write.val();
        self.memory.line.next = self.searcher.line.val();
        self.memory.word.next = self.searcher.line_word.val();
        self.searcher.line_ready.next = self.memory.ready.val();
        self.searcher.line_idle.next = self.memory.idle.val();
        self.searcher.line_index.next = self.memory.index.val();
        self.searcher.line_store.next = self.memory.store.val();
        self.searcher.line_store_index.next = self.memory.store_index.val();
        self.searcher.line_stored_word.next = self.memory.stored_word.val();
    }
}
