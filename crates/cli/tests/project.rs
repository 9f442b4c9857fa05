//! Projects for vendors' tools on the command line.

mod common;

use std::fs;

use common::{good, run, text};

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
fn seeds_are_refused_for_the_tools_of_a_vendor() {
    let seed = run(&["build", "--board", "de2-115", "--seed", "2"]);
    assert_eq!(seed.status, 2);
    assert!(seed.err.contains("Quartus places it"), "{}", seed.err);
}
