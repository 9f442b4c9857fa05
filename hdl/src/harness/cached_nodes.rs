//! Harness of the external memory: nodes in an SDRAM, behind a cache in block RAM.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::memory::Memory;
use crate::memory::node_cache::{CACHED_WORD, NodeCache};
use crate::memory::sdram::controller::SdramController;
use crate::memory::sdram::self_test::SelfTest;
use crate::memory::sdram::timing::{SdramTiming, TimingError};
use crate::memory::sdram::{INDEX, LINE, WORD};

block! {
    /// Cache, self-test and controller, with the memory of the cached words.
    pub struct CachedNodesUnit from CachedNodesUnitParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Requests.
        /// See [`NodeCache::clear`].
        pub clear: Signal<In, Bit>,
        /// See [`NodeCache::request`].
        pub request: Signal<In, Bit>,
        /// See [`NodeCache::node`].
        pub node: Signal<In, Bits<LINE>>,
        /// See [`NodeCache::is_new`].
        pub is_new: Signal<In, Bit>,
        /// See [`NodeCache::write`].
        pub write: Signal<In, Bit>,
        /// See [`NodeCache::ready`].
        pub ready: Signal<Out, Bit>,
        /// See [`NodeCache::present`].
        pub present: Signal<Out, Bit>,

        // Words of the node that was requested last, accessed while `ready` is high.
        /// Number of the word to read or write.
        pub word_index: Signal<In, Bits<INDEX>>,
        /// Reads the word.
        pub get: Signal<In, Bit>,
        /// Writes `new_word`.
        pub put: Signal<In, Bit>,
        /// Word to write.
        pub new_word: Signal<In, Bits<WORD>>,
        /// Word at the `word_index` of the previous cycle if `get` was high, otherwise 0.
        pub word: Signal<Out, Bits<WORD>>,

        // Self-test.
        /// See [`SelfTest::finished`].
        pub finished: Signal<Out, Bit>,
        /// See [`SelfTest::failed`].
        pub failed: Signal<Out, Bit>,

        // Pins.
        /// See [`SdramController::cke`].
        pub cke: Signal<Out, Bit>,
        /// See [`SdramController::cs_n`].
        pub cs_n: Signal<Out, Bit>,
        /// See [`SdramController::ras_n`].
        pub ras_n: Signal<Out, Bit>,
        /// See [`SdramController::cas_n`].
        pub cas_n: Signal<Out, Bit>,
        /// See [`SdramController::we_n`].
        pub we_n: Signal<Out, Bit>,
        /// See [`SdramController::bank`].
        pub bank: Signal<Out, Bits<2>>,
        /// See [`SdramController::address`].
        pub address: Signal<Out, Bits<13>>,
        /// See [`SdramController::mask`].
        pub mask: Signal<Out, Bit>,
        /// See [`SdramController::data_out`].
        pub data_out: Signal<Out, Bits<WORD>>,
        /// See [`SdramController::drive`].
        pub drive: Signal<Out, Bit>,
        /// See [`SdramController::data_in`].
        pub data_in: Signal<In, Bits<WORD>>,
        cache: NodeCache = given,
        self_test: SelfTest,
        controller: SdramController = given,
        words: Memory<WORD, CACHED_WORD> = given,
        got: DFF<Bit>,
    }
}

impl CachedNodesUnit {
    /// Creates a cache of `lines` lines of `words` words each.
    ///
    /// # Errors
    /// As [`SdramController::new`].
    pub fn new(lines: usize, words: usize, timing: &SdramTiming) -> Result<Self, TimingError> {
        Ok(Self::from(CachedNodesUnitParts {
            cache: NodeCache::new(lines),
            controller: SdramController::new(words, timing, 0)?,
            words: Memory::new(lines << INDEX),
        }))
    }
}

impl Logic for CachedNodesUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, cache, self_test, controller, words);
        dff_setup!(self, clock, got);
        self.cache.clear.next = self.clear.val();
        self.cache.request.next = self.request.val();
        self.cache.node.next = self.node.val();
        self.cache.is_new.next = self.is_new.val();
        self.cache.write.next = self.write.val();
        self.ready.next = self.cache.ready.val();
        self.present.next = self.cache.present.val();

        // Words. The cache keeps the node's address in the upper bits of each address that it outputs.
        self.cache.word.next = self.words.data.val();
        self.got.d.next = self.get.val();
        self.word.next = bits::<16>(0);
        if self.got.q.val() {
            self.word.next = self.words.data.val();
        }
        self.words.address.next = self.cache.word_address.val();
        self.words.write.next = self.cache.store.val();
        self.words.write_address.next = self.cache.store_address.val();
        self.words.word.next = self.controller.stored_word.val();
        if self.cache.ready.val() {
            self.words.address.next = (self.cache.word_address.val() & bits::<24>(0xffff00))
                | bit_cast::<24, 8>(self.word_index.val());
            self.words.write.next = self.put.val();
            self.words.write_address.next = (self.cache.word_address.val() & bits::<24>(0xffff00))
                | bit_cast::<24, 8>(self.word_index.val());
            self.words.word.next = self.new_word.val();
        }

        self.self_test.client_request.next = self.cache.line_request.val();
        self.self_test.client_write.next = self.cache.line_write.val();
        self.self_test.client_line.next = self.cache.line.val();
        self.self_test.client_word.next = self.cache.line_word.val();
        self.cache.line_ready.next = self.self_test.client_ready.val();
        self.cache.line_idle.next = self.controller.idle.val();
        self.cache.line_index.next = self.controller.index.val();
        self.cache.line_store.next = self.controller.store.val();
        self.cache.line_store_index.next = self.controller.store_index.val();
        self.finished.next = self.self_test.finished.val();
        self.failed.next = self.self_test.failed.val();

        self.controller.hold.next = false;
        self.controller.request.next = self.self_test.request.val();
        self.controller.write.next = self.self_test.write.val();
        self.controller.line.next = self.self_test.line.val();
        self.controller.word.next = self.self_test.word.val();
        self.self_test.ready.next = self.controller.ready.val();
        self.self_test.idle.next = self.controller.idle.val();
        self.self_test.take.next = self.controller.take.val();
        self.self_test.store.next = self.controller.store.val();
        self.self_test.stored_word.next = self.controller.stored_word.val();

        self.cke.next = self.controller.cke.val();
        self.cs_n.next = self.controller.cs_n.val();
        self.ras_n.next = self.controller.ras_n.val();
        self.cas_n.next = self.controller.cas_n.val();
        self.we_n.next = self.controller.we_n.val();
        self.bank.next = self.controller.bank.val();
        self.address.next = self.controller.address.val();
        self.mask.next = self.controller.mask.val();
        self.data_out.next = self.controller.data_out.val();
        self.drive.next = self.controller.drive.val();
        self.controller.data_in.next = self.data_in.val();
    }
}
