//! Campaigns of simulated hardware: several simulators, shards, resumed runs, merged results, and
//! waveforms of failed games.
#![cfg(unix)]

mod common;

use std::fs;
use std::path::Path;

use common::{Run, good, replay_in, run, text};
use duoforge_sim::substitute::VARIABLE;
use serde_json::Value;
use tempfile::tempdir;

/// Plays the games from seed 7 on and writes their results to a file of the directory.
fn play(directory: &Path, name: &str, more: &[&str]) -> Vec<u8> {
    let file = directory.join(name);
    let fixed = [
        "sim",
        "--games",
        "7",
        "--seed",
        "7",
        "--results",
        text(&file),
    ];
    let run = run(&[&fixed, more].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    fs::read(file).unwrap()
}

#[test]
fn results_depend_neither_on_jobs_nor_on_shards_nor_on_kills() {
    let directory = tempdir().unwrap();
    let directory = directory.path();
    let single = play(directory, "single", &[]);
    assert_eq!(single.iter().filter(|&&byte| byte == b'\n').count(), 8);
    assert_eq!(play(directory, "three", &["--jobs", "3"]), single);
    for shard in ["0", "1", "2"] {
        let whole = play(
            directory,
            shard,
            &["--shard", &format!("{shard}/3"), "-j", "2"],
        );
        // A run that was killed while it wrote the last game.
        fs::write(directory.join(shard), &whole[..whole.len() - 9]).unwrap();
        let again = play(directory, shard, &["--shard", &format!("{shard}/3")]);
        assert_eq!(again, whole);
    }
    let [a, b, c, merged] = ["2", "0", "1", "merged"].map(|name| directory.join(name));
    let out = good(&[
        "merge",
        text(&a),
        text(&b),
        text(&c),
        "--out",
        text(&merged),
    ]);
    assert_eq!(fs::read(&merged).unwrap(), single);
    assert!(
        out.contains("verilator: 7 games") && out.contains(" 0 mismatches"),
        "{out}"
    );
    let gap = run(&["merge", text(&a), text(&c)]);
    assert_eq!(gap.status, 2);
    for part in [
        "duoforge::shards::gaps",
        "3 of 7 items are missing",
        "shard 0/3",
    ] {
        assert!(gap.err.contains(part), "{}", gap.err);
    }
    let other = run(&[
        "sim",
        "--games",
        "8",
        "--seed",
        "7",
        "--results",
        text(&merged),
    ]);
    assert_eq!(other.status, 2);
    assert!(
        other.err.contains("duoforge::shards::foreign"),
        "{}",
        other.err
    );
}

#[test]
fn searches_are_merged_too() {
    let directory = tempdir().unwrap();
    let search = |name: &str, shard: &str| {
        let file = directory.path().join(name);
        let settings = "sims=5,lanes=1,children=8,nodes=63,expand_threshold=4";
        let fixed = [
            "sim-search",
            settings,
            "--step",
            "9",
            "--results",
            text(&file),
        ];
        good(&[&fixed[..], &["--shard", shard]].concat());
        file
    };
    let single = search("single", "0/1");
    let shards = [search("a", "0/2"), search("b", "1/2")];
    let merged = directory.path().join("merged");
    let [a, b] = shards.each_ref().map(|path| text(path));
    let out = good(&["merge", b, a, "--out", text(&merged)]);
    assert_eq!(fs::read(&merged).unwrap(), fs::read(single).unwrap());
    assert!(out.contains("are equal in verilator"), "{out}");
}

#[test]
fn a_search_that_the_hardware_does_not_support_is_refused() {
    for (settings, fault) in [
        ("sims=5,children=33", "children=33"),
        ("sims=5,lanes=3", "lanes=3"),
        ("sims=262144", "sims=262144"),
    ] {
        let refused = run(&["sim-search", settings]);
        assert_eq!(refused.status, 2, "{settings}");
        let message = format!("{fault} is not supported in hardware: expected");
        assert!(refused.err.contains(&message), "{}", refused.err);
    }
}

#[test]
fn games_are_listed_and_selected() {
    let list =
        |more: &[&str]| good(&[&["sim", "--list", "--games", "5", "--seed", "7"], more].concat());
    assert_eq!(list(&[]), "game-7\ngame-8\ngame-9\ngame-10\ngame-11\n");
    assert_eq!(list(&["--shard", "1/2"]), "game-9\ngame-10\n");
    assert_eq!(
        list(&["--only", "game-8", "--only", "11"]),
        "game-8\ngame-11\n"
    );
    let one = run(&[
        "sim", "--games", "5", "--seed", "7", "--only", "game-8", "--json",
    ]);
    assert_eq!(
        (one.status, &one.json()[0]["games"]),
        (0, &1.into()),
        "{}",
        one.err
    );
    let wrong = run(&["sim", "--games", "5", "--seed", "7", "--only", "game-12"]);
    assert_eq!(wrong.status, 2);
    assert!(
        wrong.err.contains("expected game-7 to game-11"),
        "{}",
        wrong.err
    );
    let shard = run(&["sim", "--shard", "2/2"]);
    assert_eq!(shard.status, 2);
    assert!(
        shard.err.contains("expected I/N with I from 0 to N - 1"),
        "{}",
        shard.err
    );
}

/// Runs games whose design is replaced by those of a directory.
fn substituted(directory: &Path, arguments: &[&str]) -> Run {
    common::with_variable(VARIABLE, text(directory), arguments)
}

/// Replaces one entry of the scorer's tables in all designs of a directory.
fn change(directory: &Path) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = text(&path).strip_suffix(".emitted.v") else {
            continue;
        };
        let design = fs::read_to_string(&path).unwrap();
        let changed = design.replace("7'b1001: data = 8'h28;", "7'b1001: data = 8'h29;");
        assert_ne!(changed, design, "the scorer has such an entry");
        fs::write(format!("{name}.v"), changed).unwrap();
    }
}

