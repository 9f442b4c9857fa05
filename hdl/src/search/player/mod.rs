//! Search player: the controller with the search engine as its chooser.
//!
//! A register separates the two. So decoding the opponent's code and the path through the search
//! engine need not fit into one cycle. A job in this register counts as a running job. A `clear`
//! that is held, as in a reset, is forwarded once: the reset ends when the search engine is idle,
//! which it is not while it is cleared.
//!
//! With `ponder`, the search engine searches in the opponent's time: from the player's placement to
//! the next job. The controller sees an idle search engine meanwhile. The job waits in its register
//! until the search has ended, which it stops.
//!
//! A `think` waits in the register until the [`OpeningBook`] has been read. If the book has a reply,
//! the search engine does not get the job.
//!
//! Then the [`PlacementCheck`] has the legal set listed, and the controller gets a placement of that
//! set, whatever the search found.
//!
//! The tops of the emitted Verilog are [`BlockRamPlayer`](block_ram::BlockRamPlayer), with the tree
//! in block RAM, and [`SdramPlayer`](sdram::SdramPlayer), with the pins of an SDRAM that has more
//! nodes.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::opening_book::OpeningBook;
use super::placement_check::PlacementCheck;
use super::position_ring::PLACEMENT;
use super::searcher::{ClockedSearchConfig, Searcher};
use crate::memory::sdram::{INDEX, LINE, WORD};
use crate::word::{PlacementWord, ShiftBy};
use crate::{block::block, controller::Controller, parameters::PlayerParameters};

pub mod block_ram;
pub mod sdram;

block! {
    /// Search player with `LANES` playout cores, without its external memory.
    pub struct SearchPlayer<const LANES: usize> from SearchPlayerParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Pins.
        /// Discards everything while high.
        pub reset: Signal<In, Bit>,
        /// Serial line from the host.
        pub rx: Signal<In, Bit>,
        /// Serial line to the host.
        pub tx: Signal<Out, Bit>,

        // Status outputs of the controller and of the search engine.
        /// See [`Controller::playing`].
        pub playing: Signal<Out, Bit>,
        /// See [`Controller::thinking`].
        pub thinking: Signal<Out, Bit>,
        /// See [`Controller::flags`].
        pub flags: Signal<Out, Bits<6>>,
        /// See [`Controller::think_cycles`].
        pub think_cycles: Signal<Out, Bits<32>>,
        /// Number of simulations of the last search, with which the twin can repeat it.
        pub simulations: Signal<Out, Bits<18>>,
        /// Number of simulations in the opponent's time before it, see [`Searcher::pondered`].
        pub pondered: Signal<Out, Bits<18>>,

        // External memory, see [`Searcher`].
        /// See [`Searcher::memory_works`].
        pub memory_works: Signal<In, Bit>,
        /// See [`Searcher::line_request`].
        pub line_request: Signal<Out, Bit>,
        /// See [`Searcher::line_write`].
        pub line_write: Signal<Out, Bit>,
        /// See [`Searcher::line`].
        pub line: Signal<Out, Bits<LINE>>,
        /// See [`Searcher::line_word`].
        pub line_word: Signal<Out, Bits<WORD>>,
        /// See [`Searcher::line_ready`].
        pub line_ready: Signal<In, Bit>,
        /// See [`Searcher::line_idle`].
        pub line_idle: Signal<In, Bit>,
        /// See [`Searcher::line_index`].
        pub line_index: Signal<In, Bits<INDEX>>,
        /// See [`Searcher::line_store`].
        pub line_store: Signal<In, Bit>,
        /// See [`Searcher::line_store_index`].
        pub line_store_index: Signal<In, Bits<INDEX>>,
        /// See [`Searcher::line_stored_word`].
        pub line_stored_word: Signal<In, Bits<WORD>>,
        controller: Controller = given,
        book: OpeningBook = given,
        check: PlacementCheck,
        searcher: Searcher<LANES> = given,
        clear: DFF<Bit>,
        clearing: DFF<Bit>,
        start_is_a: DFF<Bit>,
        side: DFF<Bit>,
        list: DFF<Bit>,
        think: DFF<Bit>,
        place: DFF<Bit>,
        stop: DFF<Bit>,
        placement: DFF<Bits<PLACEMENT>>,
        // High from the player's placement to the search in the opponent's time, and from there to
        // the next job.
        placed: DFF<Bit>,
        pondering: DFF<Bit>,
        // High if the last `think` had its reply from the book.
        from_book: DFF<Bit>,
        best: Signal<Local, Bits<PLACEMENT>>,
        job_pending: Signal<Local, Bit>,
        held: Signal<Local, Bit>,
        // High if the player searches in the opponent's time.
        ponders: Constant<Bit> = given,
    }
}

