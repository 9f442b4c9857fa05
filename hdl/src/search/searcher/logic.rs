//! Logic of the search engine: the wiring of its units, and its counters.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::Searcher;
use crate::search::placement_list::StepWord;

impl<const LANES: usize> Logic for Searcher<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            clearing,
            cycle_counter,
            tree_counter,
            expander_counter,
            lane_counter
        );
        clock!(
            self,
            clock,
            root,
            expander,
            node_builder,
            node_loader,
            tree,
            lanes,
            descent,
            backup,
            scheduler,
            results
        );

        // Root: cleared, stamped, or copied to the expander or to a lane. Clearing copies an empty
        // position.
        if self.clear.val() {
            self.clearing.d.next = true;
        } else if self.root.idle.val() {
            self.clearing.d.next = false;
        }
        self.take.next = (self.node_builder.start.val() & self.node_builder.take.val())
            | (self.descent.start.val() & self.descent.take.val());
        self.root.start.next = self.clearing.q.val() | self.place.val() | self.take.val();
        self.root.take.next = self.clearing.q.val();
        self.root.stamp.next = (!self.clearing.q.val()) & self.place.val();
        self.root.side.next = self.side.val();
        self.root.placement.next = self.placement.val();
        self.root.advance.next = true;
        self.root.incoming.next = bits::<84>(0);
        self.root.incoming_used[0].next = bits::<21>(0);
        self.root.incoming_used[1].next = bits::<21>(0);

        // The node builder drives the expander.
        self.expander.start_is_a.next = self.start_is_a.val();
        self.expander.incoming.next = self.root.passing.val();
        self.expander.incoming_used[0].next = self.root.used[0].val();
        self.expander.incoming_used[1].next = self.root.used[1].val();
        self.expander.start.next = self.node_builder.start.val();
        self.expander.take.next = self.node_builder.take.val();
        self.expander.stamp.next = self.node_builder.stamp.val();
        self.expander.stamped.next = self.node_builder.stamped.val();
        self.expander.side.next = self.node_builder.expander_side.val();
        self.expander.score.next = self.node_builder.score.val();
        self.expander.list.next = self.node_builder.start_list.val();
        self.expander.value.next = self.node_builder.expander_value.val();
        self.node_builder.root_idle.next = self.root.idle.val() & (!self.clearing.q.val());
        self.node_builder.expander_idle.next = self.expander.idle.val();
        self.node_builder.found.next = self.expander.entry.val();
        self.node_builder.found_placement.next = self.expander.placement.val();
        self.node_builder.found_prior.next = self.expander.prior.val();
        self.node_builder.found_mean.next = self.expander.mean.val();
        self.node_builder.done.next = self.expander.done.val();
        self.node_builder.word.next = self.lanes.word.val();
        self.node_builder.added.next = self.tree.added.val();
        self.node_builder.tree_idle.next = self.node_loader.idle.val();

        // The descent, the scheduler and a `list` job start the node builder.
        self.node_builder.expand.next =
            self.descent.expand.val() | self.scheduler.expand.val() | self.list.val();
        self.node_builder.list.next = self.list.val();
        self.node_builder.one_side.next = !self.descent.expand.val();
        // These inputs change once, see the bank's transfer.
        self.node_depth.next = bits::<6>(0);
        self.node_side.next = self.scheduler.root_side.val();
        if self.list.val() {
            self.node_side.next = self.side.val();
        }
        // A root has the value 0x7fff for its side.
        self.node_value.next = bits::<16>(0x7fff);
        if self.scheduler.root_side.val() {
            self.node_value.next = bits::<16>(0x8000);
        }
        if self.descent.busy.val() {
            self.node_depth.next = self.descent.depth.val();
            self.node_side.next = self.descent.expand_side.val();
            self.node_value.next = self.descent.expand_value.val();
        }
        self.node_builder.depth.next = self.node_depth.val();
        self.node_builder.side.next = self.node_side.val();
        self.node_builder.value.next = self.node_value.val();

        // The descent, the backup and the scheduler have their jobs done by the node loader, which hands
        // them to the tree.
        self.node_loader.clear.next = self.scheduler.clear.val();
        self.node_loader.prepare.next = self.node_builder.prepare.val();
        self.node_loader.select.next = self.descent.select.val();
        self.node_loader.link.next = self.descent.link.val();
        self.node_loader.link_to.next = self.descent.link_to.val();
        self.node_loader.read.next = self.scheduler.read.val();
        self.node_loader.single.next = self.descent.linking.val() | self.scheduler.reading.val();
        self.node_loader.update.next = self.backup.update.val();
        self.node_loader.ply.next = self.backup.ply.val();
        self.node_loader.value.next = self.backup.value.val();
        self.node_loader.prove.next = self.backup.prove.val();
        // The inputs of the loader change once, see the bank's transfer.
        self.job_node.next = self.scheduler.root_node.val();
        self.job_child.next = self.scheduler.child.val();
        if self.descent.busy.val() {
            self.job_node.next = self.descent.node.val();
            self.job_child.next = self.descent.child.val();
        }
        if self.backup.busy.val() {
            self.job_node.next = self.lanes.word.val().get_bits::<14>(StepWord::NODE);
            self.job_child.next = self.lanes.word.val().get_bits::<5>(StepWord::CHILD);
        }
        self.node_loader.node.next = self.job_node.val();
        self.node_loader.child.next = self.job_child.val();
        self.node_loader.tree_idle.next = self.tree.idle.val();
        self.node_loader.tree_ready.next = self.tree.ready.val();
        self.node_loader.following.next = self.tree.following.val();
        self.tree.select.next = self.node_loader.tree_select.val();
        self.tree.link.next = self.node_loader.tree_link.val();
        self.tree.link_to.next = self.node_loader.tree_link_to.val();
        self.tree.read.next = self.node_loader.tree_read.val();
        self.tree.single.next = self.node_loader.tree_single.val();
        self.tree.update.next = self.node_loader.tree_update.val();
        self.tree.ply.next = self.node_loader.tree_ply.val();
        self.tree.value.next = self.node_loader.tree_value.val();
        self.tree.prove.next = self.node_loader.tree_prove.val();
        self.tree.node.next = self.node_loader.tree_node.val();
        self.tree.child.next = self.node_loader.tree_child.val();

        // The node builder makes nodes, and the backup enters placements into the AMAF table.
        self.tree.clear.next = self.scheduler.clear.val();
        self.tree.add.next = self.node_builder.add.val();
        self.tree.add_side.next = self.node_builder.add_side.val();
        self.tree.entry.next = self.node_builder.entry.val();
        self.tree.entry_placement.next = self.node_builder.entry_placement.val();
        self.tree.entry_prior.next = self.node_builder.entry_prior.val();
        self.tree.entry_mean.next = self.node_builder.entry_mean.val();
        self.tree.amaf_enter.next = self.backup.amaf_enter.val();
        self.tree.amaf_remove.next = self.backup.amaf_remove.val();
        self.tree.placement.next = self.lanes.word.val().get_bits::<15>(StepWord::PLACEMENT);
        self.tree.side.next = self.lanes.word.val().get_bit(StepWord::SIDE);

        // External memory.
        self.node_loader.memory_works.next = self.memory_works.val();
        self.tree.limited.next = self.node_loader.limited.val();
        self.tree.transfer.next = self.node_loader.transfer.val();
        self.tree.transfer_line.next = self.node_loader.transfer_line.val();
        self.tree.transfer_index.next = self.node_loader.transfer_index.val();
        self.node_loader.transferred_word.next = self.tree.transferred_word.val();
        self.tree.store.next = self.node_loader.store.val();
        self.tree.store_index.next = self.node_loader.store_index.val();
        self.tree.stored_word.next = self.line_stored_word.val();
        self.line_request.next = self.node_loader.line_request.val();
        self.line_write.next = self.node_loader.line_write.val();
        self.line.next = self.node_loader.line.val();
        self.line_word.next = self.node_loader.line_word.val();
        self.node_loader.line_ready.next = self.line_ready.val();
        self.node_loader.line_idle.next = self.line_idle.val();
        self.node_loader.line_index.next = self.line_index.val();
        self.node_loader.line_store.next = self.line_store.val();
        self.node_loader.line_store_index.next = self.line_store_index.val();

        // Lanes.
        self.lanes.restart.next = self.scheduler.clear.val();
        self.lanes.start_is_a.next = self.start_is_a.val();
        self.lanes.lane.next = self.scheduler.lane.val();
        self.lanes.start.next = self.descent.start.val();
        self.lanes.take.next = self.descent.take.val();
        self.lanes.finish.next = self.descent.finish.val();
        self.lanes.append.next = self.descent.append.val();
        self.lanes.clear.next = self.scheduler.simulate.val();
        self.lanes.step.next = self.descent.step.val();
        self.lanes.incoming.next = self.root.passing.val();
        self.lanes.incoming_used[0].next = self.root.used[0].val();
        self.lanes.incoming_used[1].next = self.root.used[1].val();
        self.list_index.next = self.node_builder.index.val();
        if self.backup.busy.val() {
            self.list_index.next = self.backup.index.val();
        }
        self.lanes.index.next = self.list_index.val();

        // Descent.
        self.descent.simulate.next = self.scheduler.simulate.val();
        self.descent.root_node.next = self.scheduler.root_node.val();
        self.descent.root_idle.next = self.root.idle.val();
        self.descent.lane_ready.next = self.lanes.ready.val();
        self.descent.tree_idle.next = self.node_loader.idle.val();
        self.descent.tree_full.next = self.tree.full.val();
        self.descent.selected.next = self.tree.selected.val();
        self.descent.selected_child.next = self.tree.selected_child.val();
        self.descent.selected_placement.next = self.tree.selected_placement.val();
        self.descent.selected_visits.next = self.tree.selected_visits.val();
        self.descent.selected_value.next = self.tree.selected_value.val();
        self.descent.selected_next_node.next = self.tree.selected_next_node.val();
        self.descent.selected_side.next = self.tree.selected_side.val();
        self.descent.selected_alternative.next = self.tree.selected_alternative.val();
        self.descent.selected_alternative_value.next = self.tree.selected_alternative_value.val();
        self.descent.selected_solved.next = self.tree.selected_solved.val();
        self.descent.builder_busy.next = self.node_builder.busy.val();
        self.descent.built_node.next = self.node_builder.built_node.val();

        // Result of a simulation: of the margin alone, or by running statistics, which start with the
        // backup and end before the next one.
        self.values.address.next = self.lanes.margin.val();
        self.results.clear.next = self.scheduler.clear.val();
        self.results.start.next = self.has_bonus.val() & self.scheduler.backup.val();
        self.results.margin.next = self.lanes.margin.val();
        self.results.length.next = self.lanes.count.val();
        self.result.next = self.values.data.val();
        self.result_ready.next = true;
        if self.has_bonus.val() {
            self.result.next = self.results.value.val();
            self.result_ready.next = self.results.ready.val();
        }

        // Backup.
        self.backup.start.next = self.scheduler.backup.val();
        self.backup.result.next = self.result.val();
        self.backup.result_ready.next = self.result_ready.val();
        self.backup.count.next = self.lanes.count.val();
        self.backup.word.next = self.lanes.word.val();
        self.backup.tree_ready.next = self.node_loader.ready.val();

        // Scheduler.
        self.scheduler.think.next = self.think.val();
        self.scheduler.ponder.next = self.ponder.val();
        self.scheduler.renew.next = self.clear.val() | (self.place.val() & (!self.side.val()));
        self.scheduler.replied.next = self.place.val() & self.side.val();
        self.scheduler.reply.next = self.placement.val();
        self.scheduler.stop.next = self.stop.val();
        self.scheduler.builder_busy.next = self.node_builder.busy.val();
        self.scheduler.child_count.next = self.node_builder.child_count.val();
        self.scheduler.first_placement.next = self.node_builder.first_placement.val();
        self.scheduler.descent_busy.next = self.descent.busy.val();
        self.scheduler.root_solved.next = self.descent.root_solved.val();
        self.scheduler.backup_busy.next = self.backup.busy.val();
        self.scheduler.finished.next = self.lanes.ready.val();
        self.scheduler.tree_idle.next = self.node_loader.idle.val();
        self.scheduler.was_read.next = self.tree.selected.val();
        self.scheduler.placement.next = self.tree.selected_placement.val();
        self.scheduler.visits.next = self.tree.selected_visits.val();
        self.scheduler.value.next = self.tree.selected_value.val();
        self.scheduler.proven.next = self.tree.selected_proven.val();
        self.scheduler.next_node.next = self.tree.selected_next_node.val();
        self.scheduler.node_side.next = self.tree.selected_side.val();
        self.scheduler.node_children.next = self.tree.selected_children.val();

        // Results.
        self.idle.next = self.root.idle.val()
            & (!self.clearing.q.val())
            & (!self.node_builder.busy.val())
            & (!self.scheduler.busy.val());
        self.listed.next = self.expander.legal.val() & (!self.scheduler.busy.val());
        self.listed_placement.next = self.expander.legal_placement.val();
        self.found.next = self.scheduler.found.val();
        self.best.next = self.scheduler.best.val();
        self.simulations.next = self.scheduler.simulations.val();
        self.pondered.next = self.scheduler.pondered.val();

        // Busy cycles per unit.
        if self.think.val() | self.ponder.val() {
            self.cycle_counter.d.next = bits::<32>(0);
            self.tree_counter.d.next = bits::<32>(0);
            self.expander_counter.d.next = bits::<32>(0);
            self.lane_counter.d.next = bits::<36>(0);
        } else if self.scheduler.busy.val() {
            self.cycle_counter.d.next = self.cycle_counter.q.val() + 1;
            if !self.node_loader.idle.val() {
                self.tree_counter.d.next = self.tree_counter.q.val() + 1;
            }
            if !self.expander.idle.val() {
                self.expander_counter.d.next = self.expander_counter.q.val() + 1;
            }
            self.lane_counter.d.next =
                self.lane_counter.q.val() + bit_cast::<36, 4>(self.lanes.playing.val());
        }
        self.cycles.next = self.cycle_counter.q.val();
        self.tree_cycles.next = self.tree_counter.q.val();
        self.expander_cycles.next = self.expander_counter.q.val();
        self.lane_cycles.next = self.lane_counter.q.val();

        // Trace.
        self.trace_valid.next = self.backup.amaf_enter.val();
        self.trace_step.next = self.lanes.word.val();
        self.trace_end.next = self.backup.taken.val();
        self.trace_result.next = self.result.val();
        self.trace_read.next =
            self.tree.selected.val() & (!self.descent.busy.val()) & self.scheduler.found.val();
        self.trace_placement.next = self.tree.selected_placement.val();
        self.trace_visits.next = self.tree.selected_visits.val();
        self.trace_value.next = self.tree.selected_value.val();
        self.trace_proven.next = self.tree.selected_proven.val();
    }
}
