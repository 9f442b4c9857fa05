//! AMAF table: the placements of one simulation, looked up by placement, two per cycle.
//!
//! Encoding: an entry has seven bits: the side in bit 0 and the ply plus one above it; 0 means that
//! there is none. Entries are removed one by one, so the table never needs clearing between
//! simulations. After power-up its words are unknown, and the first 5,888 cycles write them all.
//! Four memories share that work. Each is a quarter, selected by the lowest bits of the
//! orientation. The seven bits of an orientation can encode more than 91, and a quarter has no
//! words for those that do not exist.
//!
//! Timing: `enter` and `remove` are executed in the second cycle after the request. The entry of a
//! placement on `lookup` is on `found` two cycles later, for one cycle. A placement on `lookup` in
//! the cycle in which an entry is written has no valid result.

use duoforge_rules::Orientation;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::search::position_ring::PLACEMENT;
use crate::word::{ShiftBy, bit, word};

word! {
    /// Entry; 0 means that there is none.
    pub AmafEntry {
        /// Side that made the placement.
        SIDE: 1,
        /// Ply of the placement, plus one.
        PLY: 6,
    } with {
        /// Fields of an entry of side 1.
        OF_SIDE_1 = bit(Self::SIDE),
    }
}

word! {
    /// Placement, divided as the table needs it.
    pub(crate) TablePlacement {
        /// Lowest bits of the orientation, which select the quarter.
        QUARTER: 2,
        /// Orientation without these bits.
        ORIENTATION: 5,
        /// Column and row of the anchor.
        ANCHOR: 8,
    }
}

word! {
    /// Address in a quarter.
    pub(crate) QuarterAddress {
        /// Column and row of the anchor.
        ANCHOR: 8,
        /// Orientation without the two bits that select the quarter.
        ORIENTATION: 5,
    }
}

/// Bits of an entry.
pub const MARK: usize = AmafEntry::BITS;

/// Bits of an address in a quarter.
const ADDRESS: usize = QuarterAddress::BITS;

/// Words of a quarter.
pub const WORDS: usize = Orientation::COUNT.div_ceil(4) << 8;

block! {
    /// AMAF table with two lookup ports, of which the first also writes.
    pub struct AmafTable from AmafTableParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Writes.
        /// Enters `placement`, made by `side` at `ply`.
        pub enter: Signal<In, Bit>,
        /// Removes the entry of `placement`.
        pub remove: Signal<In, Bit>,
        /// Placement to enter or remove.
        pub placement: Signal<In, Bits<PLACEMENT>>,
        /// With `enter`: side that made the placement.
        pub side: Signal<In, Bit>,
        /// With `enter`: number of placements before this one.
        pub ply: Signal<In, Bits<6>>,

        // Lookups, one for each bank of the tree.
        /// Placements to look up.
        pub lookup: [Signal<In, Bits<PLACEMENT>>; 2],
        /// Entries of the placements that were on `lookup` two cycles before.
        pub found: [Signal<Out, Bits<MARK>>; 2],
        /// High when all words have been cleared after power-up.
        pub cleared: Signal<Out, Bit>,
        quarters: [Quarter; 4],
        clear_address: DFF<Bits<ADDRESS>>,
        // Registered, since the start of every job depends on it.
        clear_done: DFF<Bit>,
        request: DFF<Bit>,
        request_placement: DFF<Bits<PLACEMENT>>,
        request_entry: DFF<Bits<MARK>>,
        writing: DFF<Bit>,
        write_placement: DFF<Bits<PLACEMENT>>,
        write_entry: DFF<Bits<MARK>>,
        quarter: [DFF<Bits<2>>; 2],
        entries: [DFF<Bits<MARK>>; 2],
        first_address: Signal<Local, Bits<ADDRESS>>,
        second_address: Signal<Local, Bits<ADDRESS>>,
        write_data: Signal<Local, Bits<MARK>>,
        clearing: Signal<Local, Bit>,
        write_quarter: Signal<Local, Bits<2>>,
        ply_plus_one: Signal<Local, Bits<6>>,
        first_entry: Signal<Local, Bits<MARK>>,
        second_entry: Signal<Local, Bits<MARK>>,
        end_address: Constant<Bits<ADDRESS>> = given,
        quarter_numbers: [Constant<Bits<2>>; 4] = given,
    }
}

impl Default for AmafTable {
    fn default() -> Self {
        Self::from(AmafTableParts {
            end_address: Constant::new(WORDS.to_bits()),
            quarter_numbers: std::array::from_fn(|number| Constant::new(number.to_bits())),
        })
    }
}