impl<const LANES: usize> SearchPlayer<LANES> {
    /// Creates a player with the given parameters; their policy is not used.
    ///
    /// # Panics
    /// If a bit on the serial line takes fewer than 8 cycles, or a number in the settings is wider
    /// than its register.
    pub fn new(parameters: &PlayerParameters, settings: &ClockedSearchConfig) -> Self {
        Self::from(SearchPlayerParts {
            controller: Controller::new(parameters),
            book: OpeningBook::new(settings.book),
            searcher: Searcher::new(settings),
            ponders: Constant::new(settings.ponder),
        })
    }
}

impl<const LANES: usize> Logic for SearchPlayer<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, controller, book, check, searcher);
        dff_setup!(
            self, clock, clear, clearing, start_is_a, side, list, think, place, stop
        );
        dff_setup!(self, clock, placement, placed, pondering, from_book);
        self.controller.reset.next = self.reset.val();
        self.controller.rx.next = self.rx.val();
        self.tx.next = self.controller.tx.val();

        // Jobs of the search engine.
        self.clearing.d.next = self.controller.clear.val();
        self.clear.d.next = self.controller.clear.val() & (!self.clearing.q.val());
        // A job waits with its operands while the search engine is busy, and a `think` until the book
        // has been read, unless a clear discards it.
        self.held.next = (((self.list.q.val() | self.think.q.val() | self.place.q.val())
            & (!self.searcher.idle.val()))
            | (self.think.q.val() & (!self.book.ready.val())))
            & (!self.controller.clear.val());
        self.list.d.next = self.controller.list.val() | (self.list.q.val() & self.held.val());
        self.think.d.next = self.controller.think.val() | (self.think.q.val() & self.held.val());
        self.place.d.next = self.controller.place.val() | (self.place.q.val() & self.held.val());
        if !self.held.val() {
            self.start_is_a.d.next = self.controller.start_is_a.val();
            self.side.d.next = self.controller.side.val();
            self.placement.d.next = bit_cast::<15, 7>(self.controller.orientation.val())
                | (bit_cast::<15, 4>(self.controller.x.val()) << PlacementWord::X.val())
                | (bit_cast::<15, 4>(self.controller.y.val()) << PlacementWord::Y.val());
        }
        self.job_pending.next =
            self.clear.q.val() | self.list.q.val() | self.think.q.val() | self.place.q.val();
        self.stop.d.next = self.controller.deadline.val()
            | (self.controller.superseded.val() & (!self.pondering.q.val()))
            | self.controller.abort.val()
            | (self.pondering.q.val() & self.job_pending.val() & (!self.searcher.idle.val()));
        self.searcher.clear.next = self.clear.q.val();
        self.searcher.start_is_a.next = self.start_is_a.q.val();
        self.searcher.side.next = self.side.q.val() & (!self.check.list.val());
        // A search in progress must not see a job that waits: its node builder would list placements in
        // place of the next node.
        self.searcher.list.next =
            (self.list.q.val() & self.searcher.idle.val()) | self.check.list.val();
        self.searcher.think.next = self.think.q.val()
            & self.searcher.idle.val()
            & self.book.ready.val()
            & (!self.book.found.val());
        self.searcher.place.next = self.place.q.val() & self.searcher.idle.val();
        self.searcher.placement.next = self.placement.q.val();
        self.searcher.stop.next = self.stop.q.val();

        // Opening book.
        self.book.clear.next = self.clear.q.val();
        self.book.place.next = self.place.q.val() & (!self.held.val());
        self.book.side.next = self.side.q.val();
        self.book.placement.next = self.placement.q.val();
        self.book.think.next = self.think.q.val();
        self.book.start_is_a.next = self.start_is_a.q.val();
        if self.think.q.val() & (!self.held.val()) {
            self.from_book.d.next = self.book.found.val();
        }
        if self.clear.q.val() {
            self.from_book.d.next = false;
        }

        // Search in the opponent's time.
        self.searcher.ponder.next = false;
        if self.place.q.val() & (!self.side.q.val()) {
            self.placed.d.next = self.ponders.val();
        } else if self.placed.q.val() & self.searcher.idle.val() {
            self.searcher.ponder.next = !self.job_pending.val();
            self.pondering.d.next = !self.job_pending.val();
            self.placed.d.next = false;
        }
        if self.job_pending.val() {
            self.pondering.d.next = false;
        }
        if self.clear.q.val() {
            self.placed.d.next = false;
        }

        // External memory.
        self.searcher.memory_works.next = self.memory_works.val();
        self.line_request.next = self.searcher.line_request.val();
        self.line_write.next = self.searcher.line_write.val();
        self.line.next = self.searcher.line.val();
        self.line_word.next = self.searcher.line_word.val();
        self.searcher.line_ready.next = self.line_ready.val();
        self.searcher.line_idle.next = self.line_idle.val();
        self.searcher.line_index.next = self.line_index.val();
        self.searcher.line_store.next = self.line_store.val();
        self.searcher.line_store_index.next = self.line_store_index.val();
        self.searcher.line_stored_word.next = self.line_stored_word.val();

        // Check of the placement before it is played.
        self.best.next = self.searcher.best.val();
        self.simulations.next = self.searcher.simulations.val();
        self.pondered.next = self.searcher.pondered.val();
        if self.from_book.q.val() {
            self.best.next = self.book.reply.val();
            self.simulations.next = bits::<18>(0);
            self.pondered.next = bits::<18>(0);
        }
        self.check.clear.next = self.clear.q.val();
        self.check.think.next = self.think.q.val() & (!self.held.val());
        self.check.idle.next = self.searcher.idle.val();
        self.check.search_found.next = self.searcher.found.val();
        self.check.proposed.next = self.best.val();
        self.check.listed.next = self.searcher.listed.val();
        self.check.listed_placement.next = self.searcher.listed_placement.val();

        // Results of the search engine. The placements of a check are not the controller's.
        self.controller.idle.next = (self.searcher.idle.val() | self.pondering.q.val())
            & (!self.job_pending.val())
            & (!self.check.busy.val());
        self.controller.listed.next = self.searcher.listed.val() & (!self.check.busy.val());
        self.controller.listed_orientation.next = self
            .searcher
            .listed_placement
            .val()
            .get_bits::<7>(PlacementWord::ORIENTATION);
        self.controller.listed_x.next = self
            .searcher
            .listed_placement
            .val()
            .get_bits::<4>(PlacementWord::X);
        self.controller.listed_y.next = self
            .searcher
            .listed_placement
            .val()
            .get_bits::<4>(PlacementWord::Y);
        self.controller.found.next = self.check.found.val() & (!self.job_pending.val());
        self.controller.best_orientation.next = self
            .check
            .placement
            .val()
            .get_bits::<7>(PlacementWord::ORIENTATION);
        self.controller.best_x.next = self.check.placement.val().get_bits::<4>(PlacementWord::X);
        self.controller.best_y.next = self.check.placement.val().get_bits::<4>(PlacementWord::Y);

        // Status.
        self.playing.next = self.controller.playing.val();
        self.thinking.next = self.controller.thinking.val();
        self.flags.next = self.controller.flags.val();
        self.think_cycles.next = self.controller.think_cycles.val();
    }
}
