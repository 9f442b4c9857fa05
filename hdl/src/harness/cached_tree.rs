//! Harness of the tree with an external memory: node loader, tree, and a model of the memory.

use duoforge_twin::search::SearchParameters;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::memory::Memory;
use crate::memory::node_cache::CACHED_WORD;
use crate::memory::sdram::{INDEX, LINE, WORD};
use crate::search::node_loader::NodeLoader;
use crate::search::position_ring::PLACEMENT;
use crate::search::tree::bank::NODE;
use crate::search::tree::{LINE_WORDS, Tree};

/// State of the memory.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum LineMemoryState {
    /// No line.
    Idle,
    /// Waits before the first word.
    Wait,
    /// Transfers the words of a line.
    Transfer,
}

block! {
    /// Memory of lines with the ports of the SDRAM's controller, for simulation. It accepts a
    /// request in one of eight cycles, at random, and waits for 1 to 16 more before the first word.
    pub struct LineMemory from LineMemoryParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Ports of `SdramController`.
        /// Requests the transfer of a line.
        pub request: Signal<In, Bit>,
        /// With `request`: high to write the line.
        pub write: Signal<In, Bit>,
        /// With `request`: number of the line.
        pub line: Signal<In, Bits<LINE>>,
        /// High while a request can be accepted.
        pub ready: Signal<Out, Bit>,
        /// High while no line is transferred.
        pub idle: Signal<Out, Bit>,
        /// Number of the word to provide in the next cycle.
        pub index: Signal<Out, Bits<INDEX>>,
        /// Word of the `index` of the previous cycle.
        pub word: Signal<In, Bits<WORD>>,
        /// High while `stored_word` is a word of the line.
        pub store: Signal<Out, Bit>,
        /// Number of that word.
        pub store_index: Signal<Out, Bits<INDEX>>,
        /// Word that was read.
        pub stored_word: Signal<Out, Bits<WORD>>,
        /// Lines that were read.
        pub reads: Signal<Out, Bits<32>>,
        /// Lines that were written.
        pub writes: Signal<Out, Bits<32>>,
        words: Memory<WORD, CACHED_WORD> = given,
        read_count: DFF<Bits<32>>,
        write_count: DFF<Bits<32>>,
        state: DFF<LineMemoryState>,
        writing: DFF<Bit>,
        open_line: DFF<Bits<LINE>>,
        next_word: DFF<Bits<INDEX>>,
        left: DFF<Bits<4>>,
        // Shift register of random waits, with its lowest bit inverted: it powers up as 1.
        random: DFF<Bits<16>>,
        drawn: Signal<Local, Bits<16>>,
        accepts: Signal<Local, Bit>,
        last: Signal<Local, Bit>,
        following: Signal<Local, Bits<INDEX>>,
        last_word: Constant<Bits<INDEX>> = given,
    }
}

impl LineMemory {
    /// Creates a memory of `lines` lines, a power of two, of the words of a node each.
    pub fn new(lines: usize) -> Self {
        Self::from(LineMemoryParts {
            words: Memory::new(lines << INDEX),
            last_word: Constant::new((LINE_WORDS - 1).to_bits()),
        })
    }
}

impl Logic for LineMemory {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, words);
        dff_setup!(
            self, clock, state, writing, open_line, next_word, left, random
        );
        dff_setup!(self, clock, read_count, write_count);
        self.reads.next = self.read_count.q.val();
        self.writes.next = self.write_count.q.val();
        self.drawn.next = self.random.q.val() ^ bits::<16>(1);
        self.random.d.next = (self.drawn.val() >> 1) ^ bits::<16>(1);
        if self.drawn.val().get_bit(0) {
            self.random.d.next = (self.drawn.val() >> 1) ^ bits::<16>(0xb401);
        }
        self.accepts.next = (self.state.q.val() == LineMemoryState::Idle)
            & (self.drawn.val().get_bits::<3>(0) == self.drawn.val().get_bits::<3>(8));
        self.ready.next = self.accepts.val();
        self.last.next = self.next_word.q.val() == self.last_word.val();
        // The last word that is read comes with `idle`.
        self.idle.next = (self.state.q.val() == LineMemoryState::Idle)
            | ((self.state.q.val() == LineMemoryState::Transfer)
                & self.last.val()
                & (!self.writing.q.val()));
        self.following.next = bits::<8>(0);
        match self.state.q.val() {
            LineMemoryState::Idle => {
                if self.accepts.val() & self.request.val() {
                    self.open_line.d.next = self.line.val();
                    self.writing.d.next = self.write.val();
                    self.left.d.next = self.drawn.val().get_bits::<4>(4);
                    self.state.d.next = LineMemoryState::Wait;
                }
            }
            LineMemoryState::Wait => {
                self.left.d.next = self.left.q.val() - 1;
                if !self.left.q.val().any() {
                    self.state.d.next = LineMemoryState::Transfer;
                }
            }
            LineMemoryState::Transfer => {
                self.following.next = self.next_word.q.val() + 1;
                if self.last.val() {
                    if self.writing.q.val() {
                        self.write_count.d.next = self.write_count.q.val() + 1;
                    } else {
                        self.read_count.d.next = self.read_count.q.val() + 1;
                    }
                    self.state.d.next = LineMemoryState::Idle;
                }
            }
            _ => {
                self.state.d.next = LineMemoryState::Idle;
            }
        }
        self.next_word.d.next = self.following.val();
        self.index.next = self.following.val();
        self.words.address.next = bit_cast::<24, 8>(self.following.val())
            | (bit_cast::<24, 16>(self.open_line.q.val()) << 8);
        self.words.write_address.next = bit_cast::<24, 8>(self.next_word.q.val())
            | (bit_cast::<24, 16>(self.open_line.q.val()) << 8);
        self.words.write.next =
            (self.state.q.val() == LineMemoryState::Transfer) & self.writing.q.val();
        self.words.word.next = self.word.val();
        self.store.next =
            (self.state.q.val() == LineMemoryState::Transfer) & (!self.writing.q.val());
        self.store_index.next = self.next_word.q.val();
        self.stored_word.next = self.words.data.val();
    }
}

