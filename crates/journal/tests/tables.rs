//! Each record, each fault with its message, exact torn ends and lengths.

use std::fs;
use std::path::Path;

use duoforge_journal::{
    Annulled, Begun, Ended, FORMAT, Finished, GameResult, Header, Journal, JournalError, Kind,
    Moved, Record, Reopened, VERSION, read, scan,
};

/// Line of a record as the documentation describes it, generated independently.
fn line(number: u64, record: &str) -> String {
    let rest = format!("\"n\":{number},\"record\":{record}}}");
    format!(
        "{{\"crc\":\"{:08x}\",{rest}\n",
        crc32fast::hash(rest.as_bytes())
    )
}

fn first() -> String {
    first_of(FORMAT, VERSION)
}

fn first_of(format: &str, version: u32) -> String {
    let record = format!(
        "{{\"type\":\"header\",\"format\":\"{format}\",\"version\":{version},\"id\":\"x-1\",\
         \"kind\":\"match\",\"event\":\"Cup\",\"plan\":\"\",\"made_ms\":7}}"
    );
    line(0, &record)
}

const BEGUN: &str = "{\"type\":\"begun\",\"game\":1,\"attempt\":1,\"players\":[\"Ada\",\"Bob\"],\
    \"first\":1,\"starts\":[\"5\",\"A\"],\"round\":1,\"seeds\":[3,4],\"at_ms\":9}";

fn read_text(text: &str) -> Result<duoforge_journal::JournalContents, JournalError> {
    scan(Path::new("cup"), text.as_bytes())
}

fn refused(text: &str) -> String {
    read_text(text).unwrap_err().to_string()
}

#[test]
fn each_record_is_written_as_its_json() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("cup.journal");
    let head = Header {
        format: FORMAT.into(),
        version: VERSION,
        id: "x-1".into(),
        kind: Kind::Match,
        event: "Cup".into(),
        plan: String::new(),
        made_ms: 7,
    };
    let journal = Journal::create(&path, head).unwrap();
    assert_eq!(journal.path(), path);
    let mut begun = Begun::new(1, 1, ["Ada", "Bob"]);
    assert_eq!((begun.first, begun.starts, begun.round), (1, ['5', 'A'], 1));
    assert_eq!((begun.seeds, begun.opening.as_str()), ([0, 0], ""));
    (begun.seeds, begun.at_ms) = ([3, 4], 9);
    let move_of = |ply, sim_us, host_us, forfeit| {
        Record::Moved(Moved {
            game: 1,
            attempt: 1,
            ply,
            player: 2,
            code: "53e0".into(),
            legal: 414,
            us: 12,
            sim_us,
            host_us,
            forfeit,
        })
    };
    let end = Ended {
        game: 2,
        attempt: 1,
        result: GameResult::Two,
        ending: "timeout".into(),
        detail: "too late".into(),
        score: [-3, 4],
        cells_placed: [86, 89],
        teams: [Some("AB".into()), None],
        plies: 2,
        evidence: Some("e/2".into()),
        at_ms: 11,
    };
    let mut second = Begun::new(2, 1, ["Ada", "Bob"]);
    (second.opening, second.at_ms) = ("53e0".into(), 10);
    let records = [
        Record::Begun(begun),
        move_of(1, None, None, false),
        move_of(2, Some(5), Some(6), true),
        Record::Annulled(Annulled {
            game: 1,
            attempt: 1,
            reason: "late".into(),
        }),
        Record::Begun(second),
        Record::Ended(end),
        Record::Opened(Reopened { at_ms: 12, torn: 3 }),
        Record::Finished(Finished {
            games: 1,
            at_ms: 13,
        }),
    ];
    records
        .iter()
        .for_each(|record| journal.append(record).unwrap());
    let moved = "\"game\":1,\"attempt\":1";
    let expected = [
        BEGUN.to_owned(),
        format!(
            "{{\"type\":\"moved\",{moved},\"ply\":1,\"player\":2,\"code\":\"53e0\",\"legal\":414,\"us\":12}}"
        ),
        format!(
            "{{\"type\":\"moved\",{moved},\"ply\":2,\"player\":2,\"code\":\"53e0\",\"legal\":414,\"us\":12,\
             \"sim_us\":5,\"host_us\":6,\"forfeit\":true}}"
        ),
        format!("{{\"type\":\"annulled\",{moved},\"reason\":\"late\"}}"),
        BEGUN.replace("\"game\":1", "\"game\":2").replace(
            "[3,4],\"at_ms\":9",
            "[0,0],\"opening\":\"53e0\",\"at_ms\":10",
        ),
        "{\"type\":\"ended\",\"game\":2,\"attempt\":1,\"result\":\"0-1\",\"ending\":\"timeout\",\
         \"detail\":\"too late\",\"score\":[-3,4],\"cells_placed\":[86,89],\"teams\":[\"AB\",null],\
         \"plies\":2,\"evidence\":\"e/2\",\"at_ms\":11}"
            .to_owned(),
        "{\"type\":\"opened\",\"at_ms\":12,\"torn\":3}".to_owned(),
        "{\"type\":\"finished\",\"games\":1,\"at_ms\":13}".to_owned(),
    ];
    let lines = expected
        .iter()
        .zip(1..)
        .map(|(record, number)| line(number, record));
    let whole = first() + &lines.collect::<String>();
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
    let scan = read(&path).unwrap();
    assert_eq!(
        (scan.records, scan.good, scan.torn),
        (9, whole.len() as u64, None)
    );
    let history = scan.history;
    assert_eq!(
        (history.finished, history.opened, history.games.len()),
        (true, 1, 2)
    );
    let game = &history.games[&1];
    assert_eq!(
        (game.is_annulled, &game.annulled[..]),
        (true, &["late".to_owned()][..])
    );
    assert_eq!(game.moves.len(), 2);
    assert_eq!(
        history
            .ended()
            .map(|(game, _)| game.begun.game)
            .collect::<Vec<_>>(),
        [2]
    );
    assert_eq!(history.running().count(), 0);
}

