//! Following of journals: while a process writes and is killed, byte by byte, and after damage.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use duoforge_journal::{
    Begun, GameResult, Header, Journal, JournalError, Kind, Record, Tail, read,
};

/// Starts a process that appends to a journal until it is killed.
fn writer(path: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_append-games"))
        .arg(path)
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

#[test]
fn a_tail_gets_each_record_once_while_writers_are_killed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("endless.journal");
    let mut tail = Tail::new(&path);
    assert!(matches!(tail.poll(), Err(JournalError::Io { .. })));
    let mut seen = Vec::new();
    for round in 1..=8 {
        let mut child = writer(&path);
        let deadline = Instant::now() + Duration::from_secs(60);
        let enough = seen.len() + 40 + 7 * round;
        while seen.len() < enough {
            assert!(Instant::now() < deadline, "{} records", seen.len());
            match tail.poll() {
                Ok(records) => seen.extend(records),
                // The file does not exist yet.
                Err(JournalError::Io { .. }) if seen.is_empty() => {}
                Err(error) => panic!("{error}"),
            }
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    seen.extend(tail.poll().unwrap());
    // The oracle is the reader of whole journals.
    let contents = read(&path).unwrap();
    assert_eq!(contents.records, seen.len() as u64);
    assert_eq!(tail.records(), contents.records);
    let opened = seen.iter().filter(|it| matches!(it, Record::Opened(_)));
    assert_eq!(opened.count(), 8);
    let followed = tail.history().unwrap();
    assert_eq!(followed.games, contents.history.games);
    assert_eq!(followed.opened, 8);
    assert!(followed.games.len() > 10, "{}", followed.games.len());
}

#[test]
fn a_record_comes_with_its_last_byte() {
    let directory = tempfile::tempdir().unwrap();
    let bytes = common::bytes();
    let path = directory.path().join("growing.journal");
    fs::write(&path, "").unwrap();
    let mut tail = Tail::new(&path);
    let mut count = 0;
    for end in 1..=bytes.len() {
        fs::write(&path, &bytes[..end]).unwrap();
        let records = tail.poll().unwrap();
        assert_eq!(
            records.len(),
            usize::from(bytes[end - 1] == b'\n'),
            "byte {end}"
        );
        assert!(tail.poll().unwrap().is_empty());
        count += records.len();
    }
    assert_eq!(count, common::records().len() + 1);
}

#[test]
fn a_removed_end_does_not_come() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup.journal");
    drop(Journal::create(&path, common::header()).unwrap());
    let intact = fs::read(&path).unwrap();
    let mut tail = Tail::new(&path);
    assert_eq!(tail.poll().unwrap().len(), 1);
    // A torn end with a newline, and one without.
    for torn in [&b"{\"crc\":\"00000000\",\"n\":1}\n"[..], &b"{\"crc\""[..]] {
        fs::write(&path, [&intact[..], torn].concat()).unwrap();
        assert!(tail.poll().unwrap().is_empty());
    }
    let (journal, ..) = Journal::open(&path).unwrap();
    assert!(matches!(tail.poll().unwrap()[..], [Record::Opened(_)]));
    let begun = Record::Begun(Begun::new(1, 1, ["A", "B"]));
    journal.append(&begun).unwrap();
    assert_eq!(tail.poll().unwrap(), [begun]);
}

#[test]
fn damage_is_an_error_after_the_intact_records() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup.journal");
    let journal = Journal::create(&path, Header::new(Kind::Match, "A - B", "[]")).unwrap();
    journal
        .append(&Record::Begun(Begun::new(1, 1, ["A", "B"])))
        .unwrap();
    journal.append(&common::moved(1, 1, "53e0")).unwrap();
    journal.append(&common::ended(1, GameResult::One)).unwrap();
    drop(journal);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("53e0", "53e1")).unwrap();
    let mut tail = Tail::new(&path);
    assert_eq!(tail.poll().unwrap().len(), 2);
    for _ in 0..2 {
        let error = tail.poll().unwrap_err().to_string();
        assert!(
            error.ends_with("line 3 is damaged: checksum mismatch"),
            "{error}"
        );
    }
    // The repaired file is followed from there.
    fs::write(&path, &text).unwrap();
    assert_eq!(tail.poll().unwrap().len(), 2);
    // A shorter file has lost records.
    fs::write(&path, &text[..text.len() / 2]).unwrap();
    let error = tail.poll().unwrap_err().to_string();
    assert!(error.ends_with("the file has lost records"), "{error}");
    assert!(tail.is_replaced());
    fs::write(&path, &text).unwrap();
    assert!(!tail.is_replaced() && tail.poll().unwrap().is_empty());
}

#[test]
fn a_longer_journal_that_replaces_the_file_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup.journal");
    let create = |name: &str| {
        let journal = Journal::create(&path, Header::new(Kind::Match, name, "[]")).unwrap();
        let begun = Record::Begun(Begun::new(1, 1, ["A", "B"]));
        journal.append(&begun).unwrap();
    };
    create("A - B");
    let mut tail = Tail::new(&path);
    assert_eq!(tail.poll().unwrap().len(), 2);
    assert!(!tail.is_replaced());
    fs::remove_file(&path).unwrap();
    assert!(tail.poll().is_err() && !tail.is_replaced());
    create("A journal with a longer name");
    let error = tail.poll().unwrap_err().to_string();
    assert!(
        error.ends_with("another journal has replaced the file"),
        "{error}"
    );
    assert!(tail.is_replaced() && tail.records() == 2);
    assert_eq!(Tail::new(&path).poll().unwrap().len(), 2);
}

#[test]
fn other_files_are_no_journals() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("other.journal");
    for (text, reason) in [("hello\n", "no checksum"), ("{}\n", "no checksum")] {
        fs::write(&path, text).unwrap();
        let error = Tail::new(&path).poll().unwrap_err();
        let JournalError::NoJournal { reason: found, .. } = error else {
            panic!("{error}");
        };
        assert_eq!(found, reason);
    }
    let header = Header {
        version: 99,
        ..Header::new(Kind::Match, "A - B", "[]")
    };
    fs::remove_file(&path).unwrap();
    drop(Journal::create(&path, header).unwrap());
    let error = Tail::new(&path).poll().unwrap_err();
    assert!(matches!(error, JournalError::Version { version: 99, .. }));
}
