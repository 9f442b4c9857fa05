//! Takes one simulation down the tree and hands it to a playout core.
//!
//! At each node the tree selects a child, and the core stamps its placement while the next one is
//! selected. A leaf that was visited often enough becomes a node on the way. The core takes the root
//! over with the first placement and finishes the game with the last one, each in the same revolution.
//!
//! Where the tree knows a better child than the one it selects, what is behind this one is to be proved,
//! and leaves become nodes at once.
//!
//! From every state it comes to its end: a tree that rests while a child is waited for was asked for none,
//! and a path of [`LONGEST`] placements, which no game has, is played on from there.
//!
//! Timing: `fly` counts while `busy` is low, and `busy` follows one clock later.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::field::PLACEMENT;
use super::grower::END;
use super::moves::MOVE;
use crate::block::block;

/// Placements of a path after which the core plays on, whatever the tree says. A game has 42 at most, and
/// of this number only the two highest of six bits have to be looked at.
pub const LONGEST: u64 = 48;

/// States of the descent.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Descending {
    /// Nothing to do.
    Idle,
    /// Has a child selected.
    Select,
    /// Waits for it.
    Wait,
    /// Looks at where it leads.
    Look,
    /// Waits for the node that it becomes.
    Grow,
    /// Has the node noted in the tree.
    Link,
    /// Has its placement stamped.
    Place,
}

/// Goes down the tree.
#[derive(LogicBlock)]
pub struct Descent {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Starts a simulation.
    pub fly: Signal<In, Bit>,
    /// One is under way.
    pub busy: Signal<Out, Bit>,
    /// The root's field can pass its rows.
    pub root_idle: Signal<In, Bit>,
    /// Core: it can take a job.
    pub ready: Signal<In, Bit>,
    /// Core: start with the placement of `step`.
    pub start: Signal<Out, Bit>,
    /// Core: with `start`, take the root over. The root's field is to start with it.
    pub take: Signal<Out, Bit>,
    /// Core: with `start`, play on to the end.
    pub finish: Signal<Out, Bit>,
    /// List: append `step`.
    pub append: Signal<Out, Bit>,
    /// List: the placement, and where in the tree it is.
    pub step: Signal<Out, Bits<MOVE>>,
    /// Tree: it can take a job.
    pub idle: Signal<In, Bit>,
    /// Tree: no further node has room.
    pub full: Signal<In, Bit>,
    /// Tree: select a child of `node`.
    pub select: Signal<Out, Bit>,
    /// Tree: the node.
    pub node: Signal<Out, Bits<12>>,
    /// Tree: a child is selected.
    pub selected: Signal<In, Bit>,
    /// Tree: which one.
    pub selected_child: Signal<In, Bits<5>>,
    /// Tree: its placement.
    pub selected_placement: Signal<In, Bits<PLACEMENT>>,
    /// Tree: its visits, with this one.
    pub selected_visits: Signal<In, Bits<18>>,
    /// Tree: its value for the side whose placement it is.
    pub selected_value: Signal<In, Bits<16>>,
    /// Tree: what it leads to: 0 nothing yet, [`END`], else a node.
    pub selected_next: Signal<In, Bits<12>>,
    /// Tree: whose placement it is.
    pub selected_side: Signal<In, Bit>,
    /// Tree: a better child's value is sure.
    pub selected_better: Signal<In, Bit>,
    /// Tree: that value.
    pub selected_best: Signal<In, Bits<16>>,
    /// Tree: all children's values are sure.
    pub selected_settled: Signal<In, Bit>,
    /// All values at the root are sure.
    pub settled: Signal<Out, Bit>,
    /// Tree: the next job is a `link`.
    pub linking: Signal<Out, Bit>,
    /// Tree: from now on `child` of `node` leads to `leads_to`.
    pub link: Signal<Out, Bit>,
    /// Tree: the child.
    pub child: Signal<Out, Bits<5>>,
    /// Tree: what it leads to.
    pub leads_to: Signal<Out, Bits<12>>,
    /// Grower: make a node of the position after the placements so far.
    pub grow: Signal<Out, Bit>,
    /// Grower: how many placements those are.
    pub depth: Signal<Out, Bits<6>>,
    /// Grower: whose turn it is there.
    pub grow_side: Signal<Out, Bit>,
    /// Grower: the position's value for side 0.
    pub grow_value: Signal<Out, Bits<16>>,
    /// Grower: it is at work.
    pub growing: Signal<In, Bit>,
    /// Grower: the node that it made, or [`END`].
    pub grown: Signal<In, Bits<12>>,
    state: DFF<Descending>,
    at: DFF<Bits<12>>,
    chosen: DFF<Bits<5>>,
    placement: DFF<Bits<PLACEMENT>>,
    visits: DFF<Bits<18>>,
    value: DFF<Bits<16>>,
    leads: DFF<Bits<12>>,
    mover: DFF<Bit>,
    better: DFF<Bit>,
    best: DFF<Bits<16>>,
    all_sure: DFF<Bit>,
    proving: DFF<Bit>,
    root_settled: DFF<Bit>,
    steps: DFF<Bits<6>>,
    first: DFF<Bit>,
    last: DFF<Bit>,
    ripe: Signal<Local, Bit>,
    far: Signal<Local, Bit>,
    marks: Signal<Local, Bits<MOVE>>,
    known: Signal<Local, Bits<MOVE>>,
    ended: Constant<Bits<12>>,
    threshold: Constant<Bits<18>>,
    settled_bit: Constant<Bits<MOVE>>,
    better_bit: Constant<Bits<MOVE>>,
}

