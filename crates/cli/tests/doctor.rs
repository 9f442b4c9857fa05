//! Checks of the machine that runs the tests.

mod common;
#[cfg(unix)]
#[path = "common/programs.rs"]
mod programs;

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
        .env("DUOFORGE_SOCAT", "none")
        .output()
        .unwrap();
    assert_eq!(program.status.code(), Some(1));
    let text = String::from_utf8(program.stdout).unwrap();
    let checks: serde_json::Value = serde_json::from_str(&text).unwrap();
    let checks = checks.as_array().unwrap();
    let loader = checks
        .iter()
        .find(|check| check["check"] == "openFPGALoader");
    let loader = loader.unwrap();
    assert_eq!(loader["verdict"], "problem", "{text}");
    // An installation would not replace what the variable names.
    assert_eq!(loader["help"], "correct or unset DUOFORGE_OPENFPGALOADER");
    let socat = checks.iter().find(|check| check["check"] == "socat");
    let socat = socat.unwrap();
    assert_eq!(socat["verdict"], "problem", "{text}");
    assert_eq!(
        socat["detail"],
        "DUOFORGE_SOCAT names 'none', which is not a file"
    );
}

/// Returns a check on a machine whose `PATH` has only one program.
#[cfg(unix)]
fn check_with(program: &str, script: &str, check: &str) -> serde_json::Value {
    let directory = tempfile::tempdir().unwrap();
    programs::write_program(&directory.path().join(program), script);
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_duoforge"))
        .args(["doctor", "--json"])
        .env_remove("CXX")
        .env("PATH", directory.path())
        .output()
        .unwrap();
    let checks: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).unwrap();
    let found = checks.into_iter().find(|found| found["check"] == check);
    found.unwrap()
}

#[cfg(unix)]
#[test]
fn a_program_that_is_never_installed_has_the_systems_advice() {
    let check = check_with("c++", "#!/bin/sh\nexit 1\n", "c++");
    assert_eq!(check["verdict"], "problem");
    let help = check["help"].as_str().unwrap();
    assert!(help.starts_with("install it"), "{help}");
}

#[cfg(unix)]
#[test]
fn a_python_that_is_too_old_for_setup_is_a_warning() {
    let script = "#!/bin/sh\ncase \"$*\" in *version_info*) echo 3.9 ;; *) echo 3.9.6 ;; esac\n";
    let check = check_with("python3", script, "python3 with venv");
    assert_eq!(check["verdict"], "warning");
    let detail = check["detail"].as_str().unwrap();
    assert!(detail.starts_with("3.9.6 (/"), "{detail}");
    assert!(
        detail.ends_with("/python3); at least 3.10 is needed"),
        "{detail}"
    );
    let help = check["help"].as_str().unwrap();
    assert!(help.ends_with("; only `duoforge setup` needs it"), "{help}");
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
