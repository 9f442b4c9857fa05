//! The emitted files pass the linters of both Verilog simulators.

use std::path::Path;
use std::process::{Command, Output};

use duoforge_hdl::chooser::Chooser;
use duoforge_hdl::emit;
use duoforge_hdl::player::Parameters;
use duoforge_tools::{
    Tool,
    catalogue::{IVERILOG, VERILATOR, YOSYS},
};

fn emitted() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    emit::write(&Parameters::default(), &Chooser::Pattern, folder.path())
        .expect("the design is written");
    folder
}

fn run(tool: Tool, folder: &Path, arguments: &[&str]) -> Output {
    let program = tool.find().expect("the tool is installed");
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output();
    output.expect("the tool starts")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

const LINT: [&str; 8] = [
    "--lint-only",
    "--language",
    "1364-2005",
    "-Wall",
    "--top-module",
    emit::TOP,
    "-f",
    "duoforge_player.f",
];

#[test]
fn verilator_finds_nothing_but_what_is_waived() {
    let folder = emitted();
    let mut arguments = vec!["verilator.vlt"];
    arguments.extend(LINT);
    let output = run(VERILATOR, folder.path(), &arguments);
    assert!(output.status.success(), "{}", text(&output));
    assert!(!text(&output).contains("%Warning"), "{}", text(&output));
}

#[test]
fn every_waiver_is_needed() {
    let folder = emitted();
    let output = text(&run(VERILATOR, folder.path(), &LINT));
    let rules = emit::WAIVERS
        .lines()
        .filter_map(|line| line.strip_prefix("lint_off -rule "));
    for rule in rules {
        assert!(
            output.contains(&format!("%Warning-{rule}")),
            "{rule} is waived for nothing"
        );
    }
}

#[test]
fn icarus_finds_nothing() {
    let folder = emitted();
    let arguments = [
        "-g2005",
        "-Wall",
        "-s",
        emit::TOP,
        "-o",
        "/dev/null",
        "-f",
        "duoforge_player.f",
    ];
    let output = run(IVERILOG, folder.path(), &arguments);
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(text(&output), "");
}

/// Runs Yosys over Verilog files, up to the point where processes have become cells.
fn latches(folder: &Path, files: &str) -> (bool, String) {
    let script =
        format!("read_verilog {files}; hierarchy -auto-top; proc; select -assert-none t:$dlatch");
    let output = run(YOSYS, folder, &["-q", "-p", &script]);
    (output.status.success(), text(&output))
}

#[test]
fn yosys_finds_no_latch() {
    let folder = emitted();
    let list = std::fs::read_to_string(folder.path().join("duoforge_player.f")).expect("the list");
    let (clean, said) = latches(folder.path(), &list.lines().collect::<Vec<_>>().join(" "));
    assert!(clean, "{said}");

    // The check can fail.
    let latch = "module m(input g, input d, output reg q); always @(*) if (g) q = d; endmodule";
    std::fs::write(folder.path().join("latch.v"), latch).expect("it is written");
    assert!(!latches(folder.path(), "latch.v").0, "a latch went unseen");
}
