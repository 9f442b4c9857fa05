//! What the stages of the banks hold: a pair of children each, or nothing.
//!
//! Encoding: a row of flip-flops beside those of the banks, so that whoever looks at a stage finds there whose
//! pair it is. Timing: the outputs belong to the clock of [`super::bank`] that their names say; `valid`,
//! `first` and `address` belong to the clock before clock 0. Twin: none of its own, as the twin's tree takes one
//! child after the other.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::bank::ADDRESS;

/// Keeps it.
#[derive(LogicBlock, Default)]
pub struct Stages {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// A pair is read.
    pub valid: Signal<In, Bit>,
    /// It is the first one of a job.
    pub first: Signal<In, Bit>,
    /// Where it lies.
    pub address: Signal<In, Bits<ADDRESS>>,
    /// These children of a pair take part.
    pub present_2: [Signal<In, Bit>; 2],
    /// The pair is its job's last one.
    pub last_2: Signal<In, Bit>,
    /// There is a pair.
    pub valid_1: Signal<Out, Bit>,
    /// Where it lies.
    pub address_1: Signal<Out, Bits<ADDRESS>>,
    /// There is a pair.
    pub valid_7: Signal<Out, Bit>,
    /// It is the first one of a job.
    pub first_7: Signal<Out, Bit>,
    /// Where it lies.
    pub address_7: Signal<Out, Bits<ADDRESS>>,
    /// These children of it take part.
    pub present_7: [Signal<Out, Bit>; 2],
    /// There is a pair.
    pub valid_8: Signal<Out, Bit>,
    /// Where it lies.
    pub address_8: Signal<Out, Bits<ADDRESS>>,
    /// It is its job's last one.
    pub last_8: Signal<Out, Bit>,
    /// There is a pair in one of the clocks from 0 to 7.
    pub any: Signal<Out, Bit>,
    alive: [DFF<Bit>; 9],
    pairs: [DFF<Bits<ADDRESS>>; 9],
    firsts: [DFF<Bit>; 8],
    even: [DFF<Bit>; 5],
    odd: [DFF<Bit>; 5],
    last: [DFF<Bit>; 6],
}

impl Logic for Stages {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..9 {
            self.alive[i].clock.next = self.clock.val();
            self.pairs[i].clock.next = self.clock.val();
        }
        for i in 0..8 {
            self.firsts[i].clock.next = self.clock.val();
            self.alive[i + 1].d.next = self.alive[i].q.val();
            self.pairs[i + 1].d.next = self.pairs[i].q.val();
        }
        for i in 0..7 {
            self.firsts[i + 1].d.next = self.firsts[i].q.val();
        }
        for i in 0..6 {
            self.last[i].clock.next = self.clock.val();
        }
        for i in 0..5 {
            self.last[i + 1].d.next = self.last[i].q.val();
            self.even[i].clock.next = self.clock.val();
            self.odd[i].clock.next = self.clock.val();
        }
        for i in 0..4 {
            self.even[i + 1].d.next = self.even[i].q.val();
            self.odd[i + 1].d.next = self.odd[i].q.val();
        }
        self.alive[0].d.next = self.valid.val();
        self.firsts[0].d.next = self.first.val();
        self.pairs[0].d.next = self.address.val();
        self.even[0].d.next = self.present_2[0].val();
        self.odd[0].d.next = self.present_2[1].val();
        self.last[0].d.next = self.last_2.val();
        self.valid_1.next = self.alive[1].q.val();
        self.address_1.next = self.pairs[1].q.val();
        self.valid_7.next = self.alive[7].q.val();
        self.first_7.next = self.firsts[7].q.val();
        self.address_7.next = self.pairs[7].q.val();
        self.present_7[0].next = self.even[4].q.val();
        self.present_7[1].next = self.odd[4].q.val();
        self.valid_8.next = self.alive[8].q.val();
        self.address_8.next = self.pairs[8].q.val();
        self.last_8.next = self.last[5].q.val();
        self.any.next = false;
        for i in 0..8 {
            if self.alive[i].q.val() {
                self.any.next = true;
            }
        }
    }
}
