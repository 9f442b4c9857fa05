//! Runs of the program `duoforge-lab`.

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;

/// Runs the program in a directory.
pub fn lab(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("duoforge-lab").expect("the program is built");
    let output = command.current_dir(directory).args(arguments).output();
    output.expect("it starts")
}

/// Runs the program, which must succeed, and returns its standard output.
pub fn good(directory: &Path, arguments: &[&str]) -> String {
    let output = lab(directory, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).expect("text")
}
