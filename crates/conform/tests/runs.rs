//! Observations of a run against the bytes of its log, and runs that lose their device.
#![cfg(unix)]

mod common;

use std::collections::BTreeSet;
use std::time::Duration;

use common::{conform, exec, player, word};
use duoforge_conform::mock::MockKind;
use duoforge_conform::{ConformanceCheck, Opener, Report, RunOptions, StepReport};
use duoforge_links::wirelog::{Direction, WireEntry, WireEvent};
use duoforge_players::software;

/// Number of letters of a move.
const LETTERS: usize = 4;

/// Short pauses, since no check of a pause is among these tests, and a limit for a busy machine.
fn settings() -> RunOptions {
    RunOptions {
        limit: Duration::from_millis(900),
        pause: Duration::from_millis(1),
        slow: Duration::from_millis(1),
        ..common::settings()
    }
}

fn checks(names: &[&str]) -> Vec<&'static ConformanceCheck> {
    let found = names.iter().map(|name| ConformanceCheck::find(name));
    found.map(Option::unwrap).collect()
}

/// Checks except those that pause, which take longer and report only that the device replied.
fn quick() -> Vec<&'static ConformanceCheck> {
    let slow = ["split", "garbage", "partial-code", "superseded"];
    let names = ConformanceCheck::ALL.iter().map(|step| step.name);
    let names: Vec<_> = names.filter(|name| !slow.contains(name)).collect();
    checks(&names)
}

fn step<'a>(report: &'a Report, name: &str) -> &'a StepReport {
    let mut steps = report.steps.iter();
    steps.find(|step| step.step.name == name).unwrap()
}

fn text(report: &Report, name: &str) -> String {
    step(report, name).verdict.text()
}

/// Prompts of a log with the bytes received after each.
fn exchanges(wire: &[WireEntry]) -> Vec<(String, String)> {
    let mut exchanges: Vec<(String, String)> = Vec::new();
    for entry in wire {
        let WireEvent::Chunk { direction, bytes } = &entry.event else {
            continue;
        };
        let bytes = bytes.escape_ascii().to_string();
        match direction {
            Direction::ToBoard => exchanges.push((bytes, String::new())),
            Direction::FromBoard => exchanges.last_mut().unwrap().1.push_str(&bytes),
        }
    }
    exchanges
}

/// Games of a check: the exchanges after each `0`.
fn games(report: &Report, name: &str) -> Vec<Vec<(String, String)>> {
    let exchanges = exchanges(&step(report, name).wire);
    let mut games: Vec<_> = exchanges.split(|(prompt, _)| prompt == "0").collect();
    games.remove(0);
    let moves = |game: &&[(String, String)]| {
        let moves = game.iter().filter(|(prompt, _)| prompt != "9");
        moves.cloned().collect()
    };
    games.iter().map(moves).collect()
}

/// Replies to the prompts for a move of a game.
fn replies(game: &[(String, String)]) -> Vec<&str> {
    game.iter().map(|(_, reply)| reply.as_str()).collect()
}

/// First two letters of the first prompt of each game: its order and its start cell.
fn begins(games: &[Vec<(String, String)>]) -> Vec<&str> {
    games.iter().map(|game| &game[0].0[..2]).collect()
}

