//! Tests that the emitted files pass the linters of both Verilog simulators and Yosys' latch check.

use std::path::Path;
use std::process::{Command, Output};

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::verilog::emit;
use duoforge_tools::{
    Tool,
    catalogue::{IVERILOG, VERILATOR, YOSYS},
};

/// Emits all kinds of players, each into a separate directory.
fn emitted() -> [tempfile::TempDir; 3] {
    let players = [
        "pattern",
        "search:lanes=2,nodes=63",
        "search:lanes=1,nodes=300,lines=64,margin_bonus=17000,final_wins=1,reply_count_max=2,\
         prior_network=1",
    ];
    players.map(|player| {
        let chooser: PlayerConfig = player.parse().expect("a player");
        let directory = tempfile::tempdir().expect("a temporary directory");
        emit::write(&PlayerParameters::default(), &chooser, directory.path())
            .expect("the design is written");
        directory
    })
}

fn run(tool: Tool, directory: &Path, arguments: &[&str]) -> Output {
    let program = tool.find().expect("the tool is installed");
    let output = Command::new(program)
        .args(arguments)
        .current_dir(directory)
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
    let mut arguments = vec!["verilator.vlt"];
    arguments.extend(LINT);
    for directory in emitted() {
        let output = run(VERILATOR, directory.path(), &arguments);
        assert!(output.status.success(), "{}", text(&output));
        assert!(!text(&output).contains("%Warning"), "{}", text(&output));
    }
}

/// A file of SystemVerilog in a project can make a tool read all files in that language.
#[test]
fn every_file_is_also_system_verilog() {
    let verilator = ["verilator.vlt", "--lint-only", "-Wall"];
    let files = ["--top-module", emit::TOP, "-f", "duoforge_player.f"];
    let mut arguments = Vec::from(verilator);
    arguments.extend(["--language", "1800-2017"]);
    arguments.extend(files);
    for directory in emitted() {
        let output = run(VERILATOR, directory.path(), &arguments);
        assert!(output.status.success(), "{}", text(&output));
        let icarus = ["-g2012", "-s", emit::TOP, "-o", "/dev/null", "-f"];
        let icarus = icarus.into_iter().chain(["duoforge_player.f"]);
        let output = run(IVERILOG, directory.path(), &icarus.collect::<Vec<_>>());
        assert!(output.status.success(), "{}", text(&output));
    }
}

#[test]
fn every_waiver_is_needed() {
    let said = emitted().map(|directory| {
        let mut arguments = vec!["-Wno-fatal"];
        arguments.extend(LINT);
        text(&run(VERILATOR, directory.path(), &arguments))
    });
    let waivers = emit::WAIVERS.lines();
    for waiver in waivers.filter_map(|line| line.strip_prefix("lint_off -rule ")) {
        let rule = waiver.split(' ').next().expect("a rule");
        let warning = format!("%Warning-{rule}");
        assert!(
            said.iter().any(|said| said.contains(&warning)),
            "{rule} is waived for nothing"
        );
    }
}

#[test]
fn icarus_finds_nothing() {
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
    for directory in emitted() {
        let output = run(IVERILOG, directory.path(), &arguments);
        assert!(output.status.success(), "{}", text(&output));
        assert_eq!(text(&output), "");
    }
}

/// Runs Yosys on Verilog files until processes have become cells. Returns true if there is no
/// latch, and the output.
fn latches(directory: &Path, files: &str) -> (bool, String) {
    let script =
        format!("read_verilog {files}; hierarchy -auto-top; proc; select -assert-none t:$dlatch");
    let output = run(YOSYS, directory, &["-q", "-p", &script]);
    (output.status.success(), text(&output))
}

#[test]
fn yosys_finds_no_latch() {
    let players = emitted();
    for directory in &players {
        let list = directory.path().join("duoforge_player.f");
        let list = std::fs::read_to_string(list).expect("the list");
        let (clean, said) = latches(
            directory.path(),
            &list.lines().collect::<Vec<_>>().join(" "),
        );
        assert!(clean, "{said}");
    }

    // The check must be able to fail.
    let latch = "module m(input g, input d, output reg q); always @(*) if (g) q = d; endmodule";
    std::fs::write(players[0].path().join("latch.v"), latch).expect("it is written");
    assert!(
        !latches(players[0].path(), "latch.v").0,
        "a latch went unseen"
    );
}
