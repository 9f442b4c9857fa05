//! Control of a direct-mapped write-back cache of nodes: lines of the SDRAM in block RAM.
//!
//! Encoding: a node's address is the number of its line in the SDRAM. Its lowest bits are the
//! number of its line in the cache. A tag has the whole address: with two flags it has 18 bits, the
//! width of a block RAM, and the number of lines affects only the sizes of memories. A direct-mapped
//! cache has one tag to compare, and misses no more than twice as often as one of four ways
//! (docs/experiments.md).
//!
//! A line that is replaced is written first if it is dirty, then filled by a read. A new node has
//! no content in the SDRAM, so its line is not read; it counts as dirty. `clear` invalidates all
//! lines, so a new search writes back no line of an old one.
//!
//! Timing: `request` and `clear` are sampled while `ready` is high; `clear` precedes a request, and
//! takes a cycle for each line. `present` is high for one cycle, one cycle after the request if the
//! line is present or needs no transfer. From the next cycle on, the node's words can be read and
//! written, until the next request is sampled. Word and tag memories are read one cycle after their
//! address. After power-up the cache clears itself.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::Memory;
use super::sdram::{INDEX, LINE, WORD};
use crate::block::block;
use crate::word::{bit, word};

word! {
    /// Tag of a line.
    pub Tag {
        /// Address of the node.
        NODE: LINE,
        /// High if the line has a node.
        VALID: 1,
        /// High if the SDRAM has an older content, or none.
        DIRTY: 1,
    } with {
        /// Flags of a clean line.
        CLEAN_LINE = bit(Self::VALID),
        /// Flags of a dirty line.
        DIRTY_LINE = bit(Self::VALID) | bit(Self::DIRTY),
    }
}

/// Bits of a tag.
pub const TAG: usize = Tag::BITS;

/// Bits of a word's address in the cache.
pub const CACHED_WORD: usize = LINE + INDEX;

/// State of the cache.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum NodeCacheState {
    /// Invalidates the lines.
    Clear,
    /// No request.
    Idle,
    /// Compares the tag.
    Compare,
    /// Writes the line's node to the SDRAM.
    WriteBack,
    /// Reads the node from the SDRAM.
    Fill,
}

block! {
    /// Control of the cache.
    pub struct NodeCache from NodeCacheParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Requests.
        /// Invalidates all lines.
        pub clear: Signal<In, Bit>,
        /// Requests that a node be present.
        pub request: Signal<In, Bit>,
        /// With `request`: address of the node. Its lowest bits are the number of its line.
        pub node: Signal<In, Bits<LINE>>,
        /// With `request`: high if the node is new, so that it has no content.
        pub is_new: Signal<In, Bit>,
        /// With `request`: high if the node will be written.
        pub write: Signal<In, Bit>,
        /// High while a request or `clear` can be accepted.
        pub ready: Signal<Out, Bit>,
        /// High for one cycle when the node is present.
        pub present: Signal<Out, Bit>,

        // Words of the lines, in block RAM: an address has the word's number below the line's.
        /// Word to read.
        pub word_address: Signal<Out, Bits<CACHED_WORD>>,
        /// Word at the `word_address` of the previous cycle.
        pub word: Signal<In, Bits<WORD>>,
        /// High while `stored_word` of the controller is to be written at `store_address`.
        pub store: Signal<Out, Bit>,
        /// Place of that word.
        pub store_address: Signal<Out, Bits<CACHED_WORD>>,

        // Controller of the SDRAM.
        /// Controller: requests the transfer of a line.
        pub line_request: Signal<Out, Bit>,
        /// Controller: with `line_request`, high to write the line.
        pub line_write: Signal<Out, Bit>,
        /// Controller: with `line_request`, number of the line.
        pub line: Signal<Out, Bits<LINE>>,
        /// Controller: word to write.
        pub line_word: Signal<Out, Bits<WORD>>,
        /// Controller: high while a request can be accepted.
        pub line_ready: Signal<In, Bit>,
        /// Controller: high while no line is transferred.
        pub line_idle: Signal<In, Bit>,
        /// Controller: number of the word to provide in the next cycle.
        pub line_index: Signal<In, Bits<INDEX>>,
        /// Controller: high while it outputs a word that was read.
        pub line_store: Signal<In, Bit>,
        /// Controller: number of that word.
        pub line_store_index: Signal<In, Bits<INDEX>>,

        tags: Memory<TAG, LINE> = given,
        state: DFF<NodeCacheState>,
        requested: DFF<Bits<LINE>>,
        requested_new: DFF<Bit>,
        requested_write: DFF<Bit>,
        // High from the request of a transfer to its end.
        transferring: DFF<Bit>,
        cleared: DFF<Bits<LINE>>,
        valid: Signal<Local, Bit>,
        dirty: Signal<Local, Bit>,
        hit: Signal<Local, Bit>,
        written: Signal<Local, Bit>,
        ends: Signal<Local, Bit>,
        transfers: Signal<Local, Bit>,
        // `line`, which would change twice and back in Icarus if it were assigned twice.
        transferred: Signal<Local, Bits<LINE>>,
        enters: Signal<Local, Bit>,
        last_line: Constant<Bits<LINE>> = given,
    }
}

