//! Ladders over the journals of real tournaments and matches.
#![cfg(unix)]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::seasons::{Results, played_match, season, tournament, zermelo};
use common::{good, run, text};
use duoforge_journal::{GameResult, Header, Journal, Kind, read};
use serde_json::Value;
use tempfile::tempdir;

fn json(paths: &[&Path]) -> Value {
    let mut arguments = vec!["ladder", "--format", "json"];
    arguments.extend(paths.iter().copied().map(text));
    serde_json::from_str(&good(&arguments)).unwrap()
}

/// Counts the results by player, straight from the journals.
fn results(directory: &Path) -> Results {
    let mut results = Results::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_none_or(|extension| extension != "journal")
        {
            continue;
        }
        let history = read(&path).unwrap().history;
        for (game, ended) in history.ended() {
            let [one, two] = game.begun.players.clone();
            let own = match ended.result {
                GameResult::One => 2,
                GameResult::Two => 0,
                GameResult::Draw => 1,
                GameResult::Open => continue,
            };
            results.entry([one.clone(), two.clone()]).or_default()[own] += 1;
            results.entry([two, one]).or_default()[2 - own] += 1;
        }
    }
    results
}

#[test]
fn ratings_are_those_of_a_solver_that_reads_the_journals_itself() {
    let directory = season();
    let results = results(directory.path());
    let expected = zermelo(&results);
    let ladder = json(&[directory.path()]);
    assert_eq!(
        (&ladder["games"], &ladder["version"]),
        (&20.into(), &2.into())
    );
    let rungs = ladder["rungs"].as_array().unwrap();
    assert_eq!(rungs.len(), 5, "{ladder:#}");
    let mut above = f64::INFINITY;
    for rung in rungs {
        let name = rung["name"].as_str().unwrap();
        let [elo, low, high] = ["elo", "low", "high"].map(|key| rung["elo"][key].as_f64().unwrap());
        assert!(
            (elo - expected[name]).abs() < 0.01,
            "{name} {elo} {expected:?}"
        );
        assert!(low < elo && elo < high && elo <= above);
        above = elo;
        let sum = |result: usize| -> u64 {
            let own = results.iter().filter(|([own, _], _)| own == name);
            own.map(|(_, counts)| counts[result]).sum()
        };
        let [lost, drawn, won] = [0, 1, 2].map(sum);
        let told = ["lost", "drawn", "won", "games"].map(|key| rung[key].as_u64().unwrap());
        assert_eq!(told, [lost, drawn, won, lost + drawn + won], "{name}");
    }
    let meetings = ladder["meetings"].as_array().unwrap();
    assert_eq!(2 * meetings.len(), results.len());
    for meeting in meetings {
        let name = |side: usize| {
            meeting["players"][side]["name"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        let told = ["lost", "drawn", "won"].map(|key| meeting[key].as_u64().unwrap());
        assert_eq!(told, results[&[name(0), name(1)]]);
    }
    // The events are in the order of their time, and each player's Glicko-2 rating follows them.
    let events = ladder["events"].as_array().unwrap();
    let names: Vec<&str> = events
        .iter()
        .map(|event| event["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["autumn", "random:5 - random:6", "twin - random:6"]);
    let six = rungs
        .iter()
        .find(|rung| rung["name"] == "random:6")
        .unwrap();
    let history = six["history"].as_array().unwrap();
    let told: Vec<_> = history
        .iter()
        .map(|it| (it["event"].as_u64(), it["games"].as_u64()))
        .collect();
    assert_eq!(told, [(Some(1), Some(6)), (Some(2), Some(2))]);
    assert_eq!(history[1]["rating"], six["rating"]);
}

#[test]
fn the_same_journals_give_the_same_bytes_and_a_further_one_changes_the_ratings() {
    let directory = season();
    let [one, two] = [tempdir().unwrap(), tempdir().unwrap()];
    let copy = |from: &str, to: &Path| {
        fs::copy(directory.path().join(from), to).unwrap();
    };
    // Other names, another order, two directories, and one journal twice.
    copy("saturday.journal", &one.path().join("a.journal"));
    copy("autumn.journal", &two.path().join("z"));
    copy("friday.journal", &two.path().join("b.journal"));
    copy("friday.journal", &two.path().join("c.journal"));
    let places = [one.path(), two.path()].map(text);
    for format in ["text", "markdown", "json", "html", "svg"] {
        let whole = good(&["ladder", text(directory.path()), "--format", format]);
        for [first, second] in [[places[0], places[1]], [places[1], places[0]]] {
            let parts = run(&["ladder", first, second, "--format", format]);
            assert_eq!((parts.status, parts.out), (0, whole.clone()));
            assert!(
                parts.err.contains("c.journal is a copy of"),
                "{}",
                parts.err
            );
        }
    }
    let rated = |ladder: &Value, name: &str| {
        let rungs = ladder["rungs"].as_array().unwrap();
        let rung = rungs.iter().find(|rung| rung["name"] == name);
        rung.map(|rung| rung["elo"]["elo"].as_f64().unwrap())
    };
    let [before, after] = [json(&[two.path()]), json(&[two.path(), one.path()])];
    assert_eq!(
        (&before["games"], &after["games"]),
        (&18.into(), &20.into())
    );
    assert_eq!(
        (rated(&before, "twin"), rated(&after, "twin").is_some()),
        (None, true)
    );
    assert_ne!(rated(&before, "random:6"), rated(&after, "random:6"));
}

#[test]
fn broken_and_foreign_files_are_named_and_left_out() {
    let directory = season();
    let clean = good(&["ladder", text(directory.path()), "--format", "json"]);
    let path = |name: &str| directory.path().join(name);
    fs::write(path("notes.txt"), "Board 1 was late.\n").unwrap();
    fs::write(path(".hidden"), "nothing").unwrap();
    fs::write(path("empty.journal"), "").unwrap();
    // A changed byte in the middle of one copy; a cut line at the end of another one.
    let mut damaged = fs::read(path("friday.journal")).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(path("damaged.journal"), damaged).unwrap();
    let other = Header::new(Kind::Match, "later", "[]");
    drop(Journal::create(&path("torn.journal"), other).unwrap());
    let mut torn = fs::read(path("torn.journal")).unwrap();
    torn.extend_from_slice(b"{\"crc\":\"00");
    fs::write(path("torn.journal"), torn).unwrap();
    let said = run(&["ladder", text(directory.path()), "--format", "json"]);
    assert_eq!(said.status, 0, "{}", said.err);
    for name in [
        "notes.txt",
        "empty.journal",
        "damaged.journal",
        "autumn.toml",
    ] {
        let warning = format!("warning: left out: {}", path(name).display());
        assert!(said.err.contains(&warning), "{name}: {}", said.err);
    }
    assert!(
        said.err
            .contains("torn.journal: the last 10 bytes are incomplete"),
        "{}",
        said.err
    );
    assert!(!said.err.contains(".hidden"), "{}", said.err);
    // The ratings are those of the sound journals.
    let [clean, now]: [Value; 2] =
        [&clean, &said.out].map(|text| serde_json::from_str(text).unwrap());
    assert_eq!(clean["rungs"], now["rungs"]);
    assert_eq!(now["events"].as_array().unwrap().len(), 4);
}

#[test]
fn nothing_to_read_is_a_failure_and_nothing_to_rate_a_negative_result() {
    let directory = tempdir().unwrap();
    let said = run(&["ladder", text(directory.path())]);
    assert_eq!((said.status, said.out.as_str()), (2, ""));
    assert!(
        said.err.contains("duoforge::ladder") && said.err.contains("help"),
        "{}",
        said.err
    );
    fs::write(directory.path().join("notes.txt"), "none").unwrap();
    let said = run(&["ladder", text(directory.path())]);
    assert_eq!(said.status, 2);
    assert!(
        said.err.contains("notes.txt is not a journal"),
        "{}",
        said.err
    );
    let said = run(&["ladder", text(&directory.path().join("nowhere"))]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("nowhere cannot be read"), "{}", said.err);
    let path = directory.path().join("new.journal");
    drop(Journal::create(&path, Header::new(Kind::Match, "new", "[]")).unwrap());
    let said = run(&["ladder", text(directory.path())]);
    assert_eq!(said.status, 1, "{}", said.err);
    assert!(
        said.out.starts_with("Ladder: 1 event, 0 rated games"),
        "{}",
        said.out
    );
    assert!(said.err.contains("no game can be rated"), "{}", said.err);
}

#[test]
fn each_version_of_a_player_has_its_rating() {
    let directory = tempdir().unwrap();
    for (event, spec, version) in [
        ("spring", "random:1", "version = \"1.0\""),
        ("summer", "pattern", "version = \"2.0\""),
        ("autumn", "pattern", "version = \"2.0\""),
        ("winter", "engine:sims=50", ""),
    ] {
        let players = [("Bot", spec, version), ("Sam", "sample:1", "")];
        tournament(directory.path(), event, "", &players);
    }
    let ladder = json(&[directory.path()]);
    let version = env!("CARGO_PKG_VERSION");
    let told: BTreeMap<_, _> = ladder["rungs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rung| {
            let name = rung["name"].as_str().unwrap();
            let version = rung["version"].as_str().unwrap().to_owned();
            (
                (name, version),
                (
                    rung["games"].as_u64().unwrap(),
                    rung["history"].as_array().unwrap().len(),
                ),
            )
        })
        .collect();
    let engine = format!("engine:sims=50, duoforge {version}");
    let sample = format!("sample:1, duoforge {version}");
    let expected = [
        (("Bot", "1.0".to_owned()), (2, 1)),
        (("Bot", "2.0".to_owned()), (4, 2)),
        (("Bot", engine), (2, 1)),
        (("Sam", sample), (8, 4)),
    ];
    assert_eq!(told, expected.into());
    let merged = good(&[
        "ladder",
        text(directory.path()),
        "--by",
        "player",
        "--format",
        "json",
    ]);
    let merged: Value = serde_json::from_str(&merged).unwrap();
    let names: Vec<_> = merged["rungs"].as_array().unwrap().iter().collect();
    assert_eq!(names.len(), 2);
    assert!(
        names
            .iter()
            .all(|rung| rung["version"].is_null() && rung["games"] == 8)
    );
}

#[test]
fn a_version_against_itself_is_counted_and_not_rated() {
    let directory = tempdir().unwrap();
    played_match(
        directory.path(),
        "match pattern pattern --games 2 -q --journal own.journal",
    );
    played_match(
        directory.path(),
        "match pattern twin --games 2 -q --journal other.journal",
    );
    let ladder = json(&[directory.path()]);
    assert_eq!(
        (&ladder["games"], &ladder["self_play"]),
        (&2.into(), &2.into())
    );
    let shown = good(&["ladder", text(directory.path())]);
    assert!(shown.contains("2 of a version against itself"), "{shown}");
}

/// A match has no input test: a fault counts once its player has made a move.
#[test]
fn faults_of_players_that_never_made_a_move_are_not_rated() {
    let directory = tempdir().unwrap();
    // The first move of the one is illegal; the other is silent after its first move.
    let device = |name: &str, first: &str| {
        let script = directory.path().join(name);
        let cases = format!("0) printf 1XX;; A) printf {first};; \"\") exit;;");
        let text = format!("while :; do c=$(head -c 1); case \"$c\" in {cases} esac; done\n");
        fs::write(&script, text).unwrap();
        format!("exec:sh {}", script.display())
    };
    let lost = |words: &[&str], journal: &str| {
        let path = directory.path().join(journal);
        let own = [
            "--first",
            "2",
            "--limit",
            "300ms",
            "-q",
            "--journal",
            text(&path),
        ];
        let run = run(&[&["match"][..], words, &own].concat());
        assert_eq!(run.status, 1, "{}{}", run.out, run.err);
    };
    lost(&["random:1", &device("passes.sh", "0000")], "1.journal");
    let seats = ["--variant", "classic-2", "random:1", "bot:false"];
    lost(&seats, "2.journal");
    let rated = |variant: &str| {
        let words = ["ladder", "--format", "json", "--variant", variant];
        let run = run(&[&words[..], &[text(directory.path())]].concat());
        let ladder: Value = serde_json::from_str(&run.out).unwrap();
        [&ladder["games"], &ladder["open"]].map(|count| count.as_u64().unwrap())
    };
    assert_eq!((rated("duo"), rated("classic-2")), ([0, 1], [0, 1]));
    lost(&["random:1", &device("silent.sh", "aaa0")], "3.journal");
    assert_eq!(rated("duo"), [1, 1]);
}

#[test]
fn every_format_shows_the_ladder_and_files_are_saved() {
    let directory = season();
    let path = |name: &str| directory.path().join(name);
    let saved = ["l.html", "l.svg", "l.md", "l.json"].map(path);
    let mut arguments = vec!["ladder", text(directory.path())];
    for file in &saved {
        arguments.extend(["--save", text(file)]);
    }
    let shown = good(&arguments);
    for part in [
        "Ladder: 3 events, 20 rated games",
        "Pat (pattern, duoforge",
        "Glicko-2",
        "saturday",
    ] {
        let expected = part != "saturday";
        assert_eq!(shown.contains(part), expected, "{part}: {shown}");
    }
    let [html, svg, markdown, json] = saved.map(|path| fs::read_to_string(path).unwrap());
    for text in [&html, &svg, &markdown] {
        assert!(text.contains("random:5"), "{text}");
    }
    assert!(
        html.starts_with("<!DOCTYPE html>")
            && html.contains("<svg ")
            && html.ends_with("</html>\n")
    );
    assert!(markdown.starts_with("# Ladder\n") && markdown.contains("## Head to head"));
    // In the picture, a better rating lies further right, between the ends of its interval.
    let ladder: Value = serde_json::from_str(&json).unwrap();
    let number = |line: &str, before: &str| -> f64 {
        let (_, rest) = line.split_once(before).unwrap();
        let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.');
        rest[..end.unwrap()].parse().unwrap()
    };
    let lines: Vec<&str> = svg
        .lines()
        .filter(|line| line.contains("<circle "))
        .collect();
    assert_eq!(lines.len(), ladder["rungs"].as_array().unwrap().len());
    let mut right = f64::INFINITY;
    for line in lines {
        let [low, high, elo] = ["d=\"M", "H", "cx=\""].map(|before| number(line, before));
        assert!(low < elo && elo < high && elo <= right, "{line}");
        right = elo;
    }
    let wrong = run(&["ladder", text(directory.path()), "--save", "ladder.pdf"]);
    assert_eq!(wrong.status, 2);
    assert!(
        wrong.err.contains("ladder.pdf: unknown format 'pdf'"),
        "{}",
        wrong.err
    );
}
