//! The searching player: the controller, and a search as its chooser.

use rust_hdl_core::prelude::*;

use super::searcher::{Searcher, Settings};
use crate::{block::block, controller::Controller, parameters::Parameters};

/// The player, with so many playout cores.
#[derive(LogicBlock)]
pub struct SearchPlayer<const LANES: usize> {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// From outside: while high, forgets everything.
    pub reset: Signal<In, Bit>,
    /// From outside: the serial line from the host.
    pub rx: Signal<In, Bit>,
    /// The serial line to the host.
    pub tx: Signal<Out, Bit>,
    /// See [`Controller::playing`].
    pub playing: Signal<Out, Bit>,
    /// See [`Controller::thinking`].
    pub thinking: Signal<Out, Bit>,
    /// See [`Controller::flags`].
    pub flags: Signal<Out, Bits<6>>,
    /// See [`Controller::think_clocks`].
    pub think_clocks: Signal<Out, Bits<32>>,
    /// Status: simulations of the last search, with which the twin can repeat it.
    pub simulations: Signal<Out, Bits<18>>,
    controller: Controller,
    searcher: Searcher<LANES>,
}

impl<const LANES: usize> SearchPlayer<LANES> {
    /// A player with the given parameters, whose policy is not looked at.
    ///
    /// # Panics
    /// If a bit on the serial line takes fewer than 8 clocks, or a number in the settings is wider than in
    /// the hardware.
    pub fn new(parameters: &Parameters, settings: &Settings) -> Self {
        block!(Self {
            controller: Controller::new(parameters),
            searcher: Searcher::new(settings),
        } default
            clock reset rx tx playing thinking flags think_clocks simulations
        )
    }
}

impl<const LANES: usize> Logic for SearchPlayer<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, controller, searcher);
        self.controller.reset.next = self.reset.val();
        self.controller.rx.next = self.rx.val();
        self.tx.next = self.controller.tx.val();

        // Jobs of the search.
        self.searcher.clear.next = self.controller.clear.val();
        self.searcher.start_is_a.next = self.controller.start_is_a.val();
        self.searcher.side.next = self.controller.side.val();
        self.searcher.list.next = self.controller.list.val();
        self.searcher.think.next = self.controller.think.val();
        self.searcher.place.next = self.controller.place.val();
        self.searcher.placement.next = bit_cast::<15, 7>(self.controller.orientation.val())
            | (bit_cast::<15, 4>(self.controller.x.val()) << 7)
            | (bit_cast::<15, 4>(self.controller.y.val()) << 11);
        self.searcher.stop.next = self.controller.cut.val()
            | self.controller.overtaken.val()
            | self.controller.drop.val();

        // What came of it.
        self.controller.settled.next = self.searcher.idle.val();
        self.controller.listed.next = self.searcher.listed.val();
        self.controller.listed_orientation.next =
            self.searcher.listed_placement.val().get_bits::<7>(0);
        self.controller.listed_x.next = self.searcher.listed_placement.val().get_bits::<4>(7);
        self.controller.listed_y.next = self.searcher.listed_placement.val().get_bits::<4>(11);
        self.controller.found.next = self.searcher.found.val();
        self.controller.best_orientation.next = self.searcher.best.val().get_bits::<7>(0);
        self.controller.best_x.next = self.searcher.best.val().get_bits::<4>(7);
        self.controller.best_y.next = self.searcher.best.val().get_bits::<4>(11);

        // Status.
        self.playing.next = self.controller.playing.val();
        self.thinking.next = self.controller.thinking.val();
        self.flags.next = self.controller.flags.val();
        self.think_clocks.next = self.controller.think_clocks.val();
        self.simulations.next = self.searcher.simulations.val();
    }
}

crate::ported!(SearchPlayer<1>;
    in reset rx; out tx playing thinking flags think_clocks simulations);
crate::ported!(SearchPlayer<2>;
    in reset rx; out tx playing thinking flags think_clocks simulations);
crate::ported!(SearchPlayer<4>;
    in reset rx; out tx playing thinking flags think_clocks simulations);
