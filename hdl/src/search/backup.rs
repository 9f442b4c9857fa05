//! Backup: updates the tree with the result of one simulation.
//!
//! The backup makes three passes over the placement list of the simulation:
//! - enter all placements into the AMAF table;
//! - update each step of the path, the last one first;
//! - remove the placements from the AMAF table.
//!
//! If the list ends with the path, the game was over there, and the result is the proven value of
//! the last step. The value of a step that leads to a solved node is proven as well. Above a step
//! with a proven alternative, the value of that alternative is backed up.
//!
//! The first pass ends once the result is ready.
//!
//! The backup terminates from every state, even if the list changes meanwhile. That requires a result
//! that becomes ready without a request.
//!
//! Timing: `start` is sampled while `busy` is low; `busy` rises one cycle later.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::placement_list::{MOVE, StepWord};
use crate::block::block;

/// State of the backup.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum BackupState {
    /// No result.
    Idle,
    /// Enters all placements into the AMAF table.
    Enter,
    /// Reads a step of the path from the list.
    Read,
    /// Updates the tree at that step.
    Update,
    /// Removes all placements from the AMAF table.
    Remove,
}

block! {
    /// Backup phase of one simulation.
    pub struct Backup {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Handshake with the scheduler, and the result of the simulation.
        /// Starts the backup.
        pub start: Signal<In, Bit>,
        /// High while a result is backed up.
        pub busy: Signal<Out, Bit>,
        /// Result of the simulation for side 0, in units of 2^-16.
        pub result: Signal<In, Bits<16>>,
        /// High while `result` is valid, at the latest from the end of its computation on.
        pub result_ready: Signal<In, Bit>,
        /// High in the cycle in which the backup takes the result.
        pub taken: Signal<Out, Bit>,

        // Placement list of the simulation, read one word per cycle.
        /// List: number of words.
        pub count: Signal<In, Bits<6>>,
        /// List: index of the word to read.
        pub index: Signal<Out, Bits<6>>,
        /// List: word at the `index` of the previous cycle.
        pub word: Signal<In, Bits<MOVE>>,

        // Tree: updates. Node, child, placement and side are wired from the word of the list.
        /// Tree: high while one of these jobs can be accepted.
        pub tree_ready: Signal<In, Bit>,
        /// Tree: enters the placement of the word into the AMAF table.
        pub amaf_enter: Signal<Out, Bit>,
        /// Tree: removes the placement of the word from the AMAF table.
        pub amaf_remove: Signal<Out, Bit>,
        /// Tree: ply of the placement (with `amaf_enter`) or of the step (with `update`).
        pub ply: Signal<Out, Bits<6>>,
        /// Tree: updates the node and child of the word.
        pub update: Signal<Out, Bit>,
        /// Tree: with `update`, result for side 0, in units of 2^-16.
        pub value: Signal<Out, Bits<16>>,
        /// Tree: with `update`, high if the result is the proven value of the child.
        pub prove: Signal<Out, Bit>,
        state: DFF<BackupState>,
        next_index: DFF<Bits<6>>,
        path_length: DFF<Bits<6>>,
        word_valid: DFF<Bit>,
        word_index: DFF<Bits<6>>,
        backed_up_value: DFF<Bits<16>>,
        proven: DFF<Bit>,
        past_end: Signal<Local, Bit>,
    }
}

