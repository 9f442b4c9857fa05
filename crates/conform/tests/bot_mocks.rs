//! Every text bot with a fault, as a real program, fails its own check and passes all others.
#![cfg(unix)]

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use clap::ValueEnum;
use duoforge_conform::bot::{BotOptions, BotRun};
use duoforge_conform::mock::bot::BotMockKind;
use duoforge_conform::{ConformanceCheck, Fault, Kind, Report, StepReport, Verdict};

/// Number of bots tested concurrently; they mostly wait.
const AT_A_TIME: usize = 8;

/// Ample times on a busy machine. Only bots with a fault of time wait for them.
fn options(kind: BotMockKind) -> BotOptions {
    let name = kind.to_possible_value().unwrap().get_name().to_owned();
    let second = Duration::from_secs(1);
    // The host waits for a bot that never answers.
    let warmup = match kind {
        BotMockKind::NotReady => second,
        _ => 60 * second,
    };
    let timebank = match kind {
        BotMockKind::Late => 5 * second,
        BotMockKind::Mute | BotMockKind::Unflushed | BotMockKind::NoPass | BotMockKind::Split => {
            5 * second
        }
        _ => 60 * second,
    };
    // Of a late answer the fault is that it is late; the host waits for a missing one.
    let grace = match kind {
        BotMockKind::Late => 60 * second,
        _ => Duration::ZERO,
    };
    let quit = match kind {
        BotMockKind::Stays | BotMockKind::Orphan => 2 * second,
        _ => 60 * second,
    };
    BotOptions {
        warmup,
        timebank,
        quit,
        grace,
        quiet: Duration::from_millis(100),
        pause: Duration::from_millis(10),
        ..BotOptions::new(vec![env!("CARGO_BIN_EXE_mock_bot").to_owned(), name])
    }
}

fn conform(kind: BotMockKind) -> Report {
    run(options(kind))
}

fn run(options: BotOptions) -> Report {
    let checks: Vec<_> = (26..=38)
        .map(|number: usize| ConformanceCheck::find(&number.to_string()).unwrap())
        .collect();
    assert_eq!(checks.len(), ConformanceCheck::BOT.len());
    BotRun::new(options).steps(&checks, |_| ()).unwrap()
}

fn step<'a>(report: &'a Report, name: &str) -> &'a StepReport {
    let mut steps = report.steps.iter();
    steps.find(|step| step.step.name == name).unwrap()
}

#[test]
fn bots_without_a_fault_pass_every_check() {
    for (kind, check, text) in [
        (
            BotMockKind::Correct,
            "bot-state",
            "did not ask for the state, and ignored it",
        ),
        (
            BotMockKind::Asks,
            "bot-state",
            "asked for the state, and answered from it",
        ),
        (
            BotMockKind::Numbers,
            "bot-variants",
            "legal moves in duo, duo-corner, classic, classic-free, classic-2, classic-3",
        ),
        (
            BotMockKind::DuoOnly,
            "bot-variants",
            "legal moves in duo; declines duo-corner, classic, classic-free, classic-2, classic-3",
        ),
    ] {
        let report = conform(kind);
        for step in &report.steps {
            let word = step.verdict.word();
            assert_eq!(
                word, "passed",
                "{kind:?} {:?}: {:?}",
                step.step, step.verdict
            );
        }
        assert_eq!(step(&report, check).verdict.text(), text);
    }
}

/// Verdict of a check other than the bot's own. This is the whole list of exceptions.
fn elsewhere(kind: BotMockKind, check: &str) -> &'static str {
    match (kind, check) {
        // Without the input test no check runs.
        (BotMockKind::NotReady | BotMockKind::NoStart, _) => "not-run",
        // These two do not examine an answer.
        (_, "bot-ready" | "bot-log") => "passed",
        (BotMockKind::AsksLate | BotMockKind::Eager, _) => "blocked",
        // The fault of these is in the third answer of a game, or in the first one of a game in the
        // middle: checks with such games meet it again.
        (BotMockKind::NeedsStart, "bot-variants") => "blocked",
        (
            BotMockKind::Capitals | BotMockKind::Illegal,
            "bot-state" | "bot-forfeit" | "bot-variants",
        ) => "blocked",
        (
            BotMockKind::Number | BotMockKind::Word,
            "bot-state" | "bot-forfeit" | "bot-forced-pass" | "bot-variants",
        ) => "blocked",
        _ => "passed",
    }
}

/// A new check needs a new bot whose fault shows in no other check.
#[test]
fn every_check_of_bots_has_a_bot_that_fails_there_and_nowhere_else() {
    for check in &ConformanceCheck::BOT {
        let kinds = BotMockKind::value_variants().iter();
        let mut own =
            kinds.filter(|kind| kind.found_by().is_some_and(|(name, _)| name == check.name));
        let alone = |kind: &BotMockKind| {
            let mut others = ConformanceCheck::BOT.iter();
            // A blocked check reports nothing that is new.
            others.all(|other| matches!(elsewhere(*kind, other.name), "passed" | "blocked"))
        };
        assert!(own.any(alone), "{check:?}");
    }
}

#[test]
fn every_bot_with_a_fault_fails_at_its_check_and_at_no_other() {
    let kinds = BotMockKind::value_variants().iter().copied();
    let queue: Mutex<Vec<_>> = Mutex::new(kinds.filter(|kind| kind.found_by().is_some()).collect());
    let wrong = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().pop();
                    let Some(kind) = next else { return };
                    let found = deviations(kind);
                    wrong.lock().unwrap().extend(found);
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the deviations from the expected verdicts.
fn deviations(kind: BotMockKind) -> Vec<String> {
    let (name, fault) = kind.found_by().unwrap();
    let report = conform(kind);
    let wrong = |step: &StepReport| {
        let right = if step.step.name == name {
            let is_bad = match step.step.kind {
                Kind::Required => matches!(step.verdict, Verdict::Failed(_)),
                Kind::Advice => matches!(step.verdict, Verdict::Warned(_)),
            };
            // The evidence shows the lines, except for a result about an earlier game.
            let is_shown = !step.evidence().is_empty() || name == "bot-log";
            is_bad && step.verdict.fault().map(Fault::kind) == Some(fault) && is_shown
        } else {
            step.verdict.word() == elsewhere(kind, step.step.name)
        };
        let lines: Vec<_> = step.evidence().iter().map(ToString::to_string).collect();
        let (verdict, lines) = (&step.verdict, lines.join("\n"));
        (!right).then(|| format!("{kind:?} at {:?}: {verdict:?}\n{lines}", step.step))
    };
    report.steps.iter().filter_map(wrong).collect()
}

/// Equal seeds send equal lines, and other seeds lead to other positions.
#[test]
fn positions_follow_from_the_seed() {
    let sent = |seed: u64| {
        let report = run(BotOptions {
            seed,
            ..options(BotMockKind::Correct)
        });
        let entries = report.steps.iter().flat_map(|step| &step.wire);
        let lines = entries.filter_map(|entry| entry.bytes());
        let moves = lines.filter(|line| line.starts_with(b"update game moves"));
        moves.map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    let first = sent(1);
    assert!(first.len() > 30, "{}", first.len());
    assert_eq!(sent(1), first);
    assert_ne!(sent(2), first);
}

#[test]
fn a_program_that_does_not_start_is_a_fault() {
    let report = run(BotOptions::new(vec!["/no/such/bot".to_owned()]));
    let (first, rest) = report.steps.split_first().unwrap();
    assert_eq!(first.verdict.fault().map(Fault::kind), Some("start"));
    assert!(rest.iter().all(|step| step.verdict.word() == "not-run"));
}
