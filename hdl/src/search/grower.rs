//! Grows the tree by a node: has the expander look at a position, and hands the tree what it found.
//!
//! The position is the root with the placements of a list in it. If the side whose turn it is can place
//! nothing, the other side is asked; if neither can, the game is over there.
//!
//! It comes to its end from every state: an expander that rests while its end is waited for was asked for
//! nothing.
//!
//! Timing: `grow` counts while `busy` is low, and `busy` follows one clock later. Entries reach the tree
//! one clock after the expander lets them go, because the first one opens the node.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::field::PLACEMENT;
use super::moves::MOVE;
use crate::block::block;

/// What stands for the end of the game in place of a node's number.
pub const END: u16 = 0xfff;

/// States of the grower.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Growing {
    /// Nothing to do.
    Idle,
    /// Reads a placement of the list.
    Read,
    /// Has it stamped; with the first one, or none, the root is taken over.
    Place,
    /// Has the legal placements of a side scored.
    Score,
    /// Hands over what is found.
    Hand,
}

/// Makes a node.
#[derive(LogicBlock)]
pub struct Grower {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Starts.
    pub grow: Signal<In, Bit>,
    /// How many placements of the list lead to the position.
    pub depth: Signal<In, Bits<6>>,
    /// Whose turn it is there.
    pub side: Signal<In, Bit>,
    /// The position's value for side 0.
    pub value: Signal<In, Bits<16>>,
    /// Only this side counts.
    pub alone: Signal<In, Bit>,
    /// With `grow`: the legal set is listed, and no node made.
    pub list: Signal<In, Bit>,
    /// A node is being made.
    pub busy: Signal<Out, Bit>,
    /// The node that was made, or [`END`].
    pub made: Signal<Out, Bits<12>>,
    /// How many children it has.
    pub count: Signal<Out, Bits<6>>,
    /// The first of them.
    pub first: Signal<Out, Bits<PLACEMENT>>,
    /// List: which word to read.
    pub index: Signal<Out, Bits<6>>,
    /// List: the word at the index of the clock before.
    pub word: Signal<In, Bits<MOVE>>,
    /// The root's field can pass its rows.
    pub root_idle: Signal<In, Bit>,
    /// Expander: it can take a job.
    pub ready: Signal<In, Bit>,
    /// Expander: start a revolution of its field.
    pub start: Signal<Out, Bit>,
    /// Expander: with `start`, take the root over. The root's field is to start with it.
    pub take: Signal<Out, Bit>,
    /// Expander: with `start`, stamp `stamped`.
    pub stamp: Signal<Out, Bit>,
    /// Expander: the placement.
    pub stamped: Signal<Out, Bits<PLACEMENT>>,
    /// Expander: score the legal placements.
    pub score: Signal<Out, Bit>,
    /// Expander: list the legal placements.
    pub listing: Signal<Out, Bit>,
    /// Expander: with `stamp`, `score` and `listing`, whose.
    pub whose: Signal<Out, Bit>,
    /// Expander: with `score`, the position's value for side 0.
    pub worth: Signal<Out, Bits<16>>,
    /// Expander: a child is found.
    pub found: Signal<In, Bit>,
    /// Expander: its placement.
    pub found_placement: Signal<In, Bits<PLACEMENT>>,
    /// Expander: its prior.
    pub found_prior: Signal<In, Bits<16>>,
    /// Expander: its first mean.
    pub found_mean: Signal<In, Bits<24>>,
    /// Expander: all children have been found.
    pub done: Signal<In, Bit>,
    /// Tree: open a node for `add_side`.
    pub add: Signal<Out, Bit>,
    /// Tree: whose turn it is there.
    pub add_side: Signal<Out, Bit>,
    /// Tree: the number of the node that is opened.
    pub added: Signal<In, Bits<12>>,
    /// Tree: append a child to it.
    pub entry: Signal<Out, Bit>,
    /// Tree: its placement.
    pub entry_placement: Signal<Out, Bits<PLACEMENT>>,
    /// Tree: its prior.
    pub entry_prior: Signal<Out, Bits<16>>,
    /// Tree: its first mean.
    pub entry_mean: Signal<Out, Bits<24>>,
    state: DFF<Growing>,
    second: DFF<Bit>,
    lists: DFF<Bit>,
    turn: DFF<Bit>,
    standing: DFF<Bits<16>>,
    at: DFF<Bits<6>>,
    children: DFF<Bits<6>>,
    node: DFF<Bits<12>>,
    best: DFF<Bits<PLACEMENT>>,
    late: DFF<Bit>,
    late_placement: DFF<Bits<PLACEMENT>>,
    late_prior: DFF<Bits<16>>,
    late_mean: DFF<Bits<24>>,
    after: Signal<Local, Bits<6>>,
    ended: Constant<Bits<12>>,
}