impl NodeCache {
    /// Creates the control of a cache of `lines` lines.
    ///
    /// # Panics
    /// If `lines` is not a power of two from 2 to 65,536.
    pub fn new(lines: usize) -> Self {
        Self::from(NodeCacheParts {
            tags: Memory::new(lines),
            last_line: Constant::new((lines - 1).to_bits()),
        })
    }
}

impl Logic for NodeCache {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            requested,
            requested_new,
            requested_write
        );
        dff_setup!(self, clock, transferring, cleared);
        clock!(self, clock, tags);

        // Tags. The tag of the requested node's line stays on `data` during its transfers.
        self.valid.next = self.tags.data.val().get_bit(Tag::VALID);
        self.dirty.next = self.tags.data.val().get_bit(Tag::DIRTY);
        self.hit.next = self.valid.val()
            & (self.tags.data.val().get_bits::<16>(Tag::NODE) == self.requested.q.val());
        self.tags.address.next = self.requested.q.val();
        self.tags.write.next = false;
        self.tags.write_address.next = self.requested.q.val();
        self.written.next = self.requested_write.q.val() | self.requested_new.q.val();
        self.tags.word.next =
            bit_cast::<18, 16>(self.requested.q.val()) | bits::<18>(Tag::CLEAN_LINE);
        if self.written.val() {
            self.tags.word.next =
                bit_cast::<18, 16>(self.requested.q.val()) | bits::<18>(Tag::DIRTY_LINE);
        }

        // Transfers.
        self.transfers.next = (self.state.q.val() == NodeCacheState::WriteBack)
            | (self.state.q.val() == NodeCacheState::Fill);
        self.line_request.next = self.transfers.val() & (!self.transferring.q.val());
        self.line_write.next = self.state.q.val() == NodeCacheState::WriteBack;
        self.transferred.next = self.requested.q.val();
        if self.state.q.val() == NodeCacheState::WriteBack {
            self.transferred.next = self.tags.data.val().get_bits::<16>(Tag::NODE);
        }
        self.line.next = self.transferred.val();
        self.transferring.d.next = self.transfers.val()
            & ((self.transferring.q.val() & (!self.line_idle.val()))
                | ((!self.transferring.q.val()) & self.line_ready.val()));
        self.ends.next = self.transferring.q.val() & self.line_idle.val();
        self.line_word.next = self.word.val();
        self.word_address.next = bit_cast::<24, 8>(self.line_index.val())
            | (bit_cast::<24, 16>(self.requested.q.val()) << 8);
        self.store_address.next = bit_cast::<24, 8>(self.line_store_index.val())
            | (bit_cast::<24, 16>(self.requested.q.val()) << 8);
        self.store.next = self.line_store.val() & (self.state.q.val() == NodeCacheState::Fill);

        self.ready.next = self.state.q.val() == NodeCacheState::Idle;
        self.enters.next = false;
        match self.state.q.val() {
            NodeCacheState::Clear => {
                self.tags.write.next = true;
                self.tags.write_address.next = self.cleared.q.val();
                self.tags.word.next = bits::<18>(0);
                self.cleared.d.next = self.cleared.q.val() + 1;
                if self.cleared.q.val() >= self.last_line.val() {
                    self.state.d.next = NodeCacheState::Idle;
                }
            }
            NodeCacheState::Idle => {
                self.tags.address.next = self.node.val();
                if self.request.val() {
                    self.requested.d.next = self.node.val();
                    self.requested_new.d.next = self.is_new.val();
                    self.requested_write.d.next = self.write.val();
                    self.state.d.next = NodeCacheState::Compare;
                }
                self.cleared.d.next = bits::<16>(0);
                if self.clear.val() {
                    self.state.d.next = NodeCacheState::Clear;
                }
            }
            NodeCacheState::Compare => {
                if self.hit.val() {
                    self.enters.next = true;
                    self.tags.write.next = self.written.val();
                } else if self.valid.val() & self.dirty.val() {
                    self.state.d.next = NodeCacheState::WriteBack;
                } else if self.requested_new.q.val() {
                    self.enters.next = true;
                    self.tags.write.next = true;
                } else {
                    self.state.d.next = NodeCacheState::Fill;
                }
            }
            NodeCacheState::WriteBack => {
                if self.ends.val() {
                    if self.requested_new.q.val() {
                        self.enters.next = true;
                        self.tags.write.next = true;
                    } else {
                        self.state.d.next = NodeCacheState::Fill;
                    }
                }
            }
            NodeCacheState::Fill => {
                if self.ends.val() {
                    self.enters.next = true;
                    self.tags.write.next = true;
                }
            }
            _ => {
                self.state.d.next = NodeCacheState::Clear;
            }
        }
        self.present.next = self.enters.val();
        if self.enters.val() {
            self.state.d.next = NodeCacheState::Idle;
        }
    }
}
