//! Every mock, as a real program connected by pipes, fails its own check and passes all others.
#![cfg(unix)]

mod common;

use std::sync::Mutex;
use std::thread;

use clap::ValueEnum;
use common::{conform, exec, word};
use duoforge_conform::mock::{MockKind, TIRED};
use duoforge_conform::{ConformanceCheck, Kind, RunOptions, Verdict};

/// Number of mocks tested concurrently; they mostly wait.
const AT_A_TIME: usize = 16;

fn all() -> Vec<&'static ConformanceCheck> {
    (1..=ConformanceCheck::ALL.len())
        .filter_map(|number| ConformanceCheck::find(&number.to_string()))
        .collect()
}

#[test]
fn the_correct_mock_passes_every_step() {
    let settings = RunOptions {
        games: 20,
        ..common::settings()
    };
    let report = conform(exec(MockKind::Correct, settings.limit), settings, &all());
    for step in &report.steps {
        assert_eq!(word(step), "passed", "{:?}: {:?}", step.step, step.verdict);
    }
    assert_eq!(report.team.as_deref(), Some("MK"));
}

/// Checks after the first game that play games of more than one or two moves.
const GAMES: [&str; 14] = [
    "next-game",
    "starts",
    "orders",
    "aliases",
    "opponent-finished",
    "last-tile",
    "forced-pass",
    "pass-after-pass",
    "reset",
    "split",
    "slow-host",
    "series",
    "line-ends",
    "no-handshake",
];

/// Verdict of a check other than the mock's own: passed, except for mocks with recurring faults.
/// This is the whole list of exceptions.
fn elsewhere(kind: MockKind, step: &str) -> &'static str {
    use MockKind as Kind;
    let game = GAMES.contains(&step);
    match (kind, step) {
        // Without a handshake no check runs.
        (Kind::BadPrefix | Kind::Echo, _) => "not-run",
        (Kind::Crash | Kind::Vanish | Kind::Stall, _) if game => "blocked",
        (Kind::OnlyPasses, _) if game => "blocked",
        // A pass on the first move is also voluntary, and was reported as a violation.
        (Kind::OnlyPasses | Kind::PassFirst | Kind::KeepsBoard, "no-voluntary-pass") => "blocked",
        (Kind::PassesOn, "no-voluntary-pass") => "blocked",
        (Kind::PassesOn, "last-tile") => "not-reached",
        _ => "passed",
    }
}

/// A new check needs a new mock whose fault shows in no other check.
#[test]
fn every_step_has_a_mock_that_fails_there_and_nowhere_else() {
    for step in &ConformanceCheck::ALL {
        let kinds = MockKind::value_variants().iter();
        let mut own =
            kinds.filter(|kind| kind.found_by().is_some_and(|(name, _)| name == step.name));
        let alone = |kind: &&MockKind| {
            let mut others = ConformanceCheck::ALL
                .iter()
                .filter(|other| other.name != step.name);
            others.all(|other| elsewhere(**kind, other.name) == "passed")
        };
        assert!(own.any(|kind| alone(&kind)), "{step:?}");
    }
    for kind in MockKind::value_variants() {
        let found = kind.found_by();
        assert!(
            found.is_none_or(|(name, _)| ConformanceCheck::find(name).is_some()),
            "{kind:?}"
        );
    }
}

#[test]
fn every_mock_fails_at_its_step_and_at_no_other() {
    let kinds = MockKind::value_variants().iter().copied();
    let wrong = Mutex::new(Vec::new());
    let queue: Mutex<Vec<_>> = Mutex::new(kinds.filter(|kind| kind.found_by().is_some()).collect());
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().pop();
                    let Some(kind) = next else { return };
                    let found = check(kind);
                    wrong.lock().unwrap().extend(found);
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the deviations from the expected verdicts.
fn check(kind: MockKind) -> Vec<String> {
    let (name, fault) = kind.found_by().unwrap();
    let mut settings = common::settings();
    if kind == MockKind::Tires {
        // This number of games includes the omitted game in the series.
        settings.games = TIRED;
    }
    let report = conform(exec(kind, settings.limit), settings, &all());
    let wrong = |step: &duoforge_conform::StepReport| {
        let found = step.verdict.fault().map(duoforge_conform::Fault::kind);
        let right = if step.step.name == name {
            let bad = match step.step.kind {
                Kind::Required => matches!(step.verdict, Verdict::Failed(_)),
                Kind::Advice => matches!(step.verdict, Verdict::Warned(_)),
            };
            // The evidence contains the bytes, except for results over all games.
            let shown = !step.evidence().is_empty() || fault == "early-pass";
            bad && found == Some(fault) && shown
        } else {
            word(step) == elsewhere(kind, step.step.name)
        };
        let bytes: Vec<_> = step.evidence().iter().map(ToString::to_string).collect();
        let (verdict, bytes) = (&step.verdict, bytes.join("\n"));
        (!right).then(|| format!("{kind:?} at {:?}: {verdict:?}\n{bytes}", step.step))
    };
    report.steps.iter().filter_map(wrong).collect()
}

/// A device that only ever passes, from the first or the second move on, fails. The fault names the
/// violated rule or the number of legal placements.
#[test]
fn bots_that_only_pass_fail_with_their_passes() {
    let settings = common::settings();
    let said = |kind: MockKind, name: &str| {
        let report = conform(exec(kind, settings.limit), settings, &all());
        assert_eq!(report.failed(), 1, "{kind:?}");
        let mut steps = report.steps.iter();
        let step = steps.find(|step| step.step.name == name).unwrap();
        (word(step), step.verdict.text())
    };
    let illegal = "illegal move 0000 after []: a colour may not pass on its first turn";
    assert_eq!(
        said(MockKind::OnlyPasses, "rules"),
        ("failed", illegal.to_owned())
    );
    let blocked = format!("as in check 5: {illegal}");
    assert_eq!(
        said(MockKind::OnlyPasses, "no-voluntary-pass"),
        ("blocked", blocked)
    );
    let (verdict, text) = said(MockKind::PassesOn, "opponent-finished");
    assert_eq!(verdict, "failed");
    let (legal, rest) = text
        .strip_prefix("voluntary pass with ")
        .unwrap()
        .split_once(' ')
        .unwrap();
    assert!(legal.parse::<u32>().unwrap() > 50, "{text}");
    assert!(rest.starts_with("legal placements after ["), "{text}");
    let (verdict, again) = said(MockKind::PassesOn, "no-voluntary-pass");
    assert_eq!(verdict, "blocked");
    assert!(
        again.starts_with("as in check 11: voluntary pass with "),
        "{again}"
    );
}