impl Default for Grower {
    fn default() -> Self {
        block!(Self {
            ended: Constant::new(END.to_bits()),
        } default
            clock grow depth side value alone list busy made count first index word root_idle ready
            start take stamp stamped score listing whose worth found found_placement found_prior
            found_mean done add add_side added entry entry_placement entry_prior entry_mean state
            second lists turn standing at children node best late late_placement late_prior
            late_mean after
        )
    }
}

impl Logic for Grower {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, second, turn, standing, at, children);
        dff_setup!(self, clock, lists, node, best, late, late_placement);
        dff_setup!(self, clock, late_prior, late_mean);
        self.busy.next = self.state.q.val() != Growing::Idle;
        self.made.next = self.node.q.val();
        self.count.next = self.children.q.val();
        self.first.next = self.best.q.val();
        self.index.next = self.at.q.val();
        self.after.next = self.at.q.val() + 1;
        self.start.next = false;
        self.take.next = !self.at.q.val().any();
        self.stamp.next = self.depth.val().any();
        self.stamped.next = self.word.val().get_bits::<15>(0);
        self.score.next = false;
        self.listing.next = false;
        self.whose.next = self.turn.q.val();
        self.worth.next = self.standing.q.val();

        // What is found goes on to the tree; the first child opens the node.
        self.add.next = self.found.val() & (!self.children.q.val().any());
        self.add_side.next = self.turn.q.val();
        if self.found.val() {
            self.children.d.next = self.children.q.val() + 1;
            if !self.children.q.val().any() {
                self.best.d.next = self.found_placement.val();
            }
        }
        // The number is known one clock after the node was opened.
        if self.late.q.val() {
            self.node.d.next = self.added.val();
        }
        self.late.d.next = self.found.val();
        self.late_placement.d.next = self.found_placement.val();
        self.late_prior.d.next = self.found_prior.val();
        self.late_mean.d.next = self.found_mean.val();
        self.entry.next = self.late.q.val();
        self.entry_placement.next = self.late_placement.q.val();
        self.entry_prior.next = self.late_prior.q.val();
        self.entry_mean.next = self.late_mean.q.val();

        match self.state.q.val() {
            Growing::Idle => {
                if self.grow.val() {
                    self.second.d.next = self.alone.val();
                    self.turn.d.next = self.side.val();
                    self.standing.d.next = self.value.val();
                    self.at.d.next = bits::<6>(0);
                    self.children.d.next = bits::<6>(0);
                    self.node.d.next = self.ended.val();
                    self.lists.d.next = self.list.val();
                    self.state.d.next = Growing::Read;
                }
            }
            Growing::Read => {
                self.state.d.next = Growing::Place;
            }
            Growing::Place => {
                self.whose.next = self.word.val().get_bit(15_usize);
                if self.ready.val() & (self.root_idle.val() | self.at.q.val().any()) {
                    self.start.next = true;
                    self.at.d.next = self.after.val();
                    if self.after.val() < self.depth.val() {
                        self.state.d.next = Growing::Read;
                    } else {
                        self.state.d.next = Growing::Score;
                    }
                }
            }
            Growing::Score => {
                if self.ready.val() {
                    self.score.next = !self.lists.q.val();
                    self.listing.next = self.lists.q.val();
                    self.state.d.next = Growing::Hand;
                }
            }
            Growing::Hand => {
                if self.done.val() | self.ready.val() {
                    if self.children.q.val().any() | self.second.q.val() {
                        self.state.d.next = Growing::Idle;
                    } else {
                        self.second.d.next = true;
                        self.turn.d.next = !self.turn.q.val();
                        self.state.d.next = Growing::Score;
                    }
                }
            }
            _ => {
                self.state.d.next = Growing::Idle;
            }
        }
    }
}
