//! Mutation score: how many small faults in the emitted Verilog the tests notice.
//!
//! Yosys' `mutate` makes the faults: a bit of a cell's port is inverted, stuck at 0 or 1, or inverted
//! when another bit is 0 or 1. All mutants of a module live in one text and a number in a file selects
//! one of them, so that each design is compiled once. The mutated module stands in for the emitted one
//! in whatever the tests of `sim/tests/hardware` open ([`VARIABLE`](suite::VARIABLE)); a mutant is
//! killed if one of them fails or does not come to an end. For each survivor Yosys tries to prove that it
//! does not differ from the module at all, alone or inside the block around it ([`equivalent`]).
//!
//! Faults written by hand ([`faults`]) are put into the emitted text itself.

pub mod campaign;
pub mod equivalent;
pub mod faults;
pub mod modules;
pub mod mutate;
pub mod place;
pub mod report;
pub mod suite;
pub mod verilog;
pub mod work;
