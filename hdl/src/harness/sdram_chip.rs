//! Model of an SDRAM chip as a block, for simulations of a whole player in any simulator.
//!
//! The chip decodes the commands that open a row, read and write, keeps the words, and returns a
//! word two cycles after its read. It checks no rule of a data sheet: the model of the simulators'
//! crate does, and the controller's tests use that one. No design for a board contains this block.
//!
//! Timing: the pins are sampled at a rising edge; a word that is read at one edge is on `data_in`
//! from the next edge on, for one cycle.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::memory::sdram::WORD;
use crate::word::{ShiftBy, word};

/// Bits of the address of a word: bank, row, column.
const PLACE: usize = 24;

word! {
    /// Address of a word in the chip.
    pub Place {
        /// Column.
        COLUMN: 9,
        /// Row in its bank.
        ROW: 13,
        /// Bank.
        BANK: 2,
    }
}

block! {
    /// SDRAM of 2^24 words.
    pub struct SdramChip from SdramChipParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// High if the chip is missing: its data pins are all high.
        pub absent: Signal<In, Bit>,

        // Pins, see `SdramController`.
        /// Chip select, active low.
        pub cs_n: Signal<In, Bit>,
        /// Row address strobe, active low.
        pub ras_n: Signal<In, Bit>,
        /// Column address strobe, active low.
        pub cas_n: Signal<In, Bit>,
        /// Write enable, active low.
        pub we_n: Signal<In, Bit>,
        /// Bank.
        pub bank: Signal<In, Bits<2>>,
        /// Row or column.
        pub address: Signal<In, Bits<13>>,
        /// Masks of the two bytes.
        pub mask: Signal<In, Bit>,
        /// Data to the chip.
        pub data_out: Signal<In, Bits<WORD>>,
        /// Data from the chip.
        pub data_in: Signal<Out, Bits<WORD>>,
        words: ChipWords,
        rows: [DFF<Bits<13>>; 4],
        reading: DFF<Bit>,
        driven: DFF<Bits<WORD>>,
        selected: Signal<Local, Bit>,
        opens: Signal<Local, Bit>,
        accesses: Signal<Local, Bit>,
        row: Signal<Local, Bits<13>>,
        place: Signal<Local, Bits<PLACE>>,
        numbers: [Constant<Bits<2>>; 4] = given,
    }
}

impl Default for SdramChip {
    fn default() -> Self {
        Self::from(SdramChipParts {
            numbers: std::array::from_fn(|bank| Constant::new(bank.to_bits())),
        })
    }
}

impl Logic for SdramChip {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, words);
        dff_setup!(self, clock, reading, driven);
        self.selected.next = (!self.cs_n.val()) & (!self.absent.val());
        self.opens.next =
            self.selected.val() & (!self.ras_n.val()) & self.cas_n.val() & self.we_n.val();
        self.accesses.next = self.selected.val() & self.ras_n.val() & (!self.cas_n.val());
        self.row.next = bits::<13>(0);
        for i in 0..4 {
            self.rows[i].clock.next = self.clock.val();
            self.rows[i].d.next = self.rows[i].q.val();
            if self.bank.val() == self.numbers[i].val() {
                self.row.next = self.rows[i].q.val();
                if self.opens.val() {
                    self.rows[i].d.next = self.address.val();
                }
            }
        }
        self.place.next = bit_cast::<24, 9>(self.address.val().get_bits::<9>(0))
            | (bit_cast::<24, 13>(self.row.val()) << Place::ROW.val())
            | (bit_cast::<24, 2>(self.bank.val()) << Place::BANK.val());
        self.words.place.next = self.place.val();
        self.words.write.next = self.accesses.val() & (!self.we_n.val()) & (!self.mask.val());
        self.words.word.next = self.data_out.val();
        self.reading.d.next = self.accesses.val() & self.we_n.val();

        // Without a read the pins float; the model pulls them up.
        self.driven.d.next = bits::<16>(0xffff);
        if self.reading.q.val() {
            self.driven.d.next = self.words.data.val();
        }
        self.data_in.next = self.driven.q.val();
    }
}

block! {
    /// Words of the chip. rust-hdl's bits would take 24 bytes for each.
    pub struct ChipWords from ChipWordsParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Address, a [`Place`].
        pub place: Signal<In, Bits<PLACE>>,
        /// Stores `word` at `place`.
        pub write: Signal<In, Bit>,
        /// Word to write.
        pub word: Signal<In, Bits<WORD>>,
        /// Word at the `place` of the previous cycle.
        pub data: Signal<Out, Bits<WORD>>,
        _words: Vec<u16> = given,
    }
}

impl Default for ChipWords {
    fn default() -> Self {
        Self::from(ChipWordsParts {
            _words: vec![0; 1 << PLACE],
        })
    }
}

impl Logic for ChipWords {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let word = &mut self._words[self.place.val().index()];
            self.data.next = (*word).to_bits();
            if self.write.val() {
                *word = u64::from(self.word.val()) as u16;
            }
        }
    }

    fn connect(&mut self) {
        self.data.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(
            "\
reg [15:0] words [0:16777215];

always @(posedge clock) begin
    data <= words[place];
    if (write) words[place] <= word;
end"
            .into(),
        )
    }
}
