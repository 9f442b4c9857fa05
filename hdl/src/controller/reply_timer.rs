//! Reply timer: age of the waiting or executing host code, and comparators for the deadline
//! (`guard`) and the limit.
//!
//! `late` and `expired` are recomputed from the age in every cycle. They are registered because the
//! comparisons are wide. They hold no other state, so neither can stay high when a new code
//! arrives.
//!
//! Encoding: the age is a binary count that saturates at the limit. An age above the limit can only
//! result from an external disturbance; it counts as expired.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;

block! {
    /// Cycle counter of a host code.
    pub struct ReplyTimer from ReplyTimerParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// High while a complete host code waits to be taken.
        pub waiting: Signal<In, Bit>,
        /// High in the cycle in which the controller takes the waiting code.
        pub take: Signal<In, Bit>,
        /// High while the controller executes no host code.
        pub idle: Signal<In, Bit>,
        /// Cycles since the code began to wait, saturating at the limit. A newer code that replaces
        /// a waiting one does not restart the count.
        pub age: Signal<Out, Bits<32>>,
        /// High from the cycle after `age` reaches the deadline (`guard`).
        pub late: Signal<Out, Bit>,
        /// High from the cycle after `age` reaches the limit.
        pub expired: Signal<Out, Bit>,
        count: DFF<Bits<32>>,
        // High if a code waited in the previous cycle and was not taken.
        waited: DFF<Bit>,
        past_guard: DFF<Bit>,
        past_limit: DFF<Bit>,
        restart: Signal<Local, Bit>,
        guard: Constant<Bits<32>> = given,
        limit: Constant<Bits<32>> = given,
    }
}

impl ReplyTimer {
    /// Creates a timer with this deadline (`guard`) and this limit, in cycles.
    pub fn new(guard: u32, limit: u32) -> Self {
        Self::from(ReplyTimerParts {
            guard: Constant::new(guard.to_bits()),
            limit: Constant::new(limit.to_bits()),
        })
    }
}

impl Logic for ReplyTimer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count, waited, past_guard, past_limit);
        self.waited.d.next = self.waiting.val() & (!self.take.val());
        // A code begins to wait, or there is none.
        self.restart.next = (self.waiting.val() & (!self.waited.q.val()))
            | ((!self.waiting.val()) & self.idle.val());
        self.past_guard.d.next = self.count.q.val() >= self.guard.val();
        self.past_limit.d.next = self.count.q.val() >= self.limit.val();
        if self.count.q.val() < self.limit.val() {
            self.count.d.next = self.count.q.val() + 1;
        }
        if self.restart.val() {
            self.past_guard.d.next = false;
            self.past_limit.d.next = false;
            self.count.d.next = bits::<32>(0);
        }
        self.age.next = self.count.q.val();
        self.late.next = self.past_guard.q.val();
        self.expired.next = self.past_limit.q.val();
    }
}

/// Twin: the outputs `age`, `late` and `expired`, `clocks` cycles after the cycle in which a code
/// began to wait. `clocks` is at least 1.
pub fn twin(guard: u32, limit: u32, clocks: u32) -> (u32, bool, bool) {
    let age = clocks - 1;
    let past = |bound: u32| clocks >= 2 && clocks - 2 >= bound;
    (age.min(limit), past(guard), past(limit))
}
