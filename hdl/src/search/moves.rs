//! The placements of one simulation, in their order.
//!
//! Encoding: a memory of 64 words, which is more than both players have tiles, and a count. A word is
//! `orientation | x << 7 | y << 11 | side << 15 | in_tree << 16 | child << 17 | node << 22 | settled << 34 |
//! better << 35 | best << 36`: what was placed by whom, and for a step down the tree, at which child of which
//! node, and what the tree said of it. There is a list a core, so the memory is made of look-up tables:
//! blocks are for the tree.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::memory::Memory;

/// Bits of a word.
pub const MOVE: usize = 52;

/// A list of placements.
#[derive(LogicBlock)]
pub struct Moves {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Empties the list.
    pub clear: Signal<In, Bit>,
    /// Appends `entry`.
    pub append: Signal<In, Bit>,
    /// A word.
    pub entry: Signal<In, Bits<MOVE>>,
    /// How many there are.
    pub count: Signal<Out, Bits<6>>,
    /// Which one to read.
    pub index: Signal<In, Bits<6>>,
    /// The word at the index of the clock before.
    pub word: Signal<Out, Bits<MOVE>>,
    words: Memory<MOVE, 6>,
    length: DFF<Bits<6>>,
}

impl Default for Moves {
    fn default() -> Self {
        block!(Self {
            words: Memory::small(1 << 6),
        } default
            clock clear append entry count index word length
        )
    }
}

impl Logic for Moves {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, length);
        clock!(self, clock, words);
        self.words.write.next = self.append.val();
        self.words.place.next = self.length.q.val();
        self.words.word.next = self.entry.val();
        self.words.address.next = self.index.val();
        self.word.next = self.words.data.val();
        self.count.next = self.length.q.val();
        if self.append.val() {
            self.length.d.next = self.length.q.val() + 1;
        }
        if self.clear.val() {
            self.length.d.next = bits::<6>(0);
        }
    }
}

/// The list after one clock: the module's twin function.
pub fn twin(list: &mut Vec<u64>, clear: bool, append: Option<u64>) {
    list.extend(append);
    if clear {
        list.clear();
    }
}

crate::ported!(Moves; in clear append entry index; out count word);
