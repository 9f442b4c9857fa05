//! Input tests before tournaments, with real programs. One test runs at a time: a starting child
//! process inherits the file locks of its parent.
#![cfg(target_os = "linux")]

mod common;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use common::journals::{Stopper, directory, go_on, plan, prepared};
use duoforge_journal::{History, InputTest, Journal, Record, read};
use duoforge_players::PlayerSpec;
use duoforge_tournament::{
    Control, Form, Ladder, LadderUnit, Notice, Plan, Report, TournamentError, VariantControl,
    VariantPlan, VariantReport, run_variant, test_players, test_variant_players,
};

fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn python(script: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    format!("bot:timebank=60s:python3 {}", root.join(script).display())
}

fn starter() -> String {
    python("examples/bots/bot.py")
}

fn crashes() -> String {
    format!("{} crash", python("crates/bots/tests/data/misbehaving.py"))
}

/// Tests the players and plays; `None` if the tournament was stopped during the tests.
fn tested(path: &Path, control: &dyn Control) -> Result<Option<bool>, TournamentError> {
    let (journal, history, _) = Journal::open(path)?;
    let plan = Plan::read(&history.header.plan)?;
    let Some(mut tested) = test_players(&plan, &journal, &history, control)? else {
        return Ok(None);
    };
    let result = tested.run(&journal, &history, control)?;
    Ok(Some(result.finished))
}

fn report(history: &History) -> Report {
    let plan = Plan::read(&history.header.plan).unwrap();
    Report::new(&plan.without_excluded(&history.input_tests), history)
}

/// Names of the tested players, and whether they passed.
fn verdicts(history: &History) -> Vec<(&str, bool)> {
    let tests = history.input_tests.iter();
    tests
        .map(|test| (&*test.player, test.fault.is_none()))
        .collect()
}

fn fault<'a>(history: &'a History, player: &str) -> &'a str {
    let mut tests = history.input_tests.iter();
    let test = tests.find(|test| test.player == player).unwrap();
    test.fault.as_deref().unwrap()
}

/// Players of every kind that fail are excluded with a notice and a record; the others play.
#[test]
fn players_that_fail_the_input_test_are_excluded_before_the_first_game() {
    let _alone = alone();
    let (starter, crashes) = (starter(), crashes());
    let players = ["random:1", &starter, &crashes, "exec:cat", "gtp:false"];
    let text = plan("format = \"round-robin\"\nlimit = \"500ms\"", &players);
    let directory = directory();
    let path = directory.path().join("test.journal");
    prepared(&path, &text);
    let watcher = Stopper {
        after: usize::MAX,
        ..Stopper::default()
    };
    assert_eq!(tested(&path, &watcher).unwrap(), Some(true));

    let history = read(&path).unwrap().history;
    let expected = [("P2", true), ("P3", false), ("P4", false), ("P5", false)];
    assert_eq!(verdicts(&history), expected);
    assert!(
        fault(&history, "P3").contains("exit status 3"),
        "{history:?}"
    );
    assert!(fault(&history, "P3").contains("no model"), "{history:?}");
    assert!(
        fault(&history, "P4").starts_with("answers 0 with '0"),
        "{history:?}"
    );
    assert!(fault(&history, "P5").contains("ended"), "{history:?}");
    let notices = watcher.notices.into_inner().unwrap();
    let excluded: Vec<_> = notices
        .iter()
        .filter_map(|notice| match notice {
            Notice::Excluded { player, .. } => Some(&player[..]),
            _ => None,
        })
        .collect();
    assert_eq!(excluded, ["P3", "P4", "P5"]);
    let line = notices.iter().map(ToString::to_string);
    assert!(
        line.into_iter()
            .any(|line| line.starts_with("P4 is excluded: it failed the input test: answers 0")),
        "{notices:?}"
    );

    // Two players are left, with one pair of games, and both games count.
    let players: Vec<_> = history
        .ended()
        .map(|(game, _)| &game.begun.players)
        .collect();
    assert_eq!(players.len(), 2);
    assert!(
        players
            .iter()
            .flat_map(|names| names.iter())
            .all(|name| name < &"P3".to_owned())
    );
    let report = report(&history);
    assert!(report.finished);
    assert_eq!((report.standings.len(), report.excluded.len()), (2, 3));
    for form in [Form::Text, Form::Markdown, Form::Html] {
        let shown = report.render(form);
        assert!(
            shown.contains("Excluded after the input test: P4: answers 0"),
            "{shown}"
        );
    }
    let json: serde_json::Value = serde_json::from_str(&report.render(Form::Json)).unwrap();
    assert_eq!(json["excluded"][0]["name"], "P3");
    let ladder = Ladder::new(std::slice::from_ref(&history), "duo", LadderUnit::Player);
    assert_eq!((ladder.games, ladder.rungs.len()), (2, 2));

    // Another run repeats no test.
    assert_eq!(tested(&path, &()).unwrap(), Some(true));
    let again = read(&path).unwrap().history;
    assert_eq!(again.input_tests, history.input_tests);
}

