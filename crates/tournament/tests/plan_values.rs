//! Every value of a plan: its default, its minimum and maximum, and the message for other values.

mod common;

use std::time::Duration;

use common::plan;
use duoforge_players::PlayerSpec;
use duoforge_referee::TimeControl;
use duoforge_tournament::{Evidence, Format, Plan, PlanEntry};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// Parses a plan of two players with these lines before them.
fn read(lines: &str) -> Result<Plan, String> {
    let text = format!(
        "event = \"E\"\nformat = \"gauntlet\"\n{lines}\n\
         [[player]]\nspec = \"pattern\"\n[[player]]\nspec = \"twin\"\n"
    );
    Plan::read(&text).map_err(|error| error.to_string())
}

#[test]
fn what_is_not_written_has_a_default() {
    let plan = read("").unwrap();
    assert_eq!((plan.pairs, plan.rounds, plan.seed), (1, 0, 1));
    assert_eq!((plan.concurrency, plan.opening), (1, 0));
    assert_eq!((plan.limit, plan.reconnect), (MS(1_000), MS(30_000)));
    assert_eq!((plan.evidence, plan.sprt), (Evidence::Lost, None));
    assert_eq!(plan.players[0].name, "pattern");
    assert_eq!(plan.players[0].clock, None);
    let sprt = read("sprt = { elo0 = -5, elo1 = 10 }")
        .unwrap()
        .sprt
        .unwrap();
    assert_eq!(
        (sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta),
        (-5.0, 10.0, 0.05, 0.05)
    );
    let sprt = read("sprt = { elo0 = 0, elo1 = 1, alpha = 0.1, beta = 0.2 }").unwrap();
    assert_eq!(
        sprt.sprt.map(|sprt| (sprt.alpha, sprt.beta)),
        Some((0.1, 0.2))
    );
}

#[test]
fn formats_and_evidence_have_their_words() {
    let formats = [
        (Format::RoundRobin, "round-robin"),
        (Format::Gauntlet, "gauntlet"),
        (Format::Swiss, "swiss"),
        (Format::Knockout, "knockout"),
    ];
    for (format, word) in formats {
        let rest = if format == Format::Swiss {
            "rounds = 1"
        } else {
            ""
        };
        assert_eq!((plan(word, 2, rest).format, format.word()), (format, word));
    }
    for (word, evidence) in [
        ("all", Evidence::All),
        ("lost", Evidence::Lost),
        ("violations", Evidence::Violations),
    ] {
        assert_eq!(
            read(&format!("evidence = \"{word}\"")).unwrap().evidence,
            evidence
        );
    }
}

#[test]
fn numbers_are_taken_from_the_least_to_the_most() {
    // Two players make two games per pair.
    let table = [
        ("pairs", 1, 500_000, "500001 pairs"),
        ("concurrency", 1, 64, "65 is out of range: expected 1 to 64"),
        ("seed", 0, i64::MAX, ""),
    ];
    for (key, least, most, above) in table {
        for value in [least, most] {
            let plan = read(&format!("{key} = {value}"));
            assert!(plan.is_ok(), "{key} = {value}: {plan:?}");
        }
        let refused = |value: i64| read(&format!("{key} = {value}")).unwrap_err();
        assert!(refused(least - 1).contains(key), "{key}");
        match key {
            "pairs" => assert_eq!(
                refused(most + 1),
                "pairs: 1000002 games are out of range: expected at most 1000000"
            ),
            "concurrency" => assert_eq!(refused(most + 1), format!("concurrency: {above}")),
            _ => {}
        }
    }
    // Openings require players that accept one.
    for (opening, fine) in [(0, true), (12, true), (13, false)] {
        let text = format!(
            "event = \"E\"\nformat = \"gauntlet\"\nopening = {opening}\n\
             [[player]]\nspec = \"pattern\"\n[[player]]\nspec = \"random\"\n"
        );
        let plan = Plan::read(&text).map_err(|error| error.to_string());
        assert_eq!(plan.is_ok(), fine, "{plan:?}");
        if !fine {
            assert_eq!(
                plan.unwrap_err(),
                "opening: 13 is out of range: expected 0 to 12"
            );
        }
    }
    // A Swiss tournament without a number of rounds.
    let text = "event = \"E\"\nformat = \"swiss\"\n[[player]]\nspec = \"pattern\"\n\
                [[player]]\nspec = \"random\"\n[[player]]\nspec = \"random:1\"\n";
    for (rounds, fine) in [("", false), ("rounds = 0\n", false), ("rounds = 2\n", true)] {
        let plan = Plan::read(&format!("{rounds}{text}")).map_err(|error| error.to_string());
        assert_eq!(plan.is_ok(), fine, "{plan:?}");
        if !fine {
            assert_eq!(
                plan.unwrap_err(),
                "rounds: required for format swiss: expected 1 to 2 for 3 players"
            );
        }
    }
    for (players, fine) in [(1, false), (2, true), (256, true), (257, false)] {
        let mut text = "event = \"E\"\nformat = \"gauntlet\"\n".to_owned();
        for number in 0..players {
            text += &format!("[[player]]\nspec = \"random:{number}\"\n");
        }
        assert_eq!(Plan::read(&text).is_ok(), fine, "{players}");
    }
    for (rounds, fine) in [(0, false), (1, true), (4, true), (5, false)] {
        let mut text = format!("event = \"E\"\nformat = \"swiss\"\nrounds = {rounds}\n");
        for number in 0..5 {
            text += &format!("[[player]]\nspec = \"random:{number}\"\n");
        }
        assert_eq!(Plan::read(&text).is_ok(), fine, "{rounds}");
    }
    let other = read("rounds = 1").unwrap_err();
    assert_eq!(
        other,
        "rounds: 1 is not permitted for format gauntlet: expected format swiss"
    );
}

