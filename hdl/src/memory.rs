//! A block of memory: one port that writes, one that reads a clock later.
//!
//! rust-hdl's own memory promises what is read while the same word is written, for which synthesis
//! adds registers and comparators. This one promises nothing there, so that it is a block RAM and no
//! more: whoever uses it never needs a word in the clock in which the word is written.
//!
//! Timing: an address that is on `address` at a rising edge has its word on `data` from that edge to
//! the next one. A word that is on `word` with `write` at a rising edge can be read from the next edge
//! on. What was never written is not known: giving every word a value at first would take synthesis
//! minutes, and not all block RAM can have one.
//!
//! A small memory can be made of look-up tables instead, where blocks are scarce.

use rust_hdl_core::prelude::*;

/// Words of `WIDTH` bits behind addresses of `ADDRESS` bits, all on one clock.
#[derive(LogicBlock)]
pub struct Memory<const WIDTH: usize, const ADDRESS: usize> {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Writes `word` at `place`.
    pub write: Signal<In, Bit>,
    /// Where to write.
    pub place: Signal<In, Bits<ADDRESS>>,
    /// What to write.
    pub word: Signal<In, Bits<WIDTH>>,
    /// What to read.
    pub address: Signal<In, Bits<ADDRESS>>,
    /// The word at the address of the clock before.
    pub data: Signal<Out, Bits<WIDTH>>,
    _words: Vec<Bits<WIDTH>>,
    _style: &'static str,
}

impl<const WIDTH: usize, const ADDRESS: usize> Memory<WIDTH, ADDRESS> {
    /// A memory of this many words, of blocks.
    ///
    /// # Panics
    /// If that is no power of two from 2 to the number of addresses: the addresses' upper bits that
    /// are not needed are left out.
    pub fn new(words: usize) -> Self {
        Self::of(words, "block")
    }

    /// A memory of this many words, of look-up tables.
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn small(words: usize) -> Self {
        Self::of(words, "distributed")
    }

    fn of(words: usize, style: &'static str) -> Self {
        assert!(words.is_power_of_two() && (2..=1 << ADDRESS).contains(&words));
        Self {
            clock: Signal::default(),
            write: Signal::default(),
            place: Signal::default(),
            word: Signal::default(),
            address: Signal::default(),
            data: Signal::default(),
            _words: vec![Bits::default(); words],
            _style: style,
        }
    }
}

impl<const WIDTH: usize, const ADDRESS: usize> Default for Memory<WIDTH, ADDRESS> {
    fn default() -> Self {
        Self::new(1 << ADDRESS)
    }
}

impl<const WIDTH: usize, const ADDRESS: usize> Logic for Memory<WIDTH, ADDRESS> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let inside = self._words.len() - 1;
            self.data.next = self._words[self.address.val().index() & inside];
            if self.write.val() {
                self._words[self.place.val().index() & inside] = self.word.val();
            }
        }
    }

    fn connect(&mut self) {
        self.data.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(text(WIDTH, self._words.len(), self._style))
    }
}

/// The module's inside.
fn text(width: usize, words: usize, style: &str) -> String {
    let (top, last, high) = (width - 1, words - 1, words.ilog2() - 1);
    format!(
        "\
(* ram_style = \"{style}\", no_rw_check *)
reg [{top}:0] words [0:{last}];

always @(posedge clock) begin
    data <= words[address[{high}:0]];
    if (write) words[place[{high}:0]] <= word;
end"
    )
}

crate::ported!(Memory<18, 10>; in write place word address; out data);
