//! Bots with one fault each: every game ends as the protocol demands, with the bot's log.
#![cfg(target_os = "linux")]

mod common;

use std::time::{Duration, Instant};

use common::{misbehaving, pid, play, running, until_gone};
use duoforge_bots::{BotError, BotFault, BotSession, Phase};
use duoforge_rules::{GameVariant, Move};

const MS: fn(u64) -> Duration = Duration::from_millis;

const DUO: GameVariant = GameVariant::DUO;

/// Ample time for Python on a busy machine; delays of bots exceed it.
const BANK: &str = "timebank=2s,move_time=2s";

/// Starts a bot that fails its input test.
fn failed_test(kind: &str) -> BotError {
    BotSession::start(&misbehaving(BANK, kind), &DUO).unwrap_err()
}

#[test]
fn a_crash_at_the_start_fails_the_input_test() {
    let error = failed_test("crash");
    let BotFault::Ended(end) = &error.fault else {
        panic!("{error}");
    };
    assert_eq!(end.to_string(), "ended with exit status 3");
    assert_eq!(error.phase, Phase::InputTest);
    assert!(error.tail.ends_with("no model"), "{error}");
    let message = error.to_string();
    assert!(
        message.starts_with("python3: ended with exit status 3; its last lines on standard error:"),
        "{message}"
    );
}

#[test]
fn a_bot_that_answers_nothing_fails_the_input_test() {
    let begun = Instant::now();
    let error = failed_test("silent");
    assert!(begun.elapsed() >= MS(10_000));
    let message =
        "python3: failed the input test: no line 'ready' in answer to 'action warmup 10000'";
    assert!(error.to_string().starts_with(message), "{error}");
    assert!(error.tail.ends_with("not in the mood"), "{error}");
}

#[test]
fn a_program_that_does_not_exist_cannot_be_started() {
    for (command, kind) in [
        ("/no/such/bot", std::io::ErrorKind::NotFound),
        ("no-such-bot-anywhere", std::io::ErrorKind::NotFound),
        ("/etc/passwd", std::io::ErrorKind::PermissionDenied),
    ] {
        let error = BotSession::start(&command.parse().unwrap(), &DUO).unwrap_err();
        assert!(
            matches!(&error.fault, BotFault::Start(source) if source.kind() == kind),
            "{error}"
        );
    }
}

/// Lines before `ready` are ignored, and the log shows them.
#[test]
fn a_banner_is_ignored() {
    let played = play(&misbehaving(BANK, "banner"), &DUO, 4);
    assert!(played.fault.is_none());
    let log = played.log.of(Phase::InputTest);
    assert!(log.contains("# ignored before 'ready': BOT 1.0"), "{log}");
}

/// Plays until the fault at the bot's third request, which is ply 4, and returns it.
fn fault_at_ply_4(settings: &str, kind: &str) -> (BotError, String) {
    let played = play(&misbehaving(settings, kind), &DUO, 100);
    let fault = played.fault.expect("the bot has a fault");
    assert_eq!(fault.phase, Phase::Ply(4), "{fault}");
    assert_eq!(played.replies.len(), 2);
    until_gone(pid(&played.log));
    (fault, played.log.to_string())
}

#[test]
fn a_bot_that_ends_in_the_middle_has_lost_and_its_end_is_told() {
    for (settings, kind, end, last) in [
        (
            BANK,
            "raise",
            "ended with exit status 1",
            "ValueError: the table is broken",
        ),
        (BANK, "kill", "ended with signal 9 (SIGKILL)", "request 1"),
        (BANK, "exit", "ended with exit status 0", "I give up"),
        // An answer ends with its line feed: a part of an answer does not count.
        (BANK, "half", "ended with signal 9 (SIGKILL)", "cut off"),
        (
            BANK,
            "leave-and-exit",
            "ended with exit status 3",
            "the child left the group",
        ),
        (
            "timebank=2s,memory=256",
            "eat",
            "ended with exit status 1",
            "MemoryError",
        ),
        (
            "timebank=60s,cpu=1s",
            "burn",
            "ended with signal 24 (SIGXCPU)",
            "computing",
        ),
        (
            BANK,
            "fork-and-exit",
            "ended with exit status 5",
            "the children will do it",
        ),
    ] {
        let (fault, log) = fault_at_ply_4(settings, kind);
        assert!(matches!(fault.fault, BotFault::Ended(_)), "{fault}");
        let message = fault.to_string();
        assert!(message.starts_with(&format!("python3: {end}")), "{message}");
        assert!(fault.tail.contains(last), "{message}");
        assert!(log.contains(last), "{log}");
    }
}

