//! Events of several kinds in one directory.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tempfile::{TempDir, tempdir};

use super::events::duoforge;

/// Plays a tournament in the directory.
pub fn tournament(directory: &Path, name: &str, head: &str, players: &[(&str, &str, &str)]) {
    let mut plan = format!("event = \"{name}\"\nformat = \"round-robin\"\n{head}\n");
    for (name, spec, rest) in players {
        plan += &format!("[[player]]\nname = \"{name}\"\nspec = \"{spec}\"\n{rest}\n");
    }
    let file = format!("{name}.toml");
    fs::write(directory.join(&file), plan).unwrap();
    let output = duoforge(directory, &["tournament", &file, "-q"])
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{err}");
}

/// Plays a match in the directory.
pub fn played_match(directory: &Path, arguments: &str) {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let output = duoforge(directory, &arguments).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{err}");
}

/// Directory with a tournament and two matches: 12, 6 and 2 games.
pub fn season() -> TempDir {
    let directory = tempdir().unwrap();
    let players = [
        ("Pat", "pattern", ""),
        ("Sam", "sample:1", ""),
        ("random:5", "random:5", ""),
    ];
    tournament(directory.path(), "autumn", "pairs = 2\nseed = 3", &players);
    played_match(
        directory.path(),
        "match random:5 random:6 --games 6 --first alternate -q --journal friday.journal",
    );
    played_match(
        directory.path(),
        "match twin random:6 --games 2 --first alternate -q --journal saturday.journal",
    );
    directory
}

/// Results of the player that is named first in the key: losses, draws, wins.
pub type Results = BTreeMap<[String; 2], [u64; 3]>;

/// Elo ratings of the model of Bradley and Terry by the iteration of Zermelo, with one virtual draw
/// of each player against an opponent of strength 1.
pub fn zermelo(results: &Results) -> BTreeMap<String, f64> {
    let names = results.keys().map(|[name, _]| (name.clone(), 1.0));
    let mut strengths: BTreeMap<String, f64> = names.collect();
    for _ in 0..200_000 {
        let before = strengths.clone();
        for (name, strength) in &mut strengths {
            let (mut points, mut weight) = (0.5, 1.0 / (before[name] + 1.0));
            for ([own, other], counts) in results {
                if own == name {
                    points += counts[2] as f64 + counts[1] as f64 / 2.0;
                    let games = counts.iter().sum::<u64>() as f64;
                    weight += games / (before[name] + before[other]);
                }
            }
            *strength = points / weight;
        }
    }
    let each = strengths.into_iter();
    each.map(|(name, strength)| (name, 400.0 * strength.log10()))
        .collect()
}
