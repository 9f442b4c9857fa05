//! Search engine: holds the position of the game, lists legal sets and chooses a placement.
//!
//! The root ring holds the position. The scheduler sequences three blocks. The node builder makes
//! nodes of the tree, the descent takes simulations down the tree to the lanes, and the backup
//! updates the tree with their results. Only one of the three works at a time, while the lanes
//! continue their playouts.
//!
//! Jobs (`clear`, `place`, `list`, `think`, `ponder`) are sampled while `idle` is high. `clear` is the
//! exception: it may come at any time and is executed as soon as possible.
//!
//! Twin: `duoforge_twin::search::Search` with the same number of lanes.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::backup::Backup;
use super::descent::Descent;
use super::expansion::expander::Expander;
use super::node_builder::NodeBuilder;
use super::node_loader::NodeLoader;
use super::placement_list::MOVE;
use super::playout::lanes::Lanes;
use super::position_ring::{PLACEMENT, PositionRing};
use super::results::Results;
use super::scheduler::Scheduler;
pub use super::settings::ClockedSearchConfig;
use super::tree::Tree;
use super::tree::bank::NODE;
use crate::block::block;
use crate::memory::sdram::{INDEX, LINE, WORD};

mod logic;

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
        /// Starts a search for a reply of side 1; the next `think` continues in its tree.
        pub ponder: Signal<In, Bit>,
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
        /// Number of simulations of the last `think`.
        pub simulations: Signal<Out, Bits<18>>,
        /// Number of simulations of the `ponder` before it, or 0.
        pub pondered: Signal<Out, Bits<18>>,
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

        // External memory of a tree with more nodes than lines; the ports are those of its controller.
        // Without such a tree they have no function.
        /// Memory: high once it has passed its self-test.
        pub memory_works: Signal<In, Bit>,
        /// Memory: requests the transfer of a line.
        pub line_request: Signal<Out, Bit>,
        /// Memory: with `line_request`, high to write the line.
        pub line_write: Signal<Out, Bit>,
        /// Memory: with `line_request`, number of the line.
        pub line: Signal<Out, Bits<LINE>>,
        /// Memory: word to write.
        pub line_word: Signal<Out, Bits<WORD>>,
        /// Memory: high while a request can be accepted.
        pub line_ready: Signal<In, Bit>,
        /// Memory: high while no line is transferred.
        pub line_idle: Signal<In, Bit>,
        /// Memory: number of the word to provide in the next cycle.
        pub line_index: Signal<In, Bits<INDEX>>,
        /// Memory: high while `line_stored_word` is a word that was read.
        pub line_store: Signal<In, Bit>,
        /// Memory: number of that word.
        pub line_store_index: Signal<In, Bits<INDEX>>,
        /// Memory: word that was read.
        pub line_stored_word: Signal<In, Bits<WORD>>,
        root: PositionRing,
        expander: Expander = given,
        node_builder: NodeBuilder,
        node_loader: NodeLoader = given,
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
        job_node: Signal<Local, Bits<NODE>>,
        job_child: Signal<Local, Bits<5>>,
        node_depth: Signal<Local, Bits<6>>,
        node_side: Signal<Local, Bit>,
        node_value: Signal<Local, Bits<16>>,
        list_index: Signal<Local, Bits<6>>,
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
            lines,
            ponder: _,
            book: _,
        } = settings;
        // The margin is a signed number of eight bits, and the address of the table is its bit
        // pattern.
        let value = |margin: u32| parameters.value(i32::from(margin as u8 as i8));
        Self::from(SearcherParts {
            expander: Expander::new(parameters),
            tree: match lines {
                Some(lines) => Tree::with_lines(parameters, *lines),
                None => Tree::new(parameters),
            },
            node_loader: NodeLoader::new(*lines),
            lanes: Lanes::new(parameters, *seed),
            descent: Descent::new(parameters.expand_threshold),
            scheduler: Scheduler::new(LANES, *simulations, *cycles, parameters.formulas.final_wins),
            values: (0..256).map(|margin| value(margin).to_bits()).into(),
            results: Results::new(parameters),
            has_bonus: Constant::new(parameters.formulas.has_bonus()),
        })
    }
}