/// An event that is stopped during the tests continues with those that are missing.
#[test]
fn the_tests_are_resumed_and_too_few_players_are_an_error() {
    let _alone = alone();
    let text = plan(
        "format = \"round-robin\"\nlimit = \"500ms\"",
        &["random:1", "exec:cat"],
    );
    let directory = directory();
    let path = directory.path().join("test.journal");
    prepared(&path, &text);
    let stopped = Stopper::default();
    assert_eq!(tested(&path, &stopped).unwrap(), None);
    assert!(read(&path).unwrap().history.input_tests.is_empty());

    for _ in 0..2 {
        let error = tested(&path, &()).unwrap_err();
        let TournamentError::TooFew {
            left: 1,
            needed: 2,
            excluded,
        } = &error
        else {
            panic!("{error}");
        };
        assert_eq!(excluded, "P2");
        let history = read(&path).unwrap().history;
        assert_eq!(verdicts(&history), [("P2", false)]);
        assert!(history.games.is_empty());
    }
}

/// The first player of a gauntlet plays all its games.
#[test]
fn a_gauntlet_needs_its_first_player() {
    let _alone = alone();
    let players = ["exec:cat", "random:1", "random:2"];
    let text = plan("format = \"gauntlet\"\nlimit = \"500ms\"", &players);
    let directory = directory();
    let path = directory.path().join("test.journal");
    prepared(&path, &text);
    let error = tested(&path, &()).unwrap_err();
    assert!(
        matches!(error, TournamentError::TooFew { left: 2, .. }),
        "{error}"
    );
}

/// A program that does not exist is an error of the plan: the organiser can correct it.
#[test]
fn a_program_that_cannot_be_started_is_an_error() {
    let _alone = alone();
    for spec in ["bot:/no/such/bot", "gtp:/no/such/engine"] {
        let text = plan("format = \"round-robin\"", &["random:1", spec]);
        let directory = directory();
        let path = directory.path().join("test.journal");
        prepared(&path, &text);
        let error = tested(&path, &()).unwrap_err();
        assert!(
            matches!(error, TournamentError::Player { .. }),
            "{spec}: {error}"
        );
        assert!(read(&path).unwrap().history.input_tests.is_empty());
    }
}

/// An event that began without input tests continues without them.
#[test]
fn an_event_whose_games_have_begun_is_not_tested() {
    let _alone = alone();
    let text = plan(
        "format = \"round-robin\"\nlimit = \"100ms\"",
        &["random:1", "exec:cat"],
    );
    let directory = directory();
    let path = directory.path().join("test.journal");
    prepared(&path, &text);
    let one = Stopper {
        after: 1,
        ..Stopper::default()
    };
    assert!(!go_on(&path, &one).unwrap());
    assert_eq!(tested(&path, &()).unwrap(), Some(true));
    let history = read(&path).unwrap().history;
    assert!(history.input_tests.is_empty());
    assert_eq!(history.ended().count(), 2);
}

/// Observer of a tournament of a variant that keeps the notices.
#[derive(Default)]
struct Notices(Mutex<Vec<String>>);

impl VariantControl for Notices {
    fn excluded(&self, notice: &Notice) {
        self.0.lock().unwrap().push(notice.to_string());
    }
}

#[test]
fn tournaments_of_variants_exclude_players_too() {
    let _alone = alone();
    let mut text = "event = \"Cup\"\nvariant = \"duo-corner\"\n".to_owned();
    for (name, spec) in [("A", "greedy"), ("B", &crashes()), ("C", &starter())] {
        text += &format!("[[player]]\nname = \"{name}\"\nspec = \"{spec}\"\n");
    }
    let directory = directory();
    let path = directory.path().join("cup.journal");
    prepared(&path, &text);
    let plan = VariantPlan::read_with(&text, str::parse::<PlayerSpec>).unwrap();
    let notices = Notices::default();
    let (journal, history, _) = Journal::open(&path).unwrap();
    let reduced = test_variant_players(&plan, &journal, &history, &notices);
    let reduced = reduced.unwrap().unwrap();
    assert!(run_variant(&reduced, &journal, &history, &notices).unwrap());
    drop(journal);
    let history = read(&path).unwrap().history;
    assert_eq!(verdicts(&history), [("B", false), ("C", true)]);
    let notices = notices.0.into_inner().unwrap();
    assert_eq!(notices.len(), 1);
    assert!(
        notices[0].starts_with("B is excluded: it failed the input test: "),
        "{notices:?}"
    );
    let report = VariantReport::new(&reduced, &history);
    assert_eq!((report.games, report.standings.len()), (2, 2));
    assert!(report.standings.iter().all(|it| it.violations == 0));
    for shown in [report.text(), report.markdown()] {
        assert!(
            shown.contains("Excluded after the input test: B: "),
            "{shown}"
        );
    }
}

/// Games of an excluded player are not rated, even if a journal holds some.
#[test]
fn a_ladder_does_not_rate_games_of_excluded_players() {
    let _alone = alone();
    let text = plan(
        "format = \"round-robin\"",
        &["random:1", "random:2", "random:3"],
    );
    let directory = directory();
    let path = directory.path().join("test.journal");
    prepared(&path, &text);
    assert!(go_on(&path, &()).unwrap());
    let rated = |path: &Path| {
        let history = read(path).unwrap().history;
        Ladder::new(&[history], "duo", LadderUnit::Player).games
    };
    assert_eq!(rated(&path), 6);
    let (journal, _, _) = Journal::open(&path).unwrap();
    let test = InputTest {
        player: "P3".to_owned(),
        fault: Some("no answer".to_owned()),
        at_ms: 1,
    };
    journal.append(&Record::InputTest(test)).unwrap();
    drop(journal);
    assert_eq!(rated(&path), 2);
}
