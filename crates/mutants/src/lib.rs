//! Mutation score: how many small faults in the emitted Verilog the tests notice.
//!
//! For each module of the board ([`modules`]) the hardware's own tests are run as they are, but on a
//! design with one small fault: a bit inverted or stuck, at some input or output of some cell. All
//! faults of a module live in one text, chosen by a number that the model reads from a file when it
//! starts ([`design`]), so that one model serves them all. A mutant is killed if a test fails or
//! hangs. One that survives is handed to a SAT solver ([`equivalence`]): if it cannot be told from
//! the module in any state, no test can notice it, and it does not count.

pub mod campaign;
pub mod design;
pub mod equivalence;
pub mod modules;
pub mod mutation;
pub mod report;
pub mod suite;

pub use campaign::{Campaign, Fate, ModuleReport};
