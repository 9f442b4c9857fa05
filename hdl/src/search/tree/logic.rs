//! Logic of the tree: handshake, addresses of the pairs, and the wiring of its parts by cycle.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::Tree;
use super::bank::{ChildNumber, PairAddress};
use super::node_allocator::NodeWord;
use crate::word::ShiftBy;

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
