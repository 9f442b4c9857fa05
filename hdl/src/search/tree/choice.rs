//! The best one of many children that come in pairs; of equal ones the first.
//!
//! Timing: a pair that is there with `valid` at a rising edge is a part of the choice from then on.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::bank::{NODE, SCORE};
use crate::search::field::PLACEMENT;

/// Keeps the best one.
#[derive(LogicBlock, Default)]
pub struct Choice {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// A pair is there.
    pub valid: Signal<In, Bit>,
    /// It is the first one.
    pub first: Signal<In, Bit>,
    /// Its number.
    pub pair: Signal<In, Bits<4>>,
    /// The one with the even number takes part.
    pub even: Signal<In, Bit>,
    /// The one with the odd number takes part.
    pub odd: Signal<In, Bit>,
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
    /// There is a best one.
    pub any: Signal<Out, Bit>,
    /// Its score.
    pub score: Signal<Out, Bits<SCORE>>,
    /// Its number.
    pub child: Signal<Out, Bits<5>>,
    /// Its placement.
    pub placement: Signal<Out, Bits<PLACEMENT>>,
    /// Its visits.
    pub visits: Signal<Out, Bits<18>>,
    /// Its value.
    pub value: Signal<Out, Bits<16>>,
    /// What it leads to.
    pub leads: Signal<Out, Bits<NODE>>,
    found: DFF<Bit>,
    best_score: DFF<Bits<SCORE>>,
    best_child: DFF<Bits<5>>,
    best_placement: DFF<Bits<PLACEMENT>>,
    best_visits: DFF<Bits<18>>,
    best_value: DFF<Bits<16>>,
    best_leads: DFF<Bits<NODE>>,
    odd_higher: Signal<Local, Bit>,
    take_odd: Signal<Local, Bit>,
    higher: Signal<Local, Bits<SCORE>>,
    takes_part: Signal<Local, Bit>,
    even_child: Signal<Local, Bits<5>>,
}

impl Logic for Choice {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, found, best_score, best_child, best_placement);
        dff_setup!(self, clock, best_visits, best_value, best_leads);
        self.odd_higher.next = self.scores[1].val() > self.scores[0].val();
        self.take_odd.next = self.odd.val() & ((!self.even.val()) | self.odd_higher.val());
        self.higher.next = self.scores[0].val();
        if self.take_odd.val() {
            self.higher.next = self.scores[1].val();
        }
        self.takes_part.next = self.even.val() | self.odd.val();
        if self.valid.val() {
            self.found.d.next = self.takes_part.val() | (self.found.q.val() & (!self.first.val()));
        }
        self.even_child.next = bit_cast::<5, 4>(self.pair.val()) << 1;
        if self.valid.val()
            & self.takes_part.val()
            & (self.first.val()
                | (!self.found.q.val())
                | (self.higher.val() > self.best_score.q.val()))
        {
            self.best_score.d.next = self.higher.val();
            self.best_child.d.next = self.even_child.val();
            self.best_placement.d.next = self.placements[0].val();
            self.best_visits.d.next = self.visit_counts[0].val();
            self.best_value.d.next = self.values[0].val();
            self.best_leads.d.next = self.nexts[0].val();
            if self.take_odd.val() {
                self.best_child.d.next = self.even_child.val() | bits::<5>(1);
                self.best_placement.d.next = self.placements[1].val();
                self.best_visits.d.next = self.visit_counts[1].val();
                self.best_value.d.next = self.values[1].val();
                self.best_leads.d.next = self.nexts[1].val();
            }
        }
        self.any.next = self.found.q.val();
        self.score.next = self.best_score.q.val();
        self.child.next = self.best_child.q.val();
        self.placement.next = self.best_placement.q.val();
        self.visits.next = self.best_visits.q.val();
        self.value.next = self.best_value.q.val();
        self.leads.next = self.best_leads.q.val();
    }
}
