//! Filters of the index with the games that they match; results and headers.

use std::fs;

mod common;

use common::{bytes, ended, header, moved};
use duoforge_journal::{Archive, Begun, GameResult, Header, Journal, Kind, Query, Record};

/// Players, result, ending and score of four games, and the filters that match each.
#[test]
fn the_index_answers_each_question() {
    let folder = tempfile::tempdir().unwrap();
    let [path, index] = ["cup", "index"].map(|name| folder.path().join(name));
    let mut head = header();
    (head.id, head.made_ms) = ("first".into(), 5);
    let journal = Journal::create(&path, head).unwrap();
    for (game, players, result, ending) in [
        (1, ["Ada", "Bob"], GameResult::One, "both-passed"),
        (2, ["Bob", "Ada"], GameResult::One, "timeout"),
        (3, ["Ada", "Cyd"], GameResult::Two, "both-passed"),
        (4, ["Cyd", "Bob"], GameResult::Draw, "both-passed"),
    ] {
        let mut begun = Begun::new(game, 1, players);
        (begun.round, begun.first) = (game + 10, 2);
        journal.append(&Record::Begun(begun)).unwrap();
        journal.append(&moved(game, 1, "53e0")).unwrap();
        let Record::Ended(mut end) = ended(game, result) else {
            unreachable!()
        };
        (end.ending, end.at_ms, end.evidence) = (ending.into(), 77, Some("e".into()));
        journal.append(&Record::Ended(end)).unwrap();
    }
    let other = folder.path().join("other");
    fs::write(&other, bytes()).unwrap();
    let archive = Archive::rebuild(&index, &[other, path.clone()]).unwrap();
    let found = |query: Query| -> Vec<u32> {
        let query = Query {
            event: Some("first".into()),
            ..query
        };
        archive
            .games(&query)
            .unwrap()
            .iter()
            .map(|row| row.number)
            .collect()
    };
    let name = |name: &str| Some(name.to_owned());
    let of = |player: &str| Query {
        player: name(player),
        ..Query::default()
    };
    let between = |player: &str, against: &str| Query {
        against: name(against),
        ..of(player)
    };
    let won = |query: Query| Query { won: true, ..query };
    let ending = |ending: &str| Query {
        ending: name(ending),
        ..Query::default()
    };
    let result = |result| Query {
        result: Some(result),
        ..Query::default()
    };
    assert_eq!(found(Query::default()), [1, 2, 3, 4]);
    assert_eq!(found(of("Ada")), [1, 2, 3]);
    assert_eq!(found(of("Cyd")), [3, 4]);
    assert_eq!(found(between("Ada", "Bob")), [1, 2]);
    assert_eq!(found(between("Cyd", "Ada")), [3]);
    let against = Query {
        against: name("Bob"),
        ..Query::default()
    };
    assert_eq!(found(against), [1, 2, 4]);
    assert_eq!(found(won(of("Ada"))), [1]);
    assert_eq!(found(won(of("Bob"))), [2]);
    assert_eq!(found(won(of("Cyd"))), [3]);
    assert_eq!(found(won(Query::default())), [1, 2, 3]);
    assert_eq!(found(ending("timeout")), [2]);
    assert_eq!(found(result(GameResult::One)), [1, 2]);
    assert_eq!(found(result(GameResult::Two)), [3]);
    assert_eq!(found(result(GameResult::Draw)), [4]);
    for (limit, expected) in [(0, &[][..]), (1, &[1]), (3, &[1, 2, 3]), (9, &[1, 2, 3, 4])] {
        let query = Query {
            limit: Some(limit),
            ..Query::default()
        };
        assert_eq!(found(query), expected);
    }
    let events = archive.events().unwrap();
    let event = &events[1];
    assert_eq!(
        (event.id.as_str(), event.name.as_str(), event.games),
        ("first", "Cup", 4)
    );
    assert_eq!(
        (event.kind.word(), &event.journal, event.made_ms),
        ("tournament", &path, 5)
    );
    let game = archive.game("first", 2).unwrap().unwrap();
    let row = &game.row;
    assert_eq!(
        (row.event.as_str(), row.event_name.as_str()),
        ("first", "Cup")
    );
    assert_eq!(
        (row.round, row.attempt, row.first, row.start),
        (12, 1, 2, '5')
    );
    assert_eq!((row.result, row.plies, row.at_ms), (GameResult::One, 2, 77));
    assert_eq!((row.score, row.cells_placed), ([-20, -30], [69, 59]));
    assert_eq!(
        (row.detail.as_str(), row.evidence.as_deref()),
        ("both players passed", Some("e"))
    );
    let made = &game.moves[0];
    assert_eq!((made.player, made.legal, made.us), (1, 414, 1_234));
    assert_eq!(
        (made.sim_us, made.host_us, made.forfeit),
        (None, Some(60), false)
    );
    assert_eq!(archive.game("first", 5).unwrap(), None);
    assert_eq!(archive.game("none", 1).unwrap(), None);
}

#[test]
fn results_have_four_texts() {
    for (result, text) in [
        (GameResult::One, "1-0"),
        (GameResult::Two, "0-1"),
        (GameResult::Draw, "1/2-1/2"),
        (GameResult::Open, "*"),
    ] {
        assert_eq!(result.text(), text);
        assert_eq!(GameResult::from_text(text), Some(result));
        assert_eq!(serde_json::to_value(result).unwrap(), text);
    }
    assert_eq!(GameResult::from_text("1-1"), None);
    let made = Header::new(Kind::Match, "Cup", "plan");
    assert_eq!(
        (made.format.as_str(), made.version),
        ("duoforge-journal", 2)
    );
    assert_eq!(
        (made.kind.word(), made.event.as_str(), made.plan.as_str()),
        ("match", "Cup", "plan")
    );
    for (kind, word) in [
        (Kind::Tournament, "tournament"),
        (Kind::Match, "match"),
        (Kind::Other("ladder".to_owned()), "ladder"),
    ] {
        assert_eq!((kind.word(), kind.to_string().as_str()), (word, word));
        assert_eq!(serde_json::to_value(&kind).unwrap(), word);
        assert_eq!(serde_json::from_value::<Kind>(word.into()).unwrap(), kind);
    }
    let since = duoforge_journal::now_ms() - made.made_ms;
    assert!(since < 60_000, "{since}");
    let id = format!("{:x}-{:x}", made.made_ms, std::process::id());
    assert_eq!(made.id, id);
}
