//! Whole tournaments of players in software, on real journals.

mod common;

use std::fs;

use common::journals::{Stopper, directory, go_on, plan, played, prepared, report};
use duoforge_journal::{Journal, Record, read};
use duoforge_rating::Verdict;
use duoforge_tournament::{Form, Notice, Plan, TournamentError, run};

/// Any change of rules, players, schedule or seeds changes this fingerprint. After an intended
/// change, insert the new one.
#[test]
fn a_tournament_of_210_games_always_comes_out_the_same() {
    let text = plan(
        "format = \"round-robin\"\npairs = 7\nconcurrency = 2\nseed = 2026\nevidence = \"violations\"",
        &[
            "twin", "pattern", "random:1", "random:2", "random:3", "random",
        ],
    );
    let report = played(&text);
    assert_eq!((report.games, report.finished), (210, true));
    assert_eq!(
        report
            .standings
            .iter()
            .map(|player| player.violations)
            .sum::<u32>(),
        0
    );
    assert_eq!(report.fingerprint, GOLDEN);
}

const GOLDEN: &str = "e948a873ee624a3fed27af4b421e4e2bf538b3c671306b9b2c460921e1356aea";

const SMALL: &str = "format = \"round-robin\"\nseed = 5\nevidence = \"violations\"";

/// The journal of an undisturbed tournament is cut at bytes all over the file, and the tournament
/// resumes from each cut.
#[test]
fn a_tournament_that_was_cut_at_any_byte_ends_as_if_nothing_had_happened() {
    let text = plan(SMALL, &["random:1", "random:2", "random:3"]);
    let directory = directory();
    let [whole, cut] = ["whole.journal", "cut.journal"].map(|name| directory.path().join(name));
    prepared(&whole, &text);
    assert!(go_on(&whole, &()).unwrap());
    let expected = report(&whole);
    let bytes = fs::read(&whole).unwrap();
    let first = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for len in (first..bytes.len()).step_by(bytes.len() / 60) {
        fs::write(&cut, &bytes[..len]).unwrap();
        assert!(go_on(&cut, &()).unwrap());
        assert_eq!(report(&cut), expected, "cut at {len}");
        let history = read(&cut).unwrap().history;
        assert!(history.games.values().all(|game| game.begun.attempt == 1));
    }
}

#[test]
fn a_tournament_that_is_stopped_again_and_again_comes_out_the_same() {
    for format in [
        "round-robin",
        "gauntlet",
        "swiss\"\nrounds = \"3",
        "knockout",
    ] {
        let head = format!("format = \"{format}\"\nconcurrency = 2\nopening = 2")
            .replace("rounds = \"3\"", "rounds = 3");
        let text = plan(
            &head,
            &["pattern", "sample:1", "sample:2", "random:3", "random:4"],
        );
        let expected = played(&text);
        let directory = directory();
        let path = directory.path().join("test.journal");
        prepared(&path, &text);
        let mut calls = 0;
        loop {
            calls += 1;
            let stopper = Stopper {
                after: 3,
                ..Stopper::default()
            };
            if go_on(&path, &stopper).unwrap() {
                break;
            }
        }
        assert!(calls > 1, "{format}: {calls}");
        assert_eq!(report(&path), expected, "{format}");
    }
}

#[test]
fn a_game_resumes_where_players_play_the_same_again_and_restarts_where_not() {
    for (opponent, goes_on) in [("random:2", true), ("engine:ms=1", false)] {
        let text = plan(SMALL, &["random:1", opponent]);
        let directory = directory();
        let path = directory.path().join("test.journal");
        prepared(&path, &text);
        assert!(go_on(&path, &()).unwrap());
        // The tenth line is in the middle of the first game.
        let lines: String = fs::read_to_string(&path)
            .unwrap()
            .split_inclusive('\n')
            .take(10)
            .collect();
        fs::write(&path, lines).unwrap();
        let watcher = Stopper {
            after: usize::MAX,
            ..Stopper::default()
        };
        assert!(go_on(&path, &watcher).unwrap());
        let notices = watcher.notices.into_inner().unwrap();
        let history = read(&path).unwrap().history;
        let game = &history.games[&1];
        if goes_on {
            assert!(
                matches!(notices[0], Notice::GoesOn { moves: 7, .. }),
                "{notices:?}"
            );
            assert_eq!(game.begun.attempt, 1);
        } else {
            assert!(
                matches!(notices[0], Notice::Restarted { .. }),
                "{notices:?}"
            );
            assert_eq!((game.begun.attempt, game.annulled.len()), (2, 1));
        }
    }
}

