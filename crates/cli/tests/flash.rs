//! Loading of bitstreams without an FPGA board.
//!
//! Where a test needs an FPGA board, a script replaces openFPGALoader. It prints the output of the
//! real program, taken from the source of the pinned version.
#![cfg(unix)]

mod common;
#[path = "common/programs.rs"]
mod programs;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use common::{Run, text};
use programs::write_program;
use tempfile::TempDir;

/// Directory with the beginnings of bitstreams, and optionally a loader.
struct Bench {
    directory: TempDir,
}

const ECP5_85F: u32 = 0x4111_3043;
const ECP5_45F: u32 = 0x4111_2043;

impl Bench {
    fn new() -> Self {
        let bench = Self {
            directory: tempfile::tempdir().unwrap(),
        };
        bench.lattice("good.bit", ECP5_85F);
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes the beginning of a bitstream for an ECP5.
    fn lattice(&self, name: &str, idcode: u32) {
        let mut bytes = vec![0xff, 0x00, 0x00, 0xff, 0xff, 0xff, 0xbd, 0xb3];
        bytes.extend([0xff, 0xff, 0xff, 0xff, 0x3b, 0, 0, 0, 0xe2, 0, 0, 0]);
        bytes.extend(idcode.to_be_bytes());
        fs::write(self.path(name), bytes).unwrap();
    }

    /// Writes a loader that prints `printed` and exits with `status`.
    fn loader(&self, printed: &str, status: i32) -> PathBuf {
        let path = self.path("loader");
        let script = format!("#!/bin/sh\ncat <<'END'\n{printed}\nEND\nexit {status}\n");
        write_program(&path, &script);
        path
    }

    /// Runs `duoforge flash` in the directory of this crate, where the installed tools are found.
    fn flash(&self, loader: Option<&Path>, arguments: &[&str]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_duoforge"));
        command
            .arg("flash")
            .args(arguments)
            .env("LC_ALL", "C.UTF-8");
        if let Some(loader) = loader {
            command.env("DUOFORGE_OPENFPGALOADER", loader);
        }
        let output = command.output().unwrap();
        Run {
            status: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Loads a valid bitstream with a loader that prints `printed`.
    fn loaded(&self, printed: &str, status: i32) -> Run {
        let loader = self.loader(printed, status);
        let bitstream = self.path("good.bit");
        self.flash(
            Some(&loader),
            &["--board", "ulx3s-85f", "--bitstream", text(&bitstream)],
        )
    }
}

/// Warning on a machine without a list of USB devices, on one line.
const UNCHECKED: &str = "warning: this system has no list of USB devices, and openFPGALoader takes \
                         the first programmer 0403:6015: connect only one FPGA board with this \
                         programmer ";

/// Returns the message of a failure on one line, without its frame.
fn flat(text: &str) -> String {
    let words = text.split_whitespace();
    words
        .filter(|word| *word != "│")
        .collect::<Vec<_>>()
        .join(" ")
}

/// Asserts a failure with a code, a message and a part of the help.
#[track_caller]
fn failed(run: &Run, code: &str, message: &str, help: &str) {
    let err = flat(&run.err);
    let err = err.strip_prefix(UNCHECKED).unwrap_or(&err);
    assert_eq!(run.status, 2, "{err}");
    let (head, advice) = err
        .split_once("help:")
        .unwrap_or_else(|| panic!("no help: {err}"));
    assert!(head.starts_with(&format!("{code} ")), "{code}: {err}");
    assert!(head.contains(message), "{message}: {err}");
    assert!(advice.contains(help), "{help}: {err}");
}

/// The serial number matches no FPGA board, since one may be connected to the machine of the test.
#[test]
fn the_real_loader_finds_no_board() {
    let bench = Bench::new();
    let bitstream = bench.path("good.bit");
    let run = bench.flash(
        None,
        &[
            "--board",
            "ulx3s-85f",
            "--bitstream",
            text(&bitstream),
            "--serial-number",
            "no board has this",
        ],
    );
    failed(
        &run,
        "duoforge::flash::no_board",
        "there is no USB device 0403:6015 with the serial number no board has this",
        "",
    );
}

#[test]
fn unknown_boards_are_answered_with_a_suggestion() {
    let run = Bench::new().flash(None, &["--board", "ulx3s-85g"]);
    failed(
        &run,
        "duoforge::target",
        "no board is called 'ulx3s-85g'",
        "ulx3s-85f",
    );
}

#[test]
fn bitstreams_are_checked_before_anything_is_run() {
    let bench = Bench::new();
    let with = |file: &str| {
        let path = bench.path(file);
        bench.flash(None, &["--board", "ulx3s-85f", "--bitstream", text(&path)])
    };
    failed(
        &with("missing.bit"),
        "duoforge::flash::no_bitstream",
        "there is no bitstream at",
        "duoforge build --board ulx3s-85f",
    );
    fs::write(bench.path("text"), "hello\n").unwrap();
    failed(
        &with("text"),
        "duoforge::flash::not_a_bitstream",
        "is not a bitstream for LFE5U-85F",
        "duoforge build --board ulx3s-85f",
    );
    bench.lattice("small.bit", ECP5_45F);
    failed(
        &with("small.bit"),
        "duoforge::flash::other_board",
        "is for LFE5U-45F, not for LFE5U-85F",
        "duoforge build --board ulx3s-85f",
    );
    fs::create_dir(bench.path("directory")).unwrap();
    failed(
        &with("directory"),
        "duoforge::flash::unreadable",
        "cannot be read",
        "ls -l",
    );
    fs::write(
        bench.path("build.json"),
        r#"{"board": "ulx3s-12f", "id": null}"#,
    )
    .unwrap();
    failed(
        &with("good.bit"),
        "duoforge::flash::other_board",
        "is for ulx3s-12f, not for ulx3s-85f",
        "duoforge build --board ulx3s-85f",
    );
}

#[test]
fn boards_of_the_vendors_alone_are_told_apart() {
    let run = Bench::new().flash(None, &["--board", "de2-115"]);
    failed(
        &run,
        "duoforge::flash::vendor_only",
        "Terasic DE2-115 cannot be loaded by openFPGALoader",
        "duoforge build --board de2-115",
    );
}

#[test]
fn a_missing_loader_is_a_missing_tool() {
    let bench = Bench::new();
    let (bitstream, missing) = (bench.path("good.bit"), bench.path("no such program"));
    let run = bench.flash(
        Some(&missing),
        &["--board", "ulx3s-85f", "--bitstream", text(&bitstream)],
    );
    failed(
        &run,
        "duoforge::tool",
        "DUOFORGE_OPENFPGALOADER names '",
        "duoforge setup --for flash",
    );
}

#[test]
fn what_the_loader_says_becomes_a_code_and_advice() {
    let bench = Bench::new();
    let jtag = "JTAG init failed with: unable to open ftdi device";
    let program = "Error: Failed to program FPGA: std::exception";
    let cases = [
        (
            format!("unable to open ftdi device: -3 (device not found)\n{jtag}"),
            "duoforge::flash::no_board",
            "no board is connected: there is no USB device 0403:6015",
            "lsusb -d 0403:6015",
        ),
        (
            format!("unable to open ftdi device: -4 (usb_open() failed)\n{jtag}"),
            "duoforge::flash::permission",
            "no permission to use the board's programmer 0403:6015",
            "ATTRS{idVendor}==\"0403\", ATTRS{idProduct}==\"6015\"",
        ),
        (
            format!(
                "unable to open ftdi device: -5 (unable to claim usb device. Make sure the default \
                 FTDI driver is not in use)\n{jtag}"
            ),
            "duoforge::flash::busy",
            "another program or driver uses",
            "close the program",
        ),
        (
            format!(
                "mismatch between target's idcode and bitstream idcode\n\tbitstream has 0x41113043 \
                 hardware requires 0x41112043\n{program}"
            ),
            "duoforge::flash::other_chip",
            "the bitstream is for LFE5U-85F, and the connected board has LFE5U-45F",
            "duoforge boards",
        ),
        (
            "JTAG init failed with: TDO is stuck at 0".into(),
            "duoforge::flash::no_chip",
            "no chip that fits answers it: JTAG init failed with: TDO is stuck at 0",
            "powered",
        ),
        (
            "Error: cannot find board 'ulx3s'".into(),
            "duoforge::flash::old_loader",
            "does not know the board 'ulx3s'",
            "duoforge setup --for flash",
        ),
        (
            format!("Open file: DONE\nParse file: FAIL\n{program}"),
            "duoforge::flash::refused",
            "does not accept the bitstream",
            "incomplete",
        ),
        (
            format!("Error: block protection is set\n       can't unlock\n{program}"),
            "duoforge::flash::protected",
            "protected against writing",
            "good.bit --unprotect-flash",
        ),
        (
            format!("Verification failed at 17\n{program}"),
            "duoforge::flash::verify",
            "what the board holds is not what was written",
            "load it again",
        ),
        (
            format!("SRAM erase: FAIL\n{program}"),
            "duoforge::flash::write",
            "writing the bitstream failed",
            "power-cycle",
        ),
        (
            "openFPGALoader: error while loading shared libraries: libftdi1.so.2: cannot open"
                .into(),
            "duoforge::flash::loader",
            "openFPGALoader does not start",
            "libftdi1-2",
        ),
        (
            "the moon is full".into(),
            "duoforge::flash::unknown",
            "ended with exit status: 1: the moon is full",
            "--dry-run",
        ),
    ];
    let mut codes: Vec<_> = cases.iter().map(|(_, code, ..)| *code).collect();
    codes.dedup();
    assert_eq!(
        codes.len(),
        cases.len(),
        "every failure has a code of its own"
    );
    for (printed, code, message, help) in cases {
        failed(&bench.loaded(&printed, 1), code, message, help);
    }
}

#[test]
fn a_failure_that_ends_with_zero_is_a_failure() {
    let run = Bench::new().loaded("SRAM erase: DONE\nWait for CDONE\nFail", 0);
    failed(
        &run,
        "duoforge::flash::write",
        "writing the bitstream failed",
        "try again",
    );
}

#[test]
fn a_good_run_says_how_to_ask_the_board() {
    let bench = Bench::new();
    let record = r#"{"board": "ulx3s-85f", "id": "0123abcd", "seed": 1}"#;
    fs::write(bench.path("build.json"), record).unwrap();
    let printed =
        "write to ram\nOpen file: DONE\nSRAM erase: DONE\nLoading: [====] 100.00%\n\nDone";
    let run = bench.loaded(printed, 0);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.contains("  SRAM erase: DONE\n"), "{}", run.out);
    assert!(run.out.contains("lost at power-down"), "{}", run.out);
    // A machine with a list of USB devices has one such board at most: the run is good.
    let listed = Path::new("/sys/bus/usb/devices").exists();
    assert_eq!(run.err.is_empty(), listed, "{}", run.err);
    assert!(
        listed || flat(&run.err) == UNCHECKED.trim_end(),
        "{}",
        run.err
    );
    let ask = "duoforge identify DEVICE --expect 0123abcd\n";
    assert!(run.out.ends_with(ask), "{}", run.out);
}

#[test]
fn options_become_the_loaders() {
    let bench = Bench::new();
    let bitstream = bench.path("good.bit");
    let bitstream = text(&bitstream);
    let line = |options: &[&str]| {
        let arguments = [
            "--board",
            "ulx3s-85f",
            "--bitstream",
            bitstream,
            "--dry-run",
        ];
        let run = bench.flash(None, &[&arguments[..], options].concat());
        assert_eq!(run.status, 0, "{}", run.err);
        let (program, words) = run.out.trim_end().split_once(' ').unwrap();
        assert!(program.ends_with("openFPGALoader"), "{program}");
        words.strip_suffix(bitstream).unwrap().to_owned()
    };
    assert_eq!(line(&[]), "--board ulx3s --write-sram ");
    assert_eq!(line(&["--sram"]), "--board ulx3s --write-sram ");
    assert_eq!(
        line(&["--spi", "--verify", "--serial-number", "D 1"]),
        "--board ulx3s --write-flash --verify --ftdi-serial 'D 1' "
    );
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let bench = Bench::new();
    for wrong in [
        &["--board", "ulx3s-85f", "--verify"][..],
        &["--board", "ulx3s-85f", "--sram", "--verify"],
        &["--board", "ulx3s-85f", "--sram", "--spi"],
        &["--spi"],
    ] {
        let run = bench.flash(None, wrong);
        assert_eq!(run.status, 2, "{wrong:?}: {}", run.err);
        assert!(run.err.contains("Usage:"), "{}", run.err);
    }
}
