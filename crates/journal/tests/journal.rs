//! Journals that are cut, damaged, shared and indexed.

use std::fs;
use std::path::Path;
use std::thread;

use duoforge_arbitrary::Inputs;
use duoforge_journal::{
    Archive, Begun, Ended, GameResult, Header, Journal, JournalError, Moved, Query, Record, Rest,
    Voided, now_ms, read, scan,
};
use proptest::prelude::*;

fn moved(game: u32, ply: u32, code: &str) -> Record {
    Record::Moved(Moved {
        game,
        attempt: 1,
        ply,
        player: if ply % 2 == 1 { 1 } else { 2 },
        code: code.to_owned(),
        legal: 414,
        us: 1_234,
        sim_us: None,
        host_us: Some(60),
        forfeit: false,
    })
}

fn ended(game: u32, result: GameResult) -> Record {
    Record::Ended(Ended {
        game,
        attempt: 1,
        result,
        ending: "both-passed".to_owned(),
        detail: "both players passed".to_owned(),
        score: [-20, -30],
        squares: [69, 59],
        teams: [Some("TW".to_owned()), None],
        plies: 2,
        evidence: None,
        at_ms: now_ms(),
    })
}

/// Two games that have ended and one that is under way.
fn records() -> Vec<Record> {
    let begun = |game, players| Record::Begun(Begun::new(game, 1, players));
    vec![
        begun(1, ["Ada", "Bob"]),
        moved(1, 1, "53e0"),
        begun(2, ["Bob", "Cyd"]),
        moved(1, 2, "a8e0"),
        ended(1, GameResult::One),
        moved(2, 1, "53e0"),
        ended(2, GameResult::Draw),
        begun(3, ["Cyd", "Ada"]),
        moved(3, 1, "53e0"),
    ]
}

fn header() -> Header {
    Header::new("tournament", "Cup", "format = \"round-robin\"\n")
}

fn written(path: &Path) {
    let journal = Journal::create(path, header()).unwrap();
    records()
        .iter()
        .for_each(|record| journal.append(record).unwrap());
}

#[test]
fn a_journal_that_is_cut_at_any_byte_reads_back_as_what_was_whole() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, cut] = ["whole", "cut"].map(|name| folder.path().join(name));
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
    // Writing goes on where the good part ends, for some of the cuts, since each is a file.
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
        let beside = folder.path().join("cut.torn");
        let kept = fs::read(&beside).unwrap_or_default();
        assert_eq!(kept.len() as u64, torn.map_or(0, |torn| torn.len + 1));
        let _ = fs::remove_file(beside);
    }
}

#[cfg(unix)]
#[test]
fn a_first_line_that_was_cut_short_is_written_anew_and_other_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.journal");
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
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.journal");
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
    // A line that is missing is noticed by the numbers.
    lines.remove(4);
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    assert!(matches!(
        read(&path),
        Err(JournalError::Damaged { line: 5, .. })
    ));
}

#[test]
fn records_that_cannot_follow_each_other_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |records: &[Record]| {
        let path = folder.path().join("wrong");
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
    assert!(refused(&[begun(1), end(), end()]).contains("ended already"));
    assert!(refused(&[begun(1), begun(2)]).contains("a second time"));
    assert!(refused(&[begun(2)]).contains("attempt 2"));
    assert!(refused(&[begun(1), moved(1, 2, "53e0")]).contains("move 2 follows 0"));
    assert!(refused(&[moved(1, 1, "53e0")]).contains("has not begun"));
    let voided = Record::Voided(Voided {
        game: 1,
        attempt: 1,
        reason: "stopped".to_owned(),
    });
    assert!(refused(&[begun(1), voided, end()]).contains("not under way"));
}