#[test]
fn moves_that_do_not_come_back_restart_a_game() {
    let text = plan(SMALL, &["random:1", "random:2"]);
    let directory = directory();
    let path = directory.path().join("test.journal");
    prepared(&path, &text);
    assert!(go_on(&path, &()).unwrap());
    let expected = report(&path);
    let history = read(&path).unwrap().history;
    let game = &history.games[&1];
    // Journal of a game with another first move.
    fs::remove_file(&path).unwrap();
    let journal = Journal::create(&path, history.header.clone()).unwrap();
    journal.append(&Record::Begun(game.begun.clone())).unwrap();
    let mut moved = game.moves[0].clone();
    moved.code = if moved.code == "55a0" { "55b0" } else { "55a0" }.to_owned();
    journal.append(&Record::Moved(moved)).unwrap();
    drop(journal);
    assert!(go_on(&path, &()).unwrap());
    assert_eq!(report(&path), expected);
    let again = read(&path).unwrap().history;
    assert_eq!(again.games[&1].begun.attempt, 2);
    assert!(again.games[&1].annulled[0].contains("move 1 differs"));
}

#[test]
fn evidence_of_every_game_is_kept_where_that_is_asked_for() {
    for (kept, games) in [("all", 2), ("violations", 0)] {
        let head = format!("format = \"gauntlet\"\nevidence = \"{kept}\"");
        let directory = directory();
        let path = directory.path().join("test.journal");
        prepared(&path, &plan(&head, &["pattern", "random:2"]));
        assert!(go_on(&path, &()).unwrap());
        let places = (1..=2).map(|number| {
            directory
                .path()
                .join(format!("test.evidence/game-{number:05}-attempt-1"))
        });
        let places: Vec<_> = places.filter(|place| place.exists()).collect();
        assert_eq!(places.len(), games, "{kept}");
        for (place, [one, two]) in places.iter().zip([["(5,5)", "(a,a)"], ["(a,a)", "(5,5)"]]) {
            let text = |name: &str| fs::read_to_string(place.join(name)).unwrap();
            let wire = text("wire.log");
            let head = format!(
                "# line 1: player 1, P1, starts at {one}\n# line 2: player 2, P2, starts at {two}\n"
            );
            assert!(wire.starts_with(&head), "{wire}");
            assert!(wire.lines().count() > 50 && wire.contains(" 2 > 9"));
            let json: serde_json::Value = serde_json::from_str(&text("game.json")).unwrap();
            assert!(json["plies"].as_array().unwrap().len() > 20);
            assert!(text("board.svg").starts_with("<svg"));
            let list = text("moves.txt");
            let moves = list.lines().next_back().unwrap();
            assert_eq!(
                moves.split(' ').count(),
                json["plies"].as_array().unwrap().len()
            );
            assert!(list.contains("duoforge replay --plies '"), "{list}");
        }
    }
}

#[test]
fn the_test_ends_a_match_that_is_decided_and_later_games_do_not_count() {
    let head = "format = \"gauntlet\"\npairs = 60\nconcurrency = 2\nevidence = \"violations\"\n\
                sprt = { elo0 = 0, elo1 = 200 }";
    let text = plan(head, &["pattern", "random:1"]);
    let report = played(&text);
    assert!(report.finished && report.games < 120, "{}", report.games);
    assert_eq!(report.games, report.planned);
    let test = report.sprt.unwrap();
    assert_eq!(test.verdict, Verdict::Stronger);
    assert!(report.standings[0].elo.low > 0.0);
}

#[test]
fn a_journal_of_another_plan_is_refused() {
    let directory = directory();
    let path = directory.path().join("test.journal");
    prepared(&path, &plan(SMALL, &["random:1", "random:2", "random:3"]));
    assert!(go_on(&path, &()).unwrap());
    let (journal, history, _) = Journal::open(&path).unwrap();
    let other = Plan::read(&plan(SMALL, &["random:1", "random:2"])).unwrap();
    let refused = run(&other, &journal, &history, &()).unwrap_err();
    assert!(matches!(refused, TournamentError::Schedule(_)), "{refused}");
}

#[test]
fn every_form_of_the_report_holds_every_player_and_escapes_names() {
    let text = "event = \"A & <B>\"\nformat = \"round-robin\"\n\
                [[player]]\nname = \"<i>x</i>|\"\nspec = \"random:1\"\n\
                [[player]]\nname = \"y & \\\"z\\\"\"\nspec = \"random:2\"\n";
    let report = played(text);
    for form in [
        Form::Text,
        Form::Markdown,
        Form::Json,
        Form::Html,
        Form::Svg,
    ] {
        let text = report.render(form);
        match form {
            Form::Text => assert!(text.contains("<i>x</i>|"), "{text}"),
            Form::Markdown => assert!(text.contains(r"\<i\>x\</i\>\|"), "{text}"),
            Form::Json => {
                let value: serde_json::Value = serde_json::from_str(&text).unwrap();
                assert_eq!(value["standings"].as_array().unwrap().len(), 2);
                assert_eq!(value["fingerprint"], report.fingerprint);
            }
            Form::Html | Form::Svg => {
                assert!(text.contains("&lt;i&gt;x&lt;/i&gt;|"), "{text}");
                assert!(
                    text.contains("y &amp; &quot;z&quot;") && !text.contains("<i>"),
                    "{text}"
                );
            }
        }
    }
}
