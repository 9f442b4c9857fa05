//! Catalogue of external programs.

mod programs;
mod tool;

pub use programs::{
    ALL, CARGO_DENY, CXX, ECPPACK, ICEPACK, IVERILOG, NEXTPNR_ECP5, NEXTPNR_ICE40, OPENFPGALOADER,
    SMTBMC, SOCAT, VERILATOR, VVP, YICES, YOSYS,
};
pub use tool::Tool;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::Platform;
    use crate::system::Manager;

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