#[test]
fn beginnings_that_are_no_journal_say_why() {
    let begins = "cup is not a journal: the first record is not a header";
    let whole = "cup is not a journal: the first line is incomplete";
    let text = "cup is not a journal: the first line is not a header: no checksum";
    let changed = "cup is not a journal: the first line is not a header: checksum mismatch";
    let good = first();
    for (text, error) in [
        ("", whole),
        ("a letter\n", text),
        ("\n", text),
        (&good.replace('{', "\u{feff}{"), text),
        (&good.replace('\n', "\r\n"), changed),
        (good.trim_end(), whole),
        (&good.replace("Cup", "Cap"), changed),
        (&line(0, BEGUN), begins),
        (&first_of("other", VERSION), begins),
        (
            &line(1, "{\"type\":\"opened\",\"at_ms\":1,\"torn\":0}"),
            begins,
        ),
        (&good.replacen("\"n\":0", "\"n\":1", 1), changed),
        (
            &first_of(FORMAT, 3),
            "cup: journal version 3 is not supported: expected 1 to 2",
        ),
        (
            &first_of(FORMAT, 0),
            "cup: journal version 0 is not supported: expected 1 to 2",
        ),
    ] {
        assert_eq!(refused(text), error, "{text}");
    }
    assert_eq!(read_text(&good).unwrap().records, 1);
}

/// Fields and types as version 1 wrote them.
#[test]
fn a_journal_of_version_1_is_read_like_one_of_version_2() {
    let attempt = "\"game\":1,\"attempt\"";
    let ended = |cells: &str| {
        format!(
            "{{\"type\":\"ended\",{attempt}:2,\"result\":\"1-0\",\"ending\":\"timeout\",\
             \"detail\":\"too late\",\"score\":[3,-4],\"{cells}\":[89,86],\"teams\":[null,null],\
             \"plies\":0,\"at_ms\":11}}"
        )
    };
    let journal = |version, annulled: &str, cells: &str| {
        let lines = [
            first_of(FORMAT, version),
            line(1, BEGUN),
            line(
                2,
                &format!("{{\"type\":\"{annulled}\",{attempt}:1,\"reason\":\"late\"}}"),
            ),
            line(3, &BEGUN.replace("\"attempt\":1", "\"attempt\":2")),
            line(4, &ended(cells)),
        ];
        read_text(&lines.concat()).unwrap()
    };
    let old = journal(1, "voided", "squares");
    let game = &old.history.games[&1];
    assert_eq!(game.annulled, ["late"]);
    assert_eq!(game.ended.as_ref().unwrap().cells_placed, [89, 86]);
    assert_eq!(
        old.history.games,
        journal(2, "annulled", "cells_placed").history.games
    );
}

