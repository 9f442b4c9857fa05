//! Search tree: nodes, their children, and the operations of selection, expansion and backup.
//!
//! Twin: `duoforge_twin::search::tree::Tree`, bit for bit. The twin's `step` is `select` here. A
//! `learn` here updates one node; the twin's `learn` updates each node of the path.
//!
//! Encoding: a node has 32 slots for children. Children with even numbers are in one [`bank`],
//! those with odd numbers in the other, so that each cycle processes a pair. The word of a node
//! holds its side, its number of children and its visit count. Node numbers have ten bits inside
//! the tree, and 1,023 is the end of the game. On the ports they have twelve bits: 4,095 is the end
//! of the game, and 0 is a leaf, since no child leads to the root.
//!
//! Timing: jobs are sampled while `idle` is high, at most one per cycle, with their operands in the
//! same cycle. `idle` is first high 5,889 cycles after power-up, when all entries of the AMAF table
//! have been cleared. Cycles below count from the request; `half` is half the number of children of
//! the node, rounded up.
//!
//! - `clear`, `add`, `entry`, `mark`, `unmark`: one cycle, during which `idle` stays high. `added`
//!   is the number of the node opened last, valid from the cycle after `add`. `add` must stay low
//!   while `full` is high. A node needs at least one `entry` before use and can have at most 32.
//! - `link`: three cycles; `idle` is high again in cycle 3.
//! - `select`: `selected` is high in cycle `half + 8` only, with all outputs of the child. `idle`
//!   is high in the next cycle. The visits of the node and of the child have been counted by then.
//! - `read`: `selected` is high in cycle 9, `idle` in cycle 10; nothing changes.
//! - `learn`: `idle` is high again in cycle `half + 9`. `ready` is high earlier, from cycle `half`
//!   on (from cycle 2 at the earliest). While `ready` is high, a `mark`, an `unmark` or another
//!   `learn` may come. That `learn` must be for a node without a `learn` since the tree was last
//!   idle, as on a path.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use self::amaf_table::Marks;
use self::bank::{ADDRESS, Bank, ChildNumber, NODE, PairAddress};
use self::exploration::Exploration;
use self::node_allocator::{Growth, NodeWord, WORD};
use self::normaliser::NUMBER;
use self::pair_control::Roles;
use self::pair_pipeline::Stages;
use self::selection::Selection;
use super::position_ring::PLACEMENT;
use crate::block::block;
use crate::memory::Memory;
use crate::word::ShiftBy;

pub mod amaf_table;
pub mod argmax;
pub mod bank;
mod building;
pub mod exploration;
pub mod mean_update;
pub mod node_allocator;
pub mod normaliser;
pub mod pair_control;
pub mod pair_pipeline;
pub mod selection;

/// Maximum number of children of a node.
pub const CHILDREN: usize = 32;

