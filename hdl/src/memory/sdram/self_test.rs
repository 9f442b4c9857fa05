//! Test of the SDRAM after power-up, before its client has access.
//!
//! The test writes 17 lines and then reads them: line 0, and each line whose number is a power of
//! two. Their words are the states of a linear feedback shift register of 16 bits, which runs
//! through all lines. So the words of the whole test differ from each other, which finds:
//! - data bits that are stuck or connected to each other: in the words each bit has both values,
//!   and each pair of bits all four;
//! - bits of row, bank and column that are stuck or connected to each other: two words are then at
//!   one place, and the later one is read twice;
//! - a missing chip.
//!
//! Encoding: the line's number is its own count. It is 0 at first, then 1, and is shifted until its
//! highest bit is high.
//!
//! Timing: once `finished` is high, the client's requests reach the controller in the same cycle.
//! The client gets the controller after a failed test too; it decides what `failed` means.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::{LINE, WORD};
use crate::block::block;

/// State of the test.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum SelfTestState {
    /// Writes the lines.
    Write,
    /// Reads the lines and compares their words.
    Read,
    /// The client has the controller.
    Finished,
}

block! {
    /// Self-test between a client and the controller.
    pub struct SelfTest {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Result.
        /// High once the test has ended.
        pub finished: Signal<Out, Bit>,
        /// High once a word differed from the one that was written.
        pub failed: Signal<Out, Bit>,

        // Client; its ports are those of the controller.
        /// Client: requests the transfer of a line.
        pub client_request: Signal<In, Bit>,
        /// Client: with its request, high to write the line.
        pub client_write: Signal<In, Bit>,
        /// Client: with its request, number of the line.
        pub client_line: Signal<In, Bits<LINE>>,
        /// Client: word to write.
        pub client_word: Signal<In, Bits<WORD>>,
        /// Client: high while a request can be accepted.
        pub client_ready: Signal<Out, Bit>,

        // Controller.
        /// Controller: requests the transfer of a line.
        pub request: Signal<Out, Bit>,
        /// Controller: with `request`, high to write the line.
        pub write: Signal<Out, Bit>,
        /// Controller: with `request`, number of the line.
        pub line: Signal<Out, Bits<LINE>>,
        /// Controller: word to write.
        pub word: Signal<Out, Bits<WORD>>,
        /// Controller: high while a request can be accepted.
        pub ready: Signal<In, Bit>,
        /// Controller: high while no line is transferred.
        pub idle: Signal<In, Bit>,
        /// Controller: high while `word` is written.
        pub take: Signal<In, Bit>,
        /// Controller: high while `stored_word` is a word of the line.
        pub store: Signal<In, Bit>,
        /// Controller: word that was read.
        pub stored_word: Signal<In, Bits<WORD>>,

        state: DFF<SelfTestState>,
        // High from the request of a line to its end.
        busy: DFF<Bit>,
        tested_line: DFF<Bits<LINE>>,
        // State of the shift register, with its lowest bit inverted: it powers up as 1.
        pattern: DFF<Bits<WORD>>,
        differs: DFF<Bit>,
        present: Signal<Local, Bits<WORD>>,
        shifted: Signal<Local, Bits<WORD>>,
        ends: Signal<Local, Bit>,
        testing: Signal<Local, Bit>,
    }
}

impl Logic for SelfTest {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, busy, tested_line, pattern, differs);
        self.testing.next = self.state.q.val() != SelfTestState::Finished;
        self.finished.next = !self.testing.val();
        self.failed.next = self.differs.q.val();

        // Shift register with the polynomial x^16 + x^14 + x^13 + x^11 + 1.
        self.present.next = self.pattern.q.val() ^ bits::<16>(1);
        self.shifted.next = self.present.val() >> 1;
        if self.present.val().get_bit(0) {
            self.shifted.next = (self.present.val() >> 1) ^ bits::<16>(0xb400);
        }
        self.ends.next = self.busy.q.val() & self.idle.val();

        // Ports of the controller.
        self.request.next = self.client_request.val();
        self.write.next = self.client_write.val();
        self.line.next = self.client_line.val();
        self.word.next = self.client_word.val();
        self.client_ready.next = self.ready.val();
        if self.testing.val() {
            self.request.next = !self.busy.q.val();
            self.write.next = self.state.q.val() == SelfTestState::Write;
            self.line.next = self.tested_line.q.val();
            self.word.next = self.present.val();
            self.client_ready.next = false;
            if self.ready.val() & (!self.busy.q.val()) {
                self.busy.d.next = true;
            }
            if self.ends.val() {
                self.busy.d.next = false;
                self.tested_line.d.next = self.tested_line.q.val() << 1;
                if !self.tested_line.q.val().any() {
                    self.tested_line.d.next = bits::<16>(1);
                }
            }
            if self.take.val() | self.store.val() {
                self.pattern.d.next = self.shifted.val() ^ bits::<16>(1);
            }
        }
        match self.state.q.val() {
            SelfTestState::Write => {
                if self.ends.val() & self.tested_line.q.val().get_bit(15) {
                    self.pattern.d.next = bits::<16>(0);
                    self.tested_line.d.next = bits::<16>(0);
                    self.state.d.next = SelfTestState::Read;
                }
            }
            SelfTestState::Read => {
                if self.store.val() & (self.stored_word.val() != self.present.val()) {
                    self.differs.d.next = true;
                }
                if self.ends.val() & self.tested_line.q.val().get_bit(15) {
                    self.state.d.next = SelfTestState::Finished;
                }
            }
            SelfTestState::Finished => {}
            _ => {
                self.state.d.next = SelfTestState::Finished;
                // The chip was not tested.
                self.differs.d.next = true;
            }
        }
    }
}

/// Returns the lines of the test in their order, each with its `words` words: the twin function of
/// this block.
pub fn twin(words: usize) -> Vec<(u16, Vec<u16>)> {
    let lines = [0].into_iter().chain((0..16).map(|bit| 1_u16 << bit));
    let mut state = 1_u16;
    let mut next = || {
        let word = state;
        state = (state >> 1) ^ if state & 1 == 1 { 0xb400 } else { 0 };
        word
    };
    lines
        .map(|line| (line, (0..words).map(|_| next()).collect()))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn words_differ_and_every_pair_of_bits_has_all_values() {
        let words: Vec<u16> = twin(256).into_iter().flat_map(|(_, words)| words).collect();
        assert_eq!(words.iter().collect::<HashSet<_>>().len(), 17 * 256);
        let bit = |word: u16, bit: u32| word >> bit & 1;
        // Of the lines of the tree.
        let words: Vec<u16> = twin(226).into_iter().flat_map(|(_, words)| words).collect();
        for (one, other) in (0..16).flat_map(|one| (0..one).map(move |other| (one, other))) {
            let pairs: HashSet<_> = words
                .iter()
                .map(|&w| (bit(w, one), bit(w, other)))
                .collect();
            assert_eq!(pairs.len(), 4, "bits {one} and {other}");
        }
    }
}
