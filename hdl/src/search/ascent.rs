//! Takes the result of one simulation up the tree.
//!
//! Three passes over the simulation's list: all placements are marked, each step of the path learns, the
//! last one first, and the marks are taken back.
//!
//! Where the list ends with the path, the game was over there, and the last step's value is sure; so is
//! that of a step to a node that is settled. Steps above one where a better child was known learn that
//! child's value.
//!
//! It comes to its end from every state, whatever happens to the list meanwhile.
//!
//! Timing: `learn` counts while `busy` is low, and `busy` follows one clock later.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::moves::MOVE;

/// States of the ascent.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Ascending {
    /// Nothing to do.
    Idle,
    /// Marks all placements.
    Mark,
    /// Reads a step.
    Read,
    /// Has it learned.
    Learn,
    /// Takes all marks back.
    Unmark,
}

/// Goes up the tree.
#[derive(LogicBlock, Default)]
pub struct Ascent {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Starts.
    pub learn: Signal<In, Bit>,
    /// A result is under way.
    pub busy: Signal<Out, Bit>,
    /// The result, for side 0.
    pub result: Signal<In, Bits<16>>,
    /// List: how many words it has.
    pub count: Signal<In, Bits<6>>,
    /// List: which word to read.
    pub index: Signal<Out, Bits<6>>,
    /// List: the word at the index of the clock before.
    pub word: Signal<In, Bits<MOVE>>,
    /// Tree: it can take one of these jobs.
    pub ready: Signal<In, Bit>,
    /// Tree: mark the list's word.
    pub mark: Signal<Out, Bit>,
    /// Tree: take the mark of the list's word back.
    pub unmark: Signal<Out, Bit>,
    /// Tree: with `mark` the placement's ply, with `step` the step's.
    pub ply: Signal<Out, Bits<6>>,
    /// Tree: learn at the node and child of the list's word.
    pub step: Signal<Out, Bit>,
    /// Tree: with `step`, what to learn, for side 0.
    pub value: Signal<Out, Bits<16>>,
    /// Tree: with `step`, this is the child's sure value.
    pub settle: Signal<Out, Bit>,
    state: DFF<Ascending>,
    at: DFF<Bits<6>>,
    length: DFF<Bits<6>>,
    valid: DFF<Bit>,
    read: DFF<Bits<6>>,
    learned: DFF<Bits<16>>,
    sure: DFF<Bit>,
    last: Signal<Local, Bit>,
}

impl Logic for Ascent {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, at, length, valid, read, learned, sure);
        self.value.next = self.learned.q.val();
        self.settle.next = self.sure.q.val();
        self.busy.next = self.state.q.val() != Ascending::Idle;
        self.index.next = self.at.q.val();
        self.mark.next = false;
        self.unmark.next = false;
        self.step.next = false;
        self.ply.next = self.read.q.val();
        self.valid.d.next = false;
        self.read.d.next = self.at.q.val();
        self.last.next = self.at.q.val() >= self.count.val();

        match self.state.q.val() {
            Ascending::Idle => {
                self.at.d.next = bits::<6>(0);
                self.length.d.next = bits::<6>(0);
                if self.learn.val() {
                    self.state.d.next = Ascending::Mark;
                }
            }
            Ascending::Mark => {
                self.mark.next = self.valid.q.val();
                if self.valid.q.val() & self.word.val().get_bit(16_usize) {
                    self.length.d.next = self.length.q.val() + 1;
                }
                if !self.last.val() {
                    self.valid.d.next = true;
                    self.at.d.next = self.at.q.val() + 1;
                } else if !self.valid.q.val() {
                    self.at.d.next = self.length.q.val() - 1;
                    self.learned.d.next = self.result.val();
                    self.sure.d.next = self.length.q.val() == self.count.val();
                    self.state.d.next = Ascending::Read;
                }
            }
            Ascending::Read => {
                self.state.d.next = Ascending::Learn;
            }
            Ascending::Learn => {
                if self.ready.val() {
                    self.step.next = true;
                    self.sure.d.next = self.word.val().get_bit(34_usize);
                    if self.word.val().get_bit(35_usize) {
                        self.learned.d.next = self.word.val().get_bits::<16>(36);
                        if self.word.val().get_bit(15_usize) {
                            self.learned.d.next = !self.word.val().get_bits::<16>(36);
                        }
                    }
                    self.at.d.next = self.at.q.val() - 1;
                    self.state.d.next = Ascending::Read;
                    if !self.at.q.val().any() {
                        self.at.d.next = bits::<6>(0);
                        self.state.d.next = Ascending::Unmark;
                    }
                }
            }
            Ascending::Unmark => {
                // The last step reads marks until the tree is ready.
                self.unmark.next = self.valid.q.val();
                if self.ready.val() & (!self.last.val()) {
                    self.valid.d.next = true;
                    self.at.d.next = self.at.q.val() + 1;
                } else if self.last.val() & (!self.valid.q.val()) {
                    self.state.d.next = Ascending::Idle;
                }
            }
            _ => {
                self.state.d.next = Ascending::Idle;
            }
        }
    }
}
