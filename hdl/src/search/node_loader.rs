//! Node loader: has the node of each job in block RAM before the tree gets the job.
//!
//! A tree with more nodes than lines keeps the others in an external memory, behind a
//! [`NodeCache`]. The loader holds a job of the search, requests its node from the cache, and hands
//! the job on once the node is present. Before a node is made, `prepare` requests its line, so that
//! the entries of the node need not wait. A tree that is in block RAM as a whole needs no loader:
//! with no lines given, jobs pass it in the same cycle, and synthesis removes it.
//!
//! The loader has no twin function: the twin's tree has all nodes at hand. What the loader may
//! change is the cycle of a job.
//!
//! The loader becomes idle from every state. If the cache is ready while the loader waits for a
//! node, the cache has no such request, and the wait ends without a job.
//!
//! Encoding: one register for the job's kind and operands, since the search has one job at a time.
//! They also spare the long ways from the units of the search to the tree.
//!
//! Timing: jobs are sampled while `idle` is high, `update` while `ready` is high, at most one per
//! cycle, with their operands in the same cycle. The tree gets the job two cycles later if its node
//! is present. A transfer waits until the tree is idle. `clear` takes a cycle for each line.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::tree::bank::{LINE, NODE};
use crate::block::block;
use crate::memory::node_cache::NodeCache;
use crate::memory::sdram::{INDEX, LINE as OUTER_LINE, WORD};

/// State of the loader.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum LoaderState {
    /// No job.
    Idle,
    /// Waits for the cache.
    Load,
    /// Hands the job to the tree.
    Issue,
}