#[test]
fn the_observations_of_a_correct_device_are_those_of_the_log() {
    let settings = settings();
    let open = exec(MockKind::Correct, settings.limit);
    let report = conform(open, settings, &quick());
    let text = |name| text(&report, name);
    let games = |name| games(&report, name);
    for (name, right) in [
        ("handshake", "team MK"),
        ("next-game", "two games of 8 and 8 moves"),
        // Twenty points: all tiles are placed, the smallest one last.
        ("last-tile", "last tile a, score 20"),
        ("reset", "a game of 8 moves after the reset"),
        ("slow-host", "a game of 6 moves"),
        ("line-ends", "a game of 10 moves"),
        ("no-handshake", "a game of 8 moves"),
    ] {
        assert_eq!(text(name), right, "{name}");
    }

    let first = games("answers").remove(0);
    let extent = format!("{} replies", first.len());
    for name in ["answers", "codes", "rules", "quiet"] {
        assert_eq!(text(name), extent, "{name}");
    }
    // The reply took some time, and less than the limit.
    let timing = text("timing");
    let slowest = timing.strip_prefix(&format!("{extent}; slowest reply "));
    let slowest: f64 = slowest.unwrap().trim_end_matches(" ms").parse().unwrap();
    let limit = settings.limit.as_secs_f64() * 1000.0;
    assert!(0.0 < slowest && slowest <= limit, "{timing}");

    for (name, prompts) in [("starts", ["25", "2A"]), ("orders", ["35", "3A"])] {
        let games = games(name);
        assert_eq!(begins(&games), prompts);
        let [five, a] = [&games[0][0].1, &games[1][0].1];
        assert_eq!(text(name), format!("{five} from (5,5), {a} from (a,a)"));
    }

    // Games 1 and 2 repeat game 0 with canonical codes.
    let aliases = games("aliases");
    assert_eq!(begins(&aliases)[..6], ["25", "25", "25", "3A", "2A", "35"]);
    let sent = aliases[..1].iter().chain(&aliases[3..]).flatten();
    let placed = sent
        .filter(|(prompt, _)| prompt.len() > 4 && !prompt.ends_with("0000"))
        .map(|(prompt, _)| &prompt[prompt.len() - 2..]);
    let codes: BTreeSet<_> = placed.collect();
    // A whole game may end after a move of the opponent, which is not sent then.
    let possible = (codes.len()..=codes.len() + 4).map(|count| {
        format!(
            "{count} of 168 codes in {} games; {} replies equal those to canonical codes",
            aliases.len() - 2,
            aliases[0].len()
        )
    });
    let text_of_aliases = text("aliases");
    assert!(
        { possible }.any(|right| right == text_of_aliases),
        "{text_of_aliases}, {} sent",
        codes.len()
    );
    assert_eq!(replies(&aliases[0]), replies(&aliases[1]));

    // One game is enough.
    let [alone] = &games("opponent-finished")[..] else {
        panic!("one game");
    };
    let after_pass = alone.iter().filter(|(prompt, _)| prompt == "40000");
    let placed = after_pass.filter(|(_, reply)| reply != "0000").count();
    assert_eq!(
        text("opponent-finished"),
        format!("{placed} tiles placed while the opponent passed")
    );

    // The game ends with the first forced pass of the device.
    let passes = games("forced-pass");
    let last = replies(passes.last().unwrap());
    assert_eq!(
        text("forced-pass"),
        format!("forced pass in game {}", passes.len())
    );
    assert_eq!(
        last.iter().position(|&reply| reply == "0000"),
        Some(last.len() - 1)
    );

    let passes = games("pass-after-pass");
    let last = replies(passes.last().unwrap());
    let further = last.windows(2).filter(|two| two == &["0000", "0000"]);
    assert_eq!(
        text("pass-after-pass"),
        format!(
            "{} further forced passes in game {}",
            further.count(),
            passes.len()
        )
    );

    let back_to_back = exchanges(&step(&report, "back-to-back").wire);
    let (prompt, code) = &back_to_back.last().unwrap();
    assert_eq!(prompt, "2A");
    assert_eq!(
        text("back-to-back"),
        format!("replies to 0 and to 2A; the latter is {code}")
    );

    // The device wins, and the unsent last moves of the opponent count.
    let series = games("series");
    assert_eq!(begins(&series), ["25", "3A"]);
    let placed = |prompt: &str| usize::from(prompt.len() > 4);
    let sent: usize = series
        .iter()
        .flatten()
        .map(|(prompt, _)| 1 + placed(prompt))
        .sum();
    let series = text("series");
    let moves = series
        .strip_prefix("2 games, ")
        .unwrap()
        .strip_suffix(" moves; the device won 2 games");
    let moves: usize = moves.unwrap().parse().unwrap();
    assert!((sent..=sent + 2).contains(&moves), "{series}, {sent} sent");

    // Five checks have the log of the first game.
    let own = report.steps.iter();
    let own = own.filter(|step| !["timing", "codes", "rules", "quiet"].contains(&step.step.name));
    let count: usize = own
        .map(|step| {
            exchanges(&step.wire)
                .iter()
                .filter(|(_, reply)| reply.len() == LETTERS)
                .count()
        })
        .sum();
    assert_eq!(
        text("no-voluntary-pass"),
        format!("{count} replies without a voluntary pass")
    );
}

