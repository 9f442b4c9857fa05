//! The starter bots pass the conformance checks, as players of the contest's protocol.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use duoforge_conform::bot::{BotOptions, BotRun};
use duoforge_conform::{ConformanceCheck, Report, Run, RunOptions, Verdict};
use duoforge_players::{BotMover, software};

/// File of the repository.
fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// Runs all checks on a bot, with few games.
fn conform(command: &str) -> Report {
    let settings = RunOptions {
        limit: Duration::from_secs(20),
        pause: Duration::from_millis(10),
        slow: Duration::from_millis(300),
        games: 3,
        tries: 4,
        ..RunOptions::default()
    };
    let checks: Vec<_> = ConformanceCheck::ALL.iter().collect();
    let open = || {
        let mover = BotMover::new(&command.parse()?)?;
        Ok(software::choosing(mover, format!("bot:{command}"), *b"BT"))
    };
    let run = Run::new(Box::new(open), settings);
    run.steps(&checks, |_| ()).unwrap()
}

/// Every check passes, but for situations that do not occur in these games.
fn passes(command: &str) {
    let report = conform(command);
    assert_eq!(report.team.as_deref(), Some("BT"));
    assert_eq!(report.steps.len(), ConformanceCheck::ALL.len());
    let mut passed = 0;
    for step in &report.steps {
        match &step.verdict {
            Verdict::Passed(_) => passed += 1,
            Verdict::NotReached(_) => {}
            verdict => panic!("{command}: {}: {verdict:?}", step.step.name),
        }
    }
    assert!(passed >= report.steps.len() - 3, "{passed} passed");
    passes_in_text(command);
}

/// Every check of the text protocol passes, in all variants.
fn passes_in_text(command: &str) {
    let words = command.trim_start_matches("timebank=60s:").split(' ');
    let options = BotOptions {
        timebank: Duration::from_secs(60),
        warmup: Duration::from_secs(60),
        // Ample time on a busy machine.
        quit: Duration::from_secs(20),
        ..BotOptions::new(words.map(str::to_owned).collect())
    };
    let checks: Vec<_> = ConformanceCheck::BOT.iter().collect();
    let report = BotRun::new(options).steps(&checks, |_| ()).unwrap();
    for step in &report.steps {
        let verdict = &step.verdict;
        assert!(
            matches!(verdict, Verdict::Passed(_)),
            "{command}: {}: {verdict:?}",
            step.step.name
        );
    }
    let variants = report
        .steps
        .iter()
        .find(|step| step.step.name == "bot-variants");
    let text = variants.unwrap().verdict.text();
    assert!(!text.contains("declines"), "{text}");
}

#[test]
fn the_bot_in_python_passes() {
    passes(&format!(
        "timebank=60s:python3 {}",
        file("examples/bots/bot.py").display()
    ));
}

#[test]
fn the_bot_in_javascript_passes() {
    passes(&format!(
        "timebank=60s:node {}",
        file("examples/bots/bot.js").display()
    ));
}

fn compiled(compiler: &str, arguments: &[&str], source: &str) {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("bot");
    let mut command = Command::new(compiler);
    command
        .args(arguments)
        .arg("-o")
        .arg(&program)
        .arg(file(source));
    assert!(command.status().unwrap().success());
    passes(&format!("timebank=60s:{}", program.display()));
}

#[test]
fn the_bot_in_c_passes() {
    compiled("cc", &["-O2"], "examples/bots/bot.c");
}

#[test]
fn the_bot_in_rust_passes() {
    compiled("rustc", &["-O"], "examples/bots/bot.rs");
}

/// A bot that raises an exception fails, and the report shows its exit status and its log.
#[test]
fn a_bot_that_ends_fails_a_check_with_its_log() {
    let script = file("crates/bots/tests/data/misbehaving.py");
    let report = conform(&format!("python3 {} raise", script.display()));
    assert!(report.failed() > 0);
    let faults: Vec<_> = report
        .steps
        .iter()
        .filter_map(|step| step.verdict.fault())
        .collect();
    let text = faults[0].to_string();
    assert!(text.contains("ended with exit status 1"), "{text}");
    assert!(text.contains("ValueError: the table is broken"), "{text}");
}
