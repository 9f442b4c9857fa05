//! The tree of a search: nodes, their children, and what is done with them.
//!
//! What it does is what `duoforge_engine::search::tree::Tree` does, bit for bit: `step` is `select`
//! here, and `learn` does for one node what the twin's does for each on the path.
//!
//! Encoding: a node has 32 places for children. Those with even numbers lie in one [`bank`], those with
//! odd numbers in another, so that two are worked on in each clock. A node's own word is its side, the
//! number of its children and its visits. Numbers of nodes have ten bits inside, in which 1,023 is the
//! end of the game; on the ports that is 4,095, and 0 is a leaf.
//!
//! Timing. Jobs count while `idle`, at most one a clock, with their operands in the same clock; the
//! tree is `idle` from 5,889 clocks after power-up on, when all marks are known to be empty. `half` is
//! half the number of the node's children, rounded up.
//!
//! - `clear`, `add`, `entry`, `mark`, `unmark`: one clock, `idle` stays. `added` is the number of the
//!   node opened last, from the clock after `add` on; `full` says that `add` must not come.
//!   A node has at least one `entry` before it is used, and 32 at most.
//! - `link`: three clocks, that is, `idle` again with the third clock after.
//! - `select`: `selected` with clock `half + 8` after the request, for one clock, with everything about
//!   the child; `idle` with the clock after that. Both visits have then been counted.
//! - `read`: `selected` with clock 9, `idle` with clock 10; nothing is changed.
//! - `learn`: `idle` with clock `half + 9`. But `ready`, from clock `half` on (clock 2 at the
//!   earliest), says that another `learn` may come, if it is for another node than those since the tree
//!   was idle, as on a path, or a `mark` or `unmark`.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use self::bank::{ADDRESS, Bank, NODE};
use self::exploration::Exploration;
use self::growth::{Growth, WORD};
use self::marks::Marks;
use self::normal::NUMBER;
use self::roles::Roles;
use self::selection::Selection;
use self::stages::Stages;
use super::field::PLACEMENT;
use crate::memory::Memory;

pub mod bank;
mod building;
pub mod choice;
pub mod exploration;
pub mod growth;
pub mod lesson;
pub mod marks;
pub mod normal;
pub mod roles;
pub mod selection;
pub mod stages;

/// Children that a node has at most.
pub const CHILDREN: usize = 32;

/// Nodes that a tree has at most.
pub const NODES: usize = (1 << NODE) - 1;

/// The tree.
#[derive(LogicBlock)]
pub struct Tree {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// A job can come.
    pub idle: Signal<Out, Bit>,
    /// A `learn`, a `mark` or an `unmark` can come: see above.
    pub ready: Signal<Out, Bit>,
    /// Forgets all nodes.
    pub clear: Signal<In, Bit>,
    /// Opens a node.
    pub add: Signal<In, Bit>,
    /// Whose turn it is there.
    pub add_side: Signal<In, Bit>,
    /// The number of the node that was opened last.
    pub added: Signal<Out, Bits<12>>,
    /// No further node has room.
    pub full: Signal<Out, Bit>,
    /// Appends a child to the node that was opened last.
    pub entry: Signal<In, Bit>,
    /// Its placement.
    pub entry_placement: Signal<In, Bits<PLACEMENT>>,
    /// Its prior.
    pub entry_prior: Signal<In, Bits<16>>,
    /// Its first mean.
    pub entry_mean: Signal<In, Bits<24>>,
    /// Selects a child of `node` and counts the visit.
    pub select: Signal<In, Bit>,
    /// Reads `child` of `node`.
    pub read: Signal<In, Bit>,
    /// The job is about one child. With `read` and `link`; low with others. It is known before a job may
    /// come.
    pub single: Signal<In, Bit>,
    /// From now on `child` of `node` leads to `link_to`.
    pub link: Signal<In, Bit>,
    /// Takes `value` into `child` of `node` and what the marks say into its siblings.
    pub learn: Signal<In, Bit>,
    /// The node.
    pub node: Signal<In, Bits<12>>,
    /// The child.
    pub child: Signal<In, Bits<5>>,
    /// What it leads to: 0 nothing yet, 4,095 the end, else a node.
    pub link_to: Signal<In, Bits<12>>,
    /// With `learn`: the result, for side 0.
    pub value: Signal<In, Bits<16>>,
    /// With `learn`: this is the child's sure value.
    pub settle: Signal<In, Bit>,
    /// With `learn`, how many placements were made before the node; with `mark`, before the placement.
    pub ply: Signal<In, Bits<6>>,
    /// Marks `placement`, by `side` at `ply`.
    pub mark: Signal<In, Bit>,
    /// Takes the mark of `placement` back.
    pub unmark: Signal<In, Bit>,
    /// The placement.
    pub placement: Signal<In, Bits<PLACEMENT>>,
    /// The side.
    pub side: Signal<In, Bit>,
    /// What follows is about the child that was selected or read.
    pub selected: Signal<Out, Bit>,
    /// Its number.
    pub selected_child: Signal<Out, Bits<5>>,
    /// Its placement.
    pub selected_placement: Signal<Out, Bits<PLACEMENT>>,
    /// Its visits, with this one.
    pub selected_visits: Signal<Out, Bits<18>>,
    /// Its value for the side whose placement it is.
    pub selected_value: Signal<Out, Bits<16>>,
    /// What it leads to.
    pub selected_next: Signal<Out, Bits<12>>,
    /// Whose placement it is.
    pub selected_side: Signal<Out, Bit>,
    /// How many children its node has.
    pub selected_of: Signal<Out, Bits<6>>,
    /// Its value is sure.
    pub selected_sure: Signal<Out, Bit>,
    /// With `select`: it is not, but a better one's is, whose value is `selected_best`.
    pub selected_better: Signal<Out, Bit>,
    /// That value.
    pub selected_best: Signal<Out, Bits<16>>,
    /// With `select`: the values of all children are sure, and the node could keep all there are.
    pub selected_settled: Signal<Out, Bit>,
    nodes: Memory<WORD, NODE>,
    banks: [Bank; 2],
    marks: Marks,
    exploration: Exploration,
    roles: Roles,
    selection: Selection,
    growth: Growth,
    stages: Stages,
    // The job.
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
    // Which pair of children is read next.
    streaming: DFF<Bit>,
    pair: DFF<Bits<4>>,
    // The job as it was a clock before, when the pair was read that now comes to its first stage.
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

