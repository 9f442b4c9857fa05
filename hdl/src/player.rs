//! The pattern player: the controller, and a chooser that takes the placement with the best score.
//!
//! Legal sets are streamed from the generator through the scan to the scorer, one placement a clock,
//! and the scorer keeps the best one.

use rust_hdl_core::prelude::*;

use crate::{
    block::block, controller::Controller, generator::Generator, scan::Scan, scorer::Scorer,
};

pub use crate::parameters::{Parameters, TARGET_CLOCKS_HZ};

/// The player.
#[derive(LogicBlock)]
pub struct Player {
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
    /// See [`Controller::legal_count`].
    pub legal_count: Signal<Out, Bits<11>>,
    /// Trace: the scan has found a legal placement of `trace_side`.
    pub trace_valid: Signal<Out, Bit>,
    /// Trace: 0 mine, 1 the rival's.
    pub trace_side: Signal<Out, Bit>,
    /// Trace: its orientation.
    pub trace_orientation: Signal<Out, Bits<7>>,
    /// Trace: its anchor's column.
    pub trace_x: Signal<Out, Bits<4>>,
    /// Trace: its anchor's row.
    pub trace_y: Signal<Out, Bits<4>>,
    /// Trace: a placement has been scored.
    pub score_valid: Signal<Out, Bit>,
    /// Trace: its score.
    pub score: Signal<Out, Bits<11>>,
    controller: Controller,
    generator: Generator,
    scan: Scan,
    scorer: Scorer,
}

impl Player {
    /// A player with the given parameters.
    ///
    /// # Panics
    /// If a bit on the serial line takes fewer than 8 clocks.
    pub fn new(parameters: &Parameters) -> Self {
        block!(Self {
            controller: Controller::new(parameters),
            scorer: Scorer::new(&parameters.policy),
        } default
            clock reset rx tx playing thinking flags think_clocks legal_count trace_valid
            trace_side trace_orientation trace_x trace_y score_valid score generator scan
        )
    }
}

impl Logic for Player {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, controller, generator, scan, scorer);
        self.controller.reset.next = self.reset.val();
        self.controller.rx.next = self.rx.val();
        self.tx.next = self.controller.tx.val();

        // Jobs of the generator.
        self.generator.clear.next = self.controller.clear.val();
        self.generator.start_is_a.next = self.controller.start_is_a.val();
        self.generator.side.next = self.controller.side.val();
        self.generator.stream.next = self.controller.list.val() | self.controller.think.val();
        self.generator.place.next = self.controller.place.val();
        self.generator.footprint.next = self.scorer.cells_of.val();
        self.generator.tile.next = self.controller.tile.val();
        self.generator.x.next = self.controller.x.val();
        self.generator.y.next = self.controller.y.val();

        // From the generator through the scan to the scorer.
        for i in 0..91 {
            self.scan.legal[i].next = self.generator.legal[i].val();
        }
        for i in 0..5 {
            self.scan.window[i].next = self.generator.window[i].val();
            self.scorer.patch[i].next = self.scan.patch[i].val();
        }
        self.scan.load.next = self.generator.load.val();
        self.scan.row.next = self.generator.row.val();
        // Written once and not overridden: in an interpreter a pulse without length would run in
        // circles through the scan's `ready`.
        self.scan.flush.next = self.controller.drop.val() | self.controller.cut.val();
        self.generator.ready.next = self.scan.ready.val();
        self.scorer.restart.next = self.controller.think.val();
        self.scorer.valid.next = self.scan.valid.val();
        self.scorer.orientation.next = self.scan.orientation.val();
        self.scorer.x.next = self.scan.x.val();
        self.scorer.y.next = self.scan.y.val();
        // The footprint that the generator writes leaves the scorer's table one clock before.
        if self.controller.fetch.val() {
            self.scorer.orientation.next = self.controller.orientation.val();
        }

        // What came of it.
        self.controller.settled.next =
            self.generator.idle.val() & self.scan.idle.val() & self.scorer.idle.val();
        self.controller.listed.next = self.scan.valid.val();
        self.controller.listed_orientation.next = self.scan.orientation.val();
        self.controller.listed_x.next = self.scan.x.val();
        self.controller.listed_y.next = self.scan.y.val();
        self.controller.found.next = self.scorer.found.val();
        self.controller.best_orientation.next = self.scorer.best_orientation.val();
        self.controller.best_x.next = self.scorer.best_x.val();
        self.controller.best_y.next = self.scorer.best_y.val();

        // Status and trace.
        self.playing.next = self.controller.playing.val();
        self.thinking.next = self.controller.thinking.val();
        self.flags.next = self.controller.flags.val();
        self.think_clocks.next = self.controller.think_clocks.val();
        self.legal_count.next = self.controller.legal_count.val();
        self.trace_valid.next = self.scan.valid.val();
        self.trace_side.next = self.controller.side.val();
        self.trace_orientation.next = self.scan.orientation.val();
        self.trace_x.next = self.scan.x.val();
        self.trace_y.next = self.scan.y.val();
        self.score_valid.next = self.scorer.scored.val();
        self.score.next = self.scorer.score.val();
    }
}

crate::ported!(Player;
    in reset rx;
    out tx playing thinking flags think_clocks legal_count trace_valid trace_side trace_orientation
        trace_x trace_y score_valid score
);
