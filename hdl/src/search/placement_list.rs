//! Placement list of one simulation, in order of play.
//!
//! Encoding: a memory of 64 words and a count. 64 words are more than the tiles of both sides. Each
//! core has a list, so the memory is made of look-up tables: block RAM is reserved for the tree. A
//! step of the path carries what the backup needs, so the backup need not query the tree. A word is
//! a [`StepWord`].

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::position_ring::PLACEMENT;
use super::tree::bank::NODE;
use crate::block::block;
use crate::memory::Memory;
use crate::word::{bit, word};

word! {
    /// Word of the list. The fields above the side are 0 for a placement of the playout.
    pub StepWord {
        /// Placement, a [`PlacementWord`](crate::word::PlacementWord).
        PLACEMENT: PLACEMENT,
        /// Side that makes the placement.
        SIDE: 1,
        /// High for a step of the path.
        IN_PATH: 1,
        /// Child that the step selected.
        CHILD: 5,
        /// Node of that child.
        NODE: NODE,
        /// High if the node is solved.
        SOLVED: 1,
        /// High if a proven alternative to the child exists.
        ALTERNATIVE: 1,
        /// Proven value of the alternative, in units of 2^-16; valid while `ALTERNATIVE` is high.
        VALUE: 16,
    } with {
        /// Fields of a placement by side 1.
        BY_SIDE_1 = bit(Self::SIDE),
        /// Fields of a step by side 0.
        STEP = bit(Self::IN_PATH),
        /// Fields of a step by side 1.
        STEP_BY_SIDE_1 = bit(Self::IN_PATH) | bit(Self::SIDE),
    }
}

/// Bits of a word.
pub const MOVE: usize = StepWord::BITS;

block! {
    /// Placement list.
    pub struct PlacementList from PlacementListParts {
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
        memory: Memory<MOVE, 6> = given,
        length: DFF<Bits<6>>,
    }
}

impl Default for PlacementList {
    fn default() -> Self {
        Self::from(PlacementListParts {
            memory: Memory::small(1 << 6),
        })
    }
}

impl Logic for PlacementList {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, length);
        clock!(self, clock, memory);
        self.memory.write.next = self.append.val();
        self.memory.write_address.next = self.length.q.val();
        self.memory.word.next = self.entry.val();
        self.memory.address.next = self.index.val();
        self.word.next = self.memory.data.val();
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
