//! Flags of Verilator and of the C++ compiler.

use std::path::Path;
use std::process::Command;

use duoforge_tools::run;

use crate::error::Result;

/// Arguments of Verilator.
///
/// The language is the one that rust-hdl emits. Unknown values become 0, so that runs repeat and
/// agree with the Rust back end; Icarus detects unknown values. A port of the top module that is
/// missing or has another width is an error; see `WAIVER` for the design itself.
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

/// First major version of GCC that these flags were tried with.
const GCC_MAJOR: u32 = 12;

/// Returns the flags of [`GCC`] if the compiler knows them; `version` is its answer to `--version`.
pub(super) fn special(compiler: &Path, version: &str) -> Result<&'static [&'static str]> {
    if !version.contains("Free Software Foundation") {
        return Ok(&[]);
    }
    let version = run(Command::new(compiler).arg("-dumpversion"))?;
    let major = version
        .trim()
        .split('.')
        .next()
        .and_then(|major| major.parse().ok());
    Ok(if major.is_some_and(|major: u32| major >= GCC_MAJOR) {
        GCC
    } else {
        &[]
    })
}