/// A device that passes from its second move on loses, and is led into every situation in vain.
#[test]
fn a_device_that_passes_on_uses_up_the_games_of_a_situation() {
    let settings = settings();
    let names = [
        "aliases",
        "opponent-finished",
        "last-tile",
        "forced-pass",
        "series",
    ];
    let open = exec(MockKind::PassesOn, settings.limit);
    let report = conform(open, settings, &checks(&names));
    let aliases = text(&report, "aliases");
    let rest = aliases.strip_prefix("168 of 168 codes in ").unwrap();
    let (count, _) = rest.split_once(' ').unwrap();
    assert!(count.parse::<u32>().unwrap() < 40, "{aliases}");

    let alone = games(&report, "opponent-finished");
    assert_eq!(begins(&alone), ["25", "3A", "35", "2A"]);
    let (first, second) = (&alone[0][0], &alone[0][1]);
    let after = format!("after [{} {}]", first.1, &second.0[1..]);
    let fault = text(&report, "opponent-finished");
    assert!(fault.ends_with(&after), "{fault}, {after}");
    assert_eq!(
        text(&report, "last-tile"),
        "the device did not place all its tiles in 4 games against a passing opponent"
    );

    let passes = games(&report, "forced-pass");
    assert!(passes.len() > 1);
    assert_eq!(
        text(&report, "forced-pass"),
        format!("forced pass in game {}", passes.len())
    );
    assert!(text(&report, "series").ends_with("; the device won 0 games"));
}

#[test]
fn the_games_of_the_aliases_are_limited() {
    for (tries, right) in [(1, " in 10 games; "), (2, " in 20 games; ")] {
        let settings = RunOptions {
            tries,
            ..settings()
        };
        let open = exec(MockKind::Correct, settings.limit);
        let report = conform(open, settings, &checks(&["aliases"]));
        let text = text(&report, "aliases");
        assert!(text.contains(right), "{text}");
    }
}

/// Replies of a device that chooses at random prove nothing about aliases.
#[test]
fn only_replies_that_a_device_repeats_are_compared() {
    let settings = RunOptions {
        limit: Duration::from_secs(20),
        tries: 1,
        ..settings()
    };
    let open: Opener<'_> = Box::new(|| Ok(software::random(3)));
    let report = conform(open, settings, &checks(&["aliases"]));
    let text = text(&report, "aliases");
    assert!(
        text.ends_with("; the device does not repeat its moves"),
        "{text}"
    );
}

/// Replies of other games do not count.
#[test]
fn the_first_game_is_described_up_to_its_fault() {
    let settings = settings();
    let run = |kind, names: &[&str]| conform(exec(kind, settings.limit), settings, &checks(names));
    let report = run(
        MockKind::Crash,
        &["handshake", "answers", "codes", "timing"],
    );
    assert_eq!(
        text(&report, "codes"),
        "2 replies before a fault ended the game: lost"
    );
    let timing = text(&report, "timing");
    let rest = timing.strip_prefix("2 replies before a fault ended the game: lost; slowest reply ");
    assert!(rest.is_some_and(|rest| rest.ends_with(" ms")), "{timing}");

    let report = run(MockKind::Correct, &["next-game", "answers"]);
    let replies = games(&report, "answers").remove(0).len();
    assert_eq!(text(&report, "answers"), format!("{replies} replies"));
}

/// Opens a device that ends in its first game, and fails from then on for a number of times.
fn opened_again_after(failures: usize) -> Opener<'static> {
    let mut opened = 0;
    Box::new(move || {
        opened += 1;
        if (2..2 + failures).contains(&opened) {
            return Err("the port is missing".into());
        }
        Ok(player(MockKind::Crash, common::settings().limit)?)
    })
}

/// The record of the first game remains.
#[test]
fn a_device_that_does_not_return_is_not_examined_further() {
    let settings = RunOptions {
        wait: Duration::ZERO,
        ..settings()
    };
    let first_eight: Vec<_> = quick().into_iter().take(8).collect();
    let report = conform(opened_again_after(100), settings, &first_eight);
    let words: Vec<_> = report.steps.iter().map(word).collect();
    assert_eq!(
        words,
        [
            "passed", "failed", "passed", "passed", "passed", "passed", "not-run", "not-run"
        ]
    );
    assert_eq!(text(&report, "next-game"), "link lost in check 2");
}

#[test]
fn a_device_that_returns_late_is_examined_further() {
    let settings = RunOptions {
        wait: Duration::from_secs(60),
        ..settings()
    };
    let names = ["handshake", "answers", "partial-code"];
    let report = conform(opened_again_after(2), settings, &checks(&names));
    let words: Vec<_> = report.steps.iter().map(word).collect();
    assert_eq!(words, ["passed", "failed", "passed"]);
}

/// The host waits for a late reply only once.
#[test]
fn waits_end_at_the_limit_after_a_missing_reply() {
    let settings = common::settings();
    let open = exec(MockKind::Stall, settings.limit);
    let report = conform(open, settings, &checks(&["answers", "next-game"]));
    let (answers, next) = (text(&report, "answers"), text(&report, "next-game"));
    assert!(answers.ends_with(" within 0.900 s"), "{answers}");
    assert!(next.starts_with("as in check 2: no reply to "), "{next}");
    assert!(next.ends_with(" within 0.350 s"), "{next}");
}