impl Descent {
    /// A descent in which a leaf with more than `threshold` visits becomes a node.
    pub fn new(threshold: u32) -> Self {
        block!(Self {
            ended: Constant::new(END.to_bits()),
            threshold: Constant::new(threshold.to_bits()),
            settled_bit: Constant::new((1_u64 << 34).to_bits()),
            better_bit: Constant::new((1_u64 << 35).to_bits()),
        } default
            clock fly busy root_idle ready start take finish append step idle full select node
            selected selected_child selected_placement selected_visits selected_value selected_next
            selected_side selected_better selected_best selected_settled settled better best
            all_sure linking proving root_settled link child leads_to grow depth grow_side
            grow_value growing grown state at chosen placement visits value leads mover steps first
            last ripe far marks known
        )
    }
}

impl Logic for Descent {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, at, chosen, placement, visits, value);
        dff_setup!(self, clock, leads, mover, steps, first, last);
        dff_setup!(self, clock, better, best, all_sure, proving, root_settled);
        self.settled.next = self.root_settled.q.val();
        self.busy.next = self.state.q.val() != Descending::Idle;
        self.start.next = false;
        self.take.next = self.first.q.val();
        self.finish.next = self.last.q.val();
        self.append.next = false;
        self.select.next = false;
        self.node.next = self.at.q.val();
        self.link.next = false;
        self.linking.next = self.state.q.val() == Descending::Link;
        self.child.next = self.chosen.q.val();
        self.leads_to.next = self.grown.val();
        self.grow.next = false;
        self.depth.next = self.steps.q.val();
        self.grow_side.next = !self.mover.q.val();
        self.grow_value.next = self.value.q.val();
        if self.mover.q.val() {
            self.grow_value.next = !self.value.q.val();
        }
        self.marks.next = bits::<52>(0x1_0000);
        if self.mover.q.val() {
            self.marks.next = bits::<52>(0x1_8000);
        }
        self.known.next = bits::<52>(0);
        if self.all_sure.q.val() {
            self.known.next = self.settled_bit.val();
        }
        if self.better.q.val() {
            self.known.next = self.better_bit.val();
        }
        self.step.next = bit_cast::<52, 15>(self.placement.q.val())
            | self.marks.val()
            | (bit_cast::<52, 5>(self.chosen.q.val()) << 17)
            | (bit_cast::<52, 12>(self.at.q.val()) << 22)
            | self.known.val()
            | (bit_cast::<52, 16>(self.best.q.val()) << 36);
        self.ripe.next = (!self.leads.q.val().any())
            & (self.proving.q.val()
                | self.better.q.val()
                | (self.visits.q.val() > self.threshold.val()))
            & (!self.full.val());

        self.far.next = self.steps.q.val().get_bit(5) & self.steps.q.val().get_bit(4);

        match self.state.q.val() {
            Descending::Idle => {
                self.at.d.next = bits::<12>(0);
                self.steps.d.next = bits::<6>(0);
                self.first.d.next = true;
                self.proving.d.next = false;
                if self.fly.val() {
                    self.state.d.next = Descending::Select;
                }
            }
            Descending::Select => {
                if self.idle.val() {
                    self.select.next = true;
                    self.state.d.next = Descending::Wait;
                }
            }
            Descending::Wait => {
                self.chosen.d.next = self.selected_child.val();
                self.placement.d.next = self.selected_placement.val();
                self.visits.d.next = self.selected_visits.val();
                self.value.d.next = self.selected_value.val();
                self.leads.d.next = self.selected_next.val();
                self.mover.d.next = self.selected_side.val();
                self.better.d.next = self.selected_better.val();
                self.best.d.next = self.selected_best.val();
                self.all_sure.d.next = self.selected_settled.val();
                if self.selected.val() {
                    self.state.d.next = Descending::Look;
                } else if self.idle.val() {
                    self.state.d.next = Descending::Idle;
                }
            }
            Descending::Look => {
                self.append.next = true;
                self.proving.d.next = self.proving.q.val() | self.better.q.val();
                if self.first.q.val() {
                    self.root_settled.d.next = self.all_sure.q.val();
                }
                if !self.far.val() {
                    self.steps.d.next = self.steps.q.val() + 1;
                }
                self.last.d.next = (!self.leads.q.val().any())
                    | (self.leads.q.val() == self.ended.val())
                    | self.far.val();
                self.state.d.next = Descending::Place;
                if self.ripe.val() {
                    self.grow.next = true;
                    self.state.d.next = Descending::Grow;
                }
            }
            Descending::Grow => {
                // The list has the step one clock before it can be read.
                if !self.growing.val() {
                    self.state.d.next = Descending::Link;
                }
            }
            Descending::Link => {
                if self.idle.val() {
                    self.link.next = true;
                    self.leads.d.next = self.grown.val();
                    self.last.d.next = (self.grown.val() == self.ended.val()) | self.far.val();
                    self.state.d.next = Descending::Place;
                }
            }
            Descending::Place => {
                if self.ready.val() & (self.root_idle.val() | (!self.first.q.val())) {
                    self.start.next = true;
                    self.first.d.next = false;
                    self.at.d.next = self.leads.q.val();
                    if self.last.q.val() {
                        self.state.d.next = Descending::Idle;
                    } else {
                        self.state.d.next = Descending::Select;
                    }
                }
            }
            _ => {
                self.state.d.next = Descending::Idle;
            }
        }
    }
}
