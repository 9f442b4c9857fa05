//! Search tree: nodes, their children, and the operations of selection, expansion and backup.
//!
//! Twin: `duoforge_twin::search::tree::Tree`, bit for bit. The twin's `select_and_visit` is `select`
//! here. An `update` here updates one node; the twin's `backup` updates each node of the path.
//!
//! Encoding: a node has 32 slots for children. Children with even numbers are in one [`bank`],
//! those with odd numbers in the other, so that each cycle processes a pair. The word of a node
//! holds its side, its number of children and its visit count. As a link, the highest node number
//! stands for the end of the game, and 0 for a leaf, since no child leads to the root. The lowest
//! [`bank::LINE`] bits of a node's number, its line, address the memories. So a tree can have more
//! nodes than lines if others see to it that the node of a job is in its line: a line is transferred
//! word by word from and to an external memory.
//!
//! Timing: jobs are sampled while `idle` is high, at most one per cycle, with their operands in the
//! same cycle. `idle` is first high 5,889 cycles after power-up, when all entries of the AMAF table
//! have been cleared. Cycles below count from the request; `half` is half the number of children of
//! the node, rounded up.
//!
//! - `clear`, `add`, `entry`, `amaf_enter`, `amaf_remove`: one cycle, during which `idle` stays
//!   high. `added` is the number of the node opened last, valid from the cycle after `add`. `add`
//!   must stay low while `full` is high. A node needs at least one `entry` before use and can have
//!   at most 32.
//! - `link`: three cycles; `idle` is high again in cycle 3.
//! - `select`: `selected` is high in cycle `half + 8` only, with all outputs of the child. `idle`
//!   is high in the next cycle. The visits of the node and of the child have been counted by then.
//! - `read`: `selected` is high in cycle 9, `idle` in cycle 10; nothing changes.
//! - `transfer` and `store`: `transferred_word` is the word of the `transfer_index` of the previous
//!   cycle; a word that is stored can be read in the next cycle. `idle` stays high.
//! - `update`: `idle` is high again in cycle `half + 9`. `ready` is high earlier, from cycle `half`
//!   on (from cycle 2 at the earliest). While `ready` is high, an `amaf_enter`, an `amaf_remove` or
//!   another `update` may come. That `update` must be for a node without an `update` since the tree
//!   was last idle, as on a path.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use self::amaf_table::AmafTable;
use self::bank::{ADDRESS, Bank, LINE, MEMORIES, NODE};
use self::exploration::{Exploration, VISITS};
use self::node_allocator::{NodeAllocator, WORD};
use self::pair_control::PairControl;
use self::pair_pipeline::PairPipeline;
use self::selection::Selection;
use super::position_ring::PLACEMENT;
use crate::block::block;
use crate::memory::Memory;
use crate::word::word;

pub mod amaf_table;
pub mod argmax;
pub mod bank;
mod building;
pub mod exploration;
mod logic;
pub mod mean_update;
pub mod node_allocator;
pub mod normaliser;
pub mod pair_control;
pub mod pair_pipeline;
pub mod selection;

word! {
    /// Number of a word in the line of a node: children by memory, then the node.
    pub LineWord {
        /// High for a child with an odd number, and for the upper bits of the node's word.
        ODD: 1,
        /// Number of the pair of children; 0 for the node.
        PAIR: 4,
        /// Number of the memory in its bank; 7 for the node.
        MEMORY: 3,
    }
}

/// Number of words of a line: seven of each child, and two of the node.
pub const LINE_WORDS: usize = MEMORIES * CHILDREN + 2;

word! {
    /// Word of a node, by the memories that hold it.
    pub(crate) NodeParts {
        /// Part in `nodes`.
        LOW: 16,
        /// Part in `node_tops`.
        HIGH: 9,
    }
}

/// Maximum number of children of a node.
pub const CHILDREN: usize = 32;

