//! Locations of the programs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::catalogue::Tool;
use crate::run::{ToolError, run_for_both};

/// Location of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Program that the environment variable names.
    Variable(PathBuf),
    /// Launcher that `cargo xtask setup` wrote.
    Installed(PathBuf),
    /// Program on `PATH`.
    System(PathBuf),
}

impl Place {
    /// Returns the program to start.
    pub fn program(&self) -> &Path {
        match self {
            Self::Variable(path) | Self::Installed(path) | Self::System(path) => path,
        }
    }
}

impl Tool {
    /// Locates the program. The environment variable has priority, then `.tools/bin/<name>` in the
    /// current directory, the directory of the running program and all their parents, then `PATH`.
    ///
    /// # Errors
    /// [`ToolError::Missing`].
    pub fn place(&self) -> Result<Place, ToolError> {
        let missing = || ToolError::Missing {
            tool: self.name,
            variable: self.variable,
            hint: self.hint,
        };
        if let Some(named) = std::env::var_os(self.variable).filter(|value| !value.is_empty()) {
            return on_path(&named).map(Place::Variable).ok_or_else(missing);
        }
        let starts = [std::env::current_dir().ok(), std::env::current_exe().ok()];
        starts
            .iter()
            .flatten()
            .find_map(|start| installed(start, self.name))
            .map(Place::Installed)
            .or_else(|| on_path(OsStr::new(self.name)).map(Place::System))
            .ok_or_else(missing)
    }

    /// Returns the program to start: see [`place`](Self::place).
    ///
    /// # Errors
    /// [`ToolError::Missing`].
    pub fn find(&self) -> Result<PathBuf, ToolError> {
        self.place().map(|place| place.program().to_owned())
    }

    /// Returns a command that starts the program: see [`place`](Self::place).
    ///
    /// # Errors
    /// [`ToolError::Missing`].
    pub fn command(&self) -> Result<Command, ToolError> {
        self.find().map(Command::new)
    }

    /// Returns the pinned version of an installed tool, or the first line with a digit in the
    /// program's version output.
    ///
    /// # Errors
    /// [`ToolError`] if the program cannot be run.
    pub fn version_at(&self, place: &Place) -> Result<String, ToolError> {
        if let (Place::Installed(_), Some(pinned), None) = (place, self.pinned(), self.version) {
            return Ok(pinned.into());
        }
        let Some(argument) = self.version else {
            return Ok("version not asked".into());
        };
        // Some programs print the version on standard error.
        let texts = run_for_both(Command::new(place.program()).arg(argument))?;
        let mut lines = texts.iter().flat_map(|text| text.lines().map(str::trim));
        let line = lines.find(|line| line.contains(|c: char| c.is_ascii_digit()));
        Ok(line.unwrap_or_default().into())
    }
}

/// Returns the launcher that `cargo xtask setup` wrote into this directory or one of its parents.
fn installed(start: &Path, name: &str) -> Option<PathBuf> {
    let launcher = Path::new(".tools/bin").join(name);
    start
        .ancestors()
        .map(|folder| folder.join(&launcher))
        .find(|file| file.is_file())
}

/// Returns the path of a program that is given by its path, or by its name on `PATH`.
pub fn on_path(program: impl AsRef<OsStr>) -> Option<PathBuf> {
    let program = Path::new(program.as_ref());
    if program.components().count() > 1 {
        return Some(program.to_owned()).filter(|file| file.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::YOSYS;

    #[test]
    fn launchers_are_found_from_folders_below() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let below = root.path().join("a/b");
        std::fs::create_dir_all(&below).expect("a folder");
        assert_eq!(installed(&below, "sometool"), None);
        let bin = root.path().join(".tools/bin");
        std::fs::create_dir_all(&bin).expect("a folder");
        std::fs::write(bin.join("sometool"), "").expect("a file");
        assert_eq!(installed(&below, "sometool"), Some(bin.join("sometool")));
    }

    #[test]
    fn a_missing_tool_is_named_with_its_remedy() {
        let tool = Tool {
            name: "no-such-tool",
            variable: "DUOFORGE_NO_SUCH_TOOL",
            ..YOSYS
        };
        let text = tool.find().expect_err("it does not exist").to_string();
        assert_eq!(
            text,
            "no-such-tool is not installed: run `cargo xtask setup`, or name the program in \
             DUOFORGE_NO_SUCH_TOOL"
        );
    }
}
