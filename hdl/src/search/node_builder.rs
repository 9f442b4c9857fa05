//! Node builder: expands a leaf, that is, has the expander find candidates and adds them to the
//! tree.
//!
//! The position is the root plus the first `depth` placements of a list. If the side to move has no
//! legal placement, the builder tries the other side. If neither side has one, the game is over
//! there, and the result is [`END`].
//!
//! The builder terminates from every state. If the expander is idle while the builder waits for its
//! `done`, the expander has no request, and the wait ends.
//!
//! Timing: `expand` is sampled while `busy` is low; `busy` rises one cycle later. An entry reaches
//! the tree one cycle after the expander outputs it, because the first entry opens the node. An
//! expansion requests a free line for the node while `tree_idle` is high, and waits for
//! `tree_idle` once more before it requests candidates.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::placement_list::{MOVE, StepWord};
use super::position_ring::PLACEMENT;
use super::tree::bank::{END, NODE};
use crate::block::block;

/// State of the node builder.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum BuilderState {
    /// No request.
    Idle,
    /// Reads a placement of the list.
    Read,
    /// Stamps the placement. The first revolution copies the root, also if the list is empty.
    Place,
    /// Requests the candidates of a side.
    Request,
    /// Forwards the candidates to the tree.
    Forward,
    /// Has the line of the new node made free in the tree.
    Prepare,
}

block! {
    /// Node builder between expander and tree.
    pub struct NodeBuilder from NodeBuilderParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Request with its operands, and its result.
        /// Starts an expansion or a list.
        pub expand: Signal<In, Bit>,
        /// Number of placements of the list that lead to the position.
        pub depth: Signal<In, Bits<6>>,
        /// Side to move at the position.
        pub side: Signal<In, Bit>,
        /// Value of the position for side 0, in units of 2^-16.
        pub value: Signal<In, Bits<16>>,
        /// With `expand`: high if the other side is not tried.
        pub one_side: Signal<In, Bit>,
        /// With `expand`: lists the legal set instead of making a node.
        pub list: Signal<In, Bit>,
        /// High while a request is running.
        pub busy: Signal<Out, Bit>,
        /// Number of the node that was made, or [`END`].
        pub built_node: Signal<Out, Bits<NODE>>,
        /// Number of children of the node.
        pub child_count: Signal<Out, Bits<6>>,
        /// Placement of the first child, which has the highest prior.
        pub first_placement: Signal<Out, Bits<PLACEMENT>>,

        // Placement list of the simulation.
        /// List: index of the word to read.
        pub index: Signal<Out, Bits<6>>,
        /// List: word at the `index` of the previous cycle.
        pub word: Signal<In, Bits<MOVE>>,

        // Expander: position, then request.
        /// High while the root's ring can start a revolution.
        pub root_idle: Signal<In, Bit>,
        /// Expander: high while a request can be accepted.
        pub expander_idle: Signal<In, Bit>,
        /// Expander: starts a revolution of its ring.
        pub start: Signal<Out, Bit>,
        /// Expander: with `start`, copies the root; the root's ring starts in the same cycle.
        pub take: Signal<Out, Bit>,
        /// Expander: with `start`, stamps `stamped`.
        pub stamp: Signal<Out, Bit>,
        /// Expander: placement to stamp.
        pub stamped: Signal<Out, Bits<PLACEMENT>>,
        /// Expander: requests the candidates.
        pub score: Signal<Out, Bit>,
        /// Expander: requests the legal set.
        pub start_list: Signal<Out, Bit>,
        /// Expander: side for `stamp`, `score` and `start_list`.
        pub expander_side: Signal<Out, Bit>,
        /// Expander: with `score`, value of the position for side 0, in units of 2^-16.
        pub expander_value: Signal<Out, Bits<16>>,

        // Expander: stream of entries.
        /// Expander: high while the inputs below hold an entry.
        pub found: Signal<In, Bit>,
        /// Expander: placement of the entry.
        pub found_placement: Signal<In, Bits<PLACEMENT>>,
        /// Expander: prior of the entry, in units of 2^-16.
        pub found_prior: Signal<In, Bits<16>>,
        /// Expander: initial mean of the entry, in units of 2^-24.
        pub found_mean: Signal<In, Bits<24>>,
        /// Expander: high for one cycle when the request is complete.
        pub done: Signal<In, Bit>,

        // Tree: line of the node, then the same stream one cycle later.
        /// Tree: high while a job can be accepted.
        pub tree_idle: Signal<In, Bit>,
        /// Tree: requests a free line for the next node.
        pub prepare: Signal<Out, Bit>,
        /// Tree: opens a node for `add_side`.
        pub add: Signal<Out, Bit>,
        /// Tree: side to move at the node.
        pub add_side: Signal<Out, Bit>,
        /// Tree: number of the node that was opened last.
        pub added: Signal<In, Bits<NODE>>,
        /// Tree: appends a child to that node.
        pub entry: Signal<Out, Bit>,
        /// Tree: placement of the child.
        pub entry_placement: Signal<Out, Bits<PLACEMENT>>,
        /// Tree: prior of the child, in units of 2^-16.
        pub entry_prior: Signal<Out, Bits<16>>,
        /// Tree: initial mean of the child, in units of 2^-24.
        pub entry_mean: Signal<Out, Bits<24>>,
        state: DFF<BuilderState>,
        last_side: DFF<Bit>,
        list_only: DFF<Bit>,
        current_side: DFF<Bit>,
        position_value: DFF<Bits<16>>,
        next_index: DFF<Bits<6>>,
        children: DFF<Bits<6>>,
        node: DFF<Bits<NODE>>,
        best_placement: DFF<Bits<PLACEMENT>>,
        delayed: DFF<Bit>,
        delayed_placement: DFF<Bits<PLACEMENT>>,
        delayed_prior: DFF<Bits<16>>,
        delayed_mean: DFF<Bits<24>>,
        index_after: Signal<Local, Bits<6>>,
        game_end: Constant<Bits<NODE>> = given,
    }
}

