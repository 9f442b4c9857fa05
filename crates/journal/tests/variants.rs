//! Games of variants in journals.

use std::fs;
use std::path::Path;

use duoforge_journal::{
    Annulled, Begun, Header, Journal, JournalError, Kind, Record, SeatEnded, VariantBegun,
    VariantEnded, VariantMoved, read,
};

const PLAYERS: [&str; 3] = ["Ada", "Bob", "Cyd"];

fn begun(game: u32, attempt: u32) -> Record {
    Record::VariantBegun(VariantBegun::new(game, attempt, "classic-3", &PLAYERS))
}

fn moved(attempt: u32, ply: u32, seat: u8) -> VariantMoved {
    VariantMoved {
        game: 1,
        attempt,
        ply,
        seat,
        colour: seat,
        code: "11a0".to_owned(),
        legal: 58,
        us: 7,
        host_us: 2,
        forfeit: false,
        remark: None,
        log: None,
    }
}

fn ended(attempt: u32, seats: usize) -> Record {
    let seat = |place: u8| SeatEnded {
        score: -i32::from(place),
        place,
        cells: 80,
        fault: None,
        log: None,
    };
    Record::VariantEnded(VariantEnded {
        game: 1,
        attempt,
        ending: "finished".to_owned(),
        detail: "finished".to_owned(),
        seats: (1..=seats as u8).map(seat).collect(),
        plies: 2,
        at_ms: 0,
    })
}

fn annulled() -> Record {
    Record::Annulled(Annulled {
        game: 1,
        attempt: 1,
        reason: "the process stopped".to_owned(),
    })
}

fn write(path: &Path, records: &[Record]) {
    let _ = fs::remove_file(path);
    let journal = Journal::create(path, Header::new(Kind::Match, "Friday", "[]")).unwrap();
    for record in records {
        journal.append(record).unwrap();
    }
}

#[test]
fn games_of_variants_are_kept_apart_from_games_of_the_contest() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("friday.journal");
    let second = VariantMoved {
        forfeit: true,
        remark: Some("hm".to_owned()),
        log: Some("late".to_owned()),
        ..moved(2, 2, 2)
    };
    let records = [
        begun(1, 1),
        Record::VariantMoved(moved(1, 1, 0)),
        annulled(),
        begun(1, 2),
        Record::VariantMoved(moved(2, 1, 0)),
        Record::VariantMoved(second.clone()),
        ended(2, 3),
        begun(2, 1),
        Record::Begun(Begun::new(3, 1, ["Ada", "Bob"])),
    ];
    write(&path, &records);
    let history = read(&path).unwrap().history;
    let games: Vec<_> = history.variant_games.ended().collect();
    let [(game, end)] = games[..] else {
        panic!("one finished game")
    };
    assert_eq!((game.begun.attempt, game.begun.players.len()), (2, 3));
    assert_eq!(game.moves, [moved(2, 1, 0), second]);
    assert_eq!(end.seats[2].place, 3);
    assert_eq!(history.variant_games.running().count(), 1);
    let keys: Vec<_> = history.games.keys().collect();
    assert_eq!(keys, [&3]);
    // Optional fields are absent without a value.
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[1].contains(r#""type":"variant-begun","game":1,"attempt":1,"variant":"classic-3""#)
    );
    assert!(!lines[2].contains("forfeit") && !lines[2].contains("remark"));
    assert!(lines[6].contains(r#""forfeit":true,"remark":"hm","log":"late""#));
}

/// Beginning of a game of three players, of some of whom a version is recorded.
fn versioned(versions: usize) -> Record {
    let Record::VariantBegun(mut begun) = begun(1, 1) else {
        unreachable!("the record of a beginning");
    };
    begun.versions = vec![Some("1.0".to_owned()); versions];
    Record::VariantBegun(begun)
}

#[test]
fn records_that_cannot_follow_each_other_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("wrong");
    let play = |attempt, ply, seat| Record::VariantMoved(moved(attempt, ply, seat));
    for (records, part) in [
        (vec![begun(1, 2)], "begins with attempt 2, expected 1"),
        (vec![begun(1, 1), begun(1, 1)], "begins twice"),
        (
            vec![begun(1, 1), annulled(), begun(1, 3)],
            "attempt 3, expected 2",
        ),
        (vec![play(1, 1, 0)], "has not begun"),
        (vec![begun(1, 1), play(1, 2, 0)], "move 2, expected move 1"),
        (
            vec![begun(1, 1), play(2, 1, 0)],
            "attempt 2 at game 1 is not in progress",
        ),
        (vec![begun(1, 1), play(1, 1, 3)], "seat 3, expected 0 to 2"),
        (
            vec![begun(1, 1), ended(1, 4)],
            "results of 4 seats, expected 3",
        ),
        (
            vec![begun(1, 1), ended(1, 3), play(1, 1, 0)],
            "already ended",
        ),
        (vec![begun(1, 1), annulled(), annulled()], "not in progress"),
        (vec![versioned(2)], "versions of 2 players, expected 3"),
    ] {
        write(&path, &records);
        match read(&path) {
            Err(JournalError::Damaged { reason, .. }) => {
                assert!(reason.contains(part), "{reason}: {part}");
            }
            other => panic!("{part}: {other:?}"),
        }
    }
}
