//! Memory with one write port and one read port with a latency of one cycle.
//!
//! rust-hdl's own memory defines the result of reading a word while it is written, which costs
//! registers and comparators in synthesis. This memory leaves the result undefined and maps to a
//! plain block RAM. The blocks that use it never need a word in the cycle in which it is written.
//!
//! Timing: `address` is sampled at a rising edge; `data` holds its word from that edge to the next.
//! A word on `word` with `write` high at a rising edge can be read from the next edge on. Words
//! that were never written are undefined: initial values would take synthesis minutes, and not
//! every block RAM supports them.
//!
//! A small memory can use look-up tables instead, where block RAM is scarce.
//!
//! [`sdram`] is the external memory, and [`node_cache`] the cache of its lines in block RAM.

use rust_hdl_core::prelude::*;

use crate::block::block;

pub mod block_rom;
pub mod node_cache;
pub mod sdram;

block! {
    /// Memory of words of `WIDTH` bits with addresses of `ADDRESS` bits.
    pub struct Memory<const WIDTH: usize, const ADDRESS: usize> from MemoryParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Write enable: stores `word` at `write_address`.
        pub write: Signal<In, Bit>,
        /// Write address.
        pub write_address: Signal<In, Bits<ADDRESS>>,
        /// Word to write.
        pub word: Signal<In, Bits<WIDTH>>,
        /// Read address.
        pub address: Signal<In, Bits<ADDRESS>>,
        /// Word at the `address` of the previous cycle.
        pub data: Signal<Out, Bits<WIDTH>>,
        _words: Vec<Bits<WIDTH>> = given,
        _style: &'static str = given,
    }
}

impl<const WIDTH: usize, const ADDRESS: usize> Memory<WIDTH, ADDRESS> {
    /// Creates a memory of `words` words in block RAM.
    ///
    /// # Panics
    /// If `words` is not a power of two from 2 to `2^ADDRESS`: the unused upper bits of the
    /// addresses are ignored.
    pub fn new(words: usize) -> Self {
        Self::of(words, "block")
    }

    /// Creates a memory of `words` words in look-up tables.
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn small(words: usize) -> Self {
        Self::of(words, "distributed")
    }

    fn of(words: usize, style: &'static str) -> Self {
        assert!(words.is_power_of_two() && (2..=1 << ADDRESS).contains(&words));
        Self::from(MemoryParts {
            _words: vec![Bits::default(); words],
            _style: style,
        })
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
                self._words[self.write_address.val().index() & inside] = self.word.val();
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

/// Returns the body of the Verilog module.
fn text(width: usize, words: usize, style: &str) -> String {
    let (top, last, high) = (width - 1, words - 1, words.ilog2() - 1);
    format!(
        "\
(* ram_style = \"{style}\", no_rw_check *)
reg [{top}:0] words [0:{last}];

always @(posedge clock) begin
    data <= words[address[{high}:0]];
    if (write) words[write_address[{high}:0]] <= word;
end"
    )
}
