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
//! - `limit` simulations have started;
//! - `deadline` cycles have passed;
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
pub enum Scheduling {
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
    Learn,
    /// Waits for the descent of a new simulation.
    Fly,
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
        pub grow: Signal<Out, Bit>,
        /// Node builder: high while it is busy.
        pub growing: Signal<In, Bit>,
        /// Node builder: number of children of the node.
        pub count: Signal<In, Bits<6>>,
        /// Node builder: placement of the first child.
        pub first: Signal<In, Bits<PLACEMENT>>,

        // Descent and backup of simulations. A request is a pulse; the unit is busy from the next
        // cycle.
        /// Descent: starts a simulation on core `lane`.
        pub fly: Signal<Out, Bit>,
        /// Descent: high while it is busy.
        pub flying: Signal<In, Bit>,
        /// Descent: high if it found the root solved.
        pub settled: Signal<In, Bit>,
        /// Backup: backs the result of core `lane` up.
        pub learn: Signal<Out, Bit>,
        /// Backup: high while it is busy.
        pub learning: Signal<In, Bit>,
        /// Core of these requests.
        pub lane: Signal<Out, Bits<3>>,
        /// Core: high if core `lane` is not playing or does not exist.
        pub finished: Signal<In, Bit>,

        // Tree: clear, and a scan of the root's children at the end.
        /// Tree: discards all nodes. Cores: load their seeds.
        pub clear: Signal<Out, Bit>,
        /// Tree: high while a job can be accepted.
        pub idle: Signal<In, Bit>,
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
        pub sure: Signal<In, Bit>,
        state: DFF<Scheduling>,
        any: DFF<Bit>,
        top: DFF<Bits<PLACEMENT>>,
        // Children that are not proven: one exists, the highest visit count, the value of that
        // child.
        open: DFF<Bit>,
        most: DFF<Bits<18>>,
        worth: DFF<Bits<16>>,
        // Proven children: one exists, the best value, the placement of that child.
        safe: DFF<Bit>,
        safe_worth: DFF<Bits<16>>,
        safe_top: DFF<Bits<PLACEMENT>>,
        children: DFF<Bits<6>>,
        at: DFF<Bits<6>>,
        begun: DFF<Bits<18>>,
        away: DFF<Bits<4>>,
        young: DFF<Bits<3>>,
        old: DFF<Bits<3>>,
        timer: DFF<Bits<32>>,
        over: DFF<Bit>,
        after_young: Signal<Local, Bits<3>>,
        after_old: Signal<Local, Bits<3>>,
        ending: Signal<Local, Bit>,
        lanes: Constant<Bits<4>> = given,
        last: Constant<Bits<3>> = given,
        limit: Constant<Bits<18>> = given,
        deadline: Constant<Bits<32>> = given,
    }
}

impl Scheduler {
    /// Creates a scheduler for `lanes` cores that ends a search after `limit` simulations or
    /// `deadline` cycles.
    ///
    /// # Panics
    /// If `lanes` is not 1 to 8.
    pub fn new(lanes: usize, limit: u32, deadline: u32) -> Self {
        assert!((1..=8).contains(&lanes), "there are one to eight cores");
        Self::from(SchedulerParts {
            lanes: Constant::new(lanes.to_bits()),
            last: Constant::new((lanes - 1).to_bits()),
            limit: Constant::new(limit.to_bits()),
            deadline: Constant::new(deadline.to_bits()),
        })
    }
}