impl Default for NodeBuilder {
    fn default() -> Self {
        Self::from(NodeBuilderParts {
            game_end: Constant::new(END.to_bits()),
        })
    }
}

impl Logic for NodeBuilder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            last_side,
            current_side,
            position_value,
            next_index,
            children
        );
        dff_setup!(
            self,
            clock,
            list_only,
            node,
            best_placement,
            delayed,
            delayed_placement
        );
        dff_setup!(self, clock, delayed_prior, delayed_mean);
        self.busy.next = self.state.q.val() != BuilderState::Idle;
        self.built_node.next = self.node.q.val();
        self.child_count.next = self.children.q.val();
        self.first_placement.next = self.best_placement.q.val();
        self.index.next = self.next_index.q.val();
        self.index_after.next = self.next_index.q.val() + 1;
        self.start.next = false;
        self.take.next = !self.next_index.q.val().any();
        self.stamp.next = self.depth.val().any();
        self.stamped.next = self.word.val().get_bits::<15>(StepWord::PLACEMENT);
        self.prepare.next = false;
        self.score.next = false;
        self.start_list.next = false;
        self.expander_side.next = self.current_side.q.val();
        self.expander_value.next = self.position_value.q.val();

        // Entries continue to the tree; the first one opens the node.
        self.add.next = self.found.val() & (!self.children.q.val().any());
        self.add_side.next = self.current_side.q.val();
        if self.found.val() {
            self.children.d.next = self.children.q.val() + 1;
            if !self.children.q.val().any() {
                self.best_placement.d.next = self.found_placement.val();
            }
        }
        // The number is valid one cycle after the node was opened.
        if self.delayed.q.val() {
            self.node.d.next = self.added.val();
        }
        self.delayed.d.next = self.found.val();
        self.delayed_placement.d.next = self.found_placement.val();
        self.delayed_prior.d.next = self.found_prior.val();
        self.delayed_mean.d.next = self.found_mean.val();
        self.entry.next = self.delayed.q.val();
        self.entry_placement.next = self.delayed_placement.q.val();
        self.entry_prior.next = self.delayed_prior.q.val();
        self.entry_mean.next = self.delayed_mean.q.val();

        match self.state.q.val() {
            BuilderState::Idle => {
                if self.expand.val() {
                    self.last_side.d.next = self.one_side.val();
                    self.current_side.d.next = self.side.val();
                    self.position_value.d.next = self.value.val();
                    self.next_index.d.next = bits::<6>(0);
                    self.children.d.next = bits::<6>(0);
                    self.node.d.next = self.game_end.val();
                    self.list_only.d.next = self.list.val();
                    self.state.d.next = BuilderState::Prepare;
                    if self.list.val() {
                        self.state.d.next = BuilderState::Read;
                    }
                }
            }
            BuilderState::Prepare => {
                if self.tree_idle.val() {
                    self.prepare.next = true;
                    self.state.d.next = BuilderState::Read;
                }
            }
            BuilderState::Read => {
                self.state.d.next = BuilderState::Place;
            }
            BuilderState::Place => {
                self.expander_side.next = self.word.val().get_bit(StepWord::SIDE);
                if self.expander_idle.val() & (self.root_idle.val() | self.next_index.q.val().any())
                {
                    self.start.next = true;
                    self.next_index.d.next = self.index_after.val();
                    if self.index_after.val() < self.depth.val() {
                        self.state.d.next = BuilderState::Read;
                    } else {
                        self.state.d.next = BuilderState::Request;
                    }
                }
            }
            BuilderState::Request => {
                if self.expander_idle.val() & (self.tree_idle.val() | self.list_only.q.val()) {
                    self.score.next = !self.list_only.q.val();
                    self.start_list.next = self.list_only.q.val();
                    self.state.d.next = BuilderState::Forward;
                }
            }
            BuilderState::Forward => {
                if self.done.val() | self.expander_idle.val() {
                    if self.children.q.val().any() | self.last_side.q.val() {
                        self.state.d.next = BuilderState::Idle;
                    } else {
                        self.last_side.d.next = true;
                        self.current_side.d.next = !self.current_side.q.val();
                        self.state.d.next = BuilderState::Request;
                    }
                }
            }
            _ => {
                self.state.d.next = BuilderState::Idle;
            }
        }
    }
}

