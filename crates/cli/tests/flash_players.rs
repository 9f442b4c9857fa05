//! Loading of the bitstream of each player, from the directories of `duoforge build`. A script
//! replaces openFPGALoader.
#![cfg(unix)]

#[path = "common/programs.rs"]
mod programs;

use std::fs;
use std::process::{Command, Output};

use programs::write_program;
use tempfile::TempDir;

/// Directory in which `duoforge flash` runs.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        write_program(&place.0.path().join("loader"), "#!/bin/sh\necho \"$@\"\n");
        place
    }

    /// Writes the beginning of a bitstream for an ECP5-85F, as `duoforge build` names it.
    fn built(&self, label: &str) {
        let directory = self.0.path().join("build").join(label);
        fs::create_dir_all(&directory).unwrap();
        let bytes = b"\xff\xff\xbd\xb3\xe2\x00\x00\x00\x41\x11\x30\x43";
        fs::write(directory.join(format!("duoforge-{label}.bit")), bytes).unwrap();
    }

    fn flash(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_duoforge"))
            .args(["flash", "--board", "ulx3s-85f"])
            .args(arguments)
            .current_dir(self.0.path())
            .env("DUOFORGE_OPENFPGALOADER", self.0.path().join("loader"))
            .env("LC_ALL", "C.UTF-8")
            .output()
            .unwrap()
    }

    /// Returns the loader's command.
    fn command(&self, arguments: &[&str]) -> String {
        let output = self.flash(&[arguments, &["--dry-run"]].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{error}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns the error.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.flash(arguments);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        let words = error.split_whitespace().filter(|word| *word != "│");
        words.collect::<Vec<_>>().join(" ")
    }
}

const PATTERN: &str = "build/ulx3s-85f/duoforge-ulx3s-85f.bit";
const SEARCH: &str = "build/ulx3s-85f-search/duoforge-ulx3s-85f-search.bit";

#[test]
fn the_player_selects_the_bitstream() {
    let place = Place::new();
    place.built("ulx3s-85f");
    place.built("ulx3s-85f-search");
    let ends = |arguments: &[&str], path: &str| {
        let command = place.command(arguments);
        assert!(command.ends_with(&format!(" {path}\n")), "{command}");
    };
    ends(&[], PATTERN);
    ends(&["--player", "pattern"], PATTERN);
    ends(&["--player", "search"], SEARCH);
    let both = place.refused(&["--player", "search", "--bitstream", PATTERN]);
    assert!(both.contains("cannot be used with"), "{both}");
}

#[test]
fn the_loaded_configuration_is_printed() {
    let place = Place::new();
    place.built("ulx3s-85f-search");
    let first = |arguments: &[&str]| {
        let output = place.flash(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{error}");
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().next().unwrap().to_owned()
    };
    let implied = first(&["--player", "search"]);
    assert!(
        implied.contains(&format!(", search player: {SEARCH} into the SRAM")),
        "{implied}"
    );
    let unknown = first(&["--bitstream", SEARCH]);
    assert!(!unknown.contains("player:"), "{unknown}");
    let record = r#"{"board": "ulx3s-85f", "configuration": "a small search",
                     "bitstream": "duoforge-ulx3s-85f-search.bit"}"#;
    let directory = place.0.path().join(SEARCH);
    fs::write(directory.with_file_name("build.json"), record).unwrap();
    let recorded = first(&["--bitstream", SEARCH]);
    assert!(
        recorded.contains(&format!(", a small search: {SEARCH} ")),
        "{recorded}"
    );
}

#[test]
fn a_missing_bitstream_is_answered_with_the_path_of_the_search() {
    let place = Place::new();
    place.built("ulx3s-85f-search");
    let pattern = place.refused(&[]);
    let search = format!("--player search loads {SEARCH}");
    assert!(
        pattern.contains("duoforge::flash::no_bitstream"),
        "{pattern}"
    );
    assert!(pattern.contains(&search), "{pattern}");
    let search = Place::new().refused(&["--player", "search"]);
    let build = "`duoforge build --board ulx3s-85f --player search` makes it";
    assert!(search.contains(build), "{search}");
}