#[test]
fn a_failing_ply_is_recorded_alone() {
    let directory = tempdir().unwrap();
    let directory = directory.path();
    let designs = directory.join("designs");
    fs::create_dir(&designs).unwrap();
    let sim = [
        "sim",
        "--backend",
        "icarus",
        "--games",
        "2",
        "--seed",
        "7",
        "--json",
    ];
    let first = substituted(&designs, &[&sim[..], &["--only", "7"]].concat());
    assert_eq!(first.status, 0, "{}", first.err);
    change(&designs);

    let waves = directory.join("waves");
    let ply = [
        &sim[..],
        &["--jobs", "2", "--wave-on-failure", text(&waves)],
    ]
    .concat();
    let failed = substituted(&designs, &ply);
    assert_eq!(failed.status, 1, "{}", failed.err);
    let summary = &failed.json()[0];
    let failures = summary["failures"].as_array().unwrap();
    assert_eq!(summary["mismatches"], failures.len());
    let file = Path::new(failures[0]["wave"].as_str().unwrap());
    let vcd = fs::read_to_string(file).unwrap();
    let times: Vec<u64> = vcd
        .lines()
        .filter_map(|line| line.strip_prefix('#')?.parse().ok())
        .collect();
    assert!(times[0] > 0, "the plies before are left out");
    let page = file.with_extension("html");
    assert_eq!(failures[0]["html"], text(&page));
    let replay = replay_in(&fs::read_to_string(&page).unwrap());
    let game = &replay["games"][0];
    assert_eq!(game["ply"], failures[0]["moves"].as_array().unwrap().len());
    let detail = game["result"]["detail"].as_str().unwrap();
    assert!(
        detail.contains(failures[0]["what"].as_str().unwrap()),
        "{detail}"
    );
    assert!(failed.err.contains(text(&page)), "{}", failed.err);
    for viewer in ["surfer --command-file", "gtkwave"] {
        assert!(failed.err.contains(viewer), "{}", failed.err);
    }
    signals_exist(
        &vcd,
        &file.with_extension("gtkw"),
        &file.with_extension("sucl"),
    );

    let whole = [&ply[..], &["--wave-game", "--wave-format", "fst"]].concat();
    let whole = substituted(&designs, &whole);
    assert_eq!(whole.status, 1, "{}", whole.err);
    let fst = file.with_extension("fst");
    assert_eq!(
        whole.json()[0]["failures"][0]["wave"].as_str(),
        fst.to_str(),
        "{}",
        whole.out
    );
    assert!(fs::metadata(fst).unwrap().len() > 0);
}

/// Checks that the signals of both save files are those of the waveform.
fn signals_exist(vcd: &str, gtkwave: &Path, surfer: &Path) {
    let mut path = Vec::new();
    let mut names = Vec::new();
    for line in vcd.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["$scope", _, name, ..] => path.push(name),
            ["$upscope", ..] => drop(path.pop()),
            ["$var", _, _, _, name, range, "$end"] => {
                names.push(format!("{}.{name}{range}", path.join(".")));
            }
            ["$var", _, _, _, name, "$end"] => names.push(format!("{}.{name}", path.join("."))),
            _ => {}
        }
    }
    let gtkwave = fs::read_to_string(gtkwave).unwrap();
    let listed: Vec<_> = gtkwave
        .lines()
        .filter(|line| !line.starts_with(['[', '@', '-']))
        .collect();
    assert!(listed.len() > 8, "{gtkwave}");
    for name in &listed {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    let surfer = fs::read_to_string(surfer).unwrap();
    let added = surfer
        .lines()
        .filter_map(|line| line.strip_prefix("variable_add "));
    let plain = listed.iter().map(|name| name.split('[').next().unwrap());
    assert!(added.eq(plain), "{surfer}");
}