impl Logic for Scheduler {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, any, top, open, most, worth, safe);
        dff_setup!(self, clock, safe_worth, safe_top, children, at, begun);
        dff_setup!(self, clock, away, young, old, timer, over);
        self.busy.next = self.state.q.val() != Scheduling::Idle;
        self.found.next = self.any.q.val();
        self.best.next = self.top.q.val();
        self.simulations.next = self.begun.q.val();
        self.grow.next = false;
        self.fly.next = false;
        self.learn.next = false;
        self.lane.next = self.young.q.val();
        self.clear.next = false;
        self.read.next = false;
        self.reading.next = self.state.q.val() == Scheduling::Read;
        self.child.next = self.at.q.val().get_bits::<5>(0);
        self.after_young.next = self.young.q.val() + 1;
        if self.young.q.val() == self.last.val() {
            self.after_young.next = bits::<3>(0);
        }
        self.after_old.next = self.old.q.val() + 1;
        if self.old.q.val() == self.last.val() {
            self.after_old.next = bits::<3>(0);
        }

        // Termination.
        if self.timer.q.val() == self.deadline.val() {
            self.over.d.next = true;
        } else {
            self.timer.d.next = self.timer.q.val() + 1;
        }
        if self.stop.val() {
            self.over.d.next = true;
        }
        self.ending.next = self.over.q.val() | (self.begun.q.val() == self.limit.val());

        match self.state.q.val() {
            Scheduling::Idle => {
                self.timer.d.next = bits::<32>(0);
                self.over.d.next = false;
                if self.think.val() {
                    self.any.d.next = false;
                    self.open.d.next = false;
                    self.safe.d.next = false;
                    self.at.d.next = bits::<6>(0);
                    self.begun.d.next = bits::<18>(0);
                    self.away.d.next = bits::<4>(0);
                    self.young.d.next = bits::<3>(0);
                    self.old.d.next = bits::<3>(0);
                    self.state.d.next = Scheduling::Begin;
                }
            }
            Scheduling::Begin => {
                if self.idle.val() {
                    self.state.d.next = Scheduling::Clear;
                }
            }
            Scheduling::Clear => {
                self.clear.next = true;
                self.grow.next = true;
                self.state.d.next = Scheduling::Root;
            }
            Scheduling::Root => {
                if !self.growing.val() {
                    self.any.d.next = self.count.val().any();
                    self.top.d.next = self.first.val();
                    self.children.d.next = self.count.val();
                    if self.count.val() > bits::<6>(1) {
                        self.state.d.next = Scheduling::Choose;
                    } else {
                        self.state.d.next = Scheduling::Idle;
                    }
                }
            }
            Scheduling::Choose => {
                if (self.away.q.val() == self.lanes.val())
                    | (self.ending.val() & self.away.q.val().any())
                {
                    self.state.d.next = Scheduling::Await;
                } else if self.ending.val() {
                    self.state.d.next = Scheduling::Read;
                } else {
                    self.fly.next = true;
                    self.state.d.next = Scheduling::Fly;
                }
            }
            Scheduling::Await => {
                self.lane.next = self.old.q.val();
                if self.finished.val() {
                    self.learn.next = true;
                    self.state.d.next = Scheduling::Learn;
                }
            }
            Scheduling::Learn => {
                self.lane.next = self.old.q.val();
                if !self.learning.val() {
                    self.away.d.next = self.away.q.val() - 1;
                    self.old.d.next = self.after_old.val();
                    self.state.d.next = Scheduling::Choose;
                }
            }
            Scheduling::Fly => {
                if !self.flying.val() {
                    if self.settled.val() {
                        self.over.d.next = true;
                    }
                    self.begun.d.next = self.begun.q.val() + 1;
                    self.away.d.next = self.away.q.val() + 1;
                    self.young.d.next = self.after_young.val();
                    self.state.d.next = Scheduling::Choose;
                }
            }
            Scheduling::Read => {
                if self.at.q.val() == self.children.q.val() {
                    if self.safe.q.val()
                        & ((!self.open.q.val()) | (self.safe_worth.q.val() >= self.worth.q.val()))
                    {
                        self.top.d.next = self.safe_top.q.val();
                    }
                    self.state.d.next = Scheduling::Idle;
                } else if self.idle.val() {
                    self.read.next = true;
                    self.state.d.next = Scheduling::Compare;
                }
            }
            Scheduling::Compare => {
                if self.was_read.val() {
                    // The first of equal children counts.
                    if self.sure.val() {
                        if (!self.safe.q.val()) | (self.value.val() > self.safe_worth.q.val()) {
                            self.safe.d.next = true;
                            self.safe_worth.d.next = self.value.val();
                            self.safe_top.d.next = self.placement.val();
                        }
                    } else if (!self.open.q.val()) | (self.visits.val() > self.most.q.val()) {
                        self.open.d.next = true;
                        self.most.d.next = self.visits.val();
                        self.worth.d.next = self.value.val();
                        self.top.d.next = self.placement.val();
                    }
                    self.at.d.next = self.at.q.val() + 1;
                    self.state.d.next = Scheduling::Read;
                } else if self.idle.val() {
                    self.state.d.next = Scheduling::Idle;
                }
            }
            _ => {
                self.state.d.next = Scheduling::Idle;
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
