//! Observations of checks on text bots against the lines of their logs, and shell scripts as bots.
#![cfg(unix)]

use std::time::Duration;

use duoforge_conform::bot::{BotOptions, BotRun};
use duoforge_conform::{ConformanceCheck, Fault, Report, StepReport};
use duoforge_links::wirelog::{Direction, WireEvent};

/// Ample times on a busy machine.
fn options(words: &[&str]) -> BotOptions {
    let minute = Duration::from_secs(60);
    BotOptions {
        warmup: minute,
        timebank: minute,
        quit: minute,
        quiet: Duration::from_millis(1),
        pause: Duration::from_millis(1),
        ..BotOptions::new(words.iter().map(|&word| word.to_owned()).collect())
    }
}

/// Options for a bot of the program `mock_bot`.
fn mock(kind: &str) -> BotOptions {
    options(&[env!("CARGO_BIN_EXE_mock_bot"), kind])
}

/// Options for a bot that begins with some commands. Others follow `action warmup` and each
/// request.
fn script(begin: &str, ready: &str, answer: &str) -> BotOptions {
    let script = format!(
        "{begin}\nwhile read -r first second rest; do case \"$first $second\" in\n\
         'action warmup') {ready};;\n\
         'action move') {answer};;\n\
         'quit ') exit;;\n\
         esac; done"
    );
    options(&["/bin/sh", "-c", &script])
}

fn run(options: BotOptions, names: &[&str]) -> Report {
    let checks = names.iter().map(|name| ConformanceCheck::find(name));
    let checks: Vec<_> = checks.map(Option::unwrap).collect();
    BotRun::new(options).steps(&checks, |_| ()).unwrap()
}

/// Verdicts with their sentences.
fn verdicts(report: &Report) -> Vec<(&'static str, String)> {
    let steps = report.steps.iter();
    let verdicts = steps.map(|step| (step.verdict.word(), step.verdict.text()));
    verdicts.collect()
}

/// Verdict of one check on a bot.
fn verdict(options: BotOptions, name: &str) -> (&'static str, String) {
    verdicts(&run(options, &[name])).remove(0)
}

/// Lines of a check in one direction that begin with a text; their rests.
fn lines(step: &StepReport, wanted: Direction, begin: &str) -> Vec<String> {
    let entries = step.wire.iter();
    let lines = entries.filter_map(|entry| match &entry.event {
        WireEvent::Chunk { direction, bytes } if *direction == wanted => {
            std::str::from_utf8(bytes).ok()?.strip_prefix(begin)
        }
        _ => None,
    });
    lines.map(str::to_owned).collect()
}

fn sent(step: &StepReport, begin: &str) -> Vec<String> {
    lines(step, Direction::ToBoard, begin)
}

fn received(step: &StepReport) -> Vec<String> {
    let lines = lines(step, Direction::FromBoard, "");
    lines.into_iter().filter(|line| line != "ready").collect()
}

#[test]
fn the_observations_of_a_correct_bot_are_those_of_the_log() {
    let names = [
        "bot-answers",
        "bot-moves",
        "bot-mid-game",
        "bot-forfeit",
        "bot-forced-pass",
        "bot-variants",
    ];
    let options = BotOptions {
        move_time: Duration::from_millis(500),
        ..mock("correct")
    };
    let report = run(options, &names);
    let [answers, moves, mid_game, forfeit, forced_pass, variants] = &report.steps[..] else {
        panic!("one result for each check");
    };
    let text = |step: &StepReport| step.verdict.text();
    let requests = |step| sent(step, "action move ");
    let seats = |step| sent(step, "settings your_seat ");

    let count = requests(answers).len();
    assert!(count > 8 && received(answers).len() == count);
    assert_eq!(text(answers), format!("{count} requests, one answer each"));
    assert_eq!(seats(answers), ["0"]);

    // The last answer comes after the last list.
    let list = sent(moves, "update game moves ").pop().unwrap();
    let list = format!("{list} {}", received(moves).pop().unwrap());
    assert_eq!(requests(moves).len(), 6);
    assert_eq!(text(moves), format!("6 legal moves: {list}"));
    assert_eq!(seats(moves), ["0"]);

    let lists = sent(mid_game, "update game moves ");
    let plies: Vec<_> = lists.iter().map(|list| list.split(' ').count()).collect();
    assert_eq!(plies, [7, 8, 13, 16]);

    // The answer to the second request is dropped: the third one has the increment as its time.
    let bank = "60000";
    assert_eq!(requests(forfeit), [bank, bank, "500", bank]);
    let dropped = &received(forfeit)[1];
    let list = sent(forfeit, "update game moves ").pop().unwrap();
    let played = list.split(' ').nth(2).unwrap();
    assert_eq!(
        text(forfeit),
        format!("the game continued after {played} in place of {dropped}")
    );

    assert_eq!(text(forced_pass), "3 forced passes");
    assert_eq!(received(forced_pass), ["0000"; 3]);

    // Six variants, with two or four seats and, at last, three.
    assert_eq!(seats(variants), ["0", "1", "2", "3", "0", "2"]);
    assert_eq!(requests(variants).len(), 6 * 4);
}

