//! Checks of the machine that runs the tests.

mod common;

use common::{good, run};

const KEYS: [&str; 4] = ["check", "verdict", "detail", "help"];

#[test]
fn the_checks_for_programs_are_those_for_people() {
    let json = run(&["doctor", "--json"]);
    let arrays = json.json();
    assert_eq!(arrays.len(), 1);
    let checks = arrays[0].as_array().unwrap();
    let list = run(&["doctor"]);
    for check in checks {
        let check = check.as_object().unwrap();
        assert!(check.len() == 4 && KEYS.iter().all(|key| check.contains_key(*key)));
        assert!(
            list.out.contains(check["check"].as_str().unwrap()),
            "{check:?}"
        );
        // Every check with a fault has a next action.
        assert_eq!(
            check["verdict"] == "ok",
            check["help"].is_null(),
            "{check:?}"
        );
    }
    let problem = checks.iter().any(|check| check["verdict"] == "problem");
    assert_eq!([list.status, json.status], [i32::from(problem); 2]);
    let summary = format!("\n{} checks: ", checks.len());
    assert!(list.out.contains(&summary), "{}", list.out);
}

#[test]
fn the_list_has_no_colours_and_signs_only_where_they_suit() {
    let out = run(&["doctor", "--glyphs", "ascii"]).out;
    assert!(out.is_ascii(), "{out}");
    assert!(
        run(&["doctor", "--color", "always"])
            .out
            .contains("\x1b[32m")
    );
}

#[test]
fn a_tool_that_does_not_start_is_a_problem() {
    let program = assert_cmd::Command::new(env!("CARGO_BIN_EXE_duoforge"))
        .args(["doctor", "--json"])
        .env("DUOFORGE_OPENFPGALOADER", "/bin/false")
        .output()
        .unwrap();
    assert_eq!(program.status.code(), Some(1));
    let text = String::from_utf8(program.stdout).unwrap();
    let checks: serde_json::Value = serde_json::from_str(&text).unwrap();
    let checks = checks.as_array().unwrap();
    let loader = checks
        .iter()
        .find(|check| check["check"] == "openFPGALoader");
    assert_eq!(loader.unwrap()["verdict"], "problem", "{text}");
}

#[test]
fn the_rules_can_be_piped_into_a_file() {
    let rules = good(&["doctor", "--udev-rules"]);
    assert!(rules.contains("ATTRS{idProduct}==\"6015\"") && rules.contains("latency_timer"));
    assert!(
        rules.lines().all(|line| line.starts_with(['#', 'S', 'A'])),
        "{rules}"
    );
    assert_eq!(run(&["doctor", "--udev-rules", "--json"]).status, 2);
}
