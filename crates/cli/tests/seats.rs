//! Matches of variants, with one to four seats.
#![cfg(unix)]

mod common;

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use common::events::{duoforge, wait_for};
use common::{fed, good, run, text};
use duoforge_journal::read;
use duoforge_rules::GameVariant;
use duoforge_view::State;
use serde_json::Value;
use tempfile::tempdir;

/// Definition of a variant with one seat on seven columns.
const ALONE: &str =
    "name = \"alone\"\nsize = 7\nseats = 1\n\n[[colours]]\nseat = 0\nstarts = [[0, 0]]\n";

#[test]
fn every_variant_is_played_out_of_the_box() {
    let directory = tempdir().unwrap();
    let list = directory.path().join("games.txt");
    for variant in GameVariant::BUILT_IN {
        if variant == GameVariant::DUO {
            continue;
        }
        let name = variant.name();
        let mut arguments = vec!["match"];
        arguments.extend(["greedy:1", "random:2", "random:3", "greedy:4"]);
        arguments.truncate(1 + variant.seat_count());
        arguments.extend(["--variant", name, "--games", "2", "--first", "alternate"]);
        arguments.extend(["--json", "--record", text(&list)]);
        let played = run(&arguments);
        assert_eq!(played.status, 0, "{name}: {}", played.err);
        let objects = played.json();
        let [one, two, result] = &objects[..] else {
            panic!("{name}: {} objects", objects.len())
        };
        assert_eq!(one["variant"], name);
        assert_eq!(one["seats"][0]["name"], "greedy:1");
        assert_eq!(two["seats"][0]["name"], "random:2", "the players move on");
        assert_eq!(
            (&one["ending"], &result["games"]),
            (&"finished".into(), &2.into())
        );
        let firsts: f64 = result["players"]
            .as_array()
            .unwrap()
            .iter()
            .map(|player| player["firsts"].as_f64().unwrap())
            .sum();
        assert!((firsts - 2.0).abs() < 1e-9, "{firsts}");
        // The list replays to the same states.
        let replayed = run(&["replay", text(&list), "--variant", name, "--json"]).json();
        for (game, replay) in [one, two].into_iter().zip(&replayed) {
            assert_eq!(game["state"], replay["state"], "{name}");
            let state: State = serde_json::from_value(game["state"].clone()).unwrap();
            let seats = state.result.unwrap().seats;
            for (seat, known) in game["seats"].as_array().unwrap().iter().zip(seats) {
                assert_eq!(seat["score"], known.score);
                assert_eq!(seat["place"], known.place);
            }
        }
        // A move list survives the way through blksgf.
        let there = good(&["convert", text(&list), "--variant", name]);
        let back = fed(there, &["convert", "-"]).out;
        let codes = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            lines.map(str::to_owned).collect()
        };
        assert_eq!(
            codes(&back),
            codes(&fs::read_to_string(&list).unwrap()),
            "{name}"
        );
    }
}

#[test]
fn a_custom_variant_is_played_and_kept_in_the_journal() {
    let directory = tempdir().unwrap();
    let [definition, journal] = ["alone.toml", "a.journal"].map(|name| directory.path().join(name));
    fs::write(&definition, ALONE).unwrap();
    let out = good(&[
        "match",
        "greedy:1",
        "--variant",
        text(&definition),
        "--journal",
        text(&journal),
    ]);
    assert!(out.contains("game 1: seat 1 (greedy:1) wins"), "{out}");
    let history = read(&journal).unwrap().history;
    let (game, ended) = history.variant_games.ended().next().unwrap();
    assert_eq!(
        (game.begun.variant.as_str(), ended.seats.len()),
        ("alone", 1)
    );
    let stored = game.begun.definition.as_deref().unwrap();
    let variant = duoforge_view::read_variant(stored).unwrap();
    assert_eq!(variant, duoforge_view::read_variant(ALONE).unwrap());
    let listed = run(&["games", text(&journal), "--json"]).json();
    assert_eq!(listed[0]["variant"], "alone");
    let codes: Vec<_> = game.moves.iter().map(|moved| moved.code.as_str()).collect();
    assert_eq!(listed[0]["moves"], Value::from(codes.clone()));
    let replayed = fed(
        codes.join(" "),
        &["replay", "-", "--variant", text(&definition)],
    );
    assert!(replayed.out.contains("seat 1 wins"), "{}", replayed.out);
}

