//! Events that `duoforge resume` refuses: ambiguous players of old journals, and unknown ones; and the
//! result of a match that it continues.
#![cfg(unix)]

mod common;

use std::fs;

use common::events::duoforge;
use duoforge_journal::{Header, Journal, Kind, read};
use tempfile::tempdir;

/// Plan of a round robin of two players.
fn plan(player: &str) -> String {
    let entry =
        |name: &str, spec: &str| format!("[[player]]\nname = \"{name}\"\nspec = \"{spec}\"\n");
    let players = [entry("P1", player), entry("P2", "random:1")].concat();
    format!("event = \"Test\"\nformat = \"round-robin\"\n{players}")
}

/// In journals of version 1, `engine` may be the pattern player, which is now called `pattern`.
#[test]
fn an_old_journal_does_not_let_another_player_continue() {
    let directory = tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    let plan = plan("engine");
    fs::write(place("cup.toml"), &plan).unwrap();
    let words = ["match", "engine", "random:1", "--journal", "match.journal"];
    let words = serde_json::to_string(&words).unwrap();
    for (name, kind, plan) in [
        ("cup.journal", Kind::Tournament, &plan),
        ("match.journal", Kind::Match, &words),
    ] {
        let mut header = Header::new(kind, "Test", plan);
        header.version = 1;
        drop(Journal::create(&place(name), header).unwrap());
    }
    for words in [
        ["resume", "cup.journal"],
        ["tournament", "cup.toml"],
        ["resume", "match.journal"],
    ] {
        let output = duoforge(directory.path(), &words).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains("duoforge::journal::former"), "{err}");
        assert!(err.contains("`pattern`"), "{err}");
    }
    for name in ["cup.journal", "match.journal"] {
        assert!(read(&place(name)).unwrap().history.games.is_empty());
    }
}

/// The plan of a journal is read with the players that the program makes, as the file was.
#[test]
fn resume_knows_simulated_players() {
    let directory = tempdir().unwrap();
    let plan = plan("sim:nosuch");
    fs::write(directory.path().join("cup.toml"), &plan).unwrap();
    let header = Header::new(Kind::Tournament, "Test", &plan);
    drop(Journal::create(&directory.path().join("other.journal"), header).unwrap());
    for words in [["tournament", "cup.toml"], ["resume", "other.journal"]] {
        let output = duoforge(directory.path(), &words).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        // Messages are wrapped, with a line at their left.
        let err = String::from_utf8_lossy(&output.stderr).replace('│', " ");
        let err = err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(err.contains("invalid spec 'sim:nosuch': "), "{err}");
        assert!(err.contains("is not a simulator"), "{err}");
    }
}

/// A program without a team code in the first run of a match has no handshake: a violation without a
/// loser.
#[test]
fn the_result_of_a_resumed_match_covers_its_earlier_games() {
    let directory = tempdir().unwrap();
    let mock = env!("CARGO_BIN_EXE_duoforge-mock");
    let script = format!(
        "if [ -e again ]; then exec {mock} correct; fi\ntouch again\nexec {mock} bad-prefix\n"
    );
    fs::write(directory.path().join("once.sh"), script).unwrap();
    let words = "match,exec:sh once.sh,random:1,-q,--games,2,--limit,20s,--journal,m.journal";
    let words: Vec<_> = words.split(',').collect();
    let output = duoforge(directory.path(), &words).output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{out}");
    assert!(out.contains("no handshake"), "{out}");
    let words = ["resume", "m.journal", "-q"];
    let output = duoforge(directory.path(), &words).output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(
        out.contains("game 2: ") && out.contains("not decided: 1"),
        "{out}"
    );
    assert_eq!(output.status.code(), Some(1), "{out}");
}
