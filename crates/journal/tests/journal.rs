//! Journals that are truncated, damaged and shared.

use std::fs;
use std::path::Path;
use std::thread;

mod common;

use common::{bytes, ended, header, moved, written};
use duoforge_journal::{Annulled, Begun, GameResult, Journal, JournalError, Record, read, scan};
use proptest::prelude::*;

#[test]
fn a_journal_that_is_cut_at_any_byte_reads_back_as_what_was_whole() {
    let directory = tempfile::tempdir().unwrap();
    let [whole, cut] = ["whole", "cut"].map(|name| directory.path().join(name));
    written(&whole);
    let bytes = fs::read(&whole).unwrap();
    let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').collect();
    for len in ends[0] + 1..bytes.len() {
        let lines = bytes[..len].iter().filter(|&&byte| byte == b'\n').count();
        let scan = scan(&cut, &bytes[..len]).unwrap();
        assert_eq!(scan.records, lines as u64);
        assert_eq!(scan.good, ends[lines - 1] as u64 + 1);
        assert_eq!(scan.torn.is_some(), scan.good != len as u64);
    }
    // Writing resumes after the intact part. Only some truncations are tested, since each needs a
    // file.
    for len in (ends[0] + 1..bytes.len()).step_by(97) {
        fs::write(&cut, &bytes[..len]).unwrap();
        let (journal, history, torn) = Journal::open(&cut).unwrap();
        let next = history.games.keys().max().unwrap_or(&0) + 1;
        let begun = Begun::new(next, 1, ["Ada", "Bob"]);
        journal.append(&Record::Begun(begun)).unwrap();
        drop(journal);
        let again = read(&cut).unwrap();
        assert_eq!((again.torn, again.history.opened), (None, 1));
        assert!(again.history.games.contains_key(&next));
        let beside = directory.path().join("cut.torn");
        let kept = fs::read(&beside).unwrap_or_default();
        assert_eq!(kept.len() as u64, torn.map_or(0, |torn| torn.len + 1));
        let _ = fs::remove_file(beside);
    }
}

#[cfg(unix)]
#[test]
fn a_first_line_that_was_cut_short_is_written_again_and_other_files_are_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup.journal");
    for beginning in ["", "{\"crc", "{\"crc\":\"01234567\",\"n\":0,"] {
        fs::write(&path, beginning).unwrap();
        assert!(matches!(read(&path), Err(JournalError::NoJournal { .. })));
        drop(Journal::create(&path, header()).unwrap());
        assert_eq!(read(&path).unwrap().records, 1);
    }
    for other in ["a letter", "{\"crc\":\"01234567\",\"n\":0}\n"] {
        fs::write(&path, other).unwrap();
        let refused = Journal::create(&path, header()).unwrap_err();
        assert!(matches!(refused, JournalError::Exists(_)), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), other);
    }
    let device = Journal::create(Path::new("/dev/full"), header()).unwrap_err();
    assert!(matches!(device, JournalError::Exists(_)), "{device}");
}

#[test]
fn damage_before_good_lines_is_an_error_that_names_the_line() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup.journal");
    written(&path);
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let changed = lines[4].replace("a8e0", "a8e1");
    lines[4] = &changed;
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    for error in [read(&path).unwrap_err(), Journal::open(&path).unwrap_err()] {
        assert!(
            matches!(error, JournalError::Damaged { line: 5, .. }),
            "{error}"
        );
    }
    // The record numbers reveal a missing line.
    lines.remove(4);
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    assert!(matches!(
        read(&path),
        Err(JournalError::Damaged { line: 5, .. })
    ));
}

#[test]
fn records_that_cannot_follow_each_other_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let refused = |records: &[Record]| {
        let path = directory.path().join("wrong");
        let _ = fs::remove_file(&path);
        let journal = Journal::create(&path, header()).unwrap();
        records
            .iter()
            .for_each(|record| journal.append(record).unwrap());
        match read(&path) {
            Err(JournalError::Damaged { reason, .. }) => reason,
            other => panic!("{other:?}"),
        }
    };
    let begun = |attempt| Record::Begun(Begun::new(1, attempt, ["Ada", "Bob"]));
    let end = || ended(1, GameResult::One);
    assert!(refused(&[begun(1), end(), end()]).contains("already ended"));
    assert!(refused(&[begun(1), begun(2)]).contains("begins twice"));
    assert!(refused(&[begun(2)]).contains("attempt 2"));
    assert!(refused(&[begun(1), moved(1, 2, "53e0")]).contains("move 2, expected move 1"));
    assert!(refused(&[moved(1, 1, "53e0")]).contains("has not begun"));
    let annulled = Record::Annulled(Annulled {
        game: 1,
        attempt: 1,
        reason: "stopped".to_owned(),
    });
    assert!(refused(&[begun(1), annulled, end()]).contains("not in progress"));
}

#[test]
fn only_one_writer_has_a_journal() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup.journal");
    let journal = Journal::create(&path, header()).unwrap();
    assert!(matches!(Journal::open(&path), Err(JournalError::Locked(_))));
    let create = Journal::create(&path, header());
    assert!(matches!(create, Err(JournalError::Locked(_))));
    // The journal can be read at any time.
    assert_eq!(read(&path).unwrap().records, 1);
    drop(journal);
    drop(Journal::open(&path).unwrap());
    assert!(matches!(
        Journal::create(&path, header()),
        Err(JournalError::Exists(_))
    ));
}

#[test]
fn threads_share_a_journal() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup.journal");
    let journal = Journal::create(&path, header()).unwrap();
    thread::scope(|scope| {
        for game in 1..=8 {
            let journal = &journal;
            scope.spawn(move || {
                let begun = Begun::new(game, 1, ["Ada", "Bob"]);
                journal.append(&Record::Begun(begun)).unwrap();
                for ply in 1..=4 {
                    journal.append(&moved(game, ply, "53e0")).unwrap();
                }
                let last = [moved(game, 5, "53e0"), ended(game, GameResult::Two)];
                journal.append_all(&last).unwrap();
            });
        }
    });
    let scan = read(&path).unwrap();
    assert_eq!((scan.records, scan.torn), (1 + 8 * 7, None));
    assert_eq!(scan.history.ended().count(), 8);
    assert!(
        scan.history
            .games
            .values()
            .all(|game| game.moves.len() == 5)
    );
}

proptest! {
    #[test]
    fn an_edited_journal_is_a_prefix_of_the_good_one_or_refused(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..4),
        rest in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        thread_local! {
            static GOOD: Vec<u8> = bytes();
        }
        let good = GOOD.with(Clone::clone);
        let mut edited = good.clone();
        for (at, byte, kind) in edits {
            let at = at.index(edited.len());
            match kind {
                0 => edited[at] = byte,
                1 => edited.insert(at, byte),
                _ => edited.truncate(at.max(1)),
            }
        }
        edited.extend(rest);
        if let Ok(scan) = scan(Path::new("edited"), edited.as_slice()) {
            let len = usize::try_from(scan.good).unwrap();
            // Digits of a checksum may differ in case.
            prop_assert!(edited[..len].eq_ignore_ascii_case(&good[..len]));
        }
    }
}
