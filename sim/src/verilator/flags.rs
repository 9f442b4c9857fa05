//! Flags of Verilator and of the C++ compiler.

use duoforge_tools::version::Version;

/// Arguments of Verilator.
///
/// The language is the one that rust-hdl emits. Unknown values become 0, so that runs repeat and
/// agree with the Rust back end; Icarus detects unknown values. A port of the top module that is
/// missing or has another width is an error; see `waiver` for the design itself.
///
/// Delays are ignored, since the clock is the only time.
///
/// Always blocks are not split, and fewer modules are inlined than by default: the code of a
/// search is half as long then, and runs in two thirds of the time.
pub(super) const VERILATE: &[&str] = &[
    "--cc",
    "-O3",
    "-fno-split",
    "--inline-mult",
    "300",
    "--language",
    "1364-2005",
    "--x-assign",
    "0",
    "--x-initial",
    "0",
    "--timescale",
    "1ns/1ns",
    "--no-timing",
    "-Wno-fatal",
    "-Werror-PINMISSING",
    "-Werror-WIDTH",
    "--prefix",
    "Vmodel",
];

/// Macros that the model's sources require.
pub(super) const DEFINES: &[&str] = &[
    "-DVERILATOR=1",
    "-DVM_COVERAGE=0",
    "-DVM_SC=0",
    "-DVM_TIMING=0",
    "-DVM_TRACE_FST=0",
    "-DVM_TRACE_SAIF=0",
    "-DVL_TIME_CONTEXT",
];

/// Compiler flags. Warnings about generated code are disabled. A model compiled with `-O2` runs a
/// twentieth faster, and takes half as long again to compile.
pub(super) const COMPILE: &[&str] = &["-std=gnu++17", "-w", "-pthread", "-O1"];

/// Further flags for GCC from [`GCC_MAJOR`] on: limits of passes that take half of the time of a
/// large model, and do not make it faster.
const GCC: &[&str] = &[
    "-fno-ipa-modref",
    "--param=max-combine-insns=2",
    "--param=sccvn-max-alias-queries-per-access=20",
    "--param=dse-max-alias-queries-per-store=4",
];

/// First version of GCC that these flags were tried with.
const GCC_SINCE: &str = "12.0";

/// Returns the flags of [`GCC`] if the compiler knows them; `version` is its answer to `--version`.
pub(super) fn special(version: &str) -> &'static [&'static str] {
    let is_gcc = version.contains("Free Software Foundation");
    if is_gcc && Version::find(version) >= Version::find(GCC_SINCE) {
        GCC
    } else {
        &[]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_recent_versions_of_gcc_get_further_flags() {
        let copyright = "Copyright (C) 2022 Free Software Foundation, Inc.";
        for (version, known) in [
            ("c++ (Debian 12.2.0-14+deb12u1) 12.2.0", true),
            ("g++ (GCC) 14.2.1 20240912", true),
            ("g++ (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0", false),
            ("g++ (GCC)", false),
        ] {
            let flags = special(&format!("{version}\n{copyright}\n"));
            assert_eq!(!flags.is_empty(), known, "{version}");
        }
        assert!(special("Debian clang version 14.0.6").is_empty());
    }
}
