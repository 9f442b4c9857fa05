//! Where the programs are.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::catalogue::Tool;
use crate::run::{ToolError, run_for_both};

/// Where a tool was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Named by its environment variable.
    Variable(PathBuf),
    /// The launcher that `cargo xtask setup` wrote.
    Installed(PathBuf),
    /// Found on `PATH`.
    System(PathBuf),
}

impl Place {
    /// The program to start.
    pub fn program(&self) -> &Path {
        match self {
            Self::Variable(path) | Self::Installed(path) | Self::System(path) => path,
        }
    }
}

impl Tool {
    /// Looks at the environment variable, then for `.tools/bin/<name>` in the current folder,
    /// the program's folder and all folders above these, then on `PATH`.
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

    /// The program to start: see [`place`](Self::place).
    ///
    /// # Errors
    /// [`ToolError::Missing`].
    pub fn find(&self) -> Result<PathBuf, ToolError> {
        self.place().map(|place| place.program().to_owned())
    }

    /// A command that starts the program: see [`place`](Self::place).
    ///
    /// # Errors
    /// [`ToolError::Missing`].
    pub fn command(&self) -> Result<Command, ToolError> {
        self.find().map(Command::new)
    }

    /// The pinned version of an installed tool, or the first line with a figure that the program
    /// prints about its version.
    ///
    /// # Errors
    /// [`ToolError`] when the program does not run.
    pub fn version_at(&self, place: &Place) -> Result<String, ToolError> {
        if let (Place::Installed(_), Some(pinned), None) = (place, self.pinned(), self.version) {
            return Ok(pinned.into());
        }
        let Some(argument) = self.version else {
            return Ok("version not asked".into());
        };
        // Some say it on standard error.
        let texts = run_for_both(Command::new(place.program()).arg(argument))?;
        let mut lines = texts.iter().flat_map(|text| text.lines().map(str::trim));
        let line = lines.find(|line| line.contains(|c: char| c.is_ascii_digit()));
        Ok(line.unwrap_or_default().into())
    }
}

/// The launcher that `cargo xtask setup` wrote into this folder or one above it.
fn installed(start: &Path, name: &str) -> Option<PathBuf> {
    let launcher = Path::new(".tools/bin").join(name);
    start
        .ancestors()
        .map(|folder| folder.join(&launcher))
        .find(|file| file.is_file())
}

/// A program given by its path, or by its name on `PATH`.
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
