//! Events that `duoforge resume` refuses: ambiguous players of old journals, and unknown ones; and the
//! games and the result of a match that it continues.
#![cfg(unix)]

mod common;

use std::collections::HashSet;
use std::fs;
use std::path::Path;

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

/// Moves of the games in a journal, of all variants.
fn games(journal: &Path) -> Vec<Vec<String>> {
    let history = read(journal).unwrap().history;
    let duo = history
        .ended()
        .map(|(game, _)| codes(&game.moves, |moved| &moved.code));
    let others = history.variant_games.ended();
    let others = others.map(|(game, _)| codes(&game.moves, |moved| &moved.code));
    duo.chain(others).collect()
}

fn codes<M>(moves: &[M], code: fn(&M) -> &String) -> Vec<String> {
    moves.iter().map(|moved| code(moved).clone()).collect()
}

#[test]
fn a_resumed_match_plays_the_games_of_an_undisturbed_one() {
    let directory = tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    for players in [
        "random:3 greedy:4",
        "random engine:sims=9,threads=1 --seed 7",
        "random:1 greedy random:3 --variant classic-3 --seed 5",
    ] {
        let line = format!("match {players} -q --games 4 --journal whole.journal");
        let words: Vec<_> = line.split(' ').collect();
        let played = duoforge(directory.path(), &words).output().unwrap();
        assert_eq!(played.status.code(), Some(0), "{line}");
        let text = fs::read_to_string(place("whole.journal")).unwrap();
        let ends = text.split_inclusive('\n').scan(0, |length, line| {
            *length += line.len();
            Some((line.contains("ended\""), *length))
        });
        let second = ends
            .filter(|&(ended, _)| ended)
            .nth(1)
            .expect("a second game")
            .1;
        fs::write(place("cut.journal"), &text[..second]).unwrap();
        let resumed = duoforge(directory.path(), &["resume", "cut.journal", "-q"]);
        assert_eq!({ resumed }.output().unwrap().status.code(), Some(0));
        let (whole, cut) = (games(&place("whole.journal")), games(&place("cut.journal")));
        assert_eq!(whole.len(), 4);
        assert_eq!(cut, whole, "{line}");
        let different: HashSet<_> = whole.iter().collect();
        assert_eq!(different.len(), 4, "{line}");
        fs::remove_file(place("whole.journal")).unwrap();
    }
}
