//! Which node comes next, and which child of it: what is written when a node is made.
//!
//! Each child writes the node's word anew, with one child more, so that a node needs no end.

use duoforge_engine::search::Parameters;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::bank::{ADDRESS, NODE};
use crate::block::block;

/// Bits of what a node is: side, number of children, visits.
pub const WORD: usize = 1 + 6 + 18;

/// Counts nodes and children.
#[derive(LogicBlock)]
pub struct Growth {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Forgets all nodes.
    pub clear: Signal<In, Bit>,
    /// Opens a node.
    pub add: Signal<In, Bit>,
    /// Whose turn it is there.
    pub side: Signal<In, Bit>,
    /// A child comes to it.
    pub entry: Signal<In, Bit>,
    /// The node that was opened last.
    pub opened: Signal<Out, Bits<NODE>>,
    /// No further node has room.
    pub full: Signal<Out, Bit>,
    /// Where the next child lies in its bank.
    pub place: Signal<Out, Bits<ADDRESS>>,
    /// It has an odd number.
    pub to_odd: Signal<Out, Bit>,
    /// The node with it.
    pub word: Signal<Out, Bits<WORD>>,
    count: DFF<Bits<NODE>>,
    open: DFF<Bits<NODE>>,
    open_side: DFF<Bit>,
    entries: DFF<Bits<6>>,
    more: Signal<Local, Bits<6>>,
    grown: Signal<Local, Bits<WORD>>,
    limit: Constant<Bits<NODE>>,
}

impl Growth {
    /// As many nodes as the parameters say.
    pub fn new(p: &Parameters) -> Self {
        block!(Self {
            limit: Constant::new(p.nodes.to_bits()),
        } default
            clock clear add side entry opened full place to_odd word count open open_side entries
            more grown
        )
    }
}

impl Logic for Growth {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count, open, open_side, entries);
        self.more.next = self.entries.q.val() + 1;
        if self.entry.val() {
            self.entries.d.next = self.more.val();
        }
        if self.add.val() {
            self.open.d.next = self.count.q.val();
            self.open_side.d.next = self.side.val();
            self.entries.d.next = bits::<6>(0);
            self.count.d.next = self.count.q.val() + 1;
        }
        if self.clear.val() {
            self.count.d.next = bits::<10>(0);
        }
        self.opened.next = self.open.q.val();
        self.full.next = self.count.q.val() == self.limit.val();
        self.place.next = bit_cast::<14, 4>(self.entries.q.val().get_bits::<4>(1))
            | (bit_cast::<14, 10>(self.open.q.val()) << 4);
        self.to_odd.next = self.entries.q.val().get_bit(0);
        self.grown.next = bit_cast::<25, 6>(self.more.val()) << 1;
        if self.open_side.q.val() {
            self.grown.next = self.grown.val() | bits::<25>(1);
        }
        self.word.next = self.grown.val();
    }
}