#[test]
fn damage_names_its_line_and_its_kind() {
    let good = first() + &line(1, BEGUN);
    let begun_again = |number| line(number, BEGUN);
    let moved = |number, game: u32, attempt: u32, ply: u32| {
        let record = format!(
            "{{\"type\":\"moved\",\"game\":{game},\"attempt\":{attempt},\"ply\":{ply},\"player\":1,\
             \"code\":\"53e0\",\"legal\":1,\"us\":1}}"
        );
        line(number, &record)
    };
    let opened = line(2, "{\"type\":\"opened\",\"at_ms\":1,\"torn\":0}");
    let at = |number: u64| opened.replace("\"n\":2", &format!("\"n\":{number}"));
    // An intact line after a damaged one.
    let sum = opened.replace("\"at_ms\":1", "\"at_ms\":2")
        + &line(2, "{\"type\":\"opened\",\"at_ms\":1,\"torn\":0}");
    for (rest, line, reason) in [
        (begun_again(2), 3, "game 1 begins twice".to_owned()),
        (begun_again(3), 3, "record 3, expected record 2".to_owned()),
        (begun_again(1), 3, "record 1, expected record 2".to_owned()),
        (moved(2, 1, 1, 2), 3, "move 2, expected move 1".to_owned()),
        (moved(2, 1, 1, 0), 3, "move 0, expected move 1".to_owned()),
        (
            moved(2, 1, 1, 1) + &moved(3, 1, 1, 1),
            4,
            "move 1, expected move 2".to_owned(),
        ),
        (moved(2, 2, 1, 1), 3, "game 2 has not begun".to_owned()),
        (
            moved(2, 1, 2, 1),
            3,
            "attempt 2 at game 1 is not in progress".to_owned(),
        ),
        (
            line_of_attempt(2),
            3,
            "game 2 begins with attempt 2, expected 1".to_owned(),
        ),
        (
            line_of_attempt(0),
            3,
            "game 2 begins with attempt 0, expected 1".to_owned(),
        ),
        (first().replacen("\"n\":0", "\"n\":2", 1), 0, String::new()),
        (sum, 3, "checksum mismatch".to_owned()),
        (
            "no line\n".to_owned() + &opened,
            3,
            "no checksum".to_owned(),
        ),
        (
            "{\"crc\":\"12\n".to_owned() + &opened,
            3,
            "the line is cut off in its checksum".to_owned(),
        ),
        (
            "{\"crc\":\"1234567\n".to_owned() + &opened,
            3,
            "the line is cut off in its checksum".to_owned(),
        ),
        (
            "{\"crc\":\"12345678\"\n".to_owned() + &opened,
            3,
            "no checksum".to_owned(),
        ),
        (
            "{\"crc\":\"1234567x\",\n".to_owned() + &opened,
            3,
            "no checksum".to_owned(),
        ),
    ] {
        let read = read_text(&(good.clone() + &rest));
        if line == 0 {
            // The checksum covers the number: a changed number is a torn end.
            assert_eq!(read.unwrap().torn.unwrap().reason, "checksum mismatch");
            continue;
        }
        let error = read.unwrap_err().to_string();
        assert_eq!(
            error,
            format!("cup: line {line} is damaged: {reason}"),
            "{rest}"
        );
    }
    assert!(at(3).contains("\"n\":3"));
    let header = line(
        2,
        &first()[first().find("{\"type\"").unwrap()..first().len() - 2],
    );
    assert_eq!(
        refused(&(good.clone() + &header)),
        "cup: line 3 is damaged: second header, expected one"
    );
    let broken = line(2, "{\"type\":\"other\"}");
    let torn = read_text(&(good + &broken)).unwrap().torn.unwrap();
    assert!(
        torn.reason
            .starts_with("invalid record: unknown variant `other`"),
        "{}",
        torn.reason
    );
}

/// Beginning of game 2 with this attempt, as record 2.
fn line_of_attempt(attempt: u32) -> String {
    let begun = BEGUN.replace("\"game\":1", "\"game\":2");
    line(
        2,
        &begun.replace("\"attempt\":1", &format!("\"attempt\":{attempt}")),
    )
}

#[test]
fn a_torn_end_is_measured_whole_and_kept() {
    let good = first() + &line(1, BEGUN);
    let len = good.len() as u64;
    for (end, reason) in [
        ("{\"crc\":\"", "the line has no newline"),
        ("x", "the line has no newline"),
        ("x\n", "no checksum"),
        ("x\ny\n", "no checksum"),
        ("x\ny", "no checksum"),
    ] {
        let scan = read_text(&(good.clone() + end)).unwrap();
        let torn = scan.torn.unwrap();
        assert_eq!((torn.at, torn.len), (len, end.len() as u64), "{end:?}");
        assert_eq!(
            (torn.reason.as_str(), scan.good, scan.records),
            (reason, len, 2)
        );
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("cup");
        fs::write(&path, good.clone() + end).unwrap();
        let (journal, history, torn) = Journal::open(&path).unwrap();
        assert_eq!(
            (history.games.len(), torn.unwrap().len),
            (1, end.len() as u64)
        );
        drop(journal);
        let beside = fs::read_to_string(directory.path().join("cup.torn")).unwrap();
        assert_eq!(beside, format!("{end}\n"));
        let text = fs::read_to_string(&path).unwrap();
        assert!(
            text.starts_with(&good) && text.ends_with(&format!("\"torn\":{}}}}}\n", end.len())),
            "{text}"
        );
        assert_eq!(read(&path).unwrap().records, 3);
    }
}
