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
//! Timing: `simulate` is sampled while `busy` is low; `busy` rises one cycle later.

mod twin;

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::search::placement_list::{MOVE, StepWord};
use crate::search::position_ring::PLACEMENT;
use crate::search::tree::bank::{END, NODE};
use crate::word::{ShiftBy, bit};

pub use twin::{DescentStep, SelectedChild, twin};

/// Path length in placements at which the playout starts in any case.
///
/// A game has at most 42 placements. The number 48 needs a test of the two highest of six bits
/// only.
pub const LONGEST: u64 = 48;

/// State of the descent.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum DescentState {
    /// No simulation.
    Idle,
    /// Requests a child from the tree.
    Select,
    /// Waits for the selected child.
    Wait,
    /// Evaluates the link of the child.
    Evaluate,
    /// Waits for the expansion of the child.
    Expand,
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
        pub simulate: Signal<In, Bit>,
        /// Node at which it starts, sampled in the same cycle.
        pub root_node: Signal<In, Bits<NODE>>,
        /// High while a simulation is on its way down.
        pub busy: Signal<Out, Bit>,

        // Playout core: one revolution per placement of the path.
        /// High while the root's ring can start a revolution.
        pub root_idle: Signal<In, Bit>,
        /// Core: high while `start` can be accepted.
        pub lane_ready: Signal<In, Bit>,
        /// Core: starts a revolution with the placement of `step`.
        pub start: Signal<Out, Bit>,
        /// Core: with `start`, copies the root; the root's ring starts in the same cycle.
        pub take: Signal<Out, Bit>,
        /// Core: with `start`, plays the game to its end.
        pub finish: Signal<Out, Bit>,

        // Placement list of the simulation.
        /// List: appends `step`.
        pub append: Signal<Out, Bit>,
        /// List: placement, its child and node, and what the tree reported; see
        /// [`crate::search::placement_list`].
        pub step: Signal<Out, Bits<MOVE>>,

        // Tree: request and result of a selection.
        /// Tree: high while a job can be accepted.
        pub tree_idle: Signal<In, Bit>,
        /// Tree: high if no further node can be opened.
        pub tree_full: Signal<In, Bit>,
        /// Tree: selects a child of `node`.
        pub select: Signal<Out, Bit>,
        /// Tree: node of the job.
        pub node: Signal<Out, Bits<NODE>>,
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
        pub selected_next_node: Signal<In, Bits<NODE>>,
        /// Tree: side that places the child.
        pub selected_side: Signal<In, Bit>,
        /// Tree: high if a proven alternative to the child exists.
        pub selected_alternative: Signal<In, Bit>,
        /// Tree: proven value of the alternative, in units of 2^-16.
        pub selected_alternative_value: Signal<In, Bits<16>>,
        /// Tree: high if the node is solved.
        pub selected_solved: Signal<In, Bit>,
        /// High if the root was solved in the last simulation.
        pub root_solved: Signal<Out, Bit>,

        // Tree: link of a child that has become a node.
        /// Tree: high if the next job is a `link`.
        pub linking: Signal<Out, Bit>,
        /// Tree: makes `child` of `node` lead to `link_to`.
        pub link: Signal<Out, Bit>,
        /// Tree: number of the child.
        pub child: Signal<Out, Bits<5>>,
        /// Tree: new link of the child.
        pub link_to: Signal<Out, Bits<NODE>>,

        // Node builder: expansion of a leaf.
        /// Node builder: makes a node of the position after the placements of the list.
        pub expand: Signal<Out, Bit>,
        /// Node builder: number of these placements.
        pub depth: Signal<Out, Bits<6>>,
        /// Node builder: side to move at the position.
        pub expand_side: Signal<Out, Bit>,
        /// Node builder: value of the position for side 0, in units of 2^-16.
        pub expand_value: Signal<Out, Bits<16>>,
        /// Node builder: high while it is busy.
        pub builder_busy: Signal<In, Bit>,
        /// Node builder: number of the node that it made, or [`END`].
        pub built_node: Signal<In, Bits<NODE>>,
        state: DFF<DescentState>,
        current_node: DFF<Bits<NODE>>,
        chosen_child: DFF<Bits<5>>,
        placement: DFF<Bits<PLACEMENT>>,
        visits: DFF<Bits<18>>,
        value: DFF<Bits<16>>,
        next_node: DFF<Bits<NODE>>,
        mover: DFF<Bit>,
        alternative: DFF<Bit>,
        alternative_value: DFF<Bits<16>>,
        node_solved: DFF<Bit>,
        proving: DFF<Bit>,
        root_was_solved: DFF<Bit>,
        path_length: DFF<Bits<6>>,
        first_step: DFF<Bit>,
        last_step: DFF<Bit>,
        expandable: Signal<Local, Bit>,
        path_full: Signal<Local, Bit>,
        step_flags: Signal<Local, Bits<MOVE>>,
        proof_flags: Signal<Local, Bits<MOVE>>,
        game_end: Constant<Bits<NODE>> = given,
        expand_threshold: Constant<Bits<18>> = given,
        solved_bit: Constant<Bits<MOVE>> = given,
        alternative_bit: Constant<Bits<MOVE>> = given,
    }
}

impl Descent {
    /// Creates a descent that expands a leaf once it has more than `expand_threshold` visits.
    pub fn new(threshold: u32) -> Self {
        Self::from(DescentParts {
            game_end: Constant::new(END.to_bits()),
            expand_threshold: Constant::new(threshold.to_bits()),
            solved_bit: Constant::new(bit(StepWord::SOLVED).to_bits()),
            alternative_bit: Constant::new(bit(StepWord::ALTERNATIVE).to_bits()),
        })
    }
}

