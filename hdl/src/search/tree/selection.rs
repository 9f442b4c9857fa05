//! The child that a selection takes, of many that come in pairs: the best one of those whose value is not
//! sure, or if there is none, the best one of all.
//!
//! Two choices are made side by side, since whether a child is sure is known with its score.
//!
//! Timing: as [`super::choice`]. Twin: `duoforge_engine::search::tree::Tree::select`.

use rust_hdl_core::prelude::*;

use super::NODES;
use super::bank::{NODE, SCORE};
use super::choice::Choice;
use crate::block::block;
use crate::search::field::PLACEMENT;
use crate::search::grower::END;

/// Takes one.
#[derive(LogicBlock)]
pub struct Selection {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// A pair is there.
    pub valid: Signal<In, Bit>,
    /// It is the first one.
    pub first: Signal<In, Bit>,
    /// Its number.
    pub pair: Signal<In, Bits<4>>,
    /// These take part.
    pub present: [Signal<In, Bit>; 2],
    /// Their values are sure.
    pub sures: [Signal<In, Bit>; 2],
    /// Their scores.
    pub scores: [Signal<In, Bits<SCORE>>; 2],
    /// Their placements.
    pub placements: [Signal<In, Bits<PLACEMENT>>; 2],
    /// Their visits.
    pub visit_counts: [Signal<In, Bits<18>>; 2],
    /// Their values.
    pub values: [Signal<In, Bits<16>>; 2],
    /// What they lead to.
    pub nexts: [Signal<In, Bits<NODE>>; 2],
    /// How many children the node has.
    pub len: Signal<In, Bits<6>>,
    /// The number of the child that is taken.
    pub child: Signal<Out, Bits<5>>,
    /// Its placement.
    pub placement: Signal<Out, Bits<PLACEMENT>>,
    /// Its visits.
    pub visits: Signal<Out, Bits<18>>,
    /// Its value.
    pub value: Signal<Out, Bits<16>>,
    /// What it leads to.
    pub leads: Signal<Out, Bits<12>>,
    /// Its value is sure.
    pub sure: Signal<Out, Bit>,
    /// It is not, but that of a better one is.
    pub better: Signal<Out, Bit>,
    /// The best value that is sure.
    pub best: Signal<Out, Bits<16>>,
    /// All values are sure, and there may be no further children.
    pub settled: Signal<Out, Bit>,
    open: Choice,
    safe: Choice,
    following: Signal<Local, Bits<NODE>>,
    most: Constant<Bits<6>>,
    end_outside: Constant<Bits<12>>,
    end_inside: Constant<Bits<NODE>>,
}

impl Selection {
    /// Of nodes that keep so many children.
    pub fn new(children: usize) -> Self {
        block!(Self {
            most: Constant::new(children.to_bits()),
            end_outside: Constant::new(END.to_bits()),
            end_inside: Constant::new(NODES.to_bits()),
        } default
            clock valid first pair present sures scores placements visit_counts values nexts len
            child placement visits value leads sure better best settled open safe following
        )
    }
}

impl Logic for Selection {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, open, safe);
        self.open.valid.next = self.valid.val();
        self.open.first.next = self.first.val();
        self.open.pair.next = self.pair.val();
        self.open.even.next = self.present[0].val() & (!self.sures[0].val());
        self.open.odd.next = self.present[1].val() & (!self.sures[1].val());
        self.safe.valid.next = self.valid.val();
        self.safe.first.next = self.first.val();
        self.safe.pair.next = self.pair.val();
        self.safe.even.next = self.present[0].val() & self.sures[0].val();
        self.safe.odd.next = self.present[1].val() & self.sures[1].val();
        for i in 0..2 {
            self.open.scores[i].next = self.scores[i].val();
            self.open.placements[i].next = self.placements[i].val();
            self.open.visit_counts[i].next = self.visit_counts[i].val();
            self.open.values[i].next = self.values[i].val();
            self.open.nexts[i].next = self.nexts[i].val();
            self.safe.scores[i].next = self.scores[i].val();
            self.safe.placements[i].next = self.placements[i].val();
            self.safe.visit_counts[i].next = self.visit_counts[i].val();
            self.safe.values[i].next = self.values[i].val();
            self.safe.nexts[i].next = self.nexts[i].val();
        }

        self.child.next = self.open.child.val();
        self.placement.next = self.open.placement.val();
        self.visits.next = self.open.visits.val();
        self.value.next = self.open.value.val();
        self.following.next = self.open.leads.val();
        if !self.open.any.val() {
            self.child.next = self.safe.child.val();
            self.placement.next = self.safe.placement.val();
            self.visits.next = self.safe.visits.val();
            self.value.next = self.safe.value.val();
            self.following.next = self.safe.leads.val();
        }
        self.leads.next = bit_cast::<12, 10>(self.following.val());
        if self.following.val() == self.end_inside.val() {
            self.leads.next = self.end_outside.val();
        }
        self.sure.next = !self.open.any.val();
        self.better.next = self.open.any.val()
            & self.safe.any.val()
            & (self.safe.score.val() > self.open.score.val());
        self.best.next = self.safe.value.val();
        self.settled.next = (!self.open.any.val()) & (self.len.val() != self.most.val());
    }
}