#[test]
fn what_is_no_move_loses() {
    for (kind, word) in [("upper", "63C0"), ("word", "hello"), ("number", "13730")] {
        let (fault, log) = fault_at_ply_4(BANK, kind);
        let BotFault::Malformed {
            word: found,
            reason,
        } = &fault.fault
        else {
            panic!("{fault}");
        };
        assert_eq!(found, word);
        assert!(fault.to_string().contains(reason), "{fault}");
        assert!(log.contains(&format!("# invalid answer: {found}")), "{log}");
    }
    // Long answers are shortened, in the word and in the reason that quotes it.
    for (kind, letter) in [("long-word", "x"), ("long-number", "9")] {
        let (fault, _) = fault_at_ply_4(BANK, kind);
        let BotFault::Malformed { word, reason } = &fault.fault else {
            panic!("{fault}");
        };
        assert_eq!(*word, letter.repeat(200));
        let quoted = reason.matches(letter).count();
        assert!((200..210).contains(&quoted), "{reason}");
    }
    // The referee adjudicates legality.
    let mut session = BotSession::start(&misbehaving(BANK, "illegal"), &DUO).unwrap();
    let mut game = duoforge_rules::Game::new(&DUO);
    for _ in 0..2 {
        let mv = session.ask(&game).unwrap().mv;
        game.play(mv).unwrap();
        game.play(game.legal_moves()[0]).unwrap();
    }
    let reply = session.ask(&game).unwrap();
    assert_eq!(reply.word, "77u0");
    assert!(game.check(reply.mv).is_err());
}

/// The late answer is dropped: were it taken for the next one, all later moves would be those of
/// earlier positions, and illegal.
#[test]
fn the_first_time_out_forfeits_the_move() {
    for (kind, delay) in [("late-once", 3), ("skip", 0)] {
        let spec = misbehaving(BANK, &format!("{kind} {delay}"));
        let played = play(&spec, &DUO, 100);
        assert!(played.fault.is_none() && played.game.is_over());
        let forfeited: Vec<_> = played.replies.iter().map(|reply| reply.forfeit).collect();
        let late = &played.replies[2];
        assert_eq!(forfeited.iter().filter(|&&forfeit| forfeit).count(), 1);
        assert!(late.forfeit && late.time > MS(2_000), "{late:?}");
        assert_eq!((late.mv, late.word.as_str()), (Move::Pass, ""));
        let log = played.log.of(Phase::Ply(4));
        assert!(log.contains("# no answer within 2000 ms"), "{log}");
        assert_eq!(
            log.contains("# dropped, as it came late: "),
            kind == "late-once"
        );
        assert_eq!(played.end.to_string(), "ended with exit status 0");
    }
}

/// In Duo no pass is legal on the first turn, so a placement stands for the move.
#[test]
fn a_first_move_may_be_forfeited_too() {
    let played = play(&misbehaving(BANK, "late-first 3"), &DUO, 6);
    assert!(played.fault.is_none());
    let reply = &played.replies[0];
    assert!(reply.forfeit && reply.mv != Move::Pass, "{reply:?}");
}

#[test]
fn the_second_time_out_ends_the_game() {
    for (kind, plies) in [("late-twice 3", [4, 8]), ("mute", [4, 6])] {
        let played = play(&misbehaving(BANK, kind), &DUO, 100);
        let fault = played.fault.expect("the bot runs out of time");
        assert!(
            matches!(fault.fault, BotFault::TimedOut { limit } if limit == MS(2_000)),
            "{fault}"
        );
        assert_eq!(fault.phase, Phase::Ply(plies[1]));
        let forfeited = played.replies.iter().position(|reply| reply.forfeit);
        assert_eq!(forfeited, Some(plies[0] / 2));
        assert!(fault.tail.contains("thinking for"), "{fault}");
        until_gone(pid(&played.log));
    }
}