#[test]
fn wrong_players_and_options_are_refused() {
    for (arguments, parts) in [
        (
            "match greedy random --variant classic",
            vec!["2 players for classic: expected 4", "duoforge::usage"],
        ),
        (
            "match greedy random greedy",
            vec!["3 players for duo: expected 2", "--variant classic"],
        ),
        ("match greedy", vec!["1 players for duo: expected 2"]),
        (
            "match twin random --variant classic-2",
            vec![
                "twin does not play classic-2",
                "random, greedy, maxn, bot:COMMAND and human in every variant",
            ],
        ),
        (
            "match gtp:engine random --variant duo-corner",
            vec![
                "gtp:engine does not play duo-corner",
                "gtp:COMMAND in duo, classic",
            ],
        ),
        (
            "match greedy random --variant classic-2 --start a",
            vec!["--start is for duo, and the game is classic-2"],
        ),
        (
            "match greedy random --variant classic-2 --log wire.log",
            vec!["--log records the contest's protocol"],
        ),
    ] {
        let words: Vec<&str> = arguments.split(' ').collect();
        let refused = run(&words);
        assert_eq!(
            (refused.status, refused.out.as_str()),
            (2, ""),
            "{arguments}"
        );
        let err = refused.err.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in parts {
            assert!(err.contains(part), "{part}: {err}");
        }
    }
}

/// Engine of the Go Text Protocol that writes its input to a file and replies to each request for a
/// move with `cells`.
fn engine(log: &std::path::Path, cells: &str) -> String {
    let script = format!(
        "while read id command rest; do echo $command $rest >> {}; text=; case $command in
           list_commands) text=\"set_game\ntime_left\";; genmove) text={cells};;
         esac; printf \"=%s $text\\n\\n\" $id; done",
        log.display()
    );
    format!("gtp:sh -c '{script}'")
}

/// The engine repeats its first move, so that its second one is illegal.
#[test]
fn engines_are_told_the_time_left_of_a_bank_or_limit_in_every_variant() {
    let directory = tempdir().unwrap();
    let log = directory.path().join("log");
    for (variant, cells) in [("duo", "e10"), ("classic-2", "a20")] {
        let engine = engine(&log, cells);
        for (options, time, stones) in [
            ("--limit 80s", "80", "1"),
            ("--bank 90s --increment 10s", "90", "0"),
        ] {
            let mut words = vec![
                "match",
                &engine,
                "greedy:1",
                "--quiet",
                "--variant",
                variant,
            ];
            words.extend(options.split(' '));
            let played = run(&words);
            assert_eq!(played.status, 1, "{}{}", played.out, played.err);
            assert!(played.out.contains("illegal"), "{}", played.out);
            let received = fs::read_to_string(&log).unwrap();
            fs::remove_file(&log).unwrap();
            let times: Vec<Vec<&str>> = received
                .lines()
                .filter_map(|line| line.strip_prefix("time_left "))
                .map(|line| line.split_whitespace().collect())
                .collect();
            // The bank gains more than the engine needs, and never exceeds its initial content.
            assert!(times.len() >= 2, "{variant}: {received}");
            let expected = |it: &Vec<&str>| it[1..] == [time, stones];
            assert!(
                times.iter().all(expected),
                "{variant} {options}: {received}"
            );
        }
    }
    for (options, part) in [
        ("--bank 0s", "invalid time bank '0s': expected more than 0s"),
        ("--bank 1s --limit 1s", "cannot be used with"),
        ("--increment 1s", "--bank <TIME>"),
    ] {
        let mut words = vec!["match", "greedy", "random"];
        words.extend(options.split(' '));
        let refused = run(&words);
        assert_eq!((refused.status, refused.out.as_str()), (2, ""), "{options}");
        assert!(refused.err.contains(part), "{options}: {}", refused.err);
    }
}

/// The person of seat 2 plays one move, asks for lists and resigns; the referee plays on.
#[test]
fn a_person_plays_any_variant() {
    let input = "?a\nhelp\n0000\nk1a0\nq\n";
    let arguments = "match greedy:1 human greedy:3 --variant classic-3 --json -q";
    let words: Vec<&str> = arguments.split(' ').collect();
    let played = fed(input, &words);
    assert_eq!(played.status, 0, "{}", played.err);
    let objects = played.json();
    assert_eq!(objects[0]["ending"], "resigned");
    assert_eq!(objects[0]["seats"][1]["place"], 3);
    assert_eq!(objects[0]["plies"][1]["code"], "k1a0");
    for part in [
        "seat 2, colour 2 (58 legal",
        "a pass is legal only if",
        "CODE  play",
    ] {
        assert!(played.err.contains(part), "{part}: {}", played.err);
    }
}

