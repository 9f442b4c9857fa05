//! Scheduler: sequences a search from the root's node to the best placement.
//!
//! The scheduler makes the root's node, then starts simulations on the cores in turn. It backs
//! their results up in the same order. In the end it names the most visited child, or a proven
//! child whose value is at least as high.
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
//! The scheduler terminates from every state. If the tree is idle while the scheduler waits for a
//! child, the tree has no such job. The search then ends with its result so far.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::position_ring::PLACEMENT;
use crate::block::block;

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
}

block! {
    /// Sequencer of a search.
    pub struct Scheduler from SchedulerParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Request and result of a search.
        /// Starts a search.
        pub think: Signal<In, Bit>,
        /// Ends the search once the simulations in flight have been backed up.
        pub stop: Signal<In, Bit>,
        /// High while a search is running.
        pub busy: Signal<Out, Bit>,
        /// High if `best` holds a placement.
        pub found: Signal<Out, Bit>,
        /// Best placement; while `busy` is high, the one with the highest prior.
        pub best: Signal<Out, Bits<PLACEMENT>>,
        /// Number of simulations of the last search.
        pub simulations: Signal<Out, Bits<18>>,

        // Node builder: the root's node.
        /// Node builder: makes the root's node, with side 0 to move.
        pub expand: Signal<Out, Bit>,
        /// Node builder: high while it is busy.
        pub builder_busy: Signal<In, Bit>,
        /// Node builder: number of children of the node.
        pub child_count: Signal<In, Bits<6>>,
        /// Node builder: placement of the first child.
        pub first_placement: Signal<In, Bits<PLACEMENT>>,

        // Descent and backup of simulations. A request is a pulse; the unit is busy from the next
        // cycle.
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

        // Tree: clear, and a scan of the root's children at the end.
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
        children: DFF<Bits<6>>,
        read_index: DFF<Bits<6>>,
        started: DFF<Bits<18>>,
        in_flight: DFF<Bits<4>>,
        next_lane: DFF<Bits<3>>,
        oldest_lane: DFF<Bits<3>>,
        timer: DFF<Bits<32>>,
        end_requested: DFF<Bit>,
        after_next_lane: Signal<Local, Bits<3>>,
        after_oldest_lane: Signal<Local, Bits<3>>,
        ending: Signal<Local, Bit>,
        lanes: Constant<Bits<4>> = given,
        last_lane: Constant<Bits<3>> = given,
        simulation_limit: Constant<Bits<18>> = given,
        deadline_cycles: Constant<Bits<32>> = given,
    }
}

impl Scheduler {
    /// Creates a scheduler for `lanes` cores that ends a search after `simulation_limit`
    /// simulations or `deadline_cycles` cycles.
    ///
    /// # Panics
    /// If `lanes` is not 1 to 8.
    pub fn new(lanes: usize, limit: u32, deadline: u32) -> Self {
        assert!((1..=8).contains(&lanes), "there are one to eight cores");
        Self::from(SchedulerParts {
            lanes: Constant::new(lanes.to_bits()),
            last_lane: Constant::new((lanes - 1).to_bits()),
            simulation_limit: Constant::new(limit.to_bits()),
            deadline_cycles: Constant::new(deadline.to_bits()),
        })
    }
}

