//! Tests of the programs and the directory of models that the environment names.
#![cfg(unix)]

use std::env;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use duoforge_hdl::design::{Design, Port};
use duoforge_sim::{Options, SimError, Simulator, icarus, verilator};
use duoforge_tools::catalogue::{CXX, IVERILOG, VERILATOR, VVP};
use duoforge_tools::{Tool, ToolError};

/// Environment variable that makes a test the process that uses the programs.
const USER: &str = "DUOFORGE_TEST_USER";

/// Variables that name programs and directories.
const VARIABLES: [&str; 6] = [
    "CXX",
    "DUOFORGE_VERILATOR",
    "DUOFORGE_IVERILOG",
    "DUOFORGE_VVP",
    "DUOFORGE_CACHE",
    "CARGO_TARGET_DIR",
];

/// Runs `test` in the given directory with these variables, in a separate process.
#[track_caller]
fn run_in(directory: &Path, test: &str, variables: &[(&str, String)]) {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]);
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    let output = command
        .env(USER, test)
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .current_dir(directory)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{}", text.concat());
    assert!(text.concat().contains("1 passed"), "{}", text.concat());
}

/// True in the process that uses the programs.
fn is_user() -> bool {
    env::var_os(USER).is_some()
}

/// Makes a program reachable by a relative path from a directory, and returns this path. The link is
/// two levels above the program, since launchers search programs in the directory above theirs.
fn linked(directory: &Path, tool: &Tool) -> String {
    let program = tool.find().unwrap();
    let root = program.ancestors().nth(2).unwrap();
    symlink(root, directory.join(tool.variable)).unwrap();
    let below = program.strip_prefix(root).unwrap().to_str().unwrap();
    format!("./{}/{below}", tool.variable)
}

/// Returns `PATH` with a relative directory before the others.
fn path_with(first: &str) -> String {
    format!("{first}:{}", env::var("PATH").unwrap())
}

fn wire() -> Design {
    Design {
        top: "wire_of_one_bit".into(),
        verilog: "module wire_of_one_bit(clock, in, out);\n  input clock;\n  input in;\n  \
                  output out;\n  assign out = in;\nendmodule\n"
            .into(),
        ports: vec![
            Port::input("clock", 1),
            Port::input("in", 1),
            Port::output("out", 1),
        ],
    }
}

/// Asserts that a model of [`wire`] works.
#[track_caller]
fn works(mut sim: impl Simulator) {
    let [input, output] = ["in", "out"].map(|name| sim.port(name).unwrap());
    sim.poke(input, 1).unwrap();
    assert_eq!(sim.peek(output).unwrap(), 1);
}

#[test]
fn verilator_runs_with_relative_paths() {
    if is_user() {
        works(verilator::open(&wire(), &Options::default()).unwrap());
        assert!(Path::new("models").is_dir());
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let compiler = linked(directory.path(), &CXX);
    let variables = [
        ("DUOFORGE_CACHE", "models".into()),
        ("DUOFORGE_VERILATOR", linked(directory.path(), &VERILATOR)),
        // The compiler is the first of its name on `PATH`.
        ("PATH", path_with(compiler.rsplit_once('/').unwrap().0)),
    ];
    run_in(
        directory.path(),
        "verilator_runs_with_relative_paths",
        &variables,
    );
}

#[test]
fn icarus_runs_with_relative_paths() {
    if is_user() {
        works(icarus::open(&wire(), &Options::default()).unwrap());
        assert!(Path::new("target/duoforge-sim").is_dir());
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let variables = [
        ("CARGO_TARGET_DIR", "target".into()),
        ("DUOFORGE_IVERILOG", linked(directory.path(), &IVERILOG)),
        ("DUOFORGE_VVP", linked(directory.path(), &VVP)),
    ];
    run_in(
        directory.path(),
        "icarus_runs_with_relative_paths",
        &variables,
    );
}

#[test]
fn a_verilator_that_is_too_old_is_refused() {
    if is_user() {
        // No other thread of this process starts a program while the script is open.
        fs::create_dir("bin").unwrap();
        fs::write("bin/verilator", "#!/bin/sh\necho Verilator 4.038\n").unwrap();
        fs::set_permissions("bin/verilator", fs::Permissions::from_mode(0o755)).unwrap();
        let error = verilator::open(&wire(), &Options::default()).unwrap_err();
        let SimError::Tool(ToolError::TooOld { program, hint, .. }) = &error else {
            panic!("{error}");
        };
        assert_eq!(
            error.to_string(),
            format!(
                "Verilator 4.038 ({}) is too old: expected at least 5.006; {hint}",
                program.display()
            )
        );
        assert_eq!(*hint, VERILATOR.hint());
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let variables = [
        ("DUOFORGE_TOOLS", "none".into()),
        ("PATH", path_with("bin")),
    ];
    run_in(
        directory.path(),
        "a_verilator_that_is_too_old_is_refused",
        &variables,
    );
}

#[test]
fn a_command_line_is_not_a_compiler() {
    if is_user() {
        let error = verilator::open(&wire(), &Options::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "CXX names 'c++ -m64', which is not a file: give the path of one program, or unset it"
        );
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let verilator = VERILATOR.find().unwrap().display().to_string();
    let variables = [
        ("DUOFORGE_VERILATOR", verilator),
        ("CXX", "c++ -m64".into()),
    ];
    run_in(
        directory.path(),
        "a_command_line_is_not_a_compiler",
        &variables,
    );
}
