//! Search engine: holds the position of the game, lists legal sets and chooses a placement.
//!
//! The root ring holds the position. The scheduler sequences three blocks. The node builder makes
//! nodes of the tree, the descent takes simulations down the tree to the lanes, and the backup
//! updates the tree with their results. Only one of the three works at a time, while the lanes
//! continue their playouts.
//!
//! Jobs (`clear`, `place`, `list`, `think`) are sampled while `idle` is high. `clear` is the
//! exception: it may come at any time and is executed as soon as possible.
//!
//! Twin: `duoforge_twin::search::Search` with the same number of lanes.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::backup::Backup;
use super::descent::Descent;
use super::expansion::expander::Expander;
use super::node_builder::NodeBuilder;
use super::placement_list::{MOVE, StepWord};
use super::playout::lanes::Lanes;
use super::position_ring::{PLACEMENT, PositionRing};
use super::results::Results;
use super::scheduler::Scheduler;
pub use super::settings::ClockedSearchConfig;
use super::tree::Tree;
use crate::block::block;

block! {
    /// Search engine with `LANES` playout cores.
    pub struct Searcher<const LANES: usize> from SearcherParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Jobs: one pulse each, with their operands in the same cycle.
        /// Empties the board.
        pub clear: Signal<In, Bit>,
        /// High if the start cell of side 0 is (a,a), low if it is (5,5).
        pub start_is_a: Signal<In, Bit>,
        /// Side of the placement or of the legal set: 0 is the side that searches, 1 is its
        /// opponent.
        pub side: Signal<In, Bit>,
        /// Writes `placement` of `side` into the root.
        pub place: Signal<In, Bit>,
        /// Placement to write, a [`PlacementWord`](crate::word::PlacementWord).
        pub placement: Signal<In, Bits<PLACEMENT>>,
        /// Lists the legal set of `side`.
        pub list: Signal<In, Bit>,
        /// Starts a search for a placement of side 0.
        pub think: Signal<In, Bit>,
        /// Ends the search once its running simulations have been backed up.
        pub stop: Signal<In, Bit>,
        /// High while no job is running.
        pub idle: Signal<Out, Bit>,

        // Results. The legal set is a stream; the best placement is held.
        /// High while `listed_placement` holds a placement of the legal set that is listed.
        pub listed: Signal<Out, Bit>,
        /// Placement of the legal set, a [`PlacementWord`](crate::word::PlacementWord).
        pub listed_placement: Signal<Out, Bits<PLACEMENT>>,
        /// High if `best` holds a placement.
        pub found: Signal<Out, Bit>,
        /// Best placement, a [`PlacementWord`](crate::word::PlacementWord).
        pub best: Signal<Out, Bits<PLACEMENT>>,

        // Statistics of the last search.
        /// Number of simulations of the last search.
        pub simulations: Signal<Out, Bits<18>>,
        /// Duration of the last search in cycles.
        pub cycles: Signal<Out, Bits<32>>,
        /// Cycles of the last search in which the tree was busy.
        pub tree_cycles: Signal<Out, Bits<32>>,
        /// Cycles of the last search in which the expander was busy.
        pub expander_cycles: Signal<Out, Bits<32>>,
        /// Cycles of the last search in which a lane was busy, summed over the lanes.
        pub lane_cycles: Signal<Out, Bits<36>>,

        // Trace for the comparison with the twin; a target leaves these ports open.
        /// Trace: high while `trace_step` holds a placement of the simulation that is backed up.
        /// The order is that of the twin's `Simulation::moves`.
        pub trace_valid: Signal<Out, Bit>,
        /// Trace: word of the placement list, see [`super::placement_list`].
        pub trace_step: Signal<Out, Bits<MOVE>>,
        /// Trace: high in the cycle in which the backup takes the result of the simulation, after all
        /// its placements.
        pub trace_end: Signal<Out, Bit>,
        /// Trace: result of that simulation for side 0, in units of 2^-16; valid while `trace_end` is
        /// high.
        pub trace_result: Signal<Out, Bits<16>>,
        /// Trace: high while a child of the root is read at the end of the search.
        pub trace_read: Signal<Out, Bit>,
        /// Trace: placement of the child that is read.
        pub trace_placement: Signal<Out, Bits<PLACEMENT>>,
        /// Trace: visit count of the child that is read.
        pub trace_visits: Signal<Out, Bits<18>>,
        /// Trace: value of the child that is read for side 0, in units of 2^-16.
        pub trace_value: Signal<Out, Bits<16>>,
        /// Trace: high if that value is proven.
        pub trace_proven: Signal<Out, Bit>,
        root: PositionRing,
        expander: Expander = given,
        node_builder: NodeBuilder,
        tree: Tree = given,
        lanes: Lanes<LANES> = given,
        descent: Descent = given,
        backup: Backup,
        scheduler: Scheduler = given,
        values: ROM<Bits<16>, 8> = given,
        results: Results = given,
        clearing: DFF<Bit>,
        cycle_counter: DFF<Bits<32>>,
        tree_counter: DFF<Bits<32>>,
        expander_counter: DFF<Bits<32>>,
        lane_counter: DFF<Bits<36>>,
        take: Signal<Local, Bit>,
        result: Signal<Local, Bits<16>>,
        result_ready: Signal<Local, Bit>,
        // High if results have bonuses by running statistics.
        has_bonus: Constant<Bit> = given,
    }
}

