//! Proofs about the emitted Verilog: runs what lies in `hdl/formal`.
//!
//! A property is a folder with a [`proof`] file and the Verilog that states it. The blocks that it
//! talks about are emitted anew each time ([`blocks`]), joined by what is written from the rules
//! ([`generated`]), and handed to an [`engine`]: Yosys' own SAT solver, or its SMT back end with
//! Yices. Every property also brings mutants, changes of the emitted text under which it must be
//! refuted by a counterexample ([`mod@check`]); a property that nothing can break says nothing.
//!
//! What a run can end with is kept apart exactly: proved, refuted with a [`trace`], undecided
//! because an induction step fails, out of time, or an error. Assumptions that contradict each other
//! are an error, because everything follows from them.

pub mod blocks;
pub mod check;
pub mod design;
pub mod engine;
pub mod generated;
pub mod packed;
pub mod proof;
pub mod report;
mod sat;
mod smtbmc;
pub mod trace;

pub use check::{Checked, check};
pub use engine::Outcome;
pub use proof::{Proof, ProofError};
