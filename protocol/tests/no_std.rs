//! The crate builds without the standard library and depends on no I/O library.

use std::process::Command;

fn cargo() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo
}

/// `#![no_std]` makes any use of `std` an error, on every machine that runs the test.
#[test]
fn it_builds() {
    let output = cargo()
        .args(["build", "--offline", "--lib"])
        .args(["--target-dir", env!("CARGO_TARGET_TMPDIR")])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn it_depends_on_error_derives_only() {
    let output = cargo()
        .args(["tree", "--offline", "--edges", "normal,no-proc-macro"])
        .args(["--prefix", "none", "--format", "{p} [{f}]"])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    assert!(
        lines
            .next()
            .is_some_and(|line| line.starts_with("duoforge-protocol "))
    );
    let rest: Vec<_> = lines.collect();
    // The empty brackets show that the feature `std` of thiserror is off.
    assert!(
        matches!(rest[..], [line] if line.starts_with("thiserror ") && line.ends_with("[]")),
        "{text}"
    );
}