/// Request to the node builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildRequest {
    /// Number of placements of the list that lead to the position.
    pub depth: usize,
    /// Side to move at the position, 0 or 1.
    pub side: u64,
    /// Value of the position for side 0, in units of 2^-16.
    pub value: u64,
    /// True if the other side is not tried.
    pub alone: bool,
    /// True if the legal set is listed instead of making a node.
    pub list: bool,
}

/// Output of the node builder to the expander or to the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildStep {
    /// Request of a free line for the node.
    Prepare,
    /// Revolution of the expander's ring.
    Start {
        /// True if the ring copies the root.
        take: bool,
        /// Placement that is stamped, and its side.
        stamp: Option<(u64, u64)>,
    },
    /// Request of the candidates, or of the legal set.
    Score {
        /// True for the legal set.
        list: bool,
        /// Side whose placements are requested.
        side: u64,
        /// Value of the position for side 0, in units of 2^-16.
        value: u64,
    },
    /// Opens a node of the tree.
    Add {
        /// Side to move at the node.
        side: u64,
    },
    /// Appends a child: placement, prior in units of 2^-16, initial mean in units of 2^-24.
    Entry([u64; 3]),
}

/// Returns the outputs of the node builder for a request: the twin function of this block.
///
/// `candidates` holds those of the requested side and those of the other side. An entry leaves one
/// cycle after it has entered, so the first one follows its node.
pub fn twin(list: &[u64], request: &BuildRequest, candidates: [&[[u64; 3]]; 2]) -> Vec<BuildStep> {
    let &BuildRequest {
        depth,
        side,
        value,
        alone,
        list: lists,
    } = request;
    let placed = list[..depth].iter().enumerate().map(|(place, word)| {
        let placement = word >> StepWord::PLACEMENT & ((1 << PLACEMENT) - 1);
        BuildStep::Start {
            take: place == 0,
            stamp: Some((placement, word >> StepWord::SIDE & 1)),
        }
    });
    let mut steps: Vec<_> = (!lists).then_some(BuildStep::Prepare).into_iter().collect();
    steps.extend(placed);
    if depth == 0 {
        steps.push(BuildStep::Start {
            take: true,
            stamp: None,
        });
    }
    for (side, entries) in [side, 1 - side].into_iter().zip(candidates) {
        steps.push(BuildStep::Score {
            list: lists,
            side,
            value,
        });
        if !entries.is_empty() {
            steps.push(BuildStep::Add { side });
            steps.extend(entries.iter().map(|&entry| BuildStep::Entry(entry)));
        }
        if alone || !entries.is_empty() {
            break;
        }
    }
    steps
}
