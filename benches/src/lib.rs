//! Shared code of the benchmarks, currently empty; the benchmarks are in `benches/`, one file each.
