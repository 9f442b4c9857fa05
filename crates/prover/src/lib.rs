//! Proofs about the emitted Verilog: runs what lies in hdl/formal.
