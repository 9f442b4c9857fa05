//! Decides what the search does next: makes the root, starts simulations on one core after the other,
//! takes their results up the tree in the same order, and in the end names the most visited child, or one
//! that is surely no worse.
//!
//! A core that has finished waits until its turn comes, so that the order in which the tree learns
//! does not depend on how long the cores take: that makes the search repeatable, and equal to its twin,
//! whose `lanes` are the cores.
//!
//! A search ends after `limit` simulations, after `deadline` clocks, when `stop` is high, or when a
//! simulation found that all values at the root are sure, whichever comes first, and takes the results
//! that are under way with it. With no or one placement it ends at once.
//!
//! It comes to its end from every state: a tree that rests while a child is waited for was not asked for
//! it, and then the search ends with what it has.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::field::PLACEMENT;
use crate::block::block;

/// States of the scheduler.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Scheduling {
    /// Nothing to do.
    Idle,
    /// Waits for the tree, which has to empty its marks after power-up.
    Begin,
    /// Clears it. That takes a clock of its own, since whether the tree is idle is known late in a clock, and
    /// what is cleared lies all over the chip.
    Clear,
    /// The root is made.
    Root,
    /// Chooses what to do next.
    Choose,
    /// Waits for the oldest simulation's core.
    Await,
    /// Its result goes up the tree.
    Learn,
    /// A simulation goes down the tree.
    Fly,
    /// Reads the root's children.
    Read,
    /// Compares one.
    Compare,
}

/// The order of things.
#[derive(LogicBlock)]
pub struct Scheduler {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Starts a search.
    pub think: Signal<In, Bit>,
    /// Ends it soon.
    pub stop: Signal<In, Bit>,
    /// A search is under way.
    pub busy: Signal<Out, Bit>,
    /// There is a best placement.
    pub found: Signal<Out, Bit>,
    /// The best placement: while busy the one with the best prior.
    pub best: Signal<Out, Bits<PLACEMENT>>,
    /// Simulations of the last search.
    pub simulations: Signal<Out, Bits<18>>,
    /// Grower: make the root's node, of side 0.
    pub grow: Signal<Out, Bit>,
    /// Grower: it is at work.
    pub growing: Signal<In, Bit>,
    /// Grower: how many children were found.
    pub count: Signal<In, Bits<6>>,
    /// Grower: the first of them.
    pub first: Signal<In, Bits<PLACEMENT>>,
    /// Descent: start a simulation on core `lane`.
    pub fly: Signal<Out, Bit>,
    /// Descent: one is under way.
    pub flying: Signal<In, Bit>,
    /// Descent: it found that all values at the root are sure.
    pub settled: Signal<In, Bit>,
    /// Ascent: take the result of core `lane` up.
    pub learn: Signal<Out, Bit>,
    /// Ascent: one is under way.
    pub learning: Signal<In, Bit>,
    /// The core that all this is about.
    pub lane: Signal<Out, Bits<3>>,
    /// Core `lane` does not play, or does not exist.
    pub finished: Signal<In, Bit>,
    /// Tree: forget everything; cores: begin their random numbers anew.
    pub clear: Signal<Out, Bit>,
    /// Tree: it can take a job.
    pub idle: Signal<In, Bit>,
    /// Tree: read child `child` of the root.
    pub read: Signal<Out, Bit>,
    /// Tree: the next job is a `read`.
    pub reading: Signal<Out, Bit>,
    /// Tree: which child.
    pub child: Signal<Out, Bits<5>>,
    /// Tree: it is read.
    pub was_read: Signal<In, Bit>,
    /// Tree: its placement.
    pub placement: Signal<In, Bits<PLACEMENT>>,
    /// Tree: its visits.
    pub visits: Signal<In, Bits<18>>,
    /// Tree: its value.
    pub value: Signal<In, Bits<16>>,
    /// Tree: its value is sure.
    pub sure: Signal<In, Bit>,
    state: DFF<Scheduling>,
    any: DFF<Bit>,
    top: DFF<Bits<PLACEMENT>>,
    // Of the children whose values are not sure: there is one, the most visits, their child's value.
    open: DFF<Bit>,
    most: DFF<Bits<18>>,
    worth: DFF<Bits<16>>,
    // Of the others: there is one, the best value, its placement.
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
    lanes: Constant<Bits<4>>,
    last: Constant<Bits<3>>,
    limit: Constant<Bits<18>>,
    deadline: Constant<Bits<32>>,
}

impl Scheduler {
    /// A scheduler for `lanes` cores, at most eight, that ends after `limit` simulations or `deadline`
    /// clocks.
    pub fn new(lanes: usize, limit: u32, deadline: u32) -> Self {
        assert!((1..=8).contains(&lanes), "there are one to eight cores");
        block!(Self {
            lanes: Constant::new(lanes.to_bits()),
            last: Constant::new((lanes - 1).to_bits()),
            limit: Constant::new(limit.to_bits()),
            deadline: Constant::new(deadline.to_bits()),
        } default
            clock think stop busy found best simulations grow growing count first fly flying learn
            settled learning lane finished clear idle read reading child was_read placement visits
            value sure state any top open most worth safe safe_worth safe_top children at begun away
            young old timer over after_young after_old ending
        )
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

        // The end.
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
                    // Of equal ones the first.
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

crate::ported!(Scheduler;
    in think stop growing count first flying settled learning finished idle was_read placement visits
        value sure;
    out busy found best simulations grow fly learn lane clear read reading child
);
