//! Scheduler: sequences a search from the root's node to the best placement.
//!
//! The scheduler makes the root's node, then starts simulations on the cores in turn. It backs
//! their results up in the same order. In the end it names the most visited child, or a proven
//! child whose value is at least as high. With `final_wins`, the greatest product of visit count and
//! value replaces the greatest visit count.
//!
//! A core that has finished waits for its turn. So the order of backups does not depend on the
//! durations of the playouts. That makes the search repeatable and equal to its twin, whose `lanes`
//! are the cores.
//!
//! A search ends on the first of these events:
//! - `simulation_limit` simulations have started;
//! - `deadline_cycles` cycles have passed;
//! - `stop` is high;
//! - a simulation found the root solved.
//!
//! Simulations that are in flight then are still backed up. With at most one placement the search
//! ends at once.
//!
//! `ponder` starts a search for the opponent's reply instead, which ends without a placement. If one
//! placement of the opponent follows, the next `think` reads the root's children up to that
//! placement. It continues at the node of that child, if side 0 has to move there, and keeps the
//! tree.
//!
//! The scheduler terminates from every state. If the tree is idle while the scheduler waits for a
//! child, the tree has no such job. The search then ends with its result so far.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::multiplier::Multiplier;
use super::position_ring::PLACEMENT;
use super::tree::bank::{END, NODE};
use crate::block::block;

mod logic;
mod twin;

pub use twin::{LaneTurn, reply_node, twin};

/// Bits of a product of visit count and value.
const PRODUCT: usize = 34;

/// State of the scheduler.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum SchedulerState {
    /// No search.
    Idle,
    /// Waits for the tree, which clears its AMAF table after power-up.
    Begin,
    /// Clears the tree. This takes a separate cycle for timing: `idle` of the tree is valid late in
    /// a cycle, and the registers to clear are spread over the chip.
    Clear,
    /// Waits for the root's node.
    Root,
    /// Chooses the next action.
    Choose,
    /// Waits for the core of the oldest simulation.
    Await,
    /// Waits for the backup of that simulation.
    Backup,
    /// Waits for the descent of a new simulation.
    Simulate,
    /// Reads a child of the root.
    Read,
    /// Compares the child with the best one so far.
    Compare,
    /// Compares the product of the child with the best one so far; only with `final_wins`.
    Weigh,
    /// Reads a child of the root, to find the opponent's reply.
    Find,
    /// Compares the placement of the child with the reply.
    Match,
    /// Reads the first child of the reply's node.
    Enter,
    /// Begins to search at that node.
    Continue,
}

