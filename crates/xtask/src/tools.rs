//! The tools that simulation and synthesis need: which ones, how they are found and checked.

use std::path::PathBuf;
use std::process::Command;

use crate::workspace::Workspace;

/// Where a tool was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Named by an environment variable.
    Variable(&'static str, PathBuf),
    /// The launcher below `.tools/bin`.
    Installed(PathBuf),
    /// Found on `PATH`.
    System(PathBuf),
}

impl Place {
    /// The program to start.
    pub fn program(&self) -> &PathBuf {
        match self {
            Self::Variable(_, path) | Self::Installed(path) | Self::System(path) => path,
        }
    }
}

/// One program that has to be there.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    /// The name of the program.
    pub name: &'static str,
    /// The variable that overrides where it is looked for.
    pub variable: Option<&'static str>,
    /// The argument that makes it print its version, `None` where asking is slow.
    pub version: Option<&'static str>,
    /// What to do when it is missing and could not be installed.
    pub hint: &'static str,
}

/// Verilog to C++.
pub const VERILATOR: Tool = Tool {
    name: "verilator",
    variable: Some("DUOFORGE_VERILATOR"),
    version: Some("--version"),
    hint: "install Python 3 with venv and pip, then run `cargo xtask setup` again",
};

/// The Verilog interpreter's compiler.
pub const IVERILOG: Tool = Tool {
    name: "iverilog",
    variable: Some("DUOFORGE_IVERILOG"),
    version: Some("-V"),
    hint: "install it by your package manager, for example `sudo apt-get install iverilog`",
};

/// The Verilog interpreter's run time.
pub const VVP: Tool = Tool {
    name: "vvp",
    variable: Some("DUOFORGE_VVP"),
    version: Some("-V"),
    hint: "it comes with iverilog, for example `sudo apt-get install iverilog`",
};

/// Synthesis. Its launcher compiles WebAssembly for half a minute when it first runs, therefore
/// the list of tools does not run it.
pub const YOSYS: Tool = Tool {
    name: "yosys",
    variable: Some("DUOFORGE_YOSYS"),
    version: None,
    hint: "install Python 3 with venv and pip, then run `cargo xtask setup` again",
};

/// Compiles what Verilator writes.
pub const CXX: Tool = Tool {
    name: "c++",
    variable: Some("CXX"),
    version: Some("--version"),
    hint: "install a C++ compiler, for example `sudo apt-get install g++`",
};

/// Every tool, in the order in which they are listed.
pub const ALL: [Tool; 5] = [VERILATOR, CXX, IVERILOG, VVP, YOSYS];

impl Tool {
    /// Looks at the variable, then below `.tools/bin`, then on `PATH`.
    pub fn find(&self, workspace: &Workspace) -> Option<Place> {
        if let Some(variable) = self.variable
            && let Some(value) = std::env::var_os(variable).filter(|value| !value.is_empty())
        {
            let path = on_path(&value.to_string_lossy())?;
            return Some(Place::Variable(variable, path));
        }
        let launcher = workspace.launcher(self.name);
        if launcher.is_file() {
            return Some(Place::Installed(launcher));
        }
        on_path(self.name).map(Place::System)
    }

    /// The first line that the program prints about its version, or why it did not.
    pub fn version_of(&self, place: &Place) -> Result<String, String> {
        let Some(argument) = self.version else {
            return Ok("not asked".into());
        };
        let output = Command::new(place.program())
            .arg(argument)
            .output()
            .map_err(|error| format!("could not be started: {error}"))?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}: {}", output.status, text.trim()));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(text
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty())
            .unwrap_or_default()
            .to_owned())
    }
}

/// A program given by its path, or by its name on `PATH`.
pub fn on_path(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}