/// A game may hold more forced passes than the check asks for, or fewer.
#[test]
fn a_bot_passes_three_times_at_most() {
    for seed in 1..9 {
        let options = BotOptions {
            seed,
            ..mock("correct")
        };
        let report = run(options, &["bot-forced-pass"]);
        let passes = received(&report.steps[0]);
        assert!((1..=3).contains(&passes.len()), "{seed}: {passes:?}");
        let text = report.steps[0].verdict.text();
        assert_eq!(text, format!("{} forced passes", passes.len()));
    }
}

/// The referee keeps a mebibyte of a log.
#[test]
fn a_log_of_one_mebibyte_fits() {
    let names = ["bot-answers", "bot-log"];
    let bot = |bytes: u32| {
        let begin = format!("head -c {bytes} /dev/zero >&2");
        let report = run(script(&begin, "echo ready", "echo x"), &names);
        verdicts(&report).pop().unwrap()
    };
    let fits = "1048576 bytes on standard error in a game".to_owned();
    assert_eq!(bot(1 << 20), ("passed", fits));
    let long = |bytes| {
        let text = format!("the log of a game has {bytes} bytes: those beyond 1048576 are dropped");
        ("warned", text)
    };
    assert_eq!(bot((1 << 20) + 1), long(1_048_577));
    // An empty line follows when the bot exits.
    let report = run(mock("floods"), &names);
    assert_eq!(verdicts(&report).pop(), Some(long((2 << 20) + 1)));
}

/// The fault has the exit status and the log, or names the closed output of a program that runs on.
#[test]
fn the_end_of_a_bot_is_described() {
    let ended = "the program ended with exit status 3 after 'action warmup 60000'; its last lines \
                 on standard error:\nno model";
    assert_eq!(
        verdict(mock("no-start"), "bot-answers"),
        ("failed", ended.to_owned())
    );
    let closed = "the program closed its output after 'action warmup 60000'";
    assert_eq!(
        verdict(
            script("exec >/dev/null; exec sleep 600", "", ""),
            "bot-answers"
        ),
        ("failed", closed.to_owned())
    );
}

/// The host waits for a late answer only once.
#[test]
fn waits_end_with_the_time_left_after_a_missing_answer() {
    let short = Duration::from_millis(200);
    let options = |answer| BotOptions {
        timebank: short,
        grace: short,
        ..script("", "echo ready", answer)
    };
    let names = ["bot-answers", "bot-moves"];
    let [first, second] = &verdicts(&run(options(":"), &names))[..] else {
        panic!("one verdict for each check");
    };
    let silent = |waited| format!("no answer to 'action move 200' within {waited} s");
    assert_eq!(first, &("failed", silent("0.400")));
    let blocked = format!("as in check 27: {}", silent("0.200"));
    assert_eq!(second, &("blocked", blocked));
}

#[test]
fn blank_lines_are_not_answers() {
    let bot = script(
        "echo",
        "echo; echo ready; echo ' '",
        "echo; echo 0000; echo",
    );
    let (verdict, text) = verdict(bot, "bot-answers");
    assert_eq!(verdict, "passed", "{text}");
}

/// A `ready` before the input test, and a second one after it.
#[test]
fn a_ready_that_was_not_asked_for_is_a_fault() {
    let early = BotOptions {
        quiet: Duration::from_secs(60),
        ..script("echo ready", ":", "echo 0000")
    };
    let again = script("", "echo ready; echo ready", "echo 0000");
    let text = "'ready' that no 'action warmup' asked for".to_owned();
    for bot in [early, again] {
        assert_eq!(verdict(bot, "bot-ready"), ("failed", text.clone()));
    }
}

/// Only other variants may be declined.
#[test]
fn a_bot_that_declines_duo_fails() {
    let bot = script("exit 4", "", "");
    let report = run(bot, &["bot-variants"]);
    assert_eq!(report.steps[0].verdict.word(), "failed");
    let fault = report.steps[0].verdict.fault();
    assert_eq!(fault.map(Fault::kind), Some("ended"));
}
