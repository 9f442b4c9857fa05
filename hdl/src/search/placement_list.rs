//! Placement list of one simulation, in order of play.
//!
//! Encoding: a memory of 64 words and a count. 64 words are more than the tiles of both sides. Each
//! core has a list, so the memory is made of look-up tables: block RAM is reserved for the tree. A
//! step of the path carries what the backup needs, so the backup need not query the tree. A word
//! has these fields; those from bit 16 on are 0 for a placement of the playout.
//!
//! ```text
//! bits    field
//! 0-6     orientation
//! 7-10    column of the anchor
//! 11-14   row of the anchor
//! 15      side
//! 16      step of the path
//! 17-21   child
//! 22-33   node
//! 34      node is solved
//! 35      proven alternative exists
//! 36-51   value of the proven alternative, in units of 2^-16; valid if bit 35 is set
//! ```

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::memory::Memory;

/// Bits of a word.
pub const MOVE: usize = 52;

/// Placement list.
#[derive(LogicBlock)]
pub struct Moves {
    /// The only clock.
    pub clock: Signal<In, Clock>,

    // Writes.
    /// Empties the list.
    pub clear: Signal<In, Bit>,
    /// Appends `entry`.
    pub append: Signal<In, Bit>,
    /// Word to append.
    pub entry: Signal<In, Bits<MOVE>>,

    // Reads.
    /// Number of words in the list.
    pub count: Signal<Out, Bits<6>>,
    /// Index of the word to read.
    pub index: Signal<In, Bits<6>>,
    /// Word at the `index` of the previous cycle.
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

/// Updates the list for one cycle: the twin function of this block.
pub fn twin(list: &mut Vec<u64>, clear: bool, append: Option<u64>) {
    list.extend(append);
    if clear {
        list.clear();
    }
}

crate::ported!(Moves; in clear append entry index; out count word);