impl Logic for Backup {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            next_index,
            path_length,
            word_valid,
            word_index,
            backed_up_value,
            proven
        );
        self.value.next = self.backed_up_value.q.val();
        self.prove.next = self.proven.q.val();
        self.busy.next = self.state.q.val() != BackupState::Idle;
        self.index.next = self.next_index.q.val();
        self.amaf_enter.next = false;
        self.amaf_remove.next = false;
        self.update.next = false;
        self.taken.next = false;
        self.ply.next = self.word_index.q.val();
        self.word_valid.d.next = false;
        self.word_index.d.next = self.next_index.q.val();
        self.past_end.next = self.next_index.q.val() >= self.count.val();

        match self.state.q.val() {
            BackupState::Idle => {
                self.next_index.d.next = bits::<6>(0);
                self.path_length.d.next = bits::<6>(0);
                if self.start.val() {
                    self.state.d.next = BackupState::Enter;
                }
            }
            BackupState::Enter => {
                self.amaf_enter.next = self.word_valid.q.val();
                if self.word_valid.q.val() & self.word.val().get_bit(StepWord::IN_PATH) {
                    self.path_length.d.next = self.path_length.q.val() + 1;
                }
                if !self.past_end.val() {
                    self.word_valid.d.next = true;
                    self.next_index.d.next = self.next_index.q.val() + 1;
                } else if (!self.word_valid.q.val()) & self.result_ready.val() {
                    self.taken.next = true;
                    self.next_index.d.next = self.path_length.q.val() - 1;
                    self.backed_up_value.d.next = self.result.val();
                    self.proven.d.next = self.path_length.q.val() == self.count.val();
                    self.state.d.next = BackupState::Read;
                }
            }
            BackupState::Read => {
                self.state.d.next = BackupState::Update;
            }
            BackupState::Update => {
                if self.tree_ready.val() {
                    self.update.next = true;
                    self.proven.d.next = self.word.val().get_bit(StepWord::SOLVED);
                    if self.word.val().get_bit(StepWord::ALTERNATIVE) {
                        self.backed_up_value.d.next =
                            self.word.val().get_bits::<16>(StepWord::VALUE);
                        if self.word.val().get_bit(StepWord::SIDE) {
                            self.backed_up_value.d.next =
                                !self.word.val().get_bits::<16>(StepWord::VALUE);
                        }
                    }
                    self.next_index.d.next = self.next_index.q.val() - 1;
                    self.state.d.next = BackupState::Read;
                    if !self.next_index.q.val().any() {
                        self.next_index.d.next = bits::<6>(0);
                        self.state.d.next = BackupState::Remove;
                    }
                }
            }
            BackupState::Remove => {
                // The last update reads the AMAF table until the tree is ready.
                self.amaf_remove.next = self.word_valid.q.val();
                if self.tree_ready.val() & (!self.past_end.val()) {
                    self.word_valid.d.next = true;
                    self.next_index.d.next = self.next_index.q.val() + 1;
                } else if self.past_end.val() & (!self.word_valid.q.val()) {
                    self.state.d.next = BackupState::Idle;
                }
            }
            _ => {
                self.state.d.next = BackupState::Idle;
            }
        }
    }
}

/// Job of the tree that a backup requests, with the word of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackupJob {
    /// Enters the placement of the word into the AMAF table.
    Mark {
        /// Ply of the placement.
        ply: u64,
        /// Word of the list, a [`StepWord`].
        word: u64,
    },
    /// Updates the node and child of the word.
    Update {
        /// Ply of the step.
        ply: u64,
        /// Word of the list, a [`StepWord`].
        word: u64,
        /// Result for side 0, in units of 2^-16.
        value: u16,
        /// True if the result is the proven value of the child.
        proven: bool,
    },
    /// Removes the placement of the word from the AMAF table.
    Unmark {
        /// Word of the list, a [`StepWord`].
        word: u64,
    },
}

/// Returns the jobs of the backup of a list, whose path has at least one step: the twin function of
/// this block. `result` is that of the simulation for side 0, in units of 2^-16.
pub fn twin(list: &[u64], result: u16) -> Vec<BackupJob> {
    let has = |word: u64, field: usize| word >> field & 1 == 1;
    let plies = || (0_u64..).zip(list.iter().copied());
    let path: Vec<_> = plies()
        .filter(|&(_, word)| has(word, StepWord::IN_PATH))
        .collect();
    let marks = plies().map(|(ply, word)| BackupJob::Mark { ply, word });
    let mut jobs: Vec<_> = marks.collect();
    let (mut value, mut proven) = (result, path.len() == list.len());
    for (ply, word) in path.into_iter().rev() {
        jobs.push(BackupJob::Update {
            ply,
            word,
            value,
            proven,
        });
        proven = has(word, StepWord::SOLVED);
        if has(word, StepWord::ALTERNATIVE) {
            // The value of the alternative is that for the side of the step.
            let best = (word >> StepWord::VALUE) as u16;
            value = if has(word, StepWord::SIDE) {
                u16::MAX - best
            } else {
                best
            };
        }
    }
    jobs.extend(list.iter().map(|&word| BackupJob::Unmark { word }));
    jobs
}
