//! Proofs about the emitted Verilog: runs the properties in `hdl/formal`.
//!
//! A property is a directory with a [`proof`] file and the Verilog that states it. Its blocks are
//! emitted for every run ([`blocks`]) and combined with Verilog generated from the rules
//! ([`generated`]). A [`solver`] checks them: Yosys' own SAT solver, or its SMT back end with
//! Yices. Every property also lists mutants, changes of the emitted text under which it must not
//! hold. A property counts only if a counterexample refutes every mutant ([`mod@check`]). Design and
//! mutants are the items of a [`campaign`], which shards divide.
//!
//! The outcome of a run is one of five: proved; refuted, with a [`trace`]; undecided, because an
//! induction step fails; out of time; error. Contradictory assumptions are an error, because they
//! imply everything.

pub mod blocks;
pub mod campaign;
pub mod check;
pub mod design;
pub mod generated;
pub mod packed;
pub mod page;
pub mod proof;
pub mod report;
pub mod solver;
pub mod task;
pub mod trace;

pub use check::{PropertyResult, check};
pub use proof::{Proof, ProofError};
pub use solver::job::Outcome;
