//! Every mock, as a real program behind pipes, fails at its step and at no other.
#![cfg(unix)]

mod common;

use std::sync::Mutex;
use std::thread;

use clap::ValueEnum;
use common::{conform, exec, word};
use duoforge_conform::mock::MockKind;
use duoforge_conform::{Kind, Settings, Step, Verdict};

/// How many mocks are tried at a time: they mostly wait.
const AT_A_TIME: usize = 16;

fn all() -> Vec<&'static Step> {
    (1..=Step::ALL.len())
        .filter_map(|number| Step::find(&number.to_string()))
        .collect()
}

#[test]
fn the_correct_mock_passes_every_step() {
    let settings = Settings {
        games: 20,
        ..common::settings()
    };
    let report = conform(exec(MockKind::Correct, settings.limit), settings, &all());
    for step in &report.steps {
        let passed = matches!(step.verdict, Verdict::Passed(_));
        // No player can be made to lose all its tiles' race.
        let open = step.step.name == "rival-bonus";
        let shown = (step.step, &step.verdict);
        assert!(passed || (open && word(step) == "not-reached"), "{shown:?}");
    }
    assert_eq!(report.team.as_deref(), Some("MK"));
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

/// What is not as it should be.
fn check(kind: MockKind) -> Vec<String> {
    let (name, fault) = kind.found_by().unwrap();
    let mut settings = common::settings();
    // How many games it lasts is its secret: nothing else may use them up.
    let steps = match kind {
        MockKind::Tires => {
            settings.games = 6;
            ["handshake", "series"]
                .map(|name| Step::find(name).unwrap())
                .to_vec()
        }
        _ => all(),
    };
    let report = conform(exec(kind, settings.limit), settings, &steps);
    let wrong = |step: &duoforge_conform::StepReport| {
        let found = step.verdict.fault().map(duoforge_conform::Fault::kind);
        let right = if step.step.name == name {
            let bad = match step.step.kind {
                Kind::Required => matches!(step.verdict, Verdict::Failed(_)),
                Kind::Advice => matches!(step.verdict, Verdict::Warned(_)),
            };
            // The bytes that show it are there, but for what is told of all games together.
            let shown = !step.evidence().is_empty() || fault == "early-pass";
            bad && found == Some(fault) && shown
        } else {
            !matches!(step.verdict, Verdict::Failed(_) | Verdict::Warned(_))
        };
        let bytes: Vec<_> = step.evidence().iter().map(ToString::to_string).collect();
        let (verdict, bytes) = (&step.verdict, bytes.join("\n"));
        (!right).then(|| format!("{kind:?} at {:?}: {verdict:?}\n{bytes}", step.step))
    };
    report.steps.iter().filter_map(wrong).collect()
}
