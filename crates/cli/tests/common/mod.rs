//! Runs of the program and their outputs.
#![allow(dead_code, reason = "each test uses a part of it")]

#[cfg(unix)]
pub mod events;
#[cfg(unix)]
pub mod seasons;
#[cfg(unix)]
mod served;

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

#[cfg(unix)]
#[allow(unused_imports, reason = "each test uses a part of it")]
pub use served::Served;

/// Result of a run of the program.
pub struct Run {
    /// Exit status.
    pub status: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Run {
    /// Parses the lines of standard output, each of which must be JSON.
    pub fn json(&self) -> Vec<Value> {
        let parse = |line: &str| {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))
        };
        self.out.lines().map(parse).collect()
    }
}

/// Runs the program with `input` as its standard input.
pub fn fed(input: impl AsRef<[u8]>, arguments: &[&str]) -> Run {
    launched(program(arguments).write_stdin(input.as_ref()))
}

/// Runs the program with a variable in its environment.
pub fn with_variable(name: &str, value: &str, arguments: &[&str]) -> Run {
    launched(program(arguments).env(name, value))
}

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_duoforge"));
    command
        .args(arguments)
        .env_remove("NO_COLOR")
        .env("LC_ALL", "C.UTF-8");
    command
}

fn launched(command: &mut Command) -> Run {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
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

/// Runs the program, which must succeed, and returns its standard output.
pub fn good(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    run.out
}

/// Returns the replay in an HTML file.
pub fn replay_in(html: &str) -> Value {
    let (_, data) = html
        .split_once("id=\"data\">")
        .expect("the file holds a replay");
    let (data, _) = data.split_once("</script>").expect("the replay ends");
    serde_json::from_str(data).expect("the replay is JSON")
}

/// Returns a path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
