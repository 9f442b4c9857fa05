//! Logic of the tree: handshake, addresses of the pairs, and the wiring of its parts by cycle.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::bank::{ChildNumber, PairAddress};
use super::node_allocator::NodeWord;
use super::{LineWord, NodeParts, Tree};
use crate::word::ShiftBy;

impl Logic for Tree {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, nodes, node_tops, amaf_table, exploration);
        clock!(
            self,
            clock,
            pair_control,
            selection,
            node_allocator,
            pair_pipeline
        );
        dff_setup!(self, clock, busy, selecting, reading, updating, linking);
        dff_setup!(
            self,
            clock,
            job_line,
            job_child,
            job_next_node,
            job_result,
            job_ply
        );
        dff_setup!(self, clock, job_proves, delayed_proves);
        dff_setup!(self, clock, transfer_memory, transfer_odd);
        dff_setup!(self, clock, streaming, pair, node_visits);
        dff_setup!(self, clock, delayed_word, delayed_reading, delayed_child);
        dff_setup!(self, clock, delayed_result, delayed_ply, delayed_linking);
        // The word of a node is valid one cycle after its address, until all of its children have been
        // read.
        self.node_word.next = bit_cast::<25, 16>(self.nodes.data.val())
            | (bit_cast::<25, 9>(self.node_tops.data.val()) << NodeParts::HIGH.val());
        self.delayed_word.d.next = self.node_word.val();
        self.delayed_reading.d.next = self.reading.q.val();
        self.delayed_child.d.next = self.job_child.q.val();
        self.delayed_result.d.next = self.job_result.q.val();
        self.delayed_proves.d.next = self.job_proves.q.val();
        self.delayed_ply.d.next = self.job_ply.q.val();
        self.delayed_linking.d.next = self.linking.q.val() & (!self.delayed_linking.q.val());

        // Handshake, and the address of the pair that is read in this cycle.
        self.no_job.next = self.amaf_table.cleared.val() & (!self.busy.q.val());
        self.idle.next = self.no_job.val();
        self.ready.next = self.no_job.val()
            | (self.busy.q.val() & self.updating.q.val() & (!self.streaming.q.val()));
        self.stream_start.next = self.select.val() | self.update.val() | self.read.val();
        self.line_now.next = self.node.val().get_bits::<10>(0);
        if self.streaming.q.val() | (self.busy.q.val() & (!self.updating.q.val())) {
            self.line_now.next = self.job_line.q.val();
        }
        self.pair_now.next = bits::<4>(0);
        if self.single.val() {
            self.pair_now.next = self.child.val().get_bits::<4>(ChildNumber::PAIR);
        }
        if self.streaming.q.val() {
            self.pair_now.next = self.pair.q.val();
        }
        if self.transfer.val() {
            self.line_now.next = self.transfer_line.val();
            self.pair_now.next = self.transfer_index.val().get_bits::<4>(LineWord::PAIR);
        }
        self.nodes.address.next = self.line_now.val();
        self.node_tops.address.next = self.line_now.val();
        self.address.next = bit_cast::<14, 4>(self.pair_now.val())
            | (bit_cast::<14, 10>(self.line_now.val()) << PairAddress::LINE.val());
        self.pair_pipeline.address.next = self.address.val();
        for i in 0..2 {
            self.banks[i].clock.next = self.clock.val();
            self.banks[i].address.next = self.address.val();
        }

        self.child_count.next = self.node_word.val().get_bits::<6>(NodeWord::CHILDREN);
        self.stream_even.next = bit_cast::<6, 4>(self.pair.q.val()) << ChildNumber::PAIR.val();
        self.stream_after.next = self.stream_even.val() + 2;
        self.stream_valid.next =
            self.streaming.q.val() & (self.stream_even.val() < self.child_count.val());
        self.pair_pipeline.valid.next = self.stream_start.val() | self.stream_valid.val();
        self.pair_pipeline.first.next = self.stream_start.val();
        if self.streaming.q.val() {
            self.pair.d.next = self.pair.q.val() + 1;
            // The stream stops after 32 children even if the word of the node is invalid.
            self.streaming.d.next = (self.stream_after.val() < self.child_count.val())
                & (!self.stream_after.val().get_bit(5));
        }
        if self.stream_start.val() | self.link.val() {
            self.busy.d.next = true;
            self.streaming.d.next = self.select.val() | self.update.val();
            self.pair.d.next = bits::<4>(1);
            self.selecting.d.next = self.select.val();
            self.updating.d.next = self.update.val();
            self.reading.d.next = self.read.val();
            self.linking.d.next = self.link.val();
            self.job_line.d.next = self.node.val().get_bits::<10>(0);
            self.job_child.d.next = self.child.val();
            self.job_next_node.d.next = self.link_to.val();
            self.job_result.d.next = self.value.val();
            self.job_ply.d.next = self.ply.val();
            self.job_proves.d.next = self.update.val() & self.prove.val();
        }

        // Cycle 1, one after the pair was read: roles of the two children.
        self.pair_control.valid.next = self.pair_pipeline.valid_1.val();
        self.pair_control.pair.next = self
            .pair_pipeline
            .address_1
            .val()
            .get_bits::<4>(PairAddress::PAIR);
        self.pair_control.word.next = self.delayed_word.q.val();
        self.pair_control.single.next = self.delayed_reading.q.val();
        self.pair_control.child.next = self.delayed_child.q.val();
        self.pair_control.result.next = self.delayed_result.q.val();
        self.pair_control.prove.next = self.delayed_proves.q.val();
        self.pair_control.ply.next = self.delayed_ply.q.val();
        self.pair_pipeline.present_2[0].next = self.pair_control.even.val();
        self.pair_pipeline.present_2[1].next = self.pair_control.odd.val();
        self.pair_pipeline.last_2.next = self.pair_control.last.val();
        self.node_visits.d.next =
            bit_cast::<19, 18>(self.delayed_word.q.val().get_bits::<18>(NodeWord::VISITS)) + 1;

        // Banks. The exploration scale is looked up in cycle 2.
        self.exploration.visits.next = self.node_visits.q.val();
        for i in 0..2 {
            self.banks[i].updating.next = self.updating.q.val();
            self.banks[i].add_visit_1.next = self.selecting.q.val();
            self.banks[i].chosen_3.next = self.pair_control.chosen_3[i].val();
            self.banks[i].sibling_3.next = self.pair_control.sibling_3[i].val();
            self.banks[i].prove_3.next = self.pair_control.prove_3.val();
            self.banks[i].side_3.next = self.pair_control.side_3.val();
            self.banks[i].ply_3.next = self.pair_control.ply_3.val();
            self.banks[i].amaf_entry_3.next = self.amaf_table.found[i].val();
            self.banks[i].scale_4.next = self.exploration.scale.val();
            self.banks[i].result_4.next = self.pair_control.result_4.val();
            self.amaf_table.lookup[i].next = self.banks[i].placement_1.val();
        }

        // Cycle 7: selection over all pairs.
        self.selection.valid.next = self.pair_pipeline.valid_7.val();
        self.selection.first.next = self.pair_pipeline.first_7.val();
        self.selection.pair.next = self
            .pair_pipeline
            .address_7
            .val()
            .get_bits::<4>(PairAddress::PAIR);
        self.selection.child_count.next = self.child_count.val();
        for i in 0..2 {
            self.selection.present[i].next = self.pair_pipeline.present_7[i].val();
            self.selection.proven_children[i].next = self.banks[i].proven.val();
            self.selection.scores[i].next = self.banks[i].score.val();
            self.selection.placements[i].next = self.banks[i].placement.val();
            self.selection.visit_counts[i].next = self.banks[i].visits.val();
            self.selection.grown_counts[i].next = self.banks[i].grown_count.val();
            self.selection.values[i].next = self.banks[i].value.val();
            self.selection.next_nodes[i].next = self.banks[i].next_node.val();
        }

        // Cycle 8: the job is done, unless another `update` is in the pipeline. A job without any
        // pair in the pipeline ends as well.
        self.draining.next =
            self.streaming.q.val() | self.stream_start.val() | self.pair_pipeline.any.val();
        self.job_done.next = self.pair_pipeline.valid_8.val()
            & self.pair_pipeline.last_8.val()
            & (!self.draining.val());
        self.selected.next = self.job_done.val() & (!self.updating.q.val());
        self.count_visit.next = self.job_done.val() & self.selecting.q.val();
        self.nothing_left.next = !(self.draining.val() | self.linking.q.val() | self.link.val());
        if self.nothing_left.val() | self.delayed_linking.q.val() {
            self.busy.d.next = false;
            self.linking.d.next = false;
        }
        self.selected_child.next = self.selection.child.val();
        self.selected_placement.next = self.selection.placement.val();
        self.selected_visits.next = self.selection.visits.val();
        self.selected_value.next = self.selection.value.val();
        self.selected_next_node.next = self.selection.next_node.val();
        self.selected_proven.next = self.selection.proven.val();
        self.selected_alternative.next = self.selection.alternative.val();
        self.selected_alternative_value.next = self.selection.alternative_value.val();
        self.selected_solved.next = self.selection.solved.val();
        self.selected_side.next = self.node_word.val().get_bit(NodeWord::SIDE);
        self.selected_children.next = self.child_count.val();

        // Write port of the banks.
        self.write_address.next = self.pair_pipeline.address_8.val();
        self.to_odd.next = self.node_allocator.to_odd.val();
        if self.entry.val() {
            self.write_address.next = self.node_allocator.child_address.val();
        }
        self.write_child.next = self.job_child.q.val();
        if self.count_visit.val() {
            self.write_child.next = self.selection.child.val();
        }
        if self.delayed_linking.q.val() | self.count_visit.val() {
            self.to_odd.next = self.write_child.val().get_bit(ChildNumber::ODD);
            self.write_address.next =
                bit_cast::<14, 4>(self.write_child.val().get_bits::<4>(ChildNumber::PAIR))
                    | (bit_cast::<14, 10>(self.job_line.q.val()) << PairAddress::LINE.val());
        }
        if self.store.val() {
            self.write_address.next =
                bit_cast::<14, 4>(self.store_index.val().get_bits::<4>(LineWord::PAIR))
                    | (bit_cast::<14, 10>(self.transfer_line.val()) << PairAddress::LINE.val());
        }
        for i in 0..2 {
            self.banks[i].write_address.next = self.write_address.val();
            self.banks[i].new_placement.next = self.entry_placement.val();
            self.banks[i].new_prior.next = self.entry_prior.val();
            self.banks[i].new_mean.next = self.entry_mean.val();
            self.banks[i].new_next_node.next = self.job_next_node.q.val();
            if self.count_visit.val() {
                self.banks[i].new_next_node.next = self.selection.next_node.val();
            }
            self.banks[i].new_visits.next = self.selection.visits.val();
            // A value count that marks a proven value stays.
            self.banks[i].new_count_valid.next = !self.selection.proven.val();
            self.banks[i].new_count.next = self.selection.grown_count.val();
            self.banks[i].new_value.next = self.selection.value.val();
        }
        self.banks[0].enter.next = self.entry.val() & (!self.to_odd.val());
        self.banks[0].link.next = self.delayed_linking.q.val() & (!self.to_odd.val());
        self.banks[0].visit.next = self.count_visit.val() & (!self.to_odd.val());
        self.banks[1].enter.next = self.entry.val() & self.to_odd.val();
        self.banks[1].link.next = self.delayed_linking.q.val() & self.to_odd.val();
        self.banks[1].visit.next = self.count_visit.val() & self.to_odd.val();

        // Words of the nodes.
        self.node_allocator.clear.next = self.clear.val();
        self.node_allocator.add.next = self.add.val();
        self.node_allocator.side.next = self.add_side.val();
        self.node_allocator.entry.next = self.entry.val();
        self.added.next = self.node_allocator.opened.val();
        self.full.next = self.node_allocator.full.val();
        self.nodes.write.next = self.entry.val() | self.count_visit.val();
        self.nodes.write_address.next = self.node_allocator.opened.val().get_bits::<10>(0);
        self.new_node_word.next = self.node_allocator.word.val();
        if self.count_visit.val() {
            self.nodes.write_address.next = self.job_line.q.val();
            self.new_node_word.next =
                bit_cast::<25, 7>(self.node_word.val().get_bits::<7>(NodeWord::SIDE))
                    | (bit_cast::<25, 18>(self.node_visits.q.val().get_bits::<18>(0))
                        << NodeWord::VISITS.val());
        }
        self.nodes.word.next = self.new_node_word.val().get_bits::<16>(NodeParts::LOW);
        self.node_tops.write.next = self.entry.val() | self.count_visit.val();
        self.node_tops.word.next = self.new_node_word.val().get_bits::<9>(NodeParts::HIGH);

        // Transfer of a line.
        self.node_allocator.limited.next = self.limited.val();
        self.following.next = self.node_allocator.following.val();
        self.transfer_memory.d.next = bits::<8>(1)
            << bit_cast::<8, 3>(self.transfer_index.val().get_bits::<3>(LineWord::MEMORY));
        self.transfer_odd.d.next = self.transfer_index.val().get_bit(LineWord::ODD);
        self.store_odd.next = self.store_index.val().get_bit(LineWord::ODD);
        self.store_memory.next = bits::<8>(0);
        if self.store.val() {
            self.store_memory.next = bits::<8>(1)
                << bit_cast::<8, 3>(self.store_index.val().get_bits::<3>(LineWord::MEMORY));
            self.nodes.write_address.next = self.transfer_line.val();
            self.nodes.word.next = self.stored_word.val();
            self.node_tops.word.next = self.stored_word.val().get_bits::<9>(0);
        }
        self.node_tops.write_address.next = self.nodes.write_address.val();
        if self.store_memory.val().get_bit(7) {
            self.nodes.write.next = !self.store_odd.val();
            self.node_tops.write.next = self.store_odd.val();
        }
        for i in 0..2 {
            self.banks[i].memory.next = self.transfer_memory.q.val().get_bits::<7>(0);
            self.banks[i].stored_word.next = self.stored_word.val();
            self.banks[i].store.next = bits::<7>(0);
        }
        if self.store_odd.val() {
            self.banks[1].store.next = self.store_memory.val().get_bits::<7>(0);
        } else {
            self.banks[0].store.next = self.store_memory.val().get_bits::<7>(0);
        }
        self.word_now.next = self.banks[0].transferred_word.val();
        if self.transfer_odd.q.val() {
            self.word_now.next = self.banks[1].transferred_word.val();
        }
        if self.transfer_memory.q.val().get_bit(7) {
            self.word_now.next = self.nodes.data.val();
            if self.transfer_odd.q.val() {
                self.word_now.next = bit_cast::<16, 9>(self.node_tops.data.val());
            }
        }
        self.transferred_word.next = self.word_now.val();

        // AMAF table.
        self.amaf_table.enter.next = self.amaf_enter.val();
        self.amaf_table.remove.next = self.amaf_remove.val();
        self.amaf_table.placement.next = self.placement.val();
        self.amaf_table.side.next = self.side.val();
        self.amaf_table.ply.next = self.ply.val();
    }
}
