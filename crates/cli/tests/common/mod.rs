//! Running the program and reading what it says.
#![allow(dead_code, reason = "each test uses a part of it")]

#[cfg(unix)]
pub mod events;
#[cfg(unix)]
mod served;

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

#[cfg(unix)]
#[allow(unused_imports, reason = "each test uses a part of it")]
pub use served::Served;

/// What a run of the program gave.
pub struct Run {
    /// Its exit status.
    pub status: i32,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
}

impl Run {
    /// The lines of standard output as JSON; nothing else may stand there.
    pub fn json(&self) -> Vec<Value> {
        let parse = |line: &str| {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))
        };
        self.out.lines().map(parse).collect()
    }
}

/// Runs the program, feeding it `input`.
pub fn fed(input: &str, arguments: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_duoforge"))
        .args(arguments)
        .env_remove("NO_COLOR")
        .env("LC_ALL", "C.UTF-8")
        .write_stdin(input)
        .output()
        .unwrap();
    let Output {
        status,
        stdout,
        stderr,
    } = output;
    Run {
        status: status.code().expect("the program is not killed"),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    }
}

/// Runs the program.
pub fn run(arguments: &[&str]) -> Run {
    fed("", arguments)
}

/// Runs the program, which has to succeed, and returns its standard output.
pub fn good(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    run.out
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
