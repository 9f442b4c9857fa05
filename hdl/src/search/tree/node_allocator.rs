//! Node allocator: number of the next node, address of its next child, and the node's word.
//!
//! Encoding: each child rewrites the word of the node with a number of children one higher. So a
//! node needs no closing request.

use duoforge_twin::search::SearchParameters;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::bank::{ADDRESS, ChildNumber, NODE, PairAddress};
use crate::block::block;
use crate::word::{ShiftBy, bit, word};

word! {
    /// Word of a node.
    pub NodeWord {
        /// Side to move.
        SIDE: 1,
        /// Number of children.
        CHILDREN: 6,
        /// Visit count.
        VISITS: 18,
    } with {
        /// Fields of a node at which side 1 is to move.
        OF_SIDE_1 = bit(Self::SIDE),
    }
}

/// Bits of a node's word.
pub const WORD: usize = NodeWord::BITS;

block! {
    /// Counters of nodes and of children of the open node.
    pub struct NodeAllocator from NodeAllocatorParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Requests, one cycle each.
        /// Discards all nodes.
        pub clear: Signal<In, Bit>,
        /// Opens a node.
        pub add: Signal<In, Bit>,
        /// With `add`: side to move at the node.
        pub side: Signal<In, Bit>,
        /// Appends a child to the open node.
        pub entry: Signal<In, Bit>,

        // Number of nodes.
        /// High if a tree has no more nodes than its memories have lines.
        pub limited: Signal<In, Bit>,

        // Addresses and words to write.
        /// Number of the node that was opened last.
        pub opened: Signal<Out, Bits<NODE>>,
        /// Number of the node that is opened next.
        pub following: Signal<Out, Bits<NODE>>,
        /// High if no further node can be opened.
        pub full: Signal<Out, Bit>,
        /// Address of the next child in its bank.
        pub child_address: Signal<Out, Bits<ADDRESS>>,
        /// High if the next child has an odd number.
        pub to_odd: Signal<Out, Bit>,
        /// Word of the node with the next child included.
        pub word: Signal<Out, Bits<WORD>>,
        count: DFF<Bits<NODE>>,
        open_node: DFF<Bits<NODE>>,
        open_side: DFF<Bit>,
        child_count: DFF<Bits<6>>,
        next_child_count: Signal<Local, Bits<6>>,
        next_word: Signal<Local, Bits<WORD>>,
        node_limit: Constant<Bits<NODE>> = given,
        line_limit: Constant<Bits<NODE>> = given,
    }
}

impl NodeAllocator {
    /// Creates an allocator for the number of nodes that the parameters give, and for `lines`
    /// nodes while `limited` is high.
    pub fn new(p: &SearchParameters, lines: usize) -> Self {
        Self::from(NodeAllocatorParts {
            node_limit: Constant::new(p.nodes.to_bits()),
            line_limit: Constant::new(p.nodes.min(lines).to_bits()),
        })
    }
}

impl Logic for NodeAllocator {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count, open_node, open_side, child_count);
        self.next_child_count.next = self.child_count.q.val() + 1;
        if self.entry.val() {
            self.child_count.d.next = self.next_child_count.val();
        }
        if self.add.val() {
            self.open_node.d.next = self.count.q.val();
            self.open_side.d.next = self.side.val();
            self.child_count.d.next = bits::<6>(0);
            self.count.d.next = self.count.q.val() + 1;
        }
        if self.clear.val() {
            self.count.d.next = bits::<14>(0);
        }
        self.opened.next = self.open_node.q.val();
        self.following.next = self.count.q.val();
        self.full.next = (self.count.q.val() == self.node_limit.val())
            | (self.limited.val() & (self.count.q.val() >= self.line_limit.val()));
        self.child_address.next =
            bit_cast::<14, 4>(self.child_count.q.val().get_bits::<4>(ChildNumber::PAIR))
                | (bit_cast::<14, 10>(self.open_node.q.val().get_bits::<10>(0))
                    << PairAddress::LINE.val());
        self.to_odd.next = self.child_count.q.val().get_bit(ChildNumber::ODD);
        self.next_word.next =
            bit_cast::<25, 6>(self.next_child_count.val()) << NodeWord::CHILDREN.val();
        if self.open_side.q.val() {
            self.next_word.next = self.next_word.val() | bits::<25>(NodeWord::OF_SIDE_1);
        }
        self.word.next = self.next_word.val();
    }
}
