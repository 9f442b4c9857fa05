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
//! Timing: `grow` is sampled while `busy` is low; `busy` rises one cycle later. An entry reaches
//! the tree one cycle after the expander outputs it, because the first entry opens the node.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::placement_list::{MOVE, StepWord};
use super::position_ring::PLACEMENT;
use super::tree::bank::END;
use crate::block::block;

/// State of the node builder.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Growing {
    /// No request.
    Idle,
    /// Reads a placement of the list.
    Read,
    /// Stamps the placement. The first revolution copies the root, also if the list is empty.
    Place,
    /// Requests the candidates of a side.
    Score,
    /// Forwards the candidates to the tree.
    Hand,
}

block! {
    /// Node builder between expander and tree.
    pub struct NodeBuilder from NodeBuilderParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Request with its operands, and its result.
        /// Starts an expansion or a list.
        pub grow: Signal<In, Bit>,
        /// Number of placements of the list that lead to the position.
        pub depth: Signal<In, Bits<6>>,
        /// Side to move at the position.
        pub side: Signal<In, Bit>,
        /// Value of the position for side 0, in units of 2^-16.
        pub value: Signal<In, Bits<16>>,
        /// With `grow`: high if the other side is not tried.
        pub alone: Signal<In, Bit>,
        /// With `grow`: lists the legal set instead of making a node.
        pub list: Signal<In, Bit>,
        /// High while a request is running.
        pub busy: Signal<Out, Bit>,
        /// Number of the node that was made, or [`END`].
        pub made: Signal<Out, Bits<12>>,
        /// Number of children of the node.
        pub count: Signal<Out, Bits<6>>,
        /// Placement of the first child, which has the highest prior.
        pub first: Signal<Out, Bits<PLACEMENT>>,

        // Placement list of the simulation.
        /// List: index of the word to read.
        pub index: Signal<Out, Bits<6>>,
        /// List: word at the `index` of the previous cycle.
        pub word: Signal<In, Bits<MOVE>>,

        // Expander: position, then request.
        /// High while the root's field can start a revolution.
        pub root_idle: Signal<In, Bit>,
        /// Expander: high while a request can be accepted.
        pub ready: Signal<In, Bit>,
        /// Expander: starts a revolution of its field.
        pub start: Signal<Out, Bit>,
        /// Expander: with `start`, copies the root; the root's field starts in the same cycle.
        pub take: Signal<Out, Bit>,
        /// Expander: with `start`, stamps `stamped`.
        pub stamp: Signal<Out, Bit>,
        /// Expander: placement to stamp.
        pub stamped: Signal<Out, Bits<PLACEMENT>>,
        /// Expander: requests the candidates.
        pub score: Signal<Out, Bit>,
        /// Expander: requests the legal set.
        pub listing: Signal<Out, Bit>,
        /// Expander: side for `stamp`, `score` and `listing`.
        pub whose: Signal<Out, Bit>,
        /// Expander: with `score`, value of the position for side 0, in units of 2^-16.
        pub worth: Signal<Out, Bits<16>>,

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

        // Tree: the same stream one cycle later.
        /// Tree: opens a node for `add_side`.
        pub add: Signal<Out, Bit>,
        /// Tree: side to move at the node.
        pub add_side: Signal<Out, Bit>,
        /// Tree: number of the node that was opened last.
        pub added: Signal<In, Bits<12>>,
        /// Tree: appends a child to that node.
        pub entry: Signal<Out, Bit>,
        /// Tree: placement of the child.
        pub entry_placement: Signal<Out, Bits<PLACEMENT>>,
        /// Tree: prior of the child, in units of 2^-16.
        pub entry_prior: Signal<Out, Bits<16>>,
        /// Tree: initial mean of the child, in units of 2^-24.
        pub entry_mean: Signal<Out, Bits<24>>,
        state: DFF<Growing>,
        second: DFF<Bit>,
        lists: DFF<Bit>,
        turn: DFF<Bit>,
        standing: DFF<Bits<16>>,
        at: DFF<Bits<6>>,
        children: DFF<Bits<6>>,
        node: DFF<Bits<12>>,
        best: DFF<Bits<PLACEMENT>>,
        late: DFF<Bit>,
        late_placement: DFF<Bits<PLACEMENT>>,
        late_prior: DFF<Bits<16>>,
        late_mean: DFF<Bits<24>>,
        after: Signal<Local, Bits<6>>,
        ended: Constant<Bits<12>> = given,
    }
}

