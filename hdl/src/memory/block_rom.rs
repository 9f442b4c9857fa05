//! Block ROM with registered output.
//!
//! Timing: `data` is the word at the `address` of the previous cycle. `data` is 0 at power-up;
//! rust-hdl's own ROM leaves it undefined.

use std::fmt::Write;

use rust_hdl_core::prelude::*;

use crate::block::block;

block! {
    /// ROM of words of `WIDTH` bits, at most 64, with addresses of `ADDRESS` bits.
    pub struct BlockRom<const WIDTH: usize, const ADDRESS: usize> from BlockRomParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Address of the word to read.
        pub address: Signal<In, Bits<ADDRESS>>,
        /// Word at the `address` of the previous cycle.
        pub data: Signal<Out, Bits<WIDTH>>,
        _words: Vec<u64> = given,
    }
}

impl<const WIDTH: usize, const ADDRESS: usize> BlockRom<WIDTH, ADDRESS> {
    /// Creates a ROM with these words. It has as many words as the next power of two; those that are
    /// not given are 0, and greater addresses count modulo this number.
    ///
    /// # Panics
    /// If there are more words than addresses.
    pub fn new(words: impl IntoIterator<Item = u64>) -> Self {
        let mut words: Vec<_> = words.into_iter().collect();
        assert!(words.len() <= 1 << ADDRESS, "more words than addresses");
        words.resize(words.len().next_power_of_two().max(2), 0);
        Self::from(BlockRomParts { _words: words })
    }
}

impl<const WIDTH: usize, const ADDRESS: usize> Logic for BlockRom<WIDTH, ADDRESS> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.data.next = self._words[self.address.val().index() % self._words.len()].to_bits();
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
        let address = match self._words.len().ilog2() as usize {
            bits if bits == ADDRESS => "address".to_owned(),
            bits => format!("address[{}:0]", bits - 1),
        };
        write!(
            text,
            "end\n\nalways @(posedge clock) data <= words[{address}];"
        )
        .expect("a text grows");
        Verilog::Custom(text)
    }
}