impl Logic for Descent {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            current_node,
            chosen_child,
            placement,
            visits,
            value
        );
        dff_setup!(
            self,
            clock,
            next_node,
            mover,
            path_length,
            first_step,
            last_step
        );
        dff_setup!(
            self,
            clock,
            alternative,
            alternative_value,
            node_solved,
            proving,
            root_was_solved
        );
        self.root_solved.next = self.root_was_solved.q.val();
        self.busy.next = self.state.q.val() != DescentState::Idle;
        self.start.next = false;
        self.take.next = self.first_step.q.val();
        self.finish.next = self.last_step.q.val();
        self.append.next = false;
        self.select.next = false;
        self.node.next = self.current_node.q.val();
        self.link.next = false;
        self.linking.next = self.state.q.val() == DescentState::Link;
        self.child.next = self.chosen_child.q.val();
        self.link_to.next = self.built_node.val();
        self.expand.next = false;
        self.depth.next = self.path_length.q.val();
        self.expand_side.next = !self.mover.q.val();
        self.expand_value.next = self.value.q.val();
        if self.mover.q.val() {
            self.expand_value.next = !self.value.q.val();
        }
        self.step_flags.next = bits::<54>(StepWord::STEP);
        if self.mover.q.val() {
            self.step_flags.next = bits::<54>(StepWord::STEP_BY_SIDE_1);
        }
        self.proof_flags.next = bits::<54>(0);
        if self.node_solved.q.val() {
            self.proof_flags.next = self.solved_bit.val();
        }
        if self.alternative.q.val() {
            self.proof_flags.next = self.alternative_bit.val();
        }
        self.step.next = bit_cast::<54, 15>(self.placement.q.val())
            | self.step_flags.val()
            | (bit_cast::<54, 5>(self.chosen_child.q.val()) << StepWord::CHILD.val())
            | (bit_cast::<54, 14>(self.current_node.q.val()) << StepWord::NODE.val())
            | self.proof_flags.val()
            | (bit_cast::<54, 16>(self.alternative_value.q.val()) << StepWord::VALUE.val());
        self.expandable.next = (!self.next_node.q.val().any())
            & (self.proving.q.val()
                | self.alternative.q.val()
                | (self.visits.q.val() > self.expand_threshold.val()))
            & (!self.tree_full.val());

        self.path_full.next =
            self.path_length.q.val().get_bit(5) & self.path_length.q.val().get_bit(4);

        match self.state.q.val() {
            DescentState::Idle => {
                self.current_node.d.next = self.root_node.val();
                self.path_length.d.next = bits::<6>(0);
                self.first_step.d.next = true;
                self.proving.d.next = false;
                if self.simulate.val() {
                    self.state.d.next = DescentState::Select;
                }
            }
            DescentState::Select => {
                if self.tree_idle.val() {
                    self.select.next = true;
                    self.state.d.next = DescentState::Wait;
                }
            }
            DescentState::Wait => {
                self.chosen_child.d.next = self.selected_child.val();
                self.placement.d.next = self.selected_placement.val();
                self.visits.d.next = self.selected_visits.val();
                self.value.d.next = self.selected_value.val();
                self.next_node.d.next = self.selected_next_node.val();
                self.mover.d.next = self.selected_side.val();
                self.alternative.d.next = self.selected_alternative.val();
                self.alternative_value.d.next = self.selected_alternative_value.val();
                self.node_solved.d.next = self.selected_solved.val();
                if self.selected.val() {
                    self.state.d.next = DescentState::Evaluate;
                } else if self.tree_idle.val() {
                    self.state.d.next = DescentState::Idle;
                }
            }
            DescentState::Evaluate => {
                self.append.next = true;
                self.proving.d.next = self.proving.q.val() | self.alternative.q.val();
                if self.first_step.q.val() {
                    self.root_was_solved.d.next = self.node_solved.q.val();
                }
                if !self.path_full.val() {
                    self.path_length.d.next = self.path_length.q.val() + 1;
                }
                self.last_step.d.next = (!self.next_node.q.val().any())
                    | (self.next_node.q.val() == self.game_end.val())
                    | self.path_full.val();
                self.state.d.next = DescentState::Place;
                if self.expandable.val() {
                    self.expand.next = true;
                    self.state.d.next = DescentState::Expand;
                }
            }
            DescentState::Expand => {
                // The step is in the list one cycle before the node builder can read it.
                if !self.builder_busy.val() {
                    self.state.d.next = DescentState::Link;
                }
            }
            DescentState::Link => {
                if self.tree_idle.val() {
                    self.link.next = true;
                    self.next_node.d.next = self.built_node.val();
                    self.last_step.d.next =
                        (self.built_node.val() == self.game_end.val()) | self.path_full.val();
                    self.state.d.next = DescentState::Place;
                }
            }
            DescentState::Place => {
                if self.lane_ready.val() & (self.root_idle.val() | (!self.first_step.q.val())) {
                    self.start.next = true;
                    self.first_step.d.next = false;
                    self.current_node.d.next = self.next_node.q.val();
                    if self.last_step.q.val() {
                        self.state.d.next = DescentState::Idle;
                    } else {
                        self.state.d.next = DescentState::Select;
                    }
                }
            }
            _ => {
                self.state.d.next = DescentState::Idle;
            }
        }
    }
}