block! {
    /// Sequencer of a search.
    pub struct Scheduler from SchedulerParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Request and result of a search.
        /// Starts a search.
        pub think: Signal<In, Bit>,
        /// Starts a search for the opponent's reply.
        pub ponder: Signal<In, Bit>,
        /// The position is another one, so that no search may continue.
        pub renew: Signal<In, Bit>,
        /// The opponent replies `reply`.
        pub replied: Signal<In, Bit>,
        /// With `replied`: placement.
        pub reply: Signal<In, Bits<PLACEMENT>>,
        /// Ends the search once the simulations in flight have been backed up.
        pub stop: Signal<In, Bit>,
        /// High while a search is running.
        pub busy: Signal<Out, Bit>,
        /// High if `best` holds a placement.
        pub found: Signal<Out, Bit>,
        /// Best placement; while `busy` is high, the one with the highest prior.
        pub best: Signal<Out, Bits<PLACEMENT>>,
        /// Number of simulations of the last `think`.
        pub simulations: Signal<Out, Bits<18>>,
        /// Number of simulations of the `ponder` before it, or 0.
        pub pondered: Signal<Out, Bits<18>>,

        // Node builder: the root's node.
        /// Node builder: makes the root's node.
        pub expand: Signal<Out, Bit>,
        /// Node builder: side to move at the root.
        pub root_side: Signal<Out, Bit>,
        /// Node builder: high while it is busy.
        pub builder_busy: Signal<In, Bit>,
        /// Node builder: number of children of the node.
        pub child_count: Signal<In, Bits<6>>,
        /// Node builder: placement of the first child.
        pub first_placement: Signal<In, Bits<PLACEMENT>>,

        // Descent and backup of simulations. A request is a pulse; the unit is busy from the next
        // cycle.
        /// Descent: node at which simulations start. Tree: node of a `read`.
        pub root_node: Signal<Out, Bits<NODE>>,
        /// Descent: starts a simulation on core `lane`.
        pub simulate: Signal<Out, Bit>,
        /// Descent: high while it is busy.
        pub descent_busy: Signal<In, Bit>,
        /// Descent: high if it found the root solved.
        pub root_solved: Signal<In, Bit>,
        /// Backup: backs the result of core `lane` up.
        pub backup: Signal<Out, Bit>,
        /// Backup: high while it is busy.
        pub backup_busy: Signal<In, Bit>,
        /// Core of these requests.
        pub lane: Signal<Out, Bits<3>>,
        /// Core: high if core `lane` is not playing or does not exist.
        pub finished: Signal<In, Bit>,

        // Tree: clear, and scans of the root's children at the end and after a reply.
        /// Tree: discards all nodes. Cores: load their seeds.
        pub clear: Signal<Out, Bit>,
        /// Tree: high while a job can be accepted.
        pub tree_idle: Signal<In, Bit>,
        /// Tree: reads child `child` of the root.
        pub read: Signal<Out, Bit>,
        /// Tree: high if the next job is a `read`.
        pub reading: Signal<Out, Bit>,
        /// Tree: number of the child.
        pub child: Signal<Out, Bits<5>>,
        /// Tree: high for one cycle when the child has been read.
        pub was_read: Signal<In, Bit>,
        /// Tree: placement of the child.
        pub placement: Signal<In, Bits<PLACEMENT>>,
        /// Tree: visit count of the child.
        pub visits: Signal<In, Bits<18>>,
        /// Tree: value of the child, in units of 2^-16.
        pub value: Signal<In, Bits<16>>,
        /// Tree: high if that value is proven.
        pub proven: Signal<In, Bit>,
        /// Tree: link of the child.
        pub next_node: Signal<In, Bits<NODE>>,
        /// Tree: side to move at the node of the child.
        pub node_side: Signal<In, Bit>,
        /// Tree: number of children of that node.
        pub node_children: Signal<In, Bits<6>>,
        state: DFF<SchedulerState>,
        has_best: DFF<Bit>,
        best_placement: DFF<Bits<PLACEMENT>>,
        // Children that are not proven: one exists, the highest visit count, the value of that
        // child.
        unproven_found: DFF<Bit>,
        unproven_visits: DFF<Bits<18>>,
        unproven_value: DFF<Bits<16>>,
        // Proven children: one exists, the best value, the placement of that child.
        proven_found: DFF<Bit>,
        proven_value: DFF<Bits<16>>,
        proven_placement: DFF<Bits<PLACEMENT>>,
        // With `final_wins`: value and placement of the child that is weighed, its product one cycle
        // later, and the highest product.
        weighed_value: DFF<Bits<16>>,
        weighed_placement: DFF<Bits<PLACEMENT>>,
        multiplier: Multiplier<18, 16, PRODUCT> = given,
        unproven_product: DFF<Bits<PRODUCT>>,
        children: DFF<Bits<6>>,
        read_index: DFF<Bits<6>>,
        // High if `reading` was high for a cycle: the way from `state` to the tree is long.
        child_addressed: DFF<Bit>,
        started: DFF<Bits<18>>,
        // Number of simulations of the last `think`, and of the `ponder` before it.
        reported: DFF<Bits<18>>,
        pondered_before: DFF<Bits<18>>,
        // High from a `ponder` to the next `think`.
        pondering: DFF<Bit>,
        // High while the position is that of the `ponder`, or the one after a reply to it.
        usable: DFF<Bit>,
        // High after that reply, and the reply.
        reply_known: DFF<Bit>,
        reply_placement: DFF<Bits<PLACEMENT>>,
        root: DFF<Bits<NODE>>,
        in_flight: DFF<Bits<4>>,
        // Core of the requests: the oldest one in `Await` and `Backup`, else the next one. It has a
        // register since the way to the cores is long.
        addressed_lane: DFF<Bits<3>>,
        next_lane: DFF<Bits<3>>,
        oldest_lane: DFF<Bits<3>>,
        timer: DFF<Bits<32>>,
        end_requested: DFF<Bit>,
        after_next_lane: Signal<Local, Bits<3>>,
        after_oldest_lane: Signal<Local, Bits<3>>,
        ending: Signal<Local, Bit>,
        is_link: Signal<Local, Bit>,
        game_end: Constant<Bits<NODE>> = given,
        lanes: Constant<Bits<4>> = given,
        last_lane: Constant<Bits<3>> = given,
        simulation_limit: Constant<Bits<18>> = given,
        deadline_cycles: Constant<Bits<32>> = given,
        final_wins: Constant<Bit> = given,
    }
}

impl Scheduler {
    /// Creates a scheduler for `lanes` cores that ends a search after `simulation_limit`
    /// simulations or `deadline_cycles` cycles. With `final_wins`, it names the child with the greatest
    /// product of visit count and value, not the most visited one.
    ///
    /// # Panics
    /// If `lanes` is not 1 to 8.
    pub fn new(lanes: usize, limit: u32, deadline: u32, final_wins: bool) -> Self {
        assert!((1..=8).contains(&lanes), "there are one to eight cores");
        Self::from(SchedulerParts {
            game_end: Constant::new(END.to_bits()),
            lanes: Constant::new(lanes.to_bits()),
            last_lane: Constant::new((lanes - 1).to_bits()),
            simulation_limit: Constant::new(limit.to_bits()),
            deadline_cycles: Constant::new(deadline.to_bits()),
            multiplier: Multiplier::unsigned(),
            final_wins: Constant::new(final_wins),
        })
    }
}