block! {
    /// Harness of [`NodeLoader`] and [`Tree`].
    pub struct CachedTreeUnit from CachedTreeUnitParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// See [`NodeLoader::memory_works`].
        pub memory_works: Signal<In, Bit>,
        /// See [`NodeLoader::clear`].
        pub clear: Signal<In, Bit>,
        /// See [`Tree::add`].
        pub add: Signal<In, Bit>,
        /// See [`Tree::add_side`].
        pub add_side: Signal<In, Bit>,
        /// See [`Tree::entry`].
        pub entry: Signal<In, Bit>,
        /// See [`Tree::entry_placement`].
        pub entry_placement: Signal<In, Bits<PLACEMENT>>,
        /// See [`Tree::entry_prior`].
        pub entry_prior: Signal<In, Bits<16>>,
        /// See [`Tree::entry_mean`].
        pub entry_mean: Signal<In, Bits<24>>,
        /// See [`NodeLoader::prepare`].
        pub prepare: Signal<In, Bit>,
        /// See [`NodeLoader::select`].
        pub select: Signal<In, Bit>,
        /// See [`NodeLoader::read`].
        pub read: Signal<In, Bit>,
        /// See [`NodeLoader::single`].
        pub single: Signal<In, Bit>,
        /// See [`NodeLoader::link`].
        pub link: Signal<In, Bit>,
        /// See [`NodeLoader::update`].
        pub update: Signal<In, Bit>,
        /// See [`NodeLoader::node`].
        pub node: Signal<In, Bits<NODE>>,
        /// See [`NodeLoader::child`].
        pub child: Signal<In, Bits<5>>,
        /// See [`NodeLoader::link_to`].
        pub link_to: Signal<In, Bits<NODE>>,
        /// See [`NodeLoader::value`].
        pub value: Signal<In, Bits<16>>,
        /// See [`NodeLoader::prove`].
        pub prove: Signal<In, Bit>,
        /// See [`NodeLoader::ply`].
        pub ply: Signal<In, Bits<6>>,
        /// See [`Tree::amaf_enter`].
        pub amaf_enter: Signal<In, Bit>,
        /// See [`Tree::amaf_remove`].
        pub amaf_remove: Signal<In, Bit>,
        /// See [`Tree::placement`].
        pub placement: Signal<In, Bits<PLACEMENT>>,
        /// See [`Tree::side`].
        pub side: Signal<In, Bit>,
        /// See [`NodeLoader::idle`].
        pub idle: Signal<Out, Bit>,
        /// See [`NodeLoader::ready`].
        pub ready: Signal<Out, Bit>,
        /// See [`Tree::added`].
        pub added: Signal<Out, Bits<NODE>>,
        /// See [`Tree::full`].
        pub full: Signal<Out, Bit>,
        /// See [`Tree::selected`].
        pub selected: Signal<Out, Bit>,
        /// See [`Tree::selected_child`].
        pub selected_child: Signal<Out, Bits<5>>,
        /// See [`Tree::selected_placement`].
        pub selected_placement: Signal<Out, Bits<PLACEMENT>>,
        /// See [`Tree::selected_visits`].
        pub selected_visits: Signal<Out, Bits<18>>,
        /// See [`Tree::selected_value`].
        pub selected_value: Signal<Out, Bits<16>>,
        /// See [`Tree::selected_next_node`].
        pub selected_next_node: Signal<Out, Bits<NODE>>,
        /// See [`Tree::selected_side`].
        pub selected_side: Signal<Out, Bit>,
        /// See [`Tree::selected_children`].
        pub selected_children: Signal<Out, Bits<6>>,
        /// See [`Tree::selected_proven`].
        pub selected_proven: Signal<Out, Bit>,
        /// See [`Tree::selected_alternative`].
        pub selected_alternative: Signal<Out, Bit>,
        /// See [`Tree::selected_alternative_value`].
        pub selected_alternative_value: Signal<Out, Bits<16>>,
        /// See [`Tree::selected_solved`].
        pub selected_solved: Signal<Out, Bit>,
        /// See [`LineMemory::reads`].
        pub reads: Signal<Out, Bits<32>>,
        /// See [`LineMemory::writes`].
        pub writes: Signal<Out, Bits<32>>,
        node_loader: NodeLoader = given,
        tree: Tree = given,
        memory: LineMemory = given,
    }
}

