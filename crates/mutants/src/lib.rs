//! Mutation testing of the emitted Verilog: measures the share of mutants that the tests kill.
//!
//! Yosys' `mutate` makes the mutants: a bit of a cell's port is inverted, stuck at 0 or 1, or
//! inverted when another bit is 0 or 1. All mutants of a module are in one text, and a number in a
//! file selects one of them, so that each design is compiled once. The mutated module replaces the
//! emitted one in every design that the tests of `tests/tests/hardware` open
//! ([`VARIABLE`](suite::VARIABLE)). A mutant is killed if a test fails or hangs. For each survivor
//! Yosys tries to prove that it is equivalent to the module, alone or inside the enclosing block
//! ([`equivalent`]).
//!
//! Hand-written mutants ([`faults`]) change the emitted text itself.

pub mod campaign;
pub mod equivalent;
pub mod faults;
pub mod modules;
pub mod mutate;
pub mod part;
pub mod place;
pub mod report;
pub mod same_module;
pub mod shards;
pub mod suite;
pub mod work;