impl Logic for AmafTable {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            clear_address,
            clear_done,
            request,
            request_placement,
            request_entry,
            writing,
            write_placement,
            write_entry
        );
        self.writing.d.next = self.request.q.val();
        self.write_placement.d.next = self.request_placement.q.val();
        self.write_entry.d.next = self.request_entry.q.val();
        self.request.d.next = self.enter.val() | self.remove.val();
        self.request_placement.d.next = self.placement.val();
        self.ply_plus_one.next = self.ply.val() + 1;
        self.request_entry.d.next = bits::<7>(0);
        if self.enter.val() {
            self.request_entry.d.next =
                bit_cast::<7, 6>(self.ply_plus_one.val()) << AmafEntry::PLY.val();
            if self.side.val() {
                self.request_entry.d.next = (bit_cast::<7, 6>(self.ply_plus_one.val())
                    << AmafEntry::PLY.val())
                    | bits::<7>(AmafEntry::OF_SIDE_1);
            }
        }

        self.clearing.next = self.clear_address.q.val() != self.end_address.val();
        self.first_address.next =
            bit_cast::<13, 8>(self.lookup[0].val().get_bits::<8>(TablePlacement::ANCHOR))
                | (bit_cast::<13, 5>(
                    self.lookup[0]
                        .val()
                        .get_bits::<5>(TablePlacement::ORIENTATION),
                ) << QuarterAddress::ORIENTATION.val());
        self.write_data.next = self.write_entry.q.val();
        if self.writing.q.val() {
            self.first_address.next = bit_cast::<13, 8>(
                self.write_placement
                    .q
                    .val()
                    .get_bits::<8>(TablePlacement::ANCHOR),
            ) | (bit_cast::<13, 5>(
                self.write_placement
                    .q
                    .val()
                    .get_bits::<5>(TablePlacement::ORIENTATION),
            ) << QuarterAddress::ORIENTATION.val());
        }
        if self.clearing.val() {
            self.first_address.next = self.clear_address.q.val();
            self.write_data.next = bits::<7>(0);
            self.clear_address.d.next = self.clear_address.q.val() + 1;
        }
        self.clear_done.d.next = !self.clearing.val();
        self.cleared.next = self.clear_done.q.val();

        self.second_address.next =
            bit_cast::<13, 8>(self.lookup[1].val().get_bits::<8>(TablePlacement::ANCHOR))
                | (bit_cast::<13, 5>(
                    self.lookup[1]
                        .val()
                        .get_bits::<5>(TablePlacement::ORIENTATION),
                ) << QuarterAddress::ORIENTATION.val());
        self.write_quarter.next = self
            .write_placement
            .q
            .val()
            .get_bits::<2>(TablePlacement::QUARTER);
        for i in 0..4 {
            self.quarters[i].clock.next = self.clock.val();
            self.quarters[i].write.next = self.clearing.val()
                | (self.writing.q.val()
                    & (self.write_quarter.val() == self.quarter_numbers[i].val()));
            self.quarters[i].word.next = self.write_data.val();
            self.quarters[i].address.next = self.first_address.val();
            self.quarters[i].second_address.next = self.second_address.val();
        }
        for i in 0..2 {
            self.quarter[i].clock.next = self.clock.val();
            self.entries[i].clock.next = self.clock.val();
            self.found[i].next = self.entries[i].q.val();
            self.quarter[i].d.next = self.lookup[i].val().get_bits::<2>(TablePlacement::QUARTER);
        }
        self.first_entry.next = self.quarters[0].data.val();
        self.second_entry.next = self.quarters[0].second_data.val();
        for i in 1..4 {
            if self.quarter[0].q.val() == self.quarter_numbers[i].val() {
                self.first_entry.next = self.quarters[i].data.val();
            }
            if self.quarter[1].q.val() == self.quarter_numbers[i].val() {
                self.second_entry.next = self.quarters[i].second_data.val();
            }
        }
        self.entries[0].d.next = self.first_entry.val();
        self.entries[1].d.next = self.second_entry.val();
    }
}

block! {
    /// Quarter of the table: a block RAM with two ports, of which the first also writes.
    ///
    /// As with [`crate::memory::Memory`], three results are undefined: a word that is read while it
    /// is written, the output of the first port while it writes, and words that do not exist.
    pub struct Quarter from QuarterParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Writes `word` at `address`.
        pub write: Signal<In, Bit>,
        /// Word to write.
        pub word: Signal<In, Bits<MARK>>,
        /// Address of the first port, to read or write.
        pub address: Signal<In, Bits<ADDRESS>>,
        /// Address of the second port, to read.
        pub second_address: Signal<In, Bits<ADDRESS>>,
        /// Word at the `address` of the previous cycle.
        pub data: Signal<Out, Bits<MARK>>,
        /// Word at the `second_address` of the previous cycle.
        pub second_data: Signal<Out, Bits<MARK>>,
        _words: Vec<Bits<MARK>> = given,
    }
}

impl Default for Quarter {
    fn default() -> Self {
        Self::from(QuarterParts {
            _words: vec![Bits::default(); WORDS],
        })
    }
}

impl Logic for Quarter {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let [first, second] =
                [&self.address, &self.second_address].map(|address| address.val().index());
            let word = |at: usize| self._words.get(at).copied().unwrap_or_default();
            self.data.next = word(first);
            self.second_data.next = word(second);
            if self.write.val() {
                self._words[first] = self.word.val();
            }
        }
    }

    fn connect(&mut self) {
        self.data.connect();
        self.second_data.connect();
    }

    fn hdl(&self) -> Verilog {
        let (top, last) = (MARK - 1, WORDS - 1);
        Verilog::Custom(format!(
            "\
(* ram_style = \"block\", no_rw_check *)
reg [{top}:0] words [0:{last}];

always @(posedge clock) begin
    data <= words[address];
    second_data <= words[second_address];
    if (write) words[address] <= word;
end"
        ))
    }
}