#[test]
fn only_one_writer_has_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.journal");
    let journal = Journal::create(&path, header()).unwrap();
    assert!(matches!(Journal::open(&path), Err(JournalError::Locked(_))));
    let create = Journal::create(&path, header());
    assert!(matches!(create, Err(JournalError::Locked(_))));
    // Readers may look at any time.
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
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.journal");
    let journal = Journal::create(&path, header()).unwrap();
    thread::scope(|scope| {
        for game in 1..=8 {
            let journal = &journal;
            scope.spawn(move || {
                let begun = Begun::new(game, 1, ["Ada", "Bob"]);
                journal.append(&Record::Begun(begun)).unwrap();
                for ply in 1..=5 {
                    journal.append(&moved(game, ply, "53e0")).unwrap();
                }
                journal.append(&ended(game, GameResult::Two)).unwrap();
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

#[test]
fn the_index_is_made_of_journals_alone() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second, index] = ["a", "b", "index.db"].map(|name| folder.path().join(name));
    written(&first);
    let journal = Journal::create(&second, Header::new("match", "Friday", "")).unwrap();
    let mut begun = Begun::new(1, 1, ["Bob", "Ada"]);
    begun.starts = ['A', '5'];
    journal.append(&Record::Begun(begun)).unwrap();
    journal.append(&moved(1, 1, "53e0")).unwrap();
    journal.append(&ended(1, GameResult::Two)).unwrap();
    let rest = Rest {
        games: 1,
        at_ms: now_ms(),
    };
    journal.append(&Record::Finished(rest)).unwrap();

    // An index that is damaged does not matter: it is made anew.
    fs::write(&index, "no index").unwrap();
    assert!(Archive::open(&index).unwrap().events().is_err());
    let archive = Archive::rebuild(&index, &[first, second]).unwrap();

    let events = archive.events().unwrap();
    let mut seen: Vec<_> = events
        .iter()
        .map(|event| (event.name.as_str(), event.finished, event.games))
        .collect();
    seen.sort_unstable();
    assert_eq!(seen, [("Cup", false, 2), ("Friday", true, 1)]);

    let count = |query: Query| archive.games(&query).unwrap().len();
    let name = |name: &str| Some(name.to_owned());
    assert_eq!(count(Query::default()), 3);
    let ada = || Query {
        player: name("Ada"),
        ..Query::default()
    };
    assert_eq!(count(ada()), 2);
    assert_eq!(count(Query { won: true, ..ada() }), 2);
    assert_eq!(
        count(Query {
            against: name("Bob"),
            ..ada()
        }),
        2
    );
    assert_eq!(
        count(Query {
            against: name("Cyd"),
            ..ada()
        }),
        0
    );
    assert_eq!(
        count(Query {
            event: name("Friday"),
            ..ada()
        }),
        1
    );
    assert_eq!(
        count(Query {
            limit: Some(1),
            ..ada()
        }),
        1
    );
    let bob = Query {
        player: name("Bob"),
        ..Query::default()
    };
    assert_eq!(
        count(Query {
            won: true,
            ..bob.clone()
        }),
        0
    );
    assert_eq!(
        count(Query {
            result: Some(GameResult::Draw),
            ..bob
        }),
        1
    );
    let timeout = Query {
        ending: name("timeout"),
        ..Query::default()
    };
    assert_eq!(count(timeout), 0);

    let game = archive.game("Cup", 1).unwrap().unwrap();
    assert_eq!(game.row.players, ["Ada", "Bob"]);
    assert_eq!((game.row.score, game.row.start), ([-20, -30], '5'));
    let codes: Vec<_> = game.moves.iter().map(|made| made.code.as_str()).collect();
    assert_eq!(codes, ["53e0", "a8e0"]);
    // What is under way is not in it.
    assert_eq!(archive.game("Cup", 3).unwrap(), None);
    assert_eq!(archive.game("Friday", 1).unwrap().unwrap().row.start, 'A');
}

/// The bytes of a good journal.
fn bytes() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.journal");
    written(&path);
    fs::read(path).unwrap()
}

/// The lines of a journal with checksums that fit, whatever is in them.
fn sealed(lines: &[u8]) -> Vec<u8> {
    let mut journal = Vec::new();
    for line in lines.split_inclusive(|&byte| byte == b'\n') {
        match line.get(UNSEALED.len()..) {
            Some(rest) if line.starts_with(UNSEALED) => {
                let end = rest.len() - usize::from(rest.ends_with(b"\n"));
                let crc = format!("{:08x}", crc32fast::hash(&rest[..end]));
                journal.extend_from_slice(b"{\"crc\":\"");
                journal.extend_from_slice(crc.as_bytes());
                journal.extend_from_slice(b"\",");
                journal.extend_from_slice(rest);
            }
            _ => journal.extend_from_slice(line),
        }
    }
    journal
}

/// What a line begins with instead of a checksum.
const UNSEALED: &[u8] = b"{\"crc\":\"--------\",";

#[test]
fn whatever_comes_as_a_journal_is_read_or_refused() {
    let good = bytes();
    let mut unsealed = good.clone();
    for start in 0..good.len() {
        if good[start..].starts_with(b"{\"crc\":\"") {
            unsealed[start..start + UNSEALED.len()].copy_from_slice(UNSEALED);
        }
    }
    assert_eq!(sealed(&unsealed), good);
    let inputs = Inputs {
        name: "journal",
        pieces: &[
            "{\"crc\":\"--------\",",
            "\"n\":",
            "\"record\":",
            "\"header\":",
            "\"begun\":",
            "\"moved\":",
            "\"ended\":",
            "\"voided\":",
            "\"game\":",
            "\"attempt\":",
            "\"ply\":",
            "\"version\":",
            "\"result\":",
            "{",
            "}",
            "[",
            "]",
            ",",
            "\n",
            "0",
            "1",
            "2",
            "3",
            "-1",
            "4294967295",
            "1e99",
            "\"one\"",
            "null",
            "\"ü\"",
            "}}",
        ],
        // The second has checksums that do not fit, and so is cut at its first line that was changed.
        real: &[&unsealed, &good],
    };
    inputs.try_all(|bytes| {
        let journal = sealed(bytes);
        match scan(Path::new("any"), journal.as_slice()) {
            Ok(scan) => {
                assert!(scan.good <= journal.len() as u64);
                assert!(scan.history.ended().count() <= scan.records as usize);
                true
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                false
            }
        }
    });
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
            // Digits of a checksum may have changed their case.
            prop_assert!(edited[..len].eq_ignore_ascii_case(&good[..len]));
        }
    }
}
