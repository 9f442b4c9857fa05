//! Descent: selects a path for one simulation and hands the simulation to a playout core.
//!
//! At each node the tree selects a child. The core stamps its placement while the tree selects the
//! next child. A leaf whose visit count exceeds the expansion threshold becomes a node on the way.
//! The core copies the root in the revolution of the first placement. It starts the playout in the
//! revolution of the last one.
//!
//! If the tree reports a proven alternative to the selected child, this simulation tries to prove
//! that child: from there on leaves become nodes at once.
//!
//! The descent terminates from every state. If the tree is idle while the descent waits for a
//! child, the tree has no such job, and the descent ends. A path of [`LONGEST`] placements, which
//! no game has, goes to the playout.
//!
//! Timing: `fly` is sampled while `busy` is low; `busy` rises one cycle later.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::placement_list::{MOVE, StepWord};
use super::position_ring::PLACEMENT;
use super::tree::bank::END;
use crate::block::block;
use crate::word::{ShiftBy, bit};

/// Path length in placements at which the playout starts in any case.
///
/// A game has at most 42 placements. The number 48 needs a test of the two highest of six bits
/// only.
pub const LONGEST: u64 = 48;

/// State of the descent.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Descending {
    /// No simulation.
    Idle,
    /// Requests a child from the tree.
    Select,
    /// Waits for the selected child.
    Wait,
    /// Evaluates the link of the child.
    Look,
    /// Waits for the expansion of the child.
    Grow,
    /// Writes the new node's number into the child.
    Link,
    /// Starts the core with the placement of the child.
    Place,
}

block! {
    /// Selection phase of one simulation.
    pub struct Descent from DescentParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Handshake with the scheduler.
        /// Starts a simulation.
        pub fly: Signal<In, Bit>,
        /// High while a simulation is on its way down.
        pub busy: Signal<Out, Bit>,

        // Playout core: one revolution per placement of the path.
        /// High while the root's field can start a revolution.
        pub root_idle: Signal<In, Bit>,
        /// Core: high while `start` can be accepted.
        pub ready: Signal<In, Bit>,
        /// Core: starts a revolution with the placement of `step`.
        pub start: Signal<Out, Bit>,
        /// Core: with `start`, copies the root; the root's field starts in the same cycle.
        pub take: Signal<Out, Bit>,
        /// Core: with `start`, plays the game to its end.
        pub finish: Signal<Out, Bit>,

        // Placement list of the simulation.
        /// List: appends `step`.
        pub append: Signal<Out, Bit>,
        /// List: placement, its child and node, and what the tree reported; see
        /// [`super::placement_list`].
        pub step: Signal<Out, Bits<MOVE>>,

        // Tree: request and result of a selection.
        /// Tree: high while a job can be accepted.
        pub idle: Signal<In, Bit>,
        /// Tree: high if no further node can be opened.
        pub full: Signal<In, Bit>,
        /// Tree: selects a child of `node`.
        pub select: Signal<Out, Bit>,
        /// Tree: node of the job.
        pub node: Signal<Out, Bits<12>>,
        /// Tree: high for one cycle when a child is selected.
        pub selected: Signal<In, Bit>,
        /// Tree: number of the child.
        pub selected_child: Signal<In, Bits<5>>,
        /// Tree: placement of the child.
        pub selected_placement: Signal<In, Bits<PLACEMENT>>,
        /// Tree: visit count of the child, including this visit.
        pub selected_visits: Signal<In, Bits<18>>,
        /// Tree: value of the child for the side that places it, in units of 2^-16.
        pub selected_value: Signal<In, Bits<16>>,
        /// Tree: link of the child: 0 for a leaf, [`END`] for the end of the game, else a node.
        pub selected_next: Signal<In, Bits<12>>,
        /// Tree: side that places the child.
        pub selected_side: Signal<In, Bit>,
        /// Tree: high if a proven alternative to the child exists.
        pub selected_better: Signal<In, Bit>,
        /// Tree: proven value of the alternative, in units of 2^-16.
        pub selected_best: Signal<In, Bits<16>>,
        /// Tree: high if the node is solved.
        pub selected_settled: Signal<In, Bit>,
        /// High if the root was solved in the last simulation.
        pub settled: Signal<Out, Bit>,

        // Tree: link of a child that has become a node.
        /// Tree: high if the next job is a `link`.
        pub linking: Signal<Out, Bit>,
        /// Tree: makes `child` of `node` lead to `leads_to`.
        pub link: Signal<Out, Bit>,
        /// Tree: number of the child.
        pub child: Signal<Out, Bits<5>>,
        /// Tree: new link of the child.
        pub leads_to: Signal<Out, Bits<12>>,

        // Node builder: expansion of a leaf.
        /// Node builder: makes a node of the position after the placements of the list.
        pub grow: Signal<Out, Bit>,
        /// Node builder: number of these placements.
        pub depth: Signal<Out, Bits<6>>,
        /// Node builder: side to move at the position.
        pub grow_side: Signal<Out, Bit>,
        /// Node builder: value of the position for side 0, in units of 2^-16.
        pub grow_value: Signal<Out, Bits<16>>,
        /// Node builder: high while it is busy.
        pub growing: Signal<In, Bit>,
        /// Node builder: number of the node that it made, or [`END`].
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
        ended: Constant<Bits<12>> = given,
        threshold: Constant<Bits<18>> = given,
        settled_bit: Constant<Bits<MOVE>> = given,
        better_bit: Constant<Bits<MOVE>> = given,
    }
}

