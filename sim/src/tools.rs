//! Finds the programs that build and run models.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::{Result, SimError};

/// A program that models need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// Its name on `PATH` and below `.tools/bin`.
    pub name: &'static str,
    /// The environment variable that names it instead.
    pub variable: &'static str,
}

/// Translates Verilog to C++.
pub const VERILATOR: Tool = Tool {
    name: "verilator",
    variable: "DUOFORGE_VERILATOR",
};
/// Compiles Verilog for the interpreter.
pub const IVERILOG: Tool = Tool {
    name: "iverilog",
    variable: "DUOFORGE_IVERILOG",
};
/// Interprets compiled Verilog.
pub const VVP: Tool = Tool {
    name: "vvp",
    variable: "DUOFORGE_VVP",
};
/// Synthesises Verilog; the tests ask it for latches.
pub const YOSYS: Tool = Tool {
    name: "yosys",
    variable: "DUOFORGE_YOSYS",
};
/// Compiles C++.
pub const CXX: Tool = Tool {
    name: "c++",
    variable: "CXX",
};

impl Tool {
    /// Looks at the environment variable, then for `.tools/bin/<name>` in the current folder,
    /// the program's folder and all folders above these, then on `PATH`.
    ///
    /// # Errors
    /// [`SimError::ToolMissing`].
    pub fn find(self) -> Result<PathBuf> {
        let missing = SimError::ToolMissing {
            tool: self.name,
            variable: self.variable,
        };
        if let Some(named) = std::env::var_os(self.variable).filter(|value| !value.is_empty()) {
            return on_path(&named).ok_or(missing);
        }
        let starts = [std::env::current_dir().ok(), std::env::current_exe().ok()];
        starts
            .iter()
            .flatten()
            .find_map(|start| installed(start, self.name))
            .or_else(|| on_path(OsStr::new(self.name)))
            .ok_or(missing)
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
fn on_path(program: &OsStr) -> Option<PathBuf> {
    let program = Path::new(program);
    if program.components().count() > 1 {
        return Some(program.to_owned()).filter(|file| file.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

/// Runs a program to its end and returns what it printed to its standard output.
///
/// # Errors
/// [`SimError::ToolFailed`] with both outputs, [`SimError::Io`] when it could not be started.
pub(crate) fn run(command: &mut Command) -> Result<String> {
    let program = PathBuf::from(command.get_program());
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(SimError::io("starting", program))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    if output.status.success() {
        return Ok(printed.into_owned());
    }
    let words: Vec<_> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect();
    let text = format!("{printed}{}", String::from_utf8_lossy(&output.stderr));
    Err(SimError::ToolFailed {
        command: words.join(" "),
        status: output.status,
        output: tail(text.trim(), 4000).to_owned(),
    })
}

/// The last `limit` bytes or a little fewer, from the start of a line where there is one.
pub(crate) fn tail(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let start = (text.len() - limit..text.len()).find(|&at| text.is_char_boundary(at));
    let end = &text[start.unwrap_or(text.len())..];
    end.split_once('\n').map_or(end, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launchers_are_found_from_folders_below() {
        let root = tempfile::tempdir().unwrap();
        let below = root.path().join("a/b");
        std::fs::create_dir_all(&below).unwrap();
        assert_eq!(installed(&below, "sometool"), None);
        let bin = root.path().join(".tools/bin");
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::write(bin.join("sometool"), "").unwrap();
        assert_eq!(installed(&below, "sometool"), Some(bin.join("sometool")));
    }

    #[test]
    fn a_missing_tool_is_named_with_its_remedy() {
        let tool = Tool {
            name: "no-such-tool",
            variable: "DUOFORGE_NO_SUCH_TOOL",
        };
        assert_eq!(
            tool.find().unwrap_err().to_string(),
            "no-such-tool is not installed: run `cargo xtask setup`, or name the program in \
             DUOFORGE_NO_SUCH_TOOL"
        );
    }

    #[test]
    fn a_failure_shows_what_was_printed() {
        let error = run(Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]));
        let text = error.unwrap_err().to_string();
        assert!(
            text.contains("exit status: 3") && text.contains("out\nerr"),
            "{text}"
        );
    }

    #[test]
    fn tails_start_at_a_line() {
        assert_eq!(tail("one\ntwo\nthree", 100), "one\ntwo\nthree");
        assert_eq!(tail("one\ntwo\nthree", 8), "three");
        assert_eq!(tail("ééé", 3), "é");
    }
}
