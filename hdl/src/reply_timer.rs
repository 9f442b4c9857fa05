//! Reply timer: the age of the newest complete host code, and whether the guard or the limit has passed.
//!
//! `late` and `expired` follow from the age in each clock. They are registers because the comparisons are
//! wide, but they hold nothing of their own, so that neither can stay set when a new code has come.
//!
//! Encoding: the age in binary, up to the limit, where it stays; an age past the limit, which only a
//! disturbance from outside can bring about, counts as expired.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;

/// Counts the clocks of a request.
#[derive(LogicBlock)]
pub struct ReplyTimer {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// A complete host code waits to be taken.
    pub waiting: Signal<In, Bit>,
    /// It is taken.
    pub take: Signal<In, Bit>,
    /// No host code is worked on.
    pub idle: Signal<In, Bit>,
    /// Clocks since the code began to wait, at most the limit.
    pub age: Signal<Out, Bits<32>>,
    /// The guard has passed.
    pub late: Signal<Out, Bit>,
    /// The limit has passed.
    pub expired: Signal<Out, Bit>,
    count: DFF<Bits<32>>,
    // A code has waited in the clock before and was not taken.
    waited: DFF<Bit>,
    past_guard: DFF<Bit>,
    past_limit: DFF<Bit>,
    restart: Signal<Local, Bit>,
    guard: Constant<Bits<32>>,
    limit: Constant<Bits<32>>,
}

impl ReplyTimer {
    /// A timer with the given guard and limit, in clocks.
    pub fn new(guard: u32, limit: u32) -> Self {
        block!(Self {
            guard: Constant::new(guard.to_bits()),
            limit: Constant::new(limit.to_bits()),
        } default
            clock waiting take idle age late expired count waited past_guard past_limit restart
        )
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

/// Age, and whether guard and limit have passed, as shown `clocks` clocks after the one in which a code began
/// to wait, at least one. The module's twin function.
pub fn twin(guard: u32, limit: u32, clocks: u32) -> (u32, bool, bool) {
    let age = clocks - 1;
    let past = |bound: u32| clocks >= 2 && clocks - 2 >= bound;
    (age.min(limit), past(guard), past(limit))
}

crate::ported!(ReplyTimer; in waiting take idle; out age late expired);