block! {
    /// Search tree in block RAM.
    pub struct Tree from TreeParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Handshake. `ready` lets the `learn` jobs of a path overlap in the pipeline.
        /// High while a job can be accepted.
        pub idle: Signal<Out, Bit>,
        /// High while a `learn`, `mark` or `unmark` can be accepted, see the module.
        pub ready: Signal<Out, Bit>,

        // Expansion: opens a node, then appends its children one per cycle.
        /// Discards all nodes.
        pub clear: Signal<In, Bit>,
        /// Opens a node.
        pub add: Signal<In, Bit>,
        /// With `add`: side to move at the node.
        pub add_side: Signal<In, Bit>,
        /// Number of the node that was opened last.
        pub added: Signal<Out, Bits<12>>,
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
        pub learn: Signal<In, Bit>,

        // Operands of these jobs, sampled with the request.
        /// Node of the job.
        pub node: Signal<In, Bits<12>>,
        /// Child of the job, from 0 to 31.
        pub child: Signal<In, Bits<5>>,
        /// With `link`: 0 for a leaf, 4,095 for the end of the game, else a node.
        pub link_to: Signal<In, Bits<12>>,
        /// With `learn`: result for side 0, in units of 2^-16.
        pub value: Signal<In, Bits<16>>,
        /// With `learn`: high if the result is the proven value of the child.
        pub settle: Signal<In, Bit>,
        /// Number of placements before the node (with `learn`) or before the placement (with
        /// `mark`).
        pub ply: Signal<In, Bits<6>>,

        // AMAF table: the placements of the simulation that is backed up.
        /// Enters `placement`, made by `side` at `ply`, into the AMAF table.
        pub mark: Signal<In, Bit>,
        /// Removes `placement` from the AMAF table.
        pub unmark: Signal<In, Bit>,
        /// With `mark` and `unmark`: placement.
        pub placement: Signal<In, Bits<PLACEMENT>>,
        /// With `mark`: side that made the placement.
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
        /// Link of the child: 0 for a leaf, 4,095 for the end of the game, else a node.
        pub selected_next: Signal<Out, Bits<12>>,
        /// Side to move at the node, which makes the placement.
        pub selected_side: Signal<Out, Bit>,
        /// Number of children of the node.
        pub selected_of: Signal<Out, Bits<6>>,
        /// High if the value of the child is proven.
        pub selected_sure: Signal<Out, Bit>,
        /// With `select`: high if the child is not proven, but a proven sibling's value exceeds its
        /// score.
        pub selected_better: Signal<Out, Bit>,
        /// With `selected_better`: the best proven value, in units of 2^-16.
        pub selected_best: Signal<Out, Bits<16>>,
        /// With `select`: high if the node is solved, that is, all of its children are proven. A
        /// node with the maximum number of children is never solved, since it may have dropped
        /// placements.
        pub selected_settled: Signal<Out, Bit>,
        nodes: Memory<WORD, NODE> = given,
        banks: [Bank; 2] = given,
        marks: Marks,
        exploration: Exploration = given,
        roles: Roles = given,
        selection: Selection = given,
        growth: Growth = given,
        stages: Stages,
        // Registers of the job.
        busy: DFF<Bit>,
        selecting: DFF<Bit>,
        reading: DFF<Bit>,
        learning: DFF<Bit>,
        linking: DFF<Bit>,
        at: DFF<Bits<NODE>>,
        chosen: DFF<Bits<5>>,
        leads: DFF<Bits<NODE>>,
        result: DFF<Bits<16>>,
        depth: DFF<Bits<6>>,
        settling: DFF<Bit>,
        // Pair of children that is read next.
        streaming: DFF<Bit>,
        pair: DFF<Bits<4>>,
        // Registers of the job, delayed by one cycle for the pair that enters its first stage.
        late_word: DFF<Bits<WORD>>,
        late_reading: DFF<Bit>,
        late_chosen: DFF<Bits<5>>,
        late_result: DFF<Bits<16>>,
        late_depth: DFF<Bits<6>>,
        late_linking: DFF<Bit>,
        late_settling: DFF<Bit>,
        node_visits: DFF<Bits<NUMBER>>,
        free: Signal<Local, Bit>,
        stream: Signal<Local, Bit>,
        here: Signal<Local, Bits<NODE>>,
        now: Signal<Local, Bits<4>>,
        going: Signal<Local, Bit>,
        address: Signal<Local, Bits<ADDRESS>>,
        word: Signal<Local, Bits<WORD>>,
        len: Signal<Local, Bits<6>>,
        stream_even: Signal<Local, Bits<6>>,
        stream_after: Signal<Local, Bits<6>>,
        done: Signal<Local, Bit>,
        counting: Signal<Local, Bit>,
        draining: Signal<Local, Bit>,
        nothing: Signal<Local, Bit>,
        place: Signal<Local, Bits<ADDRESS>>,
        to_odd: Signal<Local, Bit>,
        writes: Signal<Local, Bits<5>>,
    }
}

