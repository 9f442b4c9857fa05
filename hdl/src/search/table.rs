//! A table in a block of memory, read a clock later.
//!
//! Timing: an address that is on `address` at a rising edge has its word on `data` from that edge to
//! the next one. `data` is 0 at first, which rust-hdl's own table leaves open.

use std::fmt::Write;

use rust_hdl_core::prelude::*;

/// Words of `WIDTH` bits, at most 64, behind addresses of `ADDRESS` bits.
#[derive(LogicBlock)]
pub struct Table<const WIDTH: usize, const ADDRESS: usize> {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Which word.
    pub address: Signal<In, Bits<ADDRESS>>,
    /// The word at the address of the clock before.
    pub data: Signal<Out, Bits<WIDTH>>,
    _words: Vec<u64>,
}

impl<const WIDTH: usize, const ADDRESS: usize> Table<WIDTH, ADDRESS> {
    /// A table of these words; the rest are 0.
    ///
    /// # Panics
    /// If there are more words than addresses.
    pub fn new(words: impl IntoIterator<Item = u64>) -> Self {
        let mut words: Vec<_> = words.into_iter().collect();
        assert!(words.len() <= 1 << ADDRESS, "more words than addresses");
        words.resize(1 << ADDRESS, 0);
        Self {
            clock: Signal::default(),
            address: Signal::default(),
            data: Signal::default(),
            _words: words,
        }
    }
}

impl<const WIDTH: usize, const ADDRESS: usize> Logic for Table<WIDTH, ADDRESS> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.data.next = self._words[self.address.val().index()].to_bits();
        }
    }

    fn connect(&mut self) {
        self.data.connect();
    }

    fn hdl(&self) -> Verilog {
        let (top, last) = (WIDTH - 1, self._words.len() - 1);
        let mut text = format!(
            "\
(* rom_style = \"block\", ram_style = \"block\" *)
reg [{top}:0] words [0:{last}];

initial begin
    data = 0;
"
        );
        for (i, word) in self._words.iter().enumerate() {
            writeln!(text, "    words[{i}] = {WIDTH}'h{word:x};").expect("a text grows");
        }
        text += "\
end

always @(posedge clock) data <= words[address];";
        Verilog::Custom(text)
    }
}
