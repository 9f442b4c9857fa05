//! Files of other people in the directory of `verilog`, and of `merge`.

mod common;

use std::fs;

use common::{run, text};
use tempfile::tempdir;

#[test]
fn verilog_keeps_files_that_it_did_not_write() {
    let directory = tempdir().unwrap();
    let own = directory.path().join("scan.v");
    fs::write(&own, "module scan; endmodule\n").unwrap();
    let place = text(directory.path());
    let refused = run(&["verilog", "--out", place]);
    assert_eq!(refused.status, 2, "{}", refused.err);
    assert!(
        refused.err.contains("is not a generated file"),
        "{}",
        refused.err
    );
    assert!(refused.err.contains("--prefix"), "{}", refused.err);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    let written = run(&["verilog", "--out", place, "--prefix", "df_"]);
    assert_eq!(written.status, 0, "{}", written.err);
    assert_eq!(
        fs::read_to_string(&own).unwrap(),
        "module scan; endmodule\n"
    );
}

#[test]
fn the_command_of_the_lint_can_be_pasted() {
    let directory = tempdir().unwrap();
    let place = directory.path().join("my files");
    let written = run(&["verilog", "--out", text(&place)]);
    assert_eq!(written.status, 0, "{}", written.err);
    let waivers = format!("'{}'", place.join("verilator.vlt").display());
    let words = written.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&waivers), "{words}");
}

#[test]
fn a_clock_without_cycles_for_the_timeouts_is_refused() {
    let directory = tempdir().unwrap();
    let place = directory.path().join("files");
    let place = text(&place);
    let refused = run(&["verilog", "--out", place, "--clock-hz", "8", "--baud", "1"]);
    assert_eq!(refused.status, 2, "{}", refused.err);
    assert!(
        refused.err.contains("expected 800 baud or more"),
        "{}",
        refused.err
    );
}

#[test]
fn a_clock_that_makes_another_rate_is_refused() {
    let directory = tempdir().unwrap();
    let place = directory.path().join("files");
    let place = text(&place);
    let refused = run(&["verilog", "--out", place, "--clock-hz", "979000"]);
    assert_eq!(refused.status, 2, "{}", refused.err);
    let words = refused.err.split_whitespace().collect::<Vec<_>>().join(" ");
    let fault = "a clock of 979000 Hz makes 115200 baud with an error of 6.2 %";
    assert!(words.contains(fault), "{words}");
    assert!(words.contains("921600 Hz makes exactly"), "{words}");
    let device = run(&["device", "--sim", "icarus", "--clock-hz", "979000"]);
    assert_eq!(device.status, 2, "{}", device.err);
    let slow = run(&[
        "verilog",
        "--out",
        place,
        "--clock-hz",
        "12000000",
        "--baud",
        "300",
    ]);
    assert_eq!(slow.status, 2, "{}", slow.err);
    assert!(
        slow.err.contains("expected 800 baud or more"),
        "{}",
        slow.err
    );
}

#[test]
fn merge_keeps_its_inputs() {
    let directory = tempdir().unwrap();
    let shard = directory.path().join("s0.jsonl");
    fs::write(&shard, "{}\n").unwrap();
    let refused = run(&["merge", text(&shard), "--out", text(&shard)]);
    assert_eq!(refused.status, 2, "{}", refused.err);
    assert!(refused.err.contains("is named twice"), "{}", refused.err);
    assert_eq!(fs::read_to_string(&shard).unwrap(), "{}\n");
}
