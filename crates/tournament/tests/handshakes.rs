//! Tournaments with programs. The programs start while no other journal is open, since a starting
//! child process inherits the file locks of its parent.
#![cfg(unix)]

mod common;

use std::fs;

use common::journals::{Stopper, directory, go_on, plan, prepared, report};
use duoforge_journal::read;
use duoforge_tournament::Notice;

/// A program that echoes its input gets three attempts in each game and loses it; the evidence is
/// next to the journal.
#[test]
fn a_player_without_a_handshake_loses_at_the_third_attempt() {
    let text = plan(
        "format = \"round-robin\"\nlimit = \"100ms\"\nevidence = \"violations\"",
        &["random:1", "exec:cat"],
    );
    let directory = directory();
    let path = directory.path().join("test.journal");
    prepared(&path, &text);
    let watcher = Stopper {
        after: usize::MAX,
        ..Stopper::default()
    };
    assert!(go_on(&path, &watcher).unwrap());
    let notices = watcher.notices.into_inner().unwrap();
    let restarted = |notice: &Notice| matches!(notice, Notice::Restarted { .. });
    assert_eq!(
        notices.iter().filter(|notice| restarted(notice)).count(),
        4,
        "{notices:?}"
    );
    let history = read(&path).unwrap().history;
    for (number, game) in &history.games {
        assert_eq!((game.begun.attempt, game.annulled.len()), (3, 2));
        let ended = game.ended.as_ref().unwrap();
        assert_eq!(
            (&*ended.ending, ended.result.text()),
            ("no-handshake", "1-0")
        );
        let place = format!("test.evidence/game-{number:05}-attempt-3");
        assert_eq!(ended.evidence.as_deref(), Some(&*place));
        let list = fs::read_to_string(directory.path().join(&place).join("moves.txt")).unwrap();
        let first = ["P1 against P2", "P2 against P1"][*number as usize - 1];
        assert!(list.starts_with(&format!(
            "# game {number}: {first}\n# no handshake: player 2: "
        )));
        assert!(!list.contains("duoforge replay"), "{list}");
    }
    let report = report(&path);
    let sums: Vec<_> = report
        .standings
        .iter()
        .map(|player| (&*player.name, player.points, player.violations))
        .collect();
    assert_eq!(sums, [("P1", 2.0, 0), ("P2", 0.0, 2)]);
}