        // The job, and the children that are read with this clock.
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
            self.now.next = self.child.val().get_bits::<4>(1);
        }
        if self.streaming.q.val() {
            self.now.next = self.pair.q.val();
        }
        self.nodes.address.next = self.here.val();
        self.address.next =
            bit_cast::<14, 4>(self.now.val()) | (bit_cast::<14, 10>(self.here.val()) << 4);
        self.stages.address.next = self.address.val();
        for i in 0..2 {
            self.banks[i].clock.next = self.clock.val();
            self.banks[i].address.next = self.address.val();
        }

        // The node is there a clock later, and stays until all of its children are read.
        self.word.next = self.nodes.data.val();
        self.len.next = self.word.val().get_bits::<6>(1);
        self.stream_even.next = bit_cast::<6, 4>(self.pair.q.val()) << 1;
        self.stream_after.next = self.stream_even.val() + 2;
        self.going.next = self.streaming.q.val() & (self.stream_even.val() < self.len.val());
        self.stages.valid.next = self.stream.val() | self.going.val();
        self.stages.first.next = self.stream.val();
        if self.streaming.q.val() {
            self.pair.d.next = self.pair.q.val() + 1;
            // No node has more than there is room for, whatever its word says.
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

        // Clock 1, one after the pair was read: which of the two children take part, and as what.
        self.roles.valid.next = self.stages.valid_1.val();
        self.roles.pair.next = self.stages.address_1.val().get_bits::<4>(0);
        self.roles.word.next = self.late_word.q.val();
        self.roles.only.next = self.late_reading.q.val();
        self.roles.child.next = self.late_chosen.q.val();
        self.roles.result.next = self.late_result.q.val();
        self.roles.settle.next = self.late_settling.q.val();
        self.roles.ply.next = self.late_depth.q.val();
        self.stages.present_2[0].next = self.roles.even.val();
        self.stages.present_2[1].next = self.roles.odd.val();
        self.stages.last_2.next = self.roles.last.val();
        self.node_visits.d.next = bit_cast::<19, 18>(self.late_word.q.val().get_bits::<18>(7)) + 1;

        // The banks. What explores is looked up with clock 2.
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

        // Clock 7: one of all.
        self.selection.valid.next = self.stages.valid_7.val();
        self.selection.first.next = self.stages.first_7.val();
        self.selection.pair.next = self.stages.address_7.val().get_bits::<4>(0);
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

        // Clock 8: done, unless another learn is on its way. A job of which nothing is on its way is over.
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
        self.selected_side.next = self.word.val().get_bit(0);
        self.selected_of.next = self.len.val();

        // What is written, and where.
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
            self.to_odd.next = self.writes.val().get_bit(0);
            self.place.next = bit_cast::<14, 4>(self.writes.val().get_bits::<4>(1))
                | (bit_cast::<14, 10>(self.at.q.val()) << 4);
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

        // The nodes.
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
            self.nodes.word.next = bit_cast::<25, 7>(self.word.val().get_bits::<7>(0))
                | (bit_cast::<25, 18>(self.node_visits.q.val().get_bits::<18>(0)) << 7);
        }

        // The marks.
        self.marks.mark.next = self.mark.val();
        self.marks.unmark.next = self.unmark.val();
        self.marks.placement.next = self.placement.val();
        self.marks.side.next = self.side.val();
        self.marks.ply.next = self.ply.val();
    }
}
