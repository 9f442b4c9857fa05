//! Builds whose tools are scripts.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::common::text;
use crate::programs::write_program;

/// Tools of a build for the iCE40.
const TOOLS: [&str; 3] = ["yosys", "nextpnr-ice40", "icepack"];

/// Directory with scripts for the tools of a build. They print the file `version` as their version.
struct Scripts(TempDir);

impl Scripts {
    /// Writes the scripts. Without an argument for the version, each runs `work`.
    fn new(work: &str) -> Self {
        let scripts = Self(tempfile::tempdir().unwrap());
        let version = scripts.path("version");
        let version = text(&version);
        let print = format!("case $1 in -V | --version) exec cat '{version}' ;; esac");
        for tool in TOOLS {
            write_program(
                &scripts.path(tool),
                &format!("#!/bin/sh\n{print}\n{work}\n"),
            );
        }
        scripts.print("1.0");
        scripts
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Sets the version that the scripts print.
    fn print(&self, version: &str) {
        fs::write(self.path("version"), format!("{version}\n")).unwrap();
    }

    /// Returns a command that runs `duoforge build` with the scripts. Its standard output is also
    /// open as file descriptor 3, in the tools too.
    fn build(&self, out: &Path) -> Command {
        let mut command = Command::new("sh");
        command
            .args(["-c", "exec 3>&1; exec \"$@\"", "sh"])
            .arg(env!("CARGO_BIN_EXE_duoforge"))
            .args(["build", "--board", "hx8k-breakout", "--out", text(out)]);
        for tool in TOOLS {
            let variable = tool.replace('-', "_").to_uppercase();
            command.env(format!("DUOFORGE_{variable}"), self.path(tool));
        }
        command.stderr(Stdio::piped());
        command
    }

    /// Returns the module that contains the build id.
    fn controller(&self) -> String {
        let out = self.path("out");
        let output = self.build(&out).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("synthesis failed"), "{error}");
        fs::read_to_string(out.join("player/controller.v")).unwrap()
    }
}

/// Interrupts a build while its tool runs, and checks that the build reports the interrupt and leaves
/// no tool. `signalled` returns the number for `kill`, from the numbers of the build and of the tool.
#[track_caller]
fn interrupted(signalled: impl Fn(&str, &str) -> String) {
    // The tool holds the pipe of the output until it ends.
    let scripts = Scripts::new("echo $$ >&3\nexec sleep 300");
    let mut command = scripts.build(&scripts.path("out"));
    let command = command.stdout(Stdio::piped()).process_group(0);
    let mut build = command.spawn().unwrap();
    let mut out = BufReader::new(build.stdout.take().unwrap());
    let mut tool = String::new();
    out.read_line(&mut tool).unwrap();
    let number = signalled(&build.id().to_string(), tool.trim());
    let kill = Command::new("kill").args(["-INT", "--", &number]).status();
    assert!(kill.unwrap().success());

    let mut error = String::new();
    let mut errors = build.stderr.take().unwrap();
    errors.read_to_string(&mut error).unwrap();
    assert_eq!(build.wait().unwrap().code(), Some(130), "{error}");
    assert!(!error.contains("failed"), "{error}");
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "", "the pipe is closed: no tool is left");
}

/// A terminal sends SIGINT to all processes of the foreground group, which the test imitates.
#[test]
fn ctrl_c_interrupts_the_build_and_ends_the_tool() {
    interrupted(|build, _| format!("-{build}"));
}

/// The tool may end before the build knows of the signal.
#[test]
fn a_tool_that_ctrl_c_ends_first_has_not_failed() {
    interrupted(|_, tool| tool.to_owned());
}

#[test]
fn the_build_id_depends_on_the_versions_of_programs_that_the_user_named() {
    let scripts = Scripts::new("exit 1");
    let first = scripts.controller();
    assert!(first.contains("build_digits"), "{first}");
    assert_eq!(scripts.controller(), first);
    scripts.print("1.1");
    assert_ne!(
        scripts.controller(),
        first,
        "a tool that prints its version"
    );
    scripts.print("1.0");
    assert_eq!(scripts.controller(), first);
    let packer = scripts.path("icepack");
    write_program(&packer, "#!/bin/sh\n# Another version.\nexit 1\n");
    assert_ne!(scripts.controller(), first, "a tool that prints no version");
}

/// In a terminal, Ctrl-C reaches the tool that is asked for its version, too.
#[test]
fn ctrl_c_while_a_tool_is_asked_for_its_version_is_an_interrupt() {
    let scripts = Scripts::new("exit 0");
    let stopped = "#!/bin/sh\nkill -INT $PPID\nsleep 0.5\nkill -KILL $$\n";
    write_program(&scripts.path("yosys"), stopped);
    let out = scripts.path("out");
    let output = scripts.build(&out).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{error}");
    assert!(!error.contains("duoforge::tool"), "{error}");
    assert!(!out.exists());
}
