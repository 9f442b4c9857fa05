//! Simulated hardware on the command line, in Verilator.
#![cfg(unix)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{good, run, text};
use duoforge_tools::catalogue::{IVERILOG, VVP};
use tempfile::tempdir;

#[test]
fn the_demonstration_plays_over_pseudo_terminals() {
    let directory = tempdir().unwrap();
    let log = directory.path().join("wire.log");
    let out = good(&["demo", "--log", text(&log)]);
    assert!(
        out.contains("sim:verilator at /dev/") && out.contains("pattern at /dev/"),
        "{out}"
    );
    assert!(
        out.contains("both players passed") || out.contains("placed every tile"),
        "{out}"
    );
    let log = fs::read_to_string(log).unwrap();
    assert!(log.contains("1 < 1DF") && log.contains("2 < 1PT"), "{log}");
}

#[test]
fn a_simulated_board_is_judged_by_its_own_time() {
    let run = run(&["match", "sim", "random:1", "--json"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let game = &run.json()[0];
    assert_eq!(game["names"][0], "sim:verilator");
    assert!(game["plies"][0]["sim_us"].is_u64());
    assert!(game["plies"][1]["sim_us"].is_null());
}

#[test]
fn a_campaign_reports_for_people_and_programs() {
    let directory = tempdir().unwrap();
    let junit = directory.path().join("junit.xml");
    let run = run(&[
        "sim",
        "--backend",
        "verilator",
        "--games",
        "2",
        "--seed",
        "7",
        "--junit",
        text(&junit),
        "--wave-on-failure",
        text(directory.path()),
        "--json",
    ]);
    assert_eq!(run.status, 0, "{}", run.err);
    let objects = run.json();
    let last = objects.last().unwrap();
    assert_eq!(last["games"], 2);
    assert_eq!(last["mismatches"], 0);
    assert!(last["plies"].as_u64().unwrap() > 20);
    assert!(last["cycles_per_second"].as_f64().unwrap() > 0.0);
    let junit = fs::read_to_string(junit).unwrap();
    assert_eq!(junit.matches("<testcase").count(), 2);
}

#[test]
fn the_design_is_written_as_verilog() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("rtl");
    let written = good(&["verilog", "--out", text(&out), "--team", "ZZ"]);
    assert!(
        written
            .lines()
            .all(|path| fs::metadata(path).unwrap().len() > 0)
    );
    let top = fs::read_to_string(out.join("duoforge_player.v")).unwrap();
    assert!(top.contains("team ZZ") && top.contains("module duoforge_player("));
    let wrong = run(&["verilog", "--out", text(&out), "--baud", "0"]);
    assert_eq!(wrong.status, 2);
    assert!(wrong.err.contains("help:"), "{}", wrong.err);
}

#[test]
fn a_prefix_changes_names_alone() {
    let directory = tempdir().unwrap();
    let [plain, prefixed] = ["plain", "prefixed"].map(|name| directory.path().join(name));
    good(&["verilog", "--out", text(&plain)]);
    good(&["verilog", "--out", text(&prefixed), "--prefix", "xy_"]);
    let list = |path: &Path| -> Vec<String> {
        let list = fs::read_to_string(path).unwrap();
        list.lines().map(str::to_owned).collect()
    };
    let names = list(&plain.join("duoforge_player.f"));
    let expected: Vec<_> = names.iter().map(|name| format!("xy_{name}")).collect();
    assert_eq!(list(&prefixed.join("xy_duoforge_player.f")), expected);
    for name in names {
        let read = |path: PathBuf| fs::read_to_string(path).unwrap();
        let renamed = read(prefixed.join(format!("xy_{name}")));
        assert!(renamed.contains("module xy_"), "{name}");
        assert_eq!(renamed.replace("xy_", ""), read(plain.join(name)));
    }
    let wrong = run(&["verilog", "--out", text(&plain), "--prefix", "1x"]);
    assert_eq!(wrong.status, 2);
}

#[test]
fn the_manifest_describes_the_design() {
    let directory = tempdir().unwrap();
    let out = directory.path();
    let arguments = ["--clock-hz", "1843200", "--team", "ZZ"];
    good(&[&["verilog", "--out", text(out)], &arguments[..]].concat());
    let manifest = fs::read_to_string(out.join("duoforge_player.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["clock"]["frequency_hz"], 1_843_200);
    assert_eq!(manifest["line"]["cycles_per_bit"], 16);
    assert_eq!(manifest["parameters"]["team"], "ZZ");
    let ports = manifest["ports"].as_array().unwrap();
    let port = |name: &str| ports.iter().find(|port| port["name"] == name).unwrap();
    for (name, direction) in [
        ("clock", "input"),
        ("reset", "input"),
        ("rx", "input"),
        ("tx", "output"),
    ] {
        assert_eq!(port(name)["direction"], direction);
        assert_eq!(port(name)["width"], 1);
    }
    assert_eq!(port("flags")["width"], 6);
    let core = fs::read_to_string(out.join("duoforge_player.core")).unwrap();
    for source in manifest["sources"].as_array().unwrap() {
        let source = source.as_str().unwrap();
        assert!(
            out.join(source).is_file() && core.contains(source),
            "{source}"
        );
    }
}

#[test]
fn the_written_test_bench_passes_the_handshake() {
    let directory = tempdir().unwrap();
    let out = directory.path();
    good(&[
        "verilog",
        "--out",
        text(out),
        "--clock-hz",
        "1843200",
        "--prefix",
        "a_",
    ]);
    let mut compiler = IVERILOG.command().expect("Icarus is installed");
    compiler
        .args([
            "-g2005",
            "-Wall",
            "-s",
            "a_duoforge_player_tb",
            "-o",
            "tb.vvp",
        ])
        .args(["-f", "a_duoforge_player.f", "a_duoforge_player_tb.v"])
        .current_dir(out);
    duoforge_tools::run(&mut compiler).unwrap_or_else(|error| panic!("{error}"));
    let mut model = VVP.command().expect("Icarus is installed");
    let printed = duoforge_tools::run(model.args(["-n", "tb.vvp"]).current_dir(out));
    let printed = printed.unwrap_or_else(|error| panic!("{error}"));
    assert!(printed.contains("PASS: handshake"), "{printed}");
}

#[test]
fn a_search_is_written_as_verilog_if_there_is_room_for_it() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("rtl");
    good(&[
        "verilog",
        "--player",
        "search:lanes=1,nodes=63",
        "--out",
        text(&out),
    ]);
    let list = fs::read_to_string(out.join("duoforge_player.f")).unwrap();
    assert!(list.contains("player_searcher_tree.v\n"), "{list}");
    for (player, message) in [
        (
            "search:nodes=1025",
            "nodes=1025 is not supported in hardware: expected 1 to 1024, or up to 16383 with lines=512",
        ),
        (
            "search:lanes=3",
            "lanes=3 is not supported in hardware: expected 1, 2 or 4",
        ),
        ("patterns", "`patterns` is not a player that can be built"),
    ] {
        let run = run(&["verilog", "--player", player, "--out", text(&out)]);
        assert_eq!(run.status, 2, "{player}");
        assert!(run.err.contains(message), "{}", run.err);
    }
}

#[test]
fn a_search_with_an_sdram_is_written_with_its_pins() {
    let directory = tempdir().unwrap();
    let out = directory.path().join("rtl");
    let player = "search:lanes=1,nodes=300,lines=4";
    let arguments = ["verilog", "--player", player, "--out", text(&out)];
    good(&arguments);
    let manifest = fs::read_to_string(out.join("duoforge_player.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let ports = manifest["ports"].as_array().unwrap().iter();
    let pins = ports.filter(|port| port["name"].as_str().unwrap().starts_with("sdram_"));
    let purposes: Vec<_> = pins.map(|port| port["purpose"].as_str().unwrap()).collect();
    assert_eq!(purposes.len(), 11);
    assert!(!purposes.contains(&"observation for tests"), "{purposes:?}");
    let run = run(&[&arguments[..], &["--clock-hz", "12000000"]].concat());
    assert_eq!(run.status, 2);
    assert!(run.err.contains("cannot have an SDRAM"), "{}", run.err);
}

#[test]
fn boards_that_search_are_compared_with_their_twins() {
    compare("search:lanes=1,nodes=63,expand_threshold=4,sims=20");
    compare("search:lanes=1,nodes=300,lines=4,expand_threshold=2,sims=8");
}

#[test]
fn one_decision_of_a_search_with_an_sdram_is_compared() {
    let player = "search:lanes=1,nodes=1100,lines=4,children=8,expand_threshold=1";
    let fixed = ["sim-game", "54u0", "--json"];
    let search = ["--player", player, "--simulations", "60"];
    let run = run(&[&fixed[..], &search].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    let compared = &run.json()[0];
    assert!(compared["mismatch"].is_null(), "{compared}");
    assert_eq!(compared["hardware"]["simulations"], 60);
}

fn compare(player: &str) {
    let run = run(&["sim", "--player", player, "--games", "1", "--json"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let objects = run.json();
    let last = objects.last().unwrap();
    assert_eq!(last["player"], player);
    assert_eq!(
        (&last["games"], &last["mismatches"]),
        (&1.into(), &0.into())
    );
    assert!(last["plies"].as_u64().unwrap() > 10);
}

#[test]
fn a_missing_simulator_is_named_with_its_remedy() {
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_duoforge"))
        .args(["match", "sim", "twin"])
        .env("DUOFORGE_VERILATOR", "/nonexistent/verilator")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("duoforge::tool") && message.contains("duoforge setup --for demo --check"),
        "{message}"
    );
}

#[test]
fn gates_are_refused_where_no_verilog_is_simulated() {
    let wrong = run(&["sim", "--gates", "ecp5", "--backend", "rust"]);
    assert_eq!(wrong.status, 2);
    assert!(
        wrong.err.contains("--gates needs a simulator of Verilog"),
        "{}",
        wrong.err
    );
    let player = "search:lanes=1,nodes=300,lines=4,sims=8";
    let memory = run(&["sim", "--gates", "ecp5", "--player", player]);
    assert_eq!(memory.status, 2);
    let message = "a netlist without an SDRAM, which lines=4 needs";
    assert!(memory.err.contains(message), "{}", memory.err);
    let unknown = run(&["sim", "--gates", "asic"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.err.contains("no technology"), "{}", unknown.err);
}