/// The bank is emptied by a time-out: the next request has the increment alone.
#[test]
fn a_time_out_empties_the_bank() {
    let spec = misbehaving("timebank=2s,move_time=1500ms", "late-twice 3");
    let played = play(&spec, &DUO, 100);
    let fault = played.fault.expect("the bot runs out of time");
    let BotFault::TimedOut { limit } = fault.fault else {
        panic!("{fault}");
    };
    // 1.5 s after the time-out, an answer, and 1.5 s again, but never more than full.
    assert!(limit > MS(1_500) && limit <= MS(2_000), "{limit:?}");
}

#[test]
fn a_flooded_log_is_cut_at_1_mebibyte_and_does_not_stop_the_bot() {
    let played = play(&misbehaving("timebank=60s", "flood"), &DUO, 8);
    assert!(played.fault.is_none());
    assert_eq!(played.replies.len(), 4);
    let kept: usize = played
        .log
        .entries()
        .iter()
        .map(|(_, text)| text.len())
        .sum();
    assert_eq!(kept, 1 << 20);
    // 3 MiB for each of four requests, and a few lines.
    let all = kept as u64 + played.log.dropped();
    assert!((12 << 20..(12 << 20) + 200).contains(&all), "{all}");
    let shown = played.log.to_string();
    assert!(
        shown.contains("further bytes dropped"),
        "{}",
        &shown[shown.len() - 200..]
    );
}

#[test]
fn descendants_end_with_the_bot() {
    let spec = misbehaving(BANK, "fork");
    let mut session = BotSession::start(&spec, &DUO).unwrap();
    let mut game = duoforge_rules::Game::new(&DUO);
    for _ in 0..3 {
        let mv = session.ask(&game).unwrap().mv;
        game.play(mv).unwrap();
        game.play(game.legal_moves()[0]).unwrap();
    }
    let leader = pid(session.log());
    assert_eq!(running(leader), 4);
    assert_eq!(session.finish().to_string(), "ended with exit status 0");
    until_gone(leader);
}

#[test]
fn a_bot_that_does_not_quit_is_killed() {
    let played = play(&misbehaving(BANK, "stay"), &DUO, 4);
    assert!(played.fault.is_none() && played.end.killed);
    assert_eq!(
        played.end.to_string(),
        "did not exit by itself and was killed"
    );
    until_gone(pid(&played.log));
}

#[test]
fn a_second_answer_is_dropped() {
    let played = play(&misbehaving(BANK, "twice"), &DUO, 100);
    assert!(played.fault.is_none() && played.game.is_over());
    let log = played.log.of(Phase::Ply(2));
    assert!(log.contains("# dropped, as nothing was due: "), "{log}");
}

#[test]
fn text_behind_a_move_is_kept_and_the_log_is_by_ply() {
    let played = play(&misbehaving(BANK, "text"), &DUO, 6);
    let texts: Vec<_> = played
        .replies
        .iter()
        .map(|reply| reply.text.clone())
        .collect();
    assert_eq!(
        texts,
        [0, 1, 2].map(|number| Some(format!("text {number}")))
    );
    for number in 0..3 {
        let log = played.log.of(Phase::Ply(2 * number));
        assert_eq!(log, format!("request {number}\n"));
    }
    assert_eq!(played.log.of(Phase::End), "bye\n");
}

/// A flood of blank lines extends neither the time of an answer nor the wait for a late one.
#[test]
fn blank_lines_are_not_an_answer() {
    let settings = "timebank=200ms,move_time=0s";
    let played = play(&misbehaving(settings, "blank"), &DUO, 100);
    let forfeits: Vec<_> = played.replies.iter().map(|reply| reply.forfeit).collect();
    assert_eq!(forfeits, [true]);
    let fault = played.fault.expect("the bot has a fault");
    assert!(matches!(fault.fault, BotFault::TimedOut { .. }), "{fault}");
}