/// Checks that a picture has the characters of a prompt and of a reply, and what lies between them.
fn picture_shows(file: &Path, prompt: &[&str], reply: Option<&str>) {
    let svg = fs::read_to_string(file).unwrap();
    let titles: Vec<&str> = svg
        .split("<title>")
        .skip(2)
        .map(|rest| rest.split("</title>").next().unwrap())
        .collect();
    let one: String = titles
        .iter()
        .filter(|title| title.chars().count() == 1)
        .copied()
        .collect();
    assert_eq!(one, prompt.concat() + reply.unwrap(), "{svg}");
    for state in ["Idle", "Check", "Search", "Send", "legal placements"] {
        assert!(titles.contains(&state), "{state} in {titles:?}");
    }
}

#[test]
fn one_decision_of_a_known_game_is_compared() {
    let directory = tempdir().unwrap();
    let directory = directory.path();
    let designs = directory.join("designs");
    fs::create_dir(&designs).unwrap();
    let compare = |more: &[&str]| {
        let base = ["sim-game", "--backend", "icarus", "--json"];
        substituted(&designs, &[&base[..], more].concat())
    };
    let decided = |run: &Run| -> Value {
        assert_eq!(run.status, 0, "{}{}", run.out, run.err);
        let summary = run.json().remove(0);
        assert_eq!(summary["hardware"], summary["twin"]);
        assert_eq!(summary["mismatch"], Value::Null);
        summary["hardware"].clone()
    };
    let first = decided(&compare(&[]));
    assert_eq!(first["legal"], 414);
    let own = first["reply"].as_str().unwrap();
    let legal = good(&["moves", own]);
    let other = legal.lines().last().unwrap();
    let third = decided(&compare(&[own, other]));
    let count = good(&["moves", own, other, "--count"]);
    assert_eq!(third["legal"].to_string(), count.trim());
    // The second player of the same game.
    let second = decided(&compare(&[own, other, "--ply", "1"]));
    assert_eq!(
        second["legal"].to_string(),
        good(&["moves", own, "--count"]).trim()
    );

    let picture = directory.join("ply-1.svg");
    let drawn = compare(&[own, "--picture", text(&picture)]);
    assert_eq!(drawn.status, 0, "{}", drawn.err);
    assert_eq!(drawn.json()[0]["wave"], Value::Null);
    picture_shows(
        &picture,
        &["3A", own],
        drawn.json()[0]["hardware"]["reply"].as_str(),
    );
    let fst = compare(&["--picture", text(&picture), "--wave", "a.fst"]);
    assert_eq!(fst.status, 2);
    assert!(
        fst.err.contains("--picture reads a waveform in VCD"),
        "{}",
        fst.err
    );

    let strange = good(&["moves"])
        .lines()
        .find(|code| *code != own)
        .unwrap()
        .to_owned();
    let deviates = compare(&[&strange, other]);
    assert_eq!(deviates.status, 1, "{}", deviates.err);
    let reason = format!("ply 0: the pattern player chooses {own}, and the game has {strange}");
    assert!(deviates.err.contains(&reason), "{}", deviates.err);
    assert_eq!(compare(&[own, "--ply", "2"]).status, 2);

    change(&designs);
    let file = directory.join("ply-2.vcd");
    let failed = compare(&[own, other, "--wave", text(&file)]);
    assert_eq!(failed.status, 1, "{}", failed.err);
    // The changed table may already matter at the first decision.
    if failed.out.is_empty() {
        assert!(
            failed.err.contains("ply 0, request 25: a score differs"),
            "{}",
            failed.err
        );
        let first = compare(&["--wave", text(&file)]);
        assert_eq!(first.status, 1, "{}", first.err);
        assert_eq!(first.json()[0]["mismatch"]["what"], "a score");
    } else {
        assert_eq!(failed.json()[0]["mismatch"]["what"], "a score");
    }
    let vcd = fs::read_to_string(&file).unwrap();
    signals_exist(
        &vcd,
        &file.with_extension("gtkw"),
        &file.with_extension("sucl"),
    );
}