block! {
    /// Node loader between search and tree.
    pub struct NodeLoader from NodeLoaderParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Handshake with the search.
        /// High while a job can be accepted.
        pub idle: Signal<Out, Bit>,
        /// High while an `update` can be accepted, and what the tree takes without a node.
        pub ready: Signal<Out, Bit>,

        // Jobs of the search; see the tree.
        /// Discards all nodes.
        pub clear: Signal<In, Bit>,
        /// Makes the line of the next new node free.
        pub prepare: Signal<In, Bit>,
        /// Selects a child of `node`.
        pub select: Signal<In, Bit>,
        /// Reads `child` of `node`.
        pub read: Signal<In, Bit>,
        /// Links `child` of `node`.
        pub link: Signal<In, Bit>,
        /// Updates `node`.
        pub update: Signal<In, Bit>,
        /// High with `read` and `link`, see the tree.
        pub single: Signal<In, Bit>,
        /// Node of the job.
        pub node: Signal<In, Bits<NODE>>,
        /// Child of the job.
        pub child: Signal<In, Bits<5>>,
        /// With `link`: new link.
        pub link_to: Signal<In, Bits<NODE>>,
        /// With `update`: result.
        pub value: Signal<In, Bits<16>>,
        /// With `update`: high if the result is proven.
        pub prove: Signal<In, Bit>,
        /// With `update`: ply of the node. While `ready` is high, `tree_ply` equals it.
        pub ply: Signal<In, Bits<6>>,

        // Tree: jobs.
        /// Tree: high while a job can be accepted.
        pub tree_idle: Signal<In, Bit>,
        /// Tree: high while an `update` can be accepted.
        pub tree_ready: Signal<In, Bit>,
        /// Tree: number of the node that is opened next.
        pub following: Signal<In, Bits<NODE>>,
        /// Tree: selects a child.
        pub tree_select: Signal<Out, Bit>,
        /// Tree: reads a child.
        pub tree_read: Signal<Out, Bit>,
        /// Tree: links a child.
        pub tree_link: Signal<Out, Bit>,
        /// Tree: updates a node.
        pub tree_update: Signal<Out, Bit>,
        /// Tree: high with a job on one child.
        pub tree_single: Signal<Out, Bit>,
        /// Tree: node of the job.
        pub tree_node: Signal<Out, Bits<NODE>>,
        /// Tree: child of the job.
        pub tree_child: Signal<Out, Bits<5>>,
        /// Tree: new link.
        pub tree_link_to: Signal<Out, Bits<NODE>>,
        /// Tree: result.
        pub tree_value: Signal<Out, Bits<16>>,
        /// Tree: high if the result is proven.
        pub tree_prove: Signal<Out, Bit>,
        /// Tree: ply of the node.
        pub tree_ply: Signal<Out, Bits<6>>,

        // Tree: transfer of a line.
        /// Tree: high if it has no more nodes than lines.
        pub limited: Signal<Out, Bit>,
        /// Tree: high while words are transferred.
        pub transfer: Signal<Out, Bit>,
        /// Tree: line of these words.
        pub transfer_line: Signal<Out, Bits<LINE>>,
        /// Tree: number of the word to read.
        pub transfer_index: Signal<Out, Bits<INDEX>>,
        /// Tree: word at the `transfer_index` of the previous cycle.
        pub transferred_word: Signal<In, Bits<WORD>>,
        /// Tree: stores the word that the external memory outputs.
        pub store: Signal<Out, Bit>,
        /// Tree: number of that word.
        pub store_index: Signal<Out, Bits<INDEX>>,

        // External memory; the ports are those of its controller.
        /// Memory: high once it has passed its self-test.
        pub memory_works: Signal<In, Bit>,
        /// Memory: requests the transfer of a line.
        pub line_request: Signal<Out, Bit>,
        /// Memory: with `line_request`, high to write the line.
        pub line_write: Signal<Out, Bit>,
        /// Memory: with `line_request`, number of the line, which is the node's.
        pub line: Signal<Out, Bits<OUTER_LINE>>,
        /// Memory: word to write.
        pub line_word: Signal<Out, Bits<WORD>>,
        /// Memory: high while a request can be accepted.
        pub line_ready: Signal<In, Bit>,
        /// Memory: high while no line is transferred.
        pub line_idle: Signal<In, Bit>,
        /// Memory: number of the word to provide in the next cycle.
        pub line_index: Signal<In, Bits<INDEX>>,
        /// Memory: high while it outputs a word that was read.
        pub line_store: Signal<In, Bit>,
        /// Memory: number of that word.
        pub line_store_index: Signal<In, Bits<INDEX>>,

        cache: NodeCache = given,
        state: DFF<LoaderState>,
        // The job.
        preparing: DFF<Bit>,
        selecting: DFF<Bit>,
        reading: DFF<Bit>,
        linking: DFF<Bit>,
        updating: DFF<Bit>,
        job_node: DFF<Bits<NODE>>,
        job_child: DFF<Bits<5>>,
        job_link_to: DFF<Bits<NODE>>,
        job_value: DFF<Bits<16>>,
        job_prove: DFF<Bit>,
        job_ply: DFF<Bits<6>>,
        writes: Signal<Local, Bit>,
        requested: Signal<Local, Bit>,
        free: Signal<Local, Bit>,
        accepts: Signal<Local, Bit>,
        issues: Signal<Local, Bit>,
        // High if the tree has an external memory.
        external: Constant<Bit> = given,
    }
}

impl NodeLoader {
    /// Creates a loader for a tree of which `lines` nodes are in block RAM; without a number all of
    /// them are.
    ///
    /// # Panics
    /// If the number of lines is not a power of two from 2 to 65,536.
    pub fn new(lines: Option<usize>) -> Self {
        Self::from(NodeLoaderParts {
            cache: NodeCache::new(lines.unwrap_or(2)),
            external: Constant::new(lines.is_some()),
        })
    }
}

