//! Events of several kinds in one directory.

use std::fs;
use std::path::Path;

use tempfile::{TempDir, tempdir};

use super::events::duoforge;

/// Plays a tournament in the directory.
pub fn tournament(folder: &Path, name: &str, head: &str, players: &[(&str, &str, &str)]) {
    let mut plan = format!("event = \"{name}\"\nformat = \"round-robin\"\n{head}\n");
    for (name, spec, rest) in players {
        plan += &format!("[[player]]\nname = \"{name}\"\nspec = \"{spec}\"\n{rest}\n");
    }
    let file = format!("{name}.toml");
    fs::write(folder.join(&file), plan).unwrap();
    let output = duoforge(folder, &["tournament", &file, "-q"])
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{err}");
}

/// Plays a match in the directory.
pub fn played_match(folder: &Path, arguments: &str) {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let output = duoforge(folder, &arguments).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{err}");
}

/// Directory with a tournament and two matches: 12, 6 and 2 games.
pub fn season() -> TempDir {
    let folder = tempdir().unwrap();
    let players = [
        ("Pat", "pattern", ""),
        ("Sam", "sample:1", ""),
        ("random:5", "random:5", ""),
    ];
    tournament(folder.path(), "autumn", "pairs = 2\nseed = 3", &players);
    played_match(
        folder.path(),
        "match random:5 random:6 --games 6 --first alternate -q --journal friday.journal",
    );
    played_match(
        folder.path(),
        "match twin random:6 --games 2 --first alternate -q --journal saturday.journal",
    );
    folder
}