impl Logic for Scheduler {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            has_best,
            best_placement,
            unproven_found,
            unproven_visits,
            unproven_value,
            proven_found
        );
        dff_setup!(
            self,
            clock,
            proven_value,
            proven_placement,
            children,
            read_index,
            started
        );
        dff_setup!(
            self,
            clock,
            in_flight,
            next_lane,
            oldest_lane,
            timer,
            end_requested
        );
        self.busy.next = self.state.q.val() != SchedulerState::Idle;
        self.found.next = self.has_best.q.val();
        self.best.next = self.best_placement.q.val();
        self.simulations.next = self.started.q.val();
        self.expand.next = false;
        self.simulate.next = false;
        self.backup.next = false;
        self.lane.next = self.next_lane.q.val();
        self.clear.next = false;
        self.read.next = false;
        self.reading.next = self.state.q.val() == SchedulerState::Read;
        self.child.next = self.read_index.q.val().get_bits::<5>(0);
        self.after_next_lane.next = self.next_lane.q.val() + 1;
        if self.next_lane.q.val() == self.last_lane.val() {
            self.after_next_lane.next = bits::<3>(0);
        }
        self.after_oldest_lane.next = self.oldest_lane.q.val() + 1;
        if self.oldest_lane.q.val() == self.last_lane.val() {
            self.after_oldest_lane.next = bits::<3>(0);
        }

        // Termination.
        if self.timer.q.val() == self.deadline_cycles.val() {
            self.end_requested.d.next = true;
        } else {
            self.timer.d.next = self.timer.q.val() + 1;
        }
        if self.stop.val() {
            self.end_requested.d.next = true;
        }
        self.ending.next =
            self.end_requested.q.val() | (self.started.q.val() == self.simulation_limit.val());

        match self.state.q.val() {
            SchedulerState::Idle => {
                self.timer.d.next = bits::<32>(0);
                self.end_requested.d.next = false;
                if self.think.val() {
                    self.has_best.d.next = false;
                    self.unproven_found.d.next = false;
                    self.proven_found.d.next = false;
                    self.read_index.d.next = bits::<6>(0);
                    self.started.d.next = bits::<18>(0);
                    self.in_flight.d.next = bits::<4>(0);
                    self.next_lane.d.next = bits::<3>(0);
                    self.oldest_lane.d.next = bits::<3>(0);
                    self.state.d.next = SchedulerState::Begin;
                }
            }
            SchedulerState::Begin => {
                if self.tree_idle.val() {
                    self.state.d.next = SchedulerState::Clear;
                }
            }
            SchedulerState::Clear => {
                self.clear.next = true;
                self.expand.next = true;
                self.state.d.next = SchedulerState::Root;
            }
            SchedulerState::Root => {
                if !self.builder_busy.val() {
                    self.has_best.d.next = self.child_count.val().any();
                    self.best_placement.d.next = self.first_placement.val();
                    self.children.d.next = self.child_count.val();
                    if self.child_count.val() > bits::<6>(1) {
                        self.state.d.next = SchedulerState::Choose;
                    } else {
                        self.state.d.next = SchedulerState::Idle;
                    }
                }
            }
            SchedulerState::Choose => {
                if (self.in_flight.q.val() == self.lanes.val())
                    | (self.ending.val() & self.in_flight.q.val().any())
                {
                    self.state.d.next = SchedulerState::Await;
                } else if self.ending.val() {
                    self.state.d.next = SchedulerState::Read;
                } else {
                    self.simulate.next = true;
                    self.state.d.next = SchedulerState::Simulate;
                }
            }
            SchedulerState::Await => {
                self.lane.next = self.oldest_lane.q.val();
                if self.finished.val() {
                    self.backup.next = true;
                    self.state.d.next = SchedulerState::Backup;
                }
            }
            SchedulerState::Backup => {
                self.lane.next = self.oldest_lane.q.val();
                if !self.backup_busy.val() {
                    self.in_flight.d.next = self.in_flight.q.val() - 1;
                    self.oldest_lane.d.next = self.after_oldest_lane.val();
                    self.state.d.next = SchedulerState::Choose;
                }
            }
            SchedulerState::Simulate => {
                if !self.descent_busy.val() {
                    if self.root_solved.val() {
                        self.end_requested.d.next = true;
                    }
                    self.started.d.next = self.started.q.val() + 1;
                    self.in_flight.d.next = self.in_flight.q.val() + 1;
                    self.next_lane.d.next = self.after_next_lane.val();
                    self.state.d.next = SchedulerState::Choose;
                }
            }
            SchedulerState::Read => {
                if self.read_index.q.val() == self.children.q.val() {
                    if self.proven_found.q.val()
                        & ((!self.unproven_found.q.val())
                            | (self.proven_value.q.val() >= self.unproven_value.q.val()))
                    {
                        self.best_placement.d.next = self.proven_placement.q.val();
                    }
                    self.state.d.next = SchedulerState::Idle;
                } else if self.tree_idle.val() {
                    self.read.next = true;
                    self.state.d.next = SchedulerState::Compare;
                }
            }
            SchedulerState::Compare => {
                if self.was_read.val() {
                    // The first of equal children counts.
                    if self.proven.val() {
                        if (!self.proven_found.q.val())
                            | (self.value.val() > self.proven_value.q.val())
                        {
                            self.proven_found.d.next = true;
                            self.proven_value.d.next = self.value.val();
                            self.proven_placement.d.next = self.placement.val();
                        }
                    } else if (!self.unproven_found.q.val())
                        | (self.visits.val() > self.unproven_visits.q.val())
                    {
                        self.unproven_found.d.next = true;
                        self.unproven_visits.d.next = self.visits.val();
                        self.unproven_value.d.next = self.value.val();
                        self.best_placement.d.next = self.placement.val();
                    }
                    self.read_index.d.next = self.read_index.q.val() + 1;
                    self.state.d.next = SchedulerState::Read;
                } else if self.tree_idle.val() {
                    self.state.d.next = SchedulerState::Idle;
                }
            }
            _ => {
                self.state.d.next = SchedulerState::Idle;
            }
        }
    }
}

/// Turn of a core in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneTurn {
    /// Starts a simulation on the core.
    Simulate(u64),
    /// Backs up the result of the core.
    BackUp(u64),
}

/// Returns the turns of the cores in a search of this number of simulations: the twin function of
/// this block. Simulations start on the cores in turn. Each result is backed up before the next
/// simulation of its core.
pub fn twin(lanes: u64, simulations: u64) -> Vec<LaneTurn> {
    let (mut begun, mut ended) = (0, 0);
    let mut turns = Vec::new();
    while ended < simulations {
        if begun < simulations && begun - ended < lanes {
            turns.push(LaneTurn::Simulate(begun % lanes));
            begun += 1;
        } else {
            turns.push(LaneTurn::BackUp(ended % lanes));
            ended += 1;
        }
    }
    turns
}