impl Descent {
    /// Creates a descent that expands a leaf once it has more than `threshold` visits.
    pub fn new(threshold: u32) -> Self {
        Self::from(DescentParts {
            ended: Constant::new(END.to_bits()),
            threshold: Constant::new(threshold.to_bits()),
            settled_bit: Constant::new(bit(StepWord::SOLVED).to_bits()),
            better_bit: Constant::new(bit(StepWord::ALTERNATIVE).to_bits()),
        })
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
        self.marks.next = bits::<52>(StepWord::STEP);
        if self.mover.q.val() {
            self.marks.next = bits::<52>(StepWord::STEP_BY_SIDE_1);
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
            | (bit_cast::<52, 5>(self.chosen.q.val()) << StepWord::CHILD.val())
            | (bit_cast::<52, 12>(self.at.q.val()) << StepWord::NODE.val())
            | self.known.val()
            | (bit_cast::<52, 16>(self.best.q.val()) << StepWord::VALUE.val());
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
                // The step is in the list one cycle before the grower can read it.
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

/// Child that the tree selects, and the result of its expansion if it becomes a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectedChild {
    /// Number of the child.
    pub child: u64,
    /// Placement of the child, as on a bus.
    pub placement: u64,
    /// Visit count, including this visit.
    pub visits: u64,
    /// Value for the side that places the child, in units of 2^-16.
    pub value: u64,
    /// Link: 0 for a leaf, [`END`] for the end of the game, else a node.
    pub next: u64,
    /// Side that places the child.
    pub side: u64,
    /// True if a proven alternative to the child exists.
    pub better: bool,
    /// Proven value of the alternative, in units of 2^-16.
    pub best: u64,
    /// True if the node of the child is solved.
    pub solved: bool,
    /// True if no further node can be opened.
    pub full: bool,
    /// Number of the node that an expansion of the child makes, or [`END`].
    pub grown: u64,
}

/// Output of the descent to the tree, the placement list, the node builder or the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DescentStep {
    /// Tree: selects a child of the node.
    Select(u64),
    /// List: appends the word, a [`StepWord`].
    Append(u64),
    /// Node builder: side to move, and value of the position for side 0, in units of 2^-16.
    Grow(u64, u64),
    /// Tree: node, number of its child, and the new link of that child.
    Link([u64; 3]),
    /// Core: revolution with the placement that was appended last.
    Start {
        /// True if the core copies the root.
        take: bool,
        /// True if the core plays the game to its end.
        finish: bool,
    },
}

/// Returns the outputs of a descent for the children that the tree selects, and how many of them
/// are used: the twin function of this block.
///
/// If the path is not at its end after the last of the children, the tree has lost its job.
pub fn twin(threshold: u64, selected: &[SelectedChild]) -> (Vec<DescentStep>, usize) {
    let end = u64::from(END);
    let (mut node, mut proving) = (0, false);
    let mut steps = vec![DescentStep::Select(node)];
    for (depth, it) in (0..).zip(selected) {
        // An alternative hides whether the node is solved.
        let mark = match (it.better, it.solved) {
            (true, _) => 1 << StepWord::ALTERNATIVE,
            (false, solved) => u64::from(solved) << StepWord::SOLVED,
        };
        steps.push(DescentStep::Append(
            it.placement << StepWord::PLACEMENT
                | it.side << StepWord::SIDE
                | 1 << StepWord::IN_PATH
                | it.child << StepWord::CHILD
                | node << StepWord::NODE
                | mark
                | it.best << StepWord::VALUE,
        ));
        proving |= it.better;
        let (mut next, mut finish) = (it.next, it.next == 0 || it.next == end || depth >= LONGEST);
        if it.next == 0 && (proving || it.visits > threshold) && !it.full {
            let value = [it.value, 0xffff - it.value][it.side as usize];
            steps.push(DescentStep::Grow(1 - it.side, value));
            steps.push(DescentStep::Link([node, it.child, it.grown]));
            // The step counts by then.
            (next, finish) = (it.grown, it.grown == end || depth + 1 >= LONGEST);
        }
        let take = depth == 0;
        steps.push(DescentStep::Start { take, finish });
        if finish {
            return (steps, depth as usize + 1);
        }
        node = next;
        steps.push(DescentStep::Select(node));
    }
    (steps, selected.len())
}