impl<const LANES: usize> Searcher<LANES> {
    /// Creates a search engine from the settings.
    ///
    /// # Panics
    /// If a number in the settings is wider than its register.
    pub fn new(settings: &ClockedSearchConfig) -> Self {
        let ClockedSearchConfig {
            parameters,
            seed,
            simulations,
            cycles,
        } = settings;
        // The margin is a signed number of eight bits, and the address of the table is its bit
        // pattern.
        let value = |margin: u32| parameters.value(i32::from(margin as u8 as i8));
        Self::from(SearcherParts {
            expander: Expander::new(parameters),
            tree: Tree::new(parameters),
            lanes: Lanes::new(parameters, *seed),
            descent: Descent::new(parameters.expand_threshold),
            scheduler: Scheduler::new(LANES, *simulations, *cycles, parameters.formulas.final_wins),
            values: (0..256).map(|margin| value(margin).to_bits()).into(),
            results: Results::new(parameters),
            has_bonus: Constant::new(parameters.formulas.has_bonus()),
        })
    }
}

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

        // The descent, the scheduler and a `list` job start the node builder.
        self.node_builder.expand.next =
            self.descent.expand.val() | self.scheduler.expand.val() | self.list.val();
        self.node_builder.list.next = self.list.val();
        self.node_builder.one_side.next = !self.descent.expand.val();
        self.node_builder.depth.next = bits::<6>(0);
        self.node_builder.side.next = self.list.val() & self.side.val();
        self.node_builder.value.next = bits::<16>(0x7fff);
        if self.descent.busy.val() {
            self.node_builder.depth.next = self.descent.depth.val();
            self.node_builder.side.next = self.descent.expand_side.val();
            self.node_builder.value.next = self.descent.expand_value.val();
        }

        // The node builder, the descent, the backup and the scheduler share the tree.
        self.tree.clear.next = self.scheduler.clear.val();
        self.tree.add.next = self.node_builder.add.val();
        self.tree.add_side.next = self.node_builder.add_side.val();
        self.tree.entry.next = self.node_builder.entry.val();
        self.tree.entry_placement.next = self.node_builder.entry_placement.val();
        self.tree.entry_prior.next = self.node_builder.entry_prior.val();
        self.tree.entry_mean.next = self.node_builder.entry_mean.val();
        self.tree.select.next = self.descent.select.val();
        self.tree.link.next = self.descent.link.val();
        self.tree.link_to.next = self.descent.link_to.val();
        self.tree.read.next = self.scheduler.read.val();
        self.tree.single.next = self.descent.linking.val() | self.scheduler.reading.val();
        self.tree.update.next = self.backup.update.val();
        self.tree.amaf_enter.next = self.backup.amaf_enter.val();
        self.tree.amaf_remove.next = self.backup.amaf_remove.val();
        self.tree.ply.next = self.backup.ply.val();
        self.tree.placement.next = self.lanes.word.val().get_bits::<15>(StepWord::PLACEMENT);
        self.tree.side.next = self.lanes.word.val().get_bit(StepWord::SIDE);
        self.tree.value.next = self.backup.value.val();
        self.tree.prove.next = self.backup.prove.val();
        self.tree.node.next = bits::<14>(0);
        self.tree.child.next = self.scheduler.child.val();
        if self.descent.busy.val() {
            self.tree.node.next = self.descent.node.val();
            self.tree.child.next = self.descent.child.val();
        }
        if self.backup.busy.val() {
            self.tree.node.next = self.lanes.word.val().get_bits::<14>(StepWord::NODE);
            self.tree.child.next = self.lanes.word.val().get_bits::<5>(StepWord::CHILD);
        }

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
        self.lanes.index.next = self.node_builder.index.val();
        if self.backup.busy.val() {
            self.lanes.index.next = self.backup.index.val();
        }

        // Descent.
        self.descent.simulate.next = self.scheduler.simulate.val();
        self.descent.root_idle.next = self.root.idle.val();
        self.descent.lane_ready.next = self.lanes.ready.val();
        self.descent.tree_idle.next = self.tree.idle.val();
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
        self.backup.tree_ready.next = self.tree.ready.val();

        // Scheduler.
        self.scheduler.think.next = self.think.val();
        self.scheduler.stop.next = self.stop.val();
        self.scheduler.builder_busy.next = self.node_builder.busy.val();
        self.scheduler.child_count.next = self.node_builder.child_count.val();
        self.scheduler.first_placement.next = self.node_builder.first_placement.val();
        self.scheduler.descent_busy.next = self.descent.busy.val();
        self.scheduler.root_solved.next = self.descent.root_solved.val();
        self.scheduler.backup_busy.next = self.backup.busy.val();
        self.scheduler.finished.next = self.lanes.ready.val();
        self.scheduler.tree_idle.next = self.tree.idle.val();
        self.scheduler.was_read.next = self.tree.selected.val();
        self.scheduler.placement.next = self.tree.selected_placement.val();
        self.scheduler.visits.next = self.tree.selected_visits.val();
        self.scheduler.value.next = self.tree.selected_value.val();
        self.scheduler.proven.next = self.tree.selected_proven.val();

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

        // Busy cycles per unit.
        if self.think.val() {
            self.cycle_counter.d.next = bits::<32>(0);
            self.tree_counter.d.next = bits::<32>(0);
            self.expander_counter.d.next = bits::<32>(0);
            self.lane_counter.d.next = bits::<36>(0);
        } else if self.scheduler.busy.val() {
            self.cycle_counter.d.next = self.cycle_counter.q.val() + 1;
            if !self.tree.idle.val() {
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
        self.trace_read.next = self.tree.selected.val() & (!self.descent.busy.val());
        self.trace_placement.next = self.tree.selected_placement.val();
        self.trace_visits.next = self.tree.selected_visits.val();
        self.trace_value.next = self.tree.selected_value.val();
        self.trace_proven.next = self.tree.selected_proven.val();
    }
}