#[test]
fn times_have_units_or_are_seconds() {
    let table = [
        ("1s", Some(1_000)),
        ("1.5s", Some(1_500)),
        ("250ms", Some(250)),
        ("0.5ms", None),
        (" 2 s", Some(2_000)),
        ("86400s", Some(86_400_000)),
        ("1", Some(1_000)),
        ("1m", Some(60_000)),
    ];
    for (text, ms) in table {
        let limit = read(&format!("limit = \"{text}\"")).unwrap().limit;
        assert_eq!(limit, ms.map_or(Duration::from_micros(500), MS), "{text}");
    }
    for text in ["s", "", "-1s", "1e300s", "86400.1s", "nans", "infs"] {
        let error = read(&format!("limit = \"{text}\"")).unwrap_err();
        let right = format!("limit: invalid duration '{text}': expected 0s to 24h");
        assert!(error.starts_with(&right), "{error}");
        let error = read(&format!("reconnect = \"{text}\"")).unwrap_err();
        assert!(error.starts_with("reconnect: "), "{error}");
    }
    assert_eq!(read("reconnect = \"0s\"").unwrap().reconnect, MS(0));
    let none = read("limit = \"0s\"").unwrap_err();
    assert_eq!(none, "limit: 0s is out of range: expected more than 0s");
}

/// Time control of a player: a limit, or a bank with or without an increment, neither of them zero.
#[test]
fn a_player_has_a_limit_or_a_bank() {
    let clock = |lines: &str| {
        let text = format!(
            "event = \"E\"\nformat = \"gauntlet\"\n[[player]]\nname = \"A\"\nspec = \"pattern\"\n{lines}\n\
             [[player]]\nspec = \"twin\"\n"
        );
        Plan::read(&text)
            .map(|plan| plan.players[0].clock)
            .map_err(|error| error.to_string())
    };
    let bank = |start, increment| {
        Some(TimeControl::TimeBank {
            start: MS(start),
            increment: MS(increment),
        })
    };
    assert_eq!(clock(""), Ok(None));
    assert_eq!(
        clock("limit = \"2s\""),
        Ok(Some(TimeControl::Fixed(MS(2_000))))
    );
    assert_eq!(clock("bank = \"10s\""), Ok(bank(10_000, 0)));
    assert_eq!(
        clock("bank = \"10s\"\nincrement = \"5ms\""),
        Ok(bank(10_000, 5))
    );
    for wrong in [
        "limit = \"0s\"",
        "bank = \"0s\"",
        "increment = \"1s\"",
        "limit = \"1s\"\nbank = \"1s\"",
        "limit = \"1s\"\nincrement = \"1s\"",
        "limit = \"1s\"\nbank = \"1s\"\nincrement = \"1s\"",
    ] {
        let right = "player 'A': invalid time control: expected limit, or bank with an optional \
                     increment, each above 0s";
        assert_eq!(clock(wrong), Err(right.to_owned()), "{wrong}");
    }
}

/// Maximum number of games: matches times pairs of two games each.
#[test]
fn a_plan_knows_how_many_games_it_can_have() {
    let table = [
        ("round-robin", 2, "", 2),
        ("round-robin", 7, "pairs = 3", 21 * 6),
        ("gauntlet", 7, "pairs = 3", 6 * 6),
        ("knockout", 7, "pairs = 3", 6 * 6),
        ("swiss", 6, "rounds = 4", 3 * 4 * 2),
        ("swiss", 7, "rounds = 4\npairs = 5", 3 * 4 * 10),
    ];
    for (format, players, rest, games) in table {
        assert_eq!(
            plan(format, players, rest).most_games(),
            games,
            "{format} {rest}"
        );
    }
}