impl CachedTreeUnit {
    /// Creates a tree of which `lines` nodes are in block RAM.
    pub fn new(p: &SearchParameters, lines: usize) -> Self {
        Self::from(CachedTreeUnitParts {
            node_loader: NodeLoader::new(Some(lines)),
            tree: Tree::with_lines(p, lines),
            memory: LineMemory::new(p.nodes.next_power_of_two()),
        })
    }
}

impl Logic for CachedTreeUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, node_loader, tree, memory);

        // Jobs.
        self.node_loader.clear.next = self.clear.val();
        self.node_loader.prepare.next = self.prepare.val();
        self.node_loader.select.next = self.select.val();
        self.node_loader.read.next = self.read.val();
        self.node_loader.link.next = self.link.val();
        self.node_loader.update.next = self.update.val();
        self.node_loader.single.next = self.single.val();
        self.node_loader.node.next = self.node.val();
        self.node_loader.child.next = self.child.val();
        self.node_loader.link_to.next = self.link_to.val();
        self.node_loader.value.next = self.value.val();
        self.node_loader.prove.next = self.prove.val();
        self.node_loader.ply.next = self.ply.val();
        self.tree.select.next = self.node_loader.tree_select.val();
        self.tree.read.next = self.node_loader.tree_read.val();
        self.tree.link.next = self.node_loader.tree_link.val();
        self.tree.update.next = self.node_loader.tree_update.val();
        self.tree.single.next = self.node_loader.tree_single.val();
        self.tree.node.next = self.node_loader.tree_node.val();
        self.tree.child.next = self.node_loader.tree_child.val();
        self.tree.link_to.next = self.node_loader.tree_link_to.val();
        self.tree.value.next = self.node_loader.tree_value.val();
        self.tree.prove.next = self.node_loader.tree_prove.val();
        self.tree.ply.next = self.node_loader.tree_ply.val();
        self.tree.clear.next = self.clear.val();
        self.tree.add.next = self.add.val();
        self.tree.add_side.next = self.add_side.val();
        self.tree.entry.next = self.entry.val();
        self.tree.entry_placement.next = self.entry_placement.val();
        self.tree.entry_prior.next = self.entry_prior.val();
        self.tree.entry_mean.next = self.entry_mean.val();
        self.tree.amaf_enter.next = self.amaf_enter.val();
        self.tree.amaf_remove.next = self.amaf_remove.val();
        self.tree.placement.next = self.placement.val();
        self.tree.side.next = self.side.val();
        self.node_loader.tree_idle.next = self.tree.idle.val();
        self.node_loader.tree_ready.next = self.tree.ready.val();
        self.node_loader.following.next = self.tree.following.val();
        self.idle.next = self.node_loader.idle.val();
        self.ready.next = self.node_loader.ready.val();
        self.added.next = self.tree.added.val();
        self.full.next = self.tree.full.val();
        self.selected.next = self.tree.selected.val();
        self.selected_child.next = self.tree.selected_child.val();
        self.selected_placement.next = self.tree.selected_placement.val();
        self.selected_visits.next = self.tree.selected_visits.val();
        self.selected_value.next = self.tree.selected_value.val();
        self.selected_next_node.next = self.tree.selected_next_node.val();
        self.selected_side.next = self.tree.selected_side.val();
        self.selected_children.next = self.tree.selected_children.val();
        self.selected_proven.next = self.tree.selected_proven.val();
        self.selected_alternative.next = self.tree.selected_alternative.val();
        self.selected_alternative_value.next = self.tree.selected_alternative_value.val();
        self.selected_solved.next = self.tree.selected_solved.val();

        // Lines.
        self.node_loader.memory_works.next = self.memory_works.val();
        self.tree.limited.next = self.node_loader.limited.val();
        self.tree.transfer.next = self.node_loader.transfer.val();
        self.tree.transfer_line.next = self.node_loader.transfer_line.val();
        self.tree.transfer_index.next = self.node_loader.transfer_index.val();
        self.node_loader.transferred_word.next = self.tree.transferred_word.val();
        self.tree.store.next = self.node_loader.store.val();
        self.tree.store_index.next = self.node_loader.store_index.val();
        self.tree.stored_word.next = self.memory.stored_word.val();
        self.memory.request.next = self.node_loader.line_request.val();
        self.memory.write.next = self.node_loader.line_write.val();
        self.memory.line.next = self.node_loader.line.val();
        self.memory.word.next = self.node_loader.line_word.val();
        self.node_loader.line_ready.next = self.memory.ready.val();
        self.node_loader.line_idle.next = self.memory.idle.val();
        self.node_loader.line_index.next = self.memory.index.val();
        self.node_loader.line_store.next = self.memory.store.val();
        self.node_loader.line_store_index.next = self.memory.store_index.val();
        self.reads.next = self.memory.reads.val();
        self.writes.next = self.memory.writes.val();
    }
}
