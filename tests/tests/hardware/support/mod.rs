//! Shared helpers of the test benches.

pub mod bench;
pub mod coverage;
pub mod games;
pub mod legal;
pub mod levels;
pub mod patch;
pub mod reactive;
pub mod scorer;
pub mod sequences;
pub mod share;
pub mod unit;

/// Runs a bench in every simulator, each as a separate test with its own number of stimuli. The
/// unit of that number depends on the bench.
macro_rules! in_every_simulator {
    ($bench:path; verilator $verilator:expr, icarus $icarus:expr, rust $rust:expr) => {
        #[test]
        fn in_verilator() {
            $bench(duoforge_sim::Backend::Verilator, $verilator);
        }

        #[test]
        fn in_icarus() {
            $bench(duoforge_sim::Backend::Icarus, $icarus);
        }

        #[test]
        fn in_rust() {
            $bench(duoforge_sim::Backend::Rust, $rust);
        }
    };
}

pub(crate) use in_every_simulator;