impl Default for NodeBuilder {
    fn default() -> Self {
        Self::from(NodeBuilderParts {
            ended: Constant::new(END.to_bits()),
        })
    }
}

impl Logic for NodeBuilder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, second, turn, standing, at, children);
        dff_setup!(self, clock, lists, node, best, late, late_placement);
        dff_setup!(self, clock, late_prior, late_mean);
        self.busy.next = self.state.q.val() != Growing::Idle;
        self.made.next = self.node.q.val();
        self.count.next = self.children.q.val();
        self.first.next = self.best.q.val();
        self.index.next = self.at.q.val();
        self.after.next = self.at.q.val() + 1;
        self.start.next = false;
        self.take.next = !self.at.q.val().any();
        self.stamp.next = self.depth.val().any();
        self.stamped.next = self.word.val().get_bits::<15>(StepWord::PLACEMENT);
        self.score.next = false;
        self.listing.next = false;
        self.whose.next = self.turn.q.val();
        self.worth.next = self.standing.q.val();

        // Entries continue to the tree; the first one opens the node.
        self.add.next = self.found.val() & (!self.children.q.val().any());
        self.add_side.next = self.turn.q.val();
        if self.found.val() {
            self.children.d.next = self.children.q.val() + 1;
            if !self.children.q.val().any() {
                self.best.d.next = self.found_placement.val();
            }
        }
        // The number is valid one cycle after the node was opened.
        if self.late.q.val() {
            self.node.d.next = self.added.val();
        }
        self.late.d.next = self.found.val();
        self.late_placement.d.next = self.found_placement.val();
        self.late_prior.d.next = self.found_prior.val();
        self.late_mean.d.next = self.found_mean.val();
        self.entry.next = self.late.q.val();
        self.entry_placement.next = self.late_placement.q.val();
        self.entry_prior.next = self.late_prior.q.val();
        self.entry_mean.next = self.late_mean.q.val();

        match self.state.q.val() {
            Growing::Idle => {
                if self.grow.val() {
                    self.second.d.next = self.alone.val();
                    self.turn.d.next = self.side.val();
                    self.standing.d.next = self.value.val();
                    self.at.d.next = bits::<6>(0);
                    self.children.d.next = bits::<6>(0);
                    self.node.d.next = self.ended.val();
                    self.lists.d.next = self.list.val();
                    self.state.d.next = Growing::Read;
                }
            }
            Growing::Read => {
                self.state.d.next = Growing::Place;
            }
            Growing::Place => {
                self.whose.next = self.word.val().get_bit(StepWord::SIDE);
                if self.ready.val() & (self.root_idle.val() | self.at.q.val().any()) {
                    self.start.next = true;
                    self.at.d.next = self.after.val();
                    if self.after.val() < self.depth.val() {
                        self.state.d.next = Growing::Read;
                    } else {
                        self.state.d.next = Growing::Score;
                    }
                }
            }
            Growing::Score => {
                if self.ready.val() {
                    self.score.next = !self.lists.q.val();
                    self.listing.next = self.lists.q.val();
                    self.state.d.next = Growing::Hand;
                }
            }
            Growing::Hand => {
                if self.done.val() | self.ready.val() {
                    if self.children.q.val().any() | self.second.q.val() {
                        self.state.d.next = Growing::Idle;
                    } else {
                        self.second.d.next = true;
                        self.turn.d.next = !self.turn.q.val();
                        self.state.d.next = Growing::Score;
                    }
                }
            }
            _ => {
                self.state.d.next = Growing::Idle;
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
    /// Revolution of the expander's field.
    Start {
        /// True if the field copies the root.
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
    let mut steps: Vec<_> = placed.collect();
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
