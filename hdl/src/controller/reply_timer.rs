//! Reply timer: age of the waiting or executing host code, and comparators for the deadline
//! (`deadline_cycles`) and the reply limit.
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
        /// High from the cycle after `age` reaches the deadline (`deadline_cycles`).
        pub late: Signal<Out, Bit>,
        /// High from the cycle after `age` reaches the limit.
        pub expired: Signal<Out, Bit>,
        count: DFF<Bits<32>>,
        // High if a code waited in the previous cycle and was not taken.
        waited: DFF<Bit>,
        past_deadline: DFF<Bit>,
        past_limit: DFF<Bit>,
        restart: Signal<Local, Bit>,
        deadline_cycles: Constant<Bits<32>> = given,
        reply_limit_cycles: Constant<Bits<32>> = given,
    }
}

impl ReplyTimer {
    /// Creates a timer with this deadline and this reply limit, in cycles.
    pub fn new(deadline_cycles: u32, reply_limit_cycles: u32) -> Self {
        Self::from(ReplyTimerParts {
            deadline_cycles: Constant::new(deadline_cycles.to_bits()),
            reply_limit_cycles: Constant::new(reply_limit_cycles.to_bits()),
        })
    }
}

impl Logic for ReplyTimer {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count, waited, past_deadline, past_limit);
        self.waited.d.next = self.waiting.val() & (!self.take.val());
        // A code begins to wait, or there is none.
        self.restart.next = (self.waiting.val() & (!self.waited.q.val()))
            | ((!self.waiting.val()) & self.idle.val());
        self.past_deadline.d.next = self.count.q.val() >= self.deadline_cycles.val();
        self.past_limit.d.next = self.count.q.val() >= self.reply_limit_cycles.val();
        if self.count.q.val() < self.reply_limit_cycles.val() {
            self.count.d.next = self.count.q.val() + 1;
        }
        if self.restart.val() {
            self.past_deadline.d.next = false;
            self.past_limit.d.next = false;
            self.count.d.next = bits::<32>(0);
        }
        self.age.next = self.count.q.val();
        self.late.next = self.past_deadline.q.val();
        self.expired.next = self.past_limit.q.val();
    }
}

/// Twin: the outputs `age`, `late` and `expired`, `cycles` cycles after the cycle in which a code
/// began to wait. `cycles` is at least 1.
pub fn twin(deadline_cycles: u32, reply_limit_cycles: u32, cycles: u32) -> (u32, bool, bool) {
    let age = cycles - 1;
    let past = |bound: u32| cycles >= 2 && cycles - 2 >= bound;
    (
        age.min(reply_limit_cycles),
        past(deadline_cycles),
        past(reply_limit_cycles),
    )
}