impl Logic for Tree {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, nodes, marks, exploration);
        clock!(self, clock, roles, selection, growth, stages);
        dff_setup!(self, clock, busy, selecting, reading, learning, linking);
        dff_setup!(self, clock, at, chosen, leads, result, depth);
        dff_setup!(self, clock, settling, late_settling);
        dff_setup!(self, clock, streaming, pair, node_visits);
        dff_setup!(self, clock, late_word, late_reading, late_chosen);
        dff_setup!(self, clock, late_result, late_depth, late_linking);
        self.late_word.d.next = self.nodes.data.val();
        self.late_reading.d.next = self.reading.q.val();
        self.late_chosen.d.next = self.chosen.q.val();
        self.late_result.d.next = self.result.q.val();
        self.late_settling.d.next = self.settling.q.val();
        self.late_depth.d.next = self.depth.q.val();
        self.late_linking.d.next = self.linking.q.val() & (!self.late_linking.q.val());

        // Handshake, and the address of the pair that is read in this cycle.
        self.free.next = self.marks.swept.val() & (!self.busy.q.val());
        self.idle.next = self.free.val();
        self.ready.next = self.free.val()
            | (self.busy.q.val() & self.learning.q.val() & (!self.streaming.q.val()));
        self.stream.next = self.select.val() | self.learn.val() | self.read.val();
        self.here.next = self.node.val().get_bits::<10>(0);
        if self.streaming.q.val() | (self.busy.q.val() & (!self.learning.q.val())) {
            self.here.next = self.at.q.val();
        }
        self.now.next = bits::<4>(0);
        if self.single.val() {
            self.now.next = self.child.val().get_bits::<4>(ChildNumber::PAIR);
        }
        if self.streaming.q.val() {
            self.now.next = self.pair.q.val();
        }
        self.nodes.address.next = self.here.val();
        self.address.next = bit_cast::<14, 4>(self.now.val())
            | (bit_cast::<14, 10>(self.here.val()) << PairAddress::NODE.val());
        self.stages.address.next = self.address.val();
        for i in 0..2 {
            self.banks[i].clock.next = self.clock.val();
            self.banks[i].address.next = self.address.val();
        }

        // The word of the node is valid one cycle later, until all of its children have been read.
        self.word.next = self.nodes.data.val();
        self.len.next = self.word.val().get_bits::<6>(NodeWord::CHILDREN);
        self.stream_even.next = bit_cast::<6, 4>(self.pair.q.val()) << ChildNumber::PAIR.val();
        self.stream_after.next = self.stream_even.val() + 2;
        self.going.next = self.streaming.q.val() & (self.stream_even.val() < self.len.val());
        self.stages.valid.next = self.stream.val() | self.going.val();
        self.stages.first.next = self.stream.val();
        if self.streaming.q.val() {
            self.pair.d.next = self.pair.q.val() + 1;
            // The stream stops after 32 children even if the word of the node is invalid.
            self.streaming.d.next =
                (self.stream_after.val() < self.len.val()) & (!self.stream_after.val().get_bit(5));
        }
        if self.stream.val() | self.link.val() {
            self.busy.d.next = true;
            self.streaming.d.next = self.select.val() | self.learn.val();
            self.pair.d.next = bits::<4>(1);
            self.selecting.d.next = self.select.val();
            self.learning.d.next = self.learn.val();
            self.reading.d.next = self.read.val();
            self.linking.d.next = self.link.val();
            self.at.d.next = self.node.val().get_bits::<10>(0);
            self.chosen.d.next = self.child.val();
            self.leads.d.next = self.link_to.val().get_bits::<10>(0);
            self.result.d.next = self.value.val();
            self.depth.d.next = self.ply.val();
            self.settling.d.next = self.learn.val() & self.settle.val();
        }

        // Cycle 1, one after the pair was read: roles of the two children.
        self.roles.valid.next = self.stages.valid_1.val();
        self.roles.pair.next = self.stages.address_1.val().get_bits::<4>(PairAddress::PAIR);
        self.roles.word.next = self.late_word.q.val();
        self.roles.only.next = self.late_reading.q.val();
        self.roles.child.next = self.late_chosen.q.val();
        self.roles.result.next = self.late_result.q.val();
        self.roles.settle.next = self.late_settling.q.val();
        self.roles.ply.next = self.late_depth.q.val();
        self.stages.present_2[0].next = self.roles.even.val();
        self.stages.present_2[1].next = self.roles.odd.val();
        self.stages.last_2.next = self.roles.last.val();
        self.node_visits.d.next =
            bit_cast::<19, 18>(self.late_word.q.val().get_bits::<18>(NodeWord::VISITS)) + 1;

        // Banks. The exploration scale is looked up in cycle 2.
        self.exploration.visits.next = self.node_visits.q.val();
        for i in 0..2 {
            self.banks[i].learning.next = self.learning.q.val();
            self.banks[i].one_more_1.next = self.selecting.q.val();
            self.banks[i].chosen_3.next = self.roles.chosen_3[i].val();
            self.banks[i].sibling_3.next = self.roles.sibling_3[i].val();
            self.banks[i].settle_3.next = self.roles.settle_3.val();
            self.banks[i].side_3.next = self.roles.side_3.val();
            self.banks[i].ply_3.next = self.roles.after_3.val();
            self.banks[i].mark_3.next = self.marks.found[i].val();
            self.banks[i].spread_4.next = self.exploration.spread.val();
            self.banks[i].result_4.next = self.roles.result_4.val();
            self.marks.look[i].next = self.banks[i].placement_1.val();
        }

        // Cycle 7: selection over all pairs.
        self.selection.valid.next = self.stages.valid_7.val();
        self.selection.first.next = self.stages.first_7.val();
        self.selection.pair.next = self.stages.address_7.val().get_bits::<4>(PairAddress::PAIR);
        self.selection.len.next = self.len.val();
        for i in 0..2 {
            self.selection.present[i].next = self.stages.present_7[i].val();
            self.selection.sures[i].next = self.banks[i].sure.val();
            self.selection.scores[i].next = self.banks[i].score.val();
            self.selection.placements[i].next = self.banks[i].placement.val();
            self.selection.visit_counts[i].next = self.banks[i].visits.val();
            self.selection.values[i].next = self.banks[i].value.val();
            self.selection.nexts[i].next = self.banks[i].leads.val();
        }

        // Cycle 8: the job is done, unless another `learn` is in the pipeline. A job without any
        // pair in the pipeline ends as well.
        self.draining.next = self.streaming.q.val() | self.stream.val() | self.stages.any.val();
        self.done.next =
            self.stages.valid_8.val() & self.stages.last_8.val() & (!self.draining.val());
        self.selected.next = self.done.val() & (!self.learning.q.val());
        self.counting.next = self.done.val() & self.selecting.q.val();
        self.nothing.next = !(self.draining.val() | self.linking.q.val() | self.link.val());
        if self.nothing.val() | self.late_linking.q.val() {
            self.busy.d.next = false;
            self.linking.d.next = false;
        }
        self.selected_child.next = self.selection.child.val();
        self.selected_placement.next = self.selection.placement.val();
        self.selected_visits.next = self.selection.visits.val();
        self.selected_value.next = self.selection.value.val();
        self.selected_next.next = self.selection.leads.val();
        self.selected_sure.next = self.selection.sure.val();
        self.selected_better.next = self.selection.better.val();
        self.selected_best.next = self.selection.best.val();
        self.selected_settled.next = self.selection.settled.val();
        self.selected_side.next = self.word.val().get_bit(NodeWord::SIDE);
        self.selected_of.next = self.len.val();

        // Write port of the banks.
        self.place.next = self.stages.address_8.val();
        self.to_odd.next = self.growth.to_odd.val();
        if self.entry.val() {
            self.place.next = self.growth.place.val();
        }
        self.writes.next = self.chosen.q.val();
        if self.counting.val() {
            self.writes.next = self.selection.child.val();
        }
        if self.late_linking.q.val() | self.counting.val() {
            self.to_odd.next = self.writes.val().get_bit(ChildNumber::ODD);
            self.place.next = bit_cast::<14, 4>(self.writes.val().get_bits::<4>(ChildNumber::PAIR))
                | (bit_cast::<14, 10>(self.at.q.val()) << PairAddress::NODE.val());
        }
        for i in 0..2 {
            self.banks[i].place.next = self.place.val();
            self.banks[i].new_placement.next = self.entry_placement.val();
            self.banks[i].new_prior.next = self.entry_prior.val();
            self.banks[i].new_mean.next = self.entry_mean.val();
            self.banks[i].new_next.next = self.leads.q.val();
            self.banks[i].new_visits.next = self.selection.visits.val();
        }
        self.banks[0].enter.next = self.entry.val() & (!self.to_odd.val());
        self.banks[0].link.next = self.late_linking.q.val() & (!self.to_odd.val());
        self.banks[0].visit.next = self.counting.val() & (!self.to_odd.val());
        self.banks[1].enter.next = self.entry.val() & self.to_odd.val();
        self.banks[1].link.next = self.late_linking.q.val() & self.to_odd.val();
        self.banks[1].visit.next = self.counting.val() & self.to_odd.val();

        // Words of the nodes.
        self.growth.clear.next = self.clear.val();
        self.growth.add.next = self.add.val();
        self.growth.side.next = self.add_side.val();
        self.growth.entry.next = self.entry.val();
        self.added.next = bit_cast::<12, 10>(self.growth.opened.val());
        self.full.next = self.growth.full.val();
        self.nodes.write.next = self.entry.val() | self.counting.val();
        self.nodes.place.next = self.growth.opened.val();
        self.nodes.word.next = self.growth.word.val();
        if self.counting.val() {
            self.nodes.place.next = self.at.q.val();
            self.nodes.word.next = bit_cast::<25, 7>(self.word.val().get_bits::<7>(NodeWord::SIDE))
                | (bit_cast::<25, 18>(self.node_visits.q.val().get_bits::<18>(0))
                    << NodeWord::VISITS.val());
        }

        // AMAF table.
        self.marks.mark.next = self.mark.val();
        self.marks.unmark.next = self.unmark.val();
        self.marks.placement.next = self.placement.val();
        self.marks.side.next = self.side.val();
        self.marks.ply.next = self.ply.val();
    }
}