#[test]
fn a_test_is_for_two_players_who_meet_more_than_once() {
    let sprt = "sprt = { elo0 = 0, elo1 = 5 }";
    let with = |format: &str, players: usize| {
        let rest = if format == "swiss" {
            "rounds = 1\n"
        } else {
            ""
        };
        let mut text = format!("event = \"E\"\nformat = \"{format}\"\n{rest}{sprt}\n");
        for number in 0..players {
            text += &format!("[[player]]\nspec = \"random:{number}\"\n");
        }
        Plan::read(&text).is_ok()
    };
    for (format, players, fine) in [
        ("round-robin", 2, true),
        ("gauntlet", 2, true),
        ("swiss", 2, true),
        ("knockout", 2, false),
        ("round-robin", 3, false),
        ("swiss", 3, false),
    ] {
        assert_eq!(with(format, players), fine, "{format} {players}");
    }
    assert!(
        read("sprt = { elo0 = 5, elo1 = 0 }")
            .unwrap_err()
            .starts_with("sprt: ")
    );
}

/// Properties of players: deterministic, only one instance, accepts an opening.
#[test]
fn players_have_the_properties_of_their_kind() {
    let table = [
        // Columns: spec, repeatable, single, opens.
        ("twin", true, false, false),
        ("pattern", true, false, true),
        ("random", true, false, true),
        ("random:4", true, false, true),
        ("sample:1", true, false, true),
        ("search:sims=5", true, false, true),
        ("search", true, false, true),
        ("search:ms=5", false, false, true),
        ("engine:sims=5,threads=1", true, false, true),
        ("engine:sims=5,threads=2", false, false, true),
        ("engine:ms=5,threads=1", false, false, true),
        ("gtp:engine", false, false, true),
        ("exec:bot", false, false, false),
        ("/dev/ttyUSB0", false, true, false),
        ("tcp:host:1", false, true, false),
        ("pty", false, true, false),
    ];
    for (spec, repeatable, single, opens) in table {
        let entry = PlanEntry {
            name: "A".to_owned(),
            spec: spec.parse().unwrap(),
            version: None,
            reset: Duration::ZERO,
            clock: None,
        };
        let properties = (entry.is_repeatable(), entry.is_single(), entry.opens());
        assert_eq!(properties, (repeatable, single, opens), "{spec}");
    }
}

/// The caller may know more names of players than this crate does.
#[test]
fn players_are_parsed_by_the_function_of_the_caller() {
    let text = "event = \"E\"\nformat = \"gauntlet\"\n[[player]]\nspec = \"twin\"\n\
                [[player]]\nspec = \"double\"\n";
    let error = Plan::read(text).unwrap_err().to_string();
    assert_eq!(
        error,
        "player 'double': invalid spec 'double': unknown kind of player"
    );
    let plan = Plan::read_with(text, |name| match name {
        "double" => Ok(PlayerSpec::Twin),
        name => name.parse(),
    });
    let plan = plan.unwrap();
    assert_eq!(plan.players[0].spec, plan.players[1].spec);
    assert_eq!(plan.players[1].name, "double");
}

#[test]
fn names_and_devices_are_there_once_and_are_text() {
    let with = |players: &str| {
        let text = format!("event = \"E\"\nformat = \"gauntlet\"\n{players}");
        Plan::read(&text)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    let player =
        |name: &str, spec: &str| format!("[[player]]\nname = \"{name}\"\nspec = \"{spec}\"\n");
    let two = |one: [&str; 2], two: [&str; 2]| {
        with(&[player(one[0], one[1]), player(two[0], two[1])].concat())
    };
    assert_eq!(two(["A", "twin"], ["B", "twin"]), Ok(()));
    let table = [
        (
            ["A", "twin"],
            ["A", "pattern"],
            "player 'A': duplicate name: expected a different name for each player",
        ),
        (
            ["A", "twin"],
            [" ", "pattern"],
            "player ' ': invalid name: expected one line of visible text",
        ),
        (
            ["A", "twin"],
            ["B", "human"],
            "player 'B': spec 'human' is not permitted in a tournament: expected a device or a \
             program",
        ),
        (
            ["A", "twin\"\nversion = \" "],
            ["B", "pattern"],
            "player 'A': invalid version: expected one line of visible text",
        ),
        (
            ["A", "twin\"\nreset = \"20s"],
            ["B", "pattern"],
            "player 'A': reset is not permitted for spec 'twin': expected a device at the far end \
             of a link",
        ),
        (
            ["A", "pty:/x"],
            ["B", "pty:/x"],
            "player 'B': duplicate device 'pty:/x': expected a different device for each player",
        ),
    ];
    for (one, other, text) in table {
        assert_eq!(two(one, other), Err(text.to_owned()));
    }
    assert!(two(["A", "twin"], ["B\\n", "twin"]).is_err());
    let empty = "event = \"\\t\"\nformat = \"gauntlet\"\n[[player]]\nspec = \"twin\"\n[[player]]\nspec = \"twin\"\n";
    let error = Plan::read(empty).unwrap_err().to_string();
    assert_eq!(error, "event: empty name: expected visible text");
}
