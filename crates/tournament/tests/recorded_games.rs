//! Tournaments that continue from journals with given games.

mod common;

use std::fs;
use std::path::Path;

use common::journals::{directory, go_on, plan, prepared, report};
use common::{game, history, matches, win};
use duoforge_journal::GameResult::One;
use duoforge_journal::{Begun, GameHistory, Journal, Record, read};
use duoforge_rules::GameVariant;
use duoforge_tournament::{
    Fixture, Ladder, LadderUnit, Plan, Results, Schedule, TournamentError, games_by_variant,
};

/// Creates a journal for a plan that records these results.
fn recorded(path: &Path, text: &str, results: &Results) {
    prepared(path, text);
    let (journal, ..) = Journal::open(path).unwrap();
    for GameHistory { begun, ended, .. } in
        history(&Plan::read(text).unwrap(), results).games.values()
    {
        journal.append(&Record::Begun(begun.clone())).unwrap();
        journal
            .append(&Record::Ended(ended.clone().unwrap()))
            .unwrap();
    }
}

/// Three rounds of six players after which one meeting of the fourth round is a repetition.
fn three_rounds(text: &str) -> (Schedule, Results) {
    let plan = Plan::read(text).unwrap();
    let (mut schedule, mut results) = (Schedule::new(&plan, &Results::new()), Results::new());
    for winners in [&[0, 3, 4], &[3, 4, 5], &[3, 0, 1]] {
        win(&plan, &mut schedule, &mut results, winners);
    }
    (schedule, results)
}

/// Earlier versions paired such a round by points alone: 3-0 4-1 5-2. The games of that round have the
/// numbers 19 to 24, two for each match. The present rule gives 3-0 4-2 1-5.
#[test]
fn a_swiss_round_of_a_journal_keeps_its_pairing() {
    let specs = [
        "random:1", "random:2", "random:3", "random:4", "random:5", "random:6",
    ];
    let text = plan(
        "format = \"swiss\"\nrounds = 4\nevidence = \"violations\"",
        &specs,
    );
    let (schedule, results) = three_rounds(&text);
    let present = [[3, 0], [4, 2], [1, 5]];
    assert_eq!(matches(&schedule, 4), present);
    let by_points = [[3, 0], [4, 1], [5, 2]];
    // Players of the only recorded game of round 4, and the pairing of the round.
    for (number, players, expected) in [
        (19, [3, 0], Some(present)),
        (21, [4, 2], Some(present)),
        (21, [4, 1], Some(by_points)),
        (24, [5, 2], Some(by_points)),
        (21, [4, 5], None),
    ] {
        let directory = directory();
        let path = directory.path().join("test.journal");
        recorded(&path, &text, &results);
        let (journal, ..) = Journal::open(&path).unwrap();
        let names = players.map(|player| format!("P{}", player + 1));
        let begun = Begun::new(number, 1, names.each_ref().map(|name| &**name));
        journal.append(&Record::Begun(begun)).unwrap();
        drop(journal);
        let Some(expected) = expected else {
            let refused = go_on(&path, &()).unwrap_err();
            assert!(
                matches!(refused, TournamentError::Schedule(21)),
                "{refused}"
            );
            continue;
        };
        assert!(go_on(&path, &()).unwrap());
        let history = read(&path).unwrap().history;
        let schedule = Schedule::of_journal(&Plan::read(&text).unwrap(), &history);
        assert_eq!(matches(&schedule, 4), expected, "game {number}");
        for Fixture {
            number, players, ..
        } in schedule.fixtures()
        {
            let names = players.map(|player| format!("P{}", player + 1));
            assert_eq!(history.games[number].begun.players, names, "game {number}");
        }
        let report = report(&path);
        assert!(report.finished);
        // Each player has two games in each of four rounds.
        assert!(report.standings.iter().all(|player| player.games == 8));
    }
}

/// The games that ended after the decision of the sequential test count nowhere.
#[test]
fn a_ladder_rates_the_games_that_the_sequential_test_counts() {
    let head = "format = \"round-robin\"\npairs = 60\nsprt = { elo0 = 0, elo1 = 100 }";
    let text = plan(head, &["random:1", "random:2"]);
    let results: Results = (1..=120)
        .map(|number| (number, game(One, [60, 50]).into()))
        .collect();
    let directory = directory();
    let path = directory.path().join("test.journal");
    recorded(&path, &text, &results);
    assert!(go_on(&path, &()).unwrap());
    let report = report(&path);
    assert!(report.finished && report.games < 120, "{}", report.games);
    let histories = [read(&path).unwrap().history];
    let name = GameVariant::DUO.name();
    let ladder = Ladder::new(&histories, name, LadderUnit::Player);
    assert_eq!(ladder.games, report.games);
    assert_eq!(ladder.rungs[0].games, report.games);
    assert_eq!(games_by_variant(&histories)[name], report.games);
    // A player that only another program knows does not change the schedule.
    let [mut history] = histories;
    history.header.plan = history.header.plan.replace("random:2", "sim:rust");
    assert!(Plan::read(&history.header.plan).is_err());
    let ladder = Ladder::new(&[history], name, LadderUnit::Player);
    assert_eq!(ladder.games, report.games);
    let journal = fs::read_to_string(&path).unwrap();
    let last = format!("\"type\":\"finished\",\"games\":{},", report.games);
    assert!(
        journal.lines().next_back().unwrap().contains(&last),
        "{journal}"
    );
}
