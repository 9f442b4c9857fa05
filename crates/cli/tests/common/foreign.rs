//! Files of the user in the directory of a build.

use std::fs;
use std::path::Path;

use crate::common::{run, text};

/// Asserts that a build for a board refuses a file of the user with this name, keeps it, and writes
/// nothing else into the directory. Removes the file.
pub fn assert_kept(directory: &Path, board: &str, name: &str) {
    let path = directory.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "my own\n").unwrap();
    let refused = run(&["build", "--board", board, "--out", text(directory)]);
    assert_eq!(refused.status, 2, "{name}: {}", refused.err);
    assert!(
        refused.err.contains("duoforge::build::foreign"),
        "{name}: {}",
        refused.err
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "my own\n");
    fs::remove_file(path).unwrap();
    let left = fs::read_dir(directory).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| name == "player"), "{left:?}");
}
