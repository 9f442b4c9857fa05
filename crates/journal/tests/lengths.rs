//! Lines and files at the maximum length of a line.

use std::fs;
use std::path::Path;

use duoforge_journal::{Annulled, Begun, Header, Journal, JournalError, Kind, Record, read, scan};

/// Maximum length of a line in bytes, as in the documentation of the format: 32 MiB including the
/// newline.
const LONGEST: usize = 32 * 1024 * 1024;

#[test]
fn the_longest_line_is_read_and_a_longer_one_is_not() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup");
    let mut header = Header::new(Kind::Match, "Cup", "");
    let journal = Journal::create(&path, header.clone()).unwrap();
    drop(journal);
    let short = fs::read(&path).unwrap().len();
    for (len, good) in [(LONGEST, true), (LONGEST + 1, false)] {
        header.plan = "x".repeat(len - short);
        fs::remove_file(&path).unwrap();
        drop(Journal::create(&path, header.clone()).unwrap());
        let bytes = fs::read(&path).unwrap();
        assert_eq!(bytes.len(), len);
        let scan = scan(Path::new("cup"), &bytes[..]);
        match scan {
            Ok(scan) => assert!(good && scan.history.header == header),
            Err(error) => {
                assert!(!good);
                assert_eq!(
                    error.to_string(),
                    "cup is not a journal: the first line is incomplete"
                );
            }
        }
    }
}

#[test]
fn a_torn_end_that_is_longer_than_a_line_is_one_end() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup");
    drop(Journal::create(&path, Header::new(Kind::Match, "Cup", "")).unwrap());
    let mut bytes = fs::read(&path).unwrap();
    let good = bytes.len() as u64;
    bytes.resize(bytes.len() + 2 * LONGEST + 7, b'x');
    fs::write(&path, bytes).unwrap();
    let torn = read(&path).unwrap().torn.unwrap();
    assert_eq!((torn.at, torn.len), (good, 2 * LONGEST as u64 + 7));
    assert_eq!(torn.reason, "the line has no newline");
}

#[test]
fn a_beginning_is_as_long_as_a_line_at_most() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup");
    for (begin, len, free) in [
        ("{\"crc\":\"", LONGEST, true),
        ("{\"crc\":\"", LONGEST + 1, false),
        ("{\"crx\":\"", 20, false),
        ("{", 1, true),
        ("{", 2, false),
    ] {
        let mut bytes = begin.as_bytes().to_vec();
        bytes.resize(len, b'x');
        fs::write(&path, &bytes).unwrap();
        match Journal::create(&path, Header::new(Kind::Match, "Cup", "")) {
            Ok(_) => assert!(free, "{begin} {len}"),
            Err(JournalError::Exists(at)) => {
                assert!(!free && at == path, "{begin} {len}");
                assert_eq!(fs::read(&path).unwrap(), bytes, "it is left alone");
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn numbers_go_on_after_a_journal_is_opened_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup");
    drop(Journal::create(&path, Header::new(Kind::Match, "Cup", "")).unwrap());
    for opened in 1..=3 {
        let (journal, history, torn) = Journal::open(&path).unwrap();
        assert_eq!((history.opened, torn), (opened - 1, None));
        let annulled = Annulled {
            game: 1,
            attempt: opened,
            reason: "stopped".to_owned(),
        };
        let begun = Begun::new(1, opened, ["Ada", "Bob"]);
        journal.append(&Record::Begun(begun)).unwrap();
        journal.append(&Record::Annulled(annulled)).unwrap();
        drop(journal);
        let scan = read(&path).unwrap();
        assert_eq!(
            (scan.records, scan.history.opened),
            (1 + 3 * u64::from(opened), opened)
        );
        let game = &scan.history.games[&1];
        assert_eq!(
            (game.begun.attempt, game.annulled.len(), game.is_annulled),
            (opened, opened as usize, true)
        );
        assert_eq!(scan.history.running().count(), 0);
    }
    assert!(!directory.path().join("cup.torn").exists());
}

/// A game is in progress until it is annulled or ends; the second attempt is in progress again.
#[test]
fn games_run_until_they_end_or_are_annulled() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup");
    let journal = Journal::create(&path, Header::new(Kind::Match, "Cup", "")).unwrap();
    let begun = |game, attempt| Record::Begun(Begun::new(game, attempt, ["Ada", "Bob"]));
    let annulled = Annulled {
        game: 2,
        attempt: 1,
        reason: "stopped".to_owned(),
    };
    for (record, expected) in [
        (begun(1, 1), &[(1, 1)][..]),
        (begun(2, 1), &[(1, 1), (2, 1)]),
        (Record::Annulled(annulled), &[(1, 1)]),
        (begun(2, 2), &[(1, 1), (2, 2)]),
    ] {
        journal.append(&record).unwrap();
        let history = read(&path).unwrap().history;
        let running = history
            .running()
            .map(|game| (game.begun.game, game.begun.attempt));
        assert_eq!(running.collect::<Vec<_>>(), expected);
    }
}

/// A line that no reader accepts would make the rest of the journal unreadable.
#[test]
fn a_record_that_is_too_long_is_not_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup");
    let journal = Journal::create(&path, Header::new(Kind::Match, "Cup", "")).unwrap();
    let annulled = |reason: String| {
        Record::Annulled(Annulled {
            game: 1,
            attempt: 1,
            reason,
        })
    };
    let begun = Begun::new(1, 1, ["Ada", "Bob"]);
    journal.append(&Record::Begun(begun)).unwrap();
    let before = fs::read(&path).unwrap();
    let error = journal.append(&annulled("x".repeat(LONGEST))).unwrap_err();
    assert!(matches!(error, JournalError::TooLong { .. }), "{error}");
    assert!(error.to_string().ends_with("expected at most 33554432"));
    assert_eq!(fs::read(&path).unwrap(), before);
    // Four logs of a mebibyte of control characters.
    let long = "\u{1}".repeat(4 << 20);
    journal.append(&annulled(long)).unwrap();
    drop(journal);
    assert!(read(&path).unwrap().torn.is_none());
}
