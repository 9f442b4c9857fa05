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
const AT_A_TIME: usize = 6;

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
        assert!(passed || (open && word(step) == "not-reached"), "{step:?}");
    }
    assert_eq!(report.team.as_deref(), Some("MK"));
}

#[test]
fn every_mock_fails_at_its_step_and_at_no_other() {
    let kinds = MockKind::value_variants().iter().copied();
    let queue: Mutex<Vec<_>> = Mutex::new(kinds.filter(|kind| kind.found_by().is_some()).collect());
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().pop();
                    let Some(kind) = next else { return };
                    check(kind);
                }
            });
        }
    });
}

fn check(kind: MockKind) {
    let (name, fault) = kind.found_by().unwrap();
    let settings = common::settings();
    // How many games it lasts is its secret: nothing else may use them up.
    let steps = match kind {
        MockKind::Tires => ["handshake", "series"]
            .map(|name| Step::find(name).unwrap())
            .to_vec(),
        _ => all(),
    };
    let report = conform(exec(kind, settings.limit), settings, &steps);
    for step in &report.steps {
        let found = step.verdict.fault().map(duoforge_conform::Fault::kind);
        let shown = format!(
            "{kind:?} at {:?}: {:?}\n{:#?}",
            step.step,
            step.verdict,
            step.evidence()
        );
        if step.step.name == name {
            let bad = match step.step.kind {
                Kind::Required => matches!(step.verdict, Verdict::Failed(_)),
                Kind::Advice => matches!(step.verdict, Verdict::Warned(_)),
            };
            assert!(bad && found == Some(fault), "{shown}");
            let past = step
                .evidence()
                .iter()
                .filter_map(|entry| entry.bytes())
                .count();
            assert!(
                past > 0 || fault == "early-pass",
                "no bytes show it: {shown}"
            );
        } else {
            let fine = !matches!(step.verdict, Verdict::Failed(_) | Verdict::Warned(_));
            assert!(fine, "{shown}");
        }
    }
}
