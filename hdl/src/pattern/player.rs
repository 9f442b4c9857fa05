//! Pattern player: the controller, and a chooser that picks the placement with the best score.
//!
//! The generator streams a legal set through the scan to the scorer, one placement per cycle; the
//! scorer keeps the best one.

use rust_hdl_core::prelude::*;

use super::policy_scorer::PolicyScorer;
use super::scan::Scan;
use crate::block::block;
use crate::controller::Controller;
use crate::generator::Generator;
use crate::parameters::PlayerParameters;

block! {
    /// Top block of the pattern player.
    pub struct PatternPlayer from PatternPlayerParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// External reset, see [`Controller::reset`].
        pub reset: Signal<In, Bit>,
        /// External serial input from the host.
        pub rx: Signal<In, Bit>,
        /// Serial output to the host.
        pub tx: Signal<Out, Bit>,
        /// See [`Controller::playing`].
        pub playing: Signal<Out, Bit>,
        /// See [`Controller::thinking`].
        pub thinking: Signal<Out, Bit>,
        /// See [`Controller::flags`].
        pub flags: Signal<Out, Bits<6>>,
        /// See [`Controller::think_cycles`].
        pub think_cycles: Signal<Out, Bits<32>>,
        /// See [`Controller::legal_count`].
        pub legal_count: Signal<Out, Bits<11>>,
        /// Trace: high if the scan outputs a legal placement of `trace_side`.
        pub trace_valid: Signal<Out, Bit>,
        /// Trace: side of the placement, 0 for this player, 1 for the opponent.
        pub trace_side: Signal<Out, Bit>,
        /// Trace: orientation of the placement.
        pub trace_orientation: Signal<Out, Bits<7>>,
        /// Trace: column of the placement's anchor.
        pub trace_x: Signal<Out, Bits<4>>,
        /// Trace: row of the placement's anchor.
        pub trace_y: Signal<Out, Bits<4>>,
        /// Trace: high if a placement has been scored.
        pub score_valid: Signal<Out, Bit>,
        /// Trace: score of the placement, 0 to 2047.
        pub score: Signal<Out, Bits<11>>,
        controller: Controller = given,
        generator: Generator,
        scan: Scan,
        policy_scorer: PolicyScorer = given,
    }
}

impl PatternPlayer {
    /// Creates a pattern player with these parameters.
    ///
    /// # Panics
    /// If a bit on the serial line takes fewer than 8 cycles.
    pub fn new(parameters: &PlayerParameters) -> Self {
        Self::from(PatternPlayerParts {
            controller: Controller::new(parameters),
            policy_scorer: PolicyScorer::new(&parameters.policy),
        })
    }
}

impl Logic for PatternPlayer {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, controller, generator, scan, policy_scorer);
        self.controller.reset.next = self.reset.val();
        self.controller.rx.next = self.rx.val();
        self.tx.next = self.controller.tx.val();

        // Jobs of the generator.
        self.generator.clear.next = self.controller.clear.val();
        self.generator.start_is_a.next = self.controller.start_is_a.val();
        self.generator.side.next = self.controller.side.val();
        self.generator.stream.next = self.controller.list.val() | self.controller.think.val();
        self.generator.place.next = self.controller.place.val();
        self.generator.footprint.next = self.policy_scorer.orientation_cells.val();
        self.generator.tile.next = self.controller.tile.val();
        self.generator.x.next = self.controller.x.val();
        self.generator.y.next = self.controller.y.val();

        // Generator to scan to scorer.
        for i in 0..91 {
            self.scan.legal[i].next = self.generator.legal[i].val();
        }
        for i in 0..5 {
            self.scan.window[i].next = self.generator.window[i].val();
            self.policy_scorer.patch[i].next = self.scan.patch[i].val();
        }
        self.scan.load.next = self.generator.load.val();
        self.scan.row.next = self.generator.row.val();
        // Single assignment: a default value and an override would make a pulse of zero length. In
        // an event-driven simulator that pulse would loop through the scan's `ready`.
        self.scan.flush.next = self.controller.abort.val() | self.controller.deadline.val();
        self.generator.ready.next = self.scan.ready.val();
        self.policy_scorer.restart.next = self.controller.think.val();
        self.policy_scorer.valid.next = self.scan.valid.val();
        self.policy_scorer.orientation.next = self.scan.orientation.val();
        self.policy_scorer.x.next = self.scan.x.val();
        self.policy_scorer.y.next = self.scan.y.val();
        // The scorer's table outputs the footprint one cycle before the generator writes it.
        if self.controller.fetch.val() {
            self.policy_scorer.orientation.next = self.controller.orientation.val();
        }

        // Results of the jobs.
        self.controller.idle.next =
            self.generator.idle.val() & self.scan.idle.val() & self.policy_scorer.idle.val();
        self.controller.listed.next = self.scan.valid.val();
        self.controller.listed_orientation.next = self.scan.orientation.val();
        self.controller.listed_x.next = self.scan.x.val();
        self.controller.listed_y.next = self.scan.y.val();
        self.controller.found.next = self.policy_scorer.found.val();
        self.controller.best_orientation.next = self.policy_scorer.best_orientation.val();
        self.controller.best_x.next = self.policy_scorer.best_x.val();
        self.controller.best_y.next = self.policy_scorer.best_y.val();

        // Status and trace.
        self.playing.next = self.controller.playing.val();
        self.thinking.next = self.controller.thinking.val();
        self.flags.next = self.controller.flags.val();
        self.think_cycles.next = self.controller.think_cycles.val();
        self.legal_count.next = self.controller.legal_count.val();
        self.trace_valid.next = self.scan.valid.val();
        self.trace_side.next = self.controller.side.val();
        self.trace_orientation.next = self.scan.orientation.val();
        self.trace_x.next = self.scan.x.val();
        self.trace_y.next = self.scan.y.val();
        self.score_valid.next = self.policy_scorer.scored.val();
        self.score.next = self.policy_scorer.score.val();
    }
}
