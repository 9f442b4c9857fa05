//! Opening book: finds the reply to the placements so far.
//!
//! The book keeps the placements of the game. Before a search it reads all entries, one per cycle,
//! and keeps the reply of the entry with the same key. So no table is sorted or hashed, and the reply
//! takes as many cycles as there are entries.
//!
//! Encoding: an entry is one word with the complete key, so no two positions are confused. An unused
//! word is 0 and not `VALID`, so it equals no key.
//!
//! Twin: [`Book::reply`](duoforge_twin::book::Book::reply).

use duoforge_rules::Placement;
use duoforge_twin::book::{Book, BookKey, PLIES};
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::position_ring::{PLACEMENT, code};
use crate::block::block;
use crate::memory::block_rom::BlockRom;
use crate::word::{ShiftBy, bit, word};

/// Bits of the placements of a key.
const PLACEMENTS: usize = PLIES * PLACEMENT;

word! {
    /// Key of an entry, in its lowest bits.
    pub KeyWord {
        /// Last placement, or 0; so are the fields of the two before it.
        LAST: PLACEMENT,
        /// Placement before the last one.
        SECOND_LAST: PLACEMENT,
        /// First of three placements.
        THIRD_LAST: PLACEMENT,
        /// Number of placements.
        COUNT: 2,
        /// High if the start cell of the player is (a,a), low if it is (5,5).
        START_IS_A: 1,
        /// High in an entry.
        VALID: 1,
    } with {
        /// Key of the empty board with the start cell (5,5).
        EMPTY = bit(Self::VALID),
        /// Start cell (a,a).
        A = bit(Self::START_IS_A),
    }
}

/// Bits of a key.
const KEY: usize = KeyWord::BITS;

/// Bits of an entry: its key and its reply.
const ENTRY: usize = KEY + PLACEMENT;

/// Bits of an entry's number.
const NUMBER: usize = 11;

block! {
    /// Opening book of up to 2,048 entries.
    pub struct OpeningBook from OpeningBookParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Jobs.
        /// Empties the board.
        pub clear: Signal<In, Bit>,
        /// Adds `placement` of `side` to the board.
        pub place: Signal<In, Bit>,
        /// Side of the placement: 0 is the player, 1 is its opponent.
        pub side: Signal<In, Bit>,
        /// Placement, a [`PlacementWord`](crate::word::PlacementWord).
        pub placement: Signal<In, Bits<PLACEMENT>>,
        /// Requests the reply to the position; high until `ready` is.
        pub think: Signal<In, Bit>,
        /// With `think`: start cell of the player, high for (a,a), low for (5,5).
        pub start_is_a: Signal<In, Bit>,

        // Result, valid from `ready` to the next `think`.
        /// High if the request is complete.
        pub ready: Signal<Out, Bit>,
        /// High if the book has a reply.
        pub found: Signal<Out, Bit>,
        /// Reply, a [`PlacementWord`](crate::word::PlacementWord).
        pub reply: Signal<Out, Bits<PLACEMENT>>,
        entries: BlockRom<ENTRY, NUMBER> = given,
        // Placements of both sides in turn, as in a key.
        placements: DFF<Bits<PLACEMENTS>>,
        count: DFF<Bits<2>>,
        last_side: DFF<Bit>,
        // High if the game has more placements than a key, or a pass between two of them.
        outside: DFF<Bit>,
        // High while the entry of `number` is read.
        reading: DFF<Bit>,
        // High while the entry that was read is compared.
        comparing: DFF<Bit>,
        number: DFF<Bits<NUMBER>>,
        complete: DFF<Bit>,
        has_reply: DFF<Bit>,
        reply_placement: DFF<Bits<PLACEMENT>>,
        key: Signal<Local, Bits<KEY>>,
        has_key: Signal<Local, Bit>,
        last_number: Constant<Bits<NUMBER>> = given,
    }
}

impl OpeningBook {
    /// Creates a book; without one, no position has a reply.
    ///
    /// # Panics
    /// If the book has more than 2,048 entries.
    pub fn new(book: Option<&Book>) -> Self {
        let words: Vec<_> = book
            .into_iter()
            .flat_map(Book::entries)
            .map(entry)
            .collect();
        Self::from(OpeningBookParts {
            last_number: Constant::new(words.len().saturating_sub(1).to_bits()),
            entries: BlockRom::new(words),
        })
    }
}

/// Returns the word of an entry.
fn entry((key, reply): (&BookKey, Placement)) -> u64 {
    let placements = key.placements.iter().fold(0, |word, &placement| {
        word << PLACEMENT | u64::from(code(placement))
    });
    KeyWord::EMPTY
        | placements
        | ((key.placements.len() as u64) << KeyWord::COUNT)
        | (u64::from(key.start_is_a) << KeyWord::START_IS_A)
        | u64::from(code(reply)) << KEY
}

impl Logic for OpeningBook {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, entries);
        dff_setup!(self, clock, placements, count, last_side, outside);
        dff_setup!(self, clock, reading, comparing, number, complete, has_reply);
        dff_setup!(self, clock, reply_placement);

        // Position.
        if self.place.val() {
            self.placements.d.next = (self.placements.q.val() << KeyWord::SECOND_LAST.val())
                | bit_cast::<45, 15>(self.placement.val());
            self.count.d.next = self.count.q.val() + 1;
            self.last_side.d.next = self.side.val();
            if (self.count.q.val() == bits::<2>(3))
                | (self.count.q.val().any() & (self.side.val() == self.last_side.q.val()))
            {
                self.outside.d.next = true;
            }
        }
        self.key.next = bit_cast::<49, 45>(self.placements.q.val())
            | (bit_cast::<49, 2>(self.count.q.val()) << KeyWord::COUNT.val())
            | bits::<49>(KeyWord::EMPTY);
        if self.start_is_a.val() {
            self.key.next = self.key.val() | bits::<49>(KeyWord::A);
        }
        self.has_key.next =
            (!self.outside.q.val()) & ((!self.count.q.val().any()) | self.last_side.q.val());

        // Request.
        self.entries.address.next = self.number.q.val();
        self.comparing.d.next = self.reading.q.val() & self.think.val();
        if self.reading.q.val() {
            self.number.d.next = self.number.q.val() + 1;
            if self.number.q.val() == self.last_number.val() {
                self.reading.d.next = false;
            }
        }
        if self.comparing.q.val() {
            if self.entries.data.val().get_bits::<49>(0) == self.key.val() {
                self.has_reply.d.next = self.has_key.val();
                self.reply_placement.d.next = self.entries.data.val().get_bits::<15>(49);
            }
            self.complete.d.next = !self.reading.q.val();
        }
        if self.think.val()
            & (!self.reading.q.val())
            & (!self.comparing.q.val())
            & (!self.complete.q.val())
        {
            self.number.d.next = bits::<11>(0);
            self.has_reply.d.next = false;
            self.reading.d.next = true;
        }
        if !self.think.val() {
            self.reading.d.next = false;
            self.complete.d.next = false;
        }
        if self.clear.val() {
            self.placements.d.next = bits::<45>(0);
            self.count.d.next = bits::<2>(0);
            self.outside.d.next = false;
        }
        self.ready.next = self.complete.q.val();
        self.found.next = self.has_reply.q.val();
        self.reply.next = self.reply_placement.q.val();
    }
}
