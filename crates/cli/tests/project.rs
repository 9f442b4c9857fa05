//! Projects for vendors' tools on the command line.

mod common;
#[path = "common/foreign.rs"]
mod foreign;

use std::fs;

use common::{good, run, text};
use foreign::assert_kept;

#[test]
fn a_target_of_a_vendor_becomes_a_project() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("de2");
    let told = good(&["build", "--board", "de2-115", "--out", text(&out)]);
    assert!(
        told.contains("There is no bitstream yet. Quartus"),
        "{told}"
    );
    assert!(
        told.contains("quartus_sh --flow compile duoforge"),
        "{told}"
    );
    for file in [
        "duoforge.qpf",
        "duoforge.qsf",
        "duoforge.sdc",
        "README.md",
        "player",
    ] {
        assert!(out.join(file).exists(), "{file}");
    }

    let json = run(&[
        "build",
        "--board",
        "arty-a7-35t",
        "--out",
        text(&out),
        "--json",
    ]);
    assert_eq!(json.status, 0, "{}", json.err);
    let project = &json.json()[0];
    assert_eq!(project["tool"], "Vivado");
    assert_eq!(project["bitstream"], "duoforge-arty-a7-35t.bit");
    let readme = fs::read_to_string(out.join("README.md")).unwrap();
    assert!(readme.contains(project["id"].as_str().unwrap()), "{readme}");
}

#[test]
fn files_of_the_user_are_not_overwritten() {
    let directory = tempfile::tempdir().unwrap();
    let build = |board: &str| run(&["build", "--board", board, "--out", text(directory.path())]);
    for (board, names) in [
        (
            "de2-115",
            ["README.md", "duoforge.qsf", "player/controller.v"],
        ),
        ("arty-a7-35t", ["pins.xdc", "build.tcl", "digilent_a7.v"]),
    ] {
        for name in names {
            assert_kept(directory.path(), board, name);
        }
    }
    // A generated project is replaced by the next one.
    for board in ["de2-115", "de2-115", "arty-a7-35t"] {
        let written = build(board);
        assert_eq!(written.status, 0, "{board}: {}", written.err);
    }
}

#[test]
fn the_directory_in_the_command_is_quoted() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("my board");
    let told = good(&["build", "--board", "de2-115", "--out", text(&out)]);
    let cd = format!("cd '{}' && quartus_sh", text(&out));
    assert!(told.contains(&cd), "{told}");
}

#[test]
fn seeds_are_refused_for_the_tools_of_a_vendor() {
    let seed = run(&["build", "--board", "de2-115", "--seed", "2"]);
    assert_eq!(seed.status, 2);
    assert!(seed.err.contains("Quartus places it"), "{}", seed.err);
}
