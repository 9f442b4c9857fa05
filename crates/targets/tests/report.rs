//! Check of the committed report against the current design: every row belongs to the inputs of
//! today's build. `cargo xtask nightly --only report` builds all targets and compares the results.

mod measured;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_targets::build;
use duoforge_targets::report::{self, Row};
use duoforge_targets::speed::{self, Speed};
use duoforge_targets::{Target, catalogue};
use duoforge_tools::catalogue::ALL;

fn repository(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(file)
}

fn committed() -> Vec<Row> {
    let text = fs::read_to_string(repository("hdl/targets/report.json")).expect("the report");
    serde_json::from_str(&text).expect("rows")
}

fn speeds() -> BTreeMap<String, Speed> {
    let text = fs::read_to_string(repository(speed::FILE)).expect("the figures");
    speed::read(&text).expect("figures")
}

/// The build id of a row is the hash of the Verilog, the constraints, the scripts and the versions
/// of the tools. Equal inputs make equal bitstreams.
#[test]
fn every_row_is_of_the_verilog_of_today() {
    let boards = catalogue::all().expect("all are sound");
    let boards = report::configured(&boards);
    let outdated: Vec<String> = committed()
        .iter()
        .filter(|row| {
            let is_of = |board: &&Target| {
                (&board.name, &board.configuration.name) == (&row.board, &row.configuration)
            };
            let board = boards.iter().find(is_of).expect("its target");
            let today = build::build_id(board, *b"DF", &row.tools);
            today.expect("it is emitted") != row.build
        })
        .map(Row::name)
        .collect();
    assert_eq!(
        outdated, [""; 0],
        "left: rows of earlier builds; `cargo xtask report --only TARGET` builds a target anew"
    );
}

#[test]
fn every_board_with_open_tools_is_in_the_report_and_reaches_its_clock() {
    let boards = catalogue::all().expect("all are sound");
    let mut boards = report::configured(&boards);
    boards.retain(|board| board.tools.is_open());
    let name = |board: &Target| (board.name.clone(), board.configuration.name.clone());
    let names: Vec<_> = boards.iter().map(name).collect();
    let rows = committed();
    let row = |row: &Row| (row.board.clone(), row.configuration.clone());
    let reported: Vec<_> = rows.iter().map(row).collect();
    assert_eq!(reported, names);
    for (row, board) in rows.iter().zip(&boards) {
        let megahertz = f64::from(board.clock.player_hz) / 1e6;
        assert_eq!(
            (row.clock_needed, row.seed),
            (megahertz, board.seed),
            "{}",
            row.board
        );
        assert!(row.clock_reached >= row.clock_needed, "{}", row.board);
    }
}

#[test]
fn the_report_was_made_by_the_pinned_tools() {
    for row in committed() {
        for (name, version) in &row.tools {
            let tool = ALL.iter().find(|tool| tool.name == name).expect("a tool");
            assert_eq!(
                tool.pinned(),
                Some(version.as_str()),
                "{}: {name}",
                row.board
            );
        }
    }
}

#[test]
fn the_page_is_made_of_the_report() {
    let page = fs::read_to_string(repository("docs/targets.md")).expect("the page");
    let boards = catalogue::all().expect("all are sound");
    let expected = report::page(&boards, &committed(), &speeds());
    assert!(page == expected, "`cargo xtask report` makes the page anew");
}

/// The measured settings are those of the targets.
#[test]
fn every_search_of_a_board_was_measured() {
    let boards = catalogue::all().expect("all are sound");
    let speeds = speeds();
    let mut searches = 0;
    for board in report::configured(&boards) {
        let PlayerConfig::Search(search) = &board.configuration.player else {
            continue;
        };
        let speed = speeds.get(&board.name).expect("its speed");
        measured::has_settings_of(search, &speed.search, &board.name);
        searches += 1;
    }
    assert_eq!(searches, speeds.len());
}

#[test]
fn the_readme_has_the_table_of_the_report() {
    let readme = fs::read_to_string(repository("README.md")).expect("the README");
    let expected = report::with_table(&readme, &committed());
    assert!(
        expected.as_ref() == Some(&readme),
        "`cargo xtask report` makes the table anew"
    );
}
