//! Trace of the lines by `DUOFORGE_LOG`.
#![cfg(unix)]

mod common;

use common::{Served, run, text, with_variable};
use tempfile::tempdir;

const VARIABLE: &str = "DUOFORGE_LOG";

#[test]
fn every_byte_of_a_game_is_traced_when_asked_for() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("device");
    let device = Served::start(&["device", "--twin", "--pty", text(&path), "--team", "AA"]);
    let game = ["match", device.place.as_str(), "pattern", "--games", "1"];

    let silent = run(&game);
    assert_eq!(silent.status, 0, "{}", silent.err);
    assert!(!silent.err.contains("TRACE"), "{}", silent.err);

    let traced = with_variable(VARIABLE, "trace", &game);
    assert_eq!(traced.status, 0, "{}", traced.err);
    assert_eq!(traced.out.lines().count(), silent.out.lines().count());
    for expected in [
        format!(
            "DEBUG duoforge_links::spec: opening serial:{} at 115200 baud",
            device.place
        ),
        "TRACE duoforge_links::wirelog: ".to_owned(),
        " 1 > 0\n".to_owned(),
        " 1 < 1".to_owned(),
        " 1 > 9\n".to_owned(),
    ] {
        assert!(traced.err.contains(&expected), "{expected}: {}", traced.err);
    }

    let opened = with_variable(VARIABLE, "duoforge_links=debug", &game);
    assert!(
        opened.err.contains("DEBUG") && !opened.err.contains("TRACE"),
        "{}",
        opened.err
    );
}

#[test]
fn an_unknown_level_is_refused() {
    let said = with_variable(VARIABLE, "duoforge_links=loud", &["players"]);
    assert_eq!(said.status, 2, "{}", said.err);
    assert!(
        said.err.contains("DUOFORGE_LOG=duoforge_links=loud"),
        "{}",
        said.err
    );
    assert!(said.err.contains("help"), "{}", said.err);
    assert_eq!(with_variable(VARIABLE, "", &["players"]).status, 0);
}
