//! Programs that tests write and run.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Writes a script to a path and makes it executable.
///
/// Another process copies it there. This one starts programs in other threads meanwhile, and each of
/// them inherits its open files until it executes its own program. A file that is open for writing
/// cannot be executed.
pub fn write_program(path: &Path, text: &str) {
    let source = path.with_extension("source");
    fs::write(&source, text).unwrap();
    fs::set_permissions(&source, fs::Permissions::from_mode(0o755)).unwrap();
    let copied = Command::new("cp").arg(&source).arg(path).status().unwrap();
    assert!(copied.success());
    fs::remove_file(source).unwrap();
}