impl Logic for NodeLoader {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, cache);
        dff_setup!(
            self, clock, state, preparing, selecting, reading, linking, updating
        );
        dff_setup!(
            self,
            clock,
            job_node,
            job_child,
            job_link_to,
            job_value,
            job_prove,
            job_ply
        );

        // Job: from the search to the cache, then to the tree.
        self.writes.next = self.select.val() | self.link.val() | self.update.val();
        self.requested.next = self.prepare.val() | self.read.val() | self.writes.val();
        self.free.next = (self.state.q.val() == LoaderState::Idle) & self.cache.ready.val();
        self.cache.clear.next = self.external.val() & self.clear.val();
        self.cache.request.next = self.external.val() & self.free.val() & self.requested.val();
        self.cache.node.next = bit_cast::<16, 14>(self.node.val());
        if self.prepare.val() {
            self.cache.node.next = bit_cast::<16, 14>(self.following.val());
        }
        self.cache.is_new.next = self.prepare.val();
        self.cache.write.next = self.writes.val();
        self.issues.next = false;
        match self.state.q.val() {
            LoaderState::Idle => {
                if self.cache.request.val() {
                    self.preparing.d.next = self.prepare.val();
                    self.selecting.d.next = self.select.val();
                    self.reading.d.next = self.read.val();
                    self.linking.d.next = self.link.val();
                    self.updating.d.next = self.update.val();
                    self.job_node.d.next = self.node.val();
                    self.job_child.d.next = self.child.val();
                    self.job_link_to.d.next = self.link_to.val();
                    self.job_value.d.next = self.value.val();
                    self.job_prove.d.next = self.prove.val();
                    self.job_ply.d.next = self.ply.val();
                    self.state.d.next = LoaderState::Load;
                }
            }
            LoaderState::Load => {
                if self.cache.ready.val() {
                    self.state.d.next = LoaderState::Idle;
                }
                if self.cache.present.val() {
                    self.state.d.next = LoaderState::Issue;
                    if self.preparing.q.val() {
                        self.state.d.next = LoaderState::Idle;
                    }
                }
            }
            LoaderState::Issue => {
                if self.tree_idle.val() | (self.updating.q.val() & self.tree_ready.val()) {
                    self.issues.next = true;
                    self.state.d.next = LoaderState::Idle;
                }
            }
            _ => {
                self.state.d.next = LoaderState::Idle;
            }
        }
        // Each output to the search changes once, see the bank's transfer.
        self.accepts.next = self.free.val() | (!self.external.val());
        self.idle.next = self.tree_idle.val() & self.accepts.val();
        self.ready.next = self.tree_ready.val() & self.accepts.val();
        self.tree_select.next = self.select.val();
        self.tree_read.next = self.read.val();
        self.tree_link.next = self.link.val();
        self.tree_update.next = self.update.val();
        self.tree_single.next = self.single.val();
        self.tree_node.next = self.node.val();
        self.tree_child.next = self.child.val();
        self.tree_link_to.next = self.link_to.val();
        self.tree_value.next = self.value.val();
        self.tree_prove.next = self.prove.val();
        self.tree_ply.next = self.ply.val();
        if self.external.val() {
            self.tree_select.next = self.issues.val() & self.selecting.q.val();
            self.tree_read.next = self.issues.val() & self.reading.q.val();
            self.tree_link.next = self.issues.val() & self.linking.q.val();
            self.tree_update.next = self.issues.val() & self.updating.q.val();
            self.tree_single.next = self.reading.q.val() | self.linking.q.val();
            self.tree_node.next = self.job_node.q.val();
            self.tree_child.next = self.job_child.q.val();
            self.tree_link_to.next = self.job_link_to.q.val();
            self.tree_value.next = self.job_value.q.val();
            self.tree_prove.next = self.job_prove.q.val();
            if self.state.q.val() == LoaderState::Issue {
                self.tree_ply.next = self.job_ply.q.val();
            }
        }

        // Transfer of a line, while the tree has no job.
        self.limited.next = self.external.val() & (!self.memory_works.val());
        self.transfer.next =
            self.external.val() & (self.state.q.val() == LoaderState::Load) & self.tree_idle.val();
        self.transfer_line.next = self.cache.store_address.val().get_bits::<10>(8);
        self.transfer_index.next = self.cache.word_address.val().get_bits::<8>(0);
        self.store.next = self.external.val() & self.cache.store.val();
        self.store_index.next = self.cache.store_address.val().get_bits::<8>(0);
        self.cache.word.next = self.transferred_word.val();
        self.line_request.next = self.cache.line_request.val() & self.transfer.val();
        self.line_write.next = self.cache.line_write.val();
        self.line.next = self.cache.line.val();
        self.line_word.next = self.cache.line_word.val();
        self.cache.line_ready.next = self.line_ready.val() & self.transfer.val();
        self.cache.line_idle.next = self.line_idle.val();
        self.cache.line_index.next = self.line_index.val();
        self.cache.line_store.next = self.line_store.val();
        self.cache.line_store_index.next = self.line_store_index.val();
    }
}
