//! User without root, with a stub in place of Python and its package index.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Output};

use duoforge_tools::find::on_path;
use serde_json::Value;

use crate::programs::write_program;

/// Python without a network: `-m venv DIR` copies this script into an environment, `-m pip install`
/// records the required package and writes what pip would write. A package that `STUB_LACKS` names
/// has no wheel. A program of YoWASP prints the directory of compiled programs; its compilation ends
/// with the status `STUB_COMPILES`.
pub const PYTHON: &str = r#"#!/bin/sh
echo "$*" >>"$STUB_LOG"
root=$(CDPATH= cd -- "${0%/*}/.." && pwd)
case "$*" in
*version_info*) echo 3.11 ;;
*purelib*) echo "$root/lib/python3.11/site-packages" ;;
"-m venv"*)
    for directory; do :; done
    rm -rf "$directory"
    mkdir -p "$directory/bin" "$directory/lib/python3.11/site-packages"
    cp "$0" "$directory/bin/python3"
    ;;
"-m pip --version") echo pip 23.2 ;;
"-m pip install"*)
    for file; do :; done
    line=$(sed -n 1p "$file")
    package=${line%% *}
    grep -q -- '--hash=sha256:' "$file" || exit 9
    case " $STUB_LACKS " in
    *" ${package%%==*} "*) echo "ERROR: No matching distribution found for $package" >&2; exit 1 ;;
    esac
    name=$(echo "${package%%==*}" | tr - _)
    record="$root/lib/python3.11/site-packages/$name-${package##*==}.dist-info"
    mkdir -p "$record"
    : >"$record/INSTALLER"
    ;;
"-I -c import sys, yowasp_"*) exit "${STUB_COMPILES:-0}" ;;
*/python/bin/yowasp-*) echo "$YOWASP_CACHE_DIR" ;;
esac
"#;

/// Programs of the system that the stub, the launchers and the commands use.
const SYSTEM: [&str; 14] = [
    "sh", "sed", "grep", "tr", "cp", "rm", "mkdir", "echo", "cat", "env", "c++", "flock", "test",
    "ls",
];

/// User without root and without `apt-get`: a home directory and a `PATH` with few programs.
pub struct User {
    /// Home directory.
    pub home: tempfile::TempDir,
}

impl User {
    /// Creates a user without Python.
    pub fn new() -> Self {
        let user = Self {
            home: tempfile::tempdir().unwrap(),
        };
        let bin = user.path("bin");
        fs::create_dir(&bin).unwrap();
        for name in SYSTEM {
            if let Some(program) = on_path(name) {
                symlink(program, bin.join(name)).unwrap();
            }
        }
        user
    }

    /// Adds the stub of Python.
    pub fn with_python(self) -> Self {
        self.program("python3", PYTHON);
        self
    }

    /// Adds the stub of Python, which starts with these lines of a script.
    pub fn python_that(&self, lines: &str) {
        let start = "case \"$*\" in\n";
        let text = PYTHON.replacen(start, &format!("{lines}\n{start}"), 1);
        self.program("python3", &text);
    }

    /// Returns a path below the home directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Adds a program to `PATH`.
    pub fn program(&self, name: &str, text: &str) {
        write_program(&self.path("bin").join(name), text);
    }

    /// Returns a command of the program for the user.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_duoforge"));
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.home.path())
            .env("PATH", self.path("bin"))
            // Without the variable, the launchers of this repository have priority.
            .env("DUOFORGE_TOOLS", self.path("tools"))
            .env("STUB_LOG", self.path("log"))
            .current_dir(self.home.path());
        command
    }

    /// Runs `duoforge setup --json`.
    pub fn setup(&self, arguments: &[&str]) -> Listing {
        let arguments = [&["setup", "--json"], arguments].concat();
        Listing::of(self.command(&arguments).output().unwrap())
    }

    /// Number of packages that the stub received.
    pub fn pip_calls(&self) -> usize {
        let log = fs::read_to_string(self.path("log")).unwrap_or_default();
        log.lines()
            .filter(|line| line.contains("pip install"))
            .count()
    }
}

/// Result of `duoforge setup --json`.
pub struct Listing {
    /// Exit status.
    pub status: i32,
    /// Programs.
    pub rows: Vec<Value>,
    /// Standard error.
    pub err: String,
}

impl Listing {
    /// Parses the output of the command.
    pub fn of(output: Output) -> Self {
        let err = String::from_utf8(output.stderr).unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        let rows: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
        Self {
            status: output.status.code().unwrap(),
            rows: rows.as_array().unwrap().clone(),
            err,
        }
    }

    /// Returns the row of a program.
    pub fn row(&self, tool: &str) -> &Value {
        let row = self.rows.iter().find(|row| row["tool"] == tool);
        row.unwrap_or_else(|| panic!("{tool}: {:?}", self.rows))
    }
}