block! {
    /// Search tree in block RAM.
    pub struct Tree from TreeParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Handshake. `ready` lets the `update` jobs of a path overlap in the pipeline.
        /// High while a job can be accepted.
        pub idle: Signal<Out, Bit>,
        /// High while an `update`, `amaf_enter` or `amaf_remove` can be accepted, see the module.
        pub ready: Signal<Out, Bit>,

        // Expansion: opens a node, then appends its children one per cycle.
        /// Discards all nodes.
        pub clear: Signal<In, Bit>,
        /// Opens a node.
        pub add: Signal<In, Bit>,
        /// With `add`: side to move at the node.
        pub add_side: Signal<In, Bit>,
        /// Number of the node that was opened last.
        pub added: Signal<Out, Bits<NODE>>,
        /// High if no further node can be opened.
        pub full: Signal<Out, Bit>,
        /// Appends a child to the node that was opened last.
        pub entry: Signal<In, Bit>,
        /// With `entry`: placement of the child.
        pub entry_placement: Signal<In, Bits<PLACEMENT>>,
        /// With `entry`: prior of the child, in units of 2^-16.
        pub entry_prior: Signal<In, Bits<16>>,
        /// With `entry`: initial mean of the child for the side to move, in units of 2^-24.
        pub entry_mean: Signal<In, Bits<24>>,

        // Transfer of a line: the words of a node and its children, from and to an external memory.
        // No job may come, and none be in progress, while `transfer` or `store` is high.
        /// High if no more nodes can be opened than the memories of the tree have lines.
        pub limited: Signal<In, Bit>,
        /// Number of the node that is opened next.
        pub following: Signal<Out, Bits<NODE>>,
        /// High while words are transferred.
        pub transfer: Signal<In, Bit>,
        /// Line of these words: the lowest bits of the node's number.
        pub transfer_line: Signal<In, Bits<LINE>>,
        /// Number of the word to read, a [`LineWord`].
        pub transfer_index: Signal<In, Bits<8>>,
        /// Word at the `transfer_index` of the previous cycle.
        pub transferred_word: Signal<Out, Bits<16>>,
        /// Stores `stored_word`.
        pub store: Signal<In, Bit>,
        /// With `store`: number of the word, a [`LineWord`].
        pub store_index: Signal<In, Bits<8>>,
        /// With `store`: word to store.
        pub stored_word: Signal<In, Bits<16>>,

        // Jobs on one node.
        /// Selects a child of `node` and counts the visit.
        pub select: Signal<In, Bit>,
        /// Reads `child` of `node`.
        pub read: Signal<In, Bit>,
        /// High with `read` and `link`, which concern one child; low with other jobs. It selects
        /// the address, so it is valid before the job can be accepted.
        pub single: Signal<In, Bit>,
        /// Makes `child` of `node` lead to `link_to`.
        pub link: Signal<In, Bit>,
        /// Updates `child` of `node` with `value`, and its siblings by the RAVE update.
        pub update: Signal<In, Bit>,

        // Operands of these jobs, sampled with the request.
        /// Node of the job.
        pub node: Signal<In, Bits<NODE>>,
        /// Child of the job, from 0 to 31.
        pub child: Signal<In, Bits<5>>,
        /// With `link`: 0 for a leaf, [`bank::END`], else a node.
        pub link_to: Signal<In, Bits<NODE>>,
        /// With `update`: result for side 0, in units of 2^-16.
        pub value: Signal<In, Bits<16>>,
        /// With `update`: high if the result is the proven value of the child.
        pub prove: Signal<In, Bit>,
        /// Number of placements before the node (with `update`) or before the placement (with
        /// `amaf_enter`).
        pub ply: Signal<In, Bits<6>>,

        // AMAF table: the placements of the simulation that is backed up.
        /// Enters `placement`, made by `side` at `ply`, into the AMAF table.
        pub amaf_enter: Signal<In, Bit>,
        /// Removes `placement` from the AMAF table.
        pub amaf_remove: Signal<In, Bit>,
        /// With `amaf_enter` and `amaf_remove`: placement.
        pub placement: Signal<In, Bits<PLACEMENT>>,
        /// With `amaf_enter`: side that made the placement.
        pub side: Signal<In, Bit>,

        // Result of `select` and `read`, valid while `selected` is high.
        /// High for one cycle, when the outputs below describe the child that was selected or read.
        pub selected: Signal<Out, Bit>,
        /// Number of the child.
        pub selected_child: Signal<Out, Bits<5>>,
        /// Placement of the child.
        pub selected_placement: Signal<Out, Bits<PLACEMENT>>,
        /// Visit count of the child, including the visit that `select` adds.
        pub selected_visits: Signal<Out, Bits<18>>,
        /// Value of the child for the side that places it, in units of 2^-16.
        pub selected_value: Signal<Out, Bits<16>>,
        /// Link of the child: 0 for a leaf, [`bank::END`], else a node.
        pub selected_next_node: Signal<Out, Bits<NODE>>,
        /// Side to move at the node, which makes the placement.
        pub selected_side: Signal<Out, Bit>,
        /// Number of children of the node.
        pub selected_children: Signal<Out, Bits<6>>,
        /// High if the value of the child is proven.
        pub selected_proven: Signal<Out, Bit>,
        /// With `select`: high if the child is not proven, but a proven sibling's value exceeds its
        /// score.
        pub selected_alternative: Signal<Out, Bit>,
        /// With `selected_alternative`: the best proven value, in units of 2^-16.
        pub selected_alternative_value: Signal<Out, Bits<16>>,
        /// With `select`: high if the node is solved, that is, all of its children are proven. A
        /// node with the maximum number of children is never solved, since it may have dropped
        /// placements.
        pub selected_solved: Signal<Out, Bit>,
        // Words of the nodes, by the memories that hold them.
        nodes: Memory<16, LINE> = given,
        node_tops: Memory<9, LINE> = given,
        banks: [Bank; 2] = given,
        amaf_table: AmafTable,
        exploration: Exploration = given,
        pair_control: PairControl = given,
        selection: Selection = given,
        node_allocator: NodeAllocator = given,
        pair_pipeline: PairPipeline,
        // Registers of the job.
        busy: DFF<Bit>,
        selecting: DFF<Bit>,
        reading: DFF<Bit>,
        updating: DFF<Bit>,
        linking: DFF<Bit>,
        job_line: DFF<Bits<LINE>>,
        job_child: DFF<Bits<5>>,
        job_next_node: DFF<Bits<NODE>>,
        job_result: DFF<Bits<16>>,
        job_ply: DFF<Bits<6>>,
        job_proves: DFF<Bit>,
        // Pair of children that is read next.
        streaming: DFF<Bit>,
        pair: DFF<Bits<4>>,
        // Registers of the job, delayed by one cycle for the pair that enters its first stage.
        delayed_word: DFF<Bits<WORD>>,
        delayed_reading: DFF<Bit>,
        delayed_child: DFF<Bits<5>>,
        delayed_result: DFF<Bits<16>>,
        delayed_ply: DFF<Bits<6>>,
        delayed_linking: DFF<Bit>,
        delayed_proves: DFF<Bit>,
        node_visits: DFF<Bits<VISITS>>,
        // Memory of the word that is transferred, one bit each; the highest one is that of the nodes.
        transfer_memory: DFF<Bits<8>>,
        transfer_odd: DFF<Bit>,
        no_job: Signal<Local, Bit>,
        stream_start: Signal<Local, Bit>,
        line_now: Signal<Local, Bits<LINE>>,
        pair_now: Signal<Local, Bits<4>>,
        stream_valid: Signal<Local, Bit>,
        address: Signal<Local, Bits<ADDRESS>>,
        node_word: Signal<Local, Bits<WORD>>,
        new_node_word: Signal<Local, Bits<WORD>>,
        store_memory: Signal<Local, Bits<8>>,
        store_odd: Signal<Local, Bit>,
        word_now: Signal<Local, Bits<16>>,
        child_count: Signal<Local, Bits<6>>,
        stream_even: Signal<Local, Bits<6>>,
        stream_after: Signal<Local, Bits<6>>,
        job_done: Signal<Local, Bit>,
        count_visit: Signal<Local, Bit>,
        draining: Signal<Local, Bit>,
        nothing_left: Signal<Local, Bit>,
        write_address: Signal<Local, Bits<ADDRESS>>,
        to_odd: Signal<Local, Bit>,
        write_child: Signal<Local, Bits<5>>,
    }
}
