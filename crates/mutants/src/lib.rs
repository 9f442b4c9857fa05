//! Mutation score: how many small faults in the emitted Verilog the tests notice.