#[test]
fn a_match_of_a_variant_goes_on_after_an_interruption() {
    let directory = tempdir().unwrap();
    let journal = directory.path().join("classic.journal");
    let arguments = "match greedy:1 random:2 greedy:3 random:4 --variant classic --games 12 \
                     --first alternate -q --journal classic.journal";
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let mut killed = false;
    for delay in [20_u64, 60] {
        let mut child = duoforge(directory.path(), &arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_for(|| fs::metadata(&journal).is_ok_and(|file| file.len() > 2_000));
        thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        killed |= child.wait().unwrap().code().is_none();
    }
    assert!(killed, "nothing was interrupted");
    let output = duoforge(directory.path(), &["resume"]).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{err}");
    let history = read(&journal).unwrap().history;
    assert!(history.finished);
    assert_eq!(history.variant_games.ended().count(), 12);
    // Every player had every seat three times.
    for (game, _) in history.variant_games.ended() {
        let first = (game.begun.game as usize - 1) % 4;
        assert_eq!(
            game.begun.players[0],
            ["greedy:1", "random:2", "greedy:3", "random:4"][first]
        );
    }
    // The games are extracted with their variant.
    let out = directory.path().join("games.blksgf");
    good(&["games", text(&journal), "--out", text(&out), "--game", "5"]);
    let replayed = good(&["replay", text(&out)]);
    assert!(
        replayed.starts_with("game 1 (line 1): classic, "),
        "{replayed}"
    );
    let listed = good(&["games", text(&journal), "--player", "greedy:3"]);
    assert_eq!(listed.lines().count(), 13, "{listed}");
}

#[test]
fn a_tournament_of_a_variant_has_standings_of_seats() {
    let directory = tempdir().unwrap();
    let [plan, table, journal] =
        ["cup.toml", "cup.md", "cup.journal"].map(|name| directory.path().join(name));
    let players = ["greedy:1", "random:2", "random:3", "greedy:4"];
    let players = players.map(|spec| format!("[[player]]\nspec = \"{spec}\"\n"));
    let head = "event = \"Cup\"\nvariant = \"classic-3\"\nconcurrency = 2\n";
    fs::write(&plan, head.to_owned() + &players.concat()).unwrap();
    let listed = good(&["tournament", text(&plan), "--dry-run"]);
    assert_eq!(listed.lines().count(), 13);
    assert!(listed.ends_with("12 games\n"), "{listed}");
    let first = "round  1  game    1  greedy:1 - random:2 - random:3";
    assert!(listed.starts_with(first), "{listed}");
    let refused = run(&["tournament", text(&plan), "--format", "svg"]);
    assert_eq!((refused.status, refused.out.as_str()), (2, ""));
    assert!(
        refused.err.contains("text, markdown and json"),
        "{}",
        refused.err
    );

    let arguments = [
        "tournament",
        text(&plan),
        "--format",
        "json",
        "--save",
        text(&table),
    ];
    let played = run(&arguments);
    assert_eq!(played.status, 0, "{}", played.err);
    assert!(played.err.contains("of 12: greedy:1 - "), "{}", played.err);
    let report = &played.json()[0];
    assert_eq!(
        (&report["games"], &report["finished"]),
        (&12.into(), &true.into())
    );
    let standings = report["standings"].as_array().unwrap();
    let points: f64 = standings
        .iter()
        .map(|it| it["points"].as_f64().unwrap())
        .sum();
    // Each game has three pairs of seats.
    assert!((points - 36.0).abs() < 1e-9, "{points}");
    let names = [0, 1].map(|i| standings[i]["name"].as_str().unwrap());
    assert!(
        names.iter().all(|name| name.starts_with("greedy")),
        "{names:?}"
    );
    assert!(fs::read_to_string(&table).unwrap().contains("| player |"));
    let history = read(&journal).unwrap().history;
    assert!(history.finished && history.variant_games.ended().count() == 12);
    // A finished tournament is printed again, and nothing is played.
    let again = run(&["resume", text(&journal), "--format", "json"]);
    assert_eq!((again.status, &again.json()[0]), (0, report));
}

#[test]
fn a_line_that_is_not_utf_8_is_answered_as_a_wrong_one() {
    for rest in [&[][..], &["--variant", "classic-2"]] {
        let words = [&["match", "human", "random:1", "-q"], rest].concat();
        let run = fed(b"\xe4\nq\n".as_slice(), &words);
        assert!(run.err.contains("a code has four letters"), "{}", run.err);
        assert_eq!(run.err.matches("q resigns").count(), 2, "{}", run.err);
    }
}
