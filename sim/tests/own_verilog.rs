//! Tests of a contestant's player that prints, sends more than a reply, and has delays.

use std::fs;
use std::path::Path;

use duoforge_sim::device::SimDevice;
use duoforge_sim::impaired_device::{Cable, ImpairedDevice};
use duoforge_sim::verilog_player::VerilogPlayer;
use duoforge_sim::{Backend, Options};

/// The reference player, which answers `0` with `1MP`.
const SOURCE: &str = include_str!("../../examples/verilog-player/minimal.v");

/// Returns a source with other text in one place.
fn changed(source: &str, from: &str, to: &str) -> String {
    assert_eq!(source.matches(from).count(), 1, "{from}");
    source.replace(from, to)
}

fn device(source: &str, clock_hz: u32, backend: Backend, directory: &Path) -> ImpairedDevice {
    fs::write(directory.join("minimal.v"), source).expect("it is written");
    let player = VerilogPlayer {
        path: directory.to_owned(),
        top: "minimal".into(),
        clock_hz,
    };
    let device = SimDevice::open_verilog(backend, &player, &Options::default());
    ImpairedDevice::new(device.expect("a model"), Cable::default())
}

/// A player that prints each byte without a line break, and lines that look like answers.
#[test]
fn what_a_player_prints_changes_no_reply() {
    let source = changed(SOURCE, "CLOCK_HZ = 50_000_000", "CLOCK_HZ = 1_843_200");
    let print = "always @(posedge clock) if (valid) begin\n  $display(\"=== byte\");\n  \
                 $write(\"got %c \", data);\nend\nendmodule";
    let source = changed(&source, "endmodule", print);
    for backend in [Backend::Verilator, Backend::Icarus] {
        let directory = tempfile::tempdir().expect("a directory");
        let mut device = device(&source, 1_843_200, backend, directory.path());
        for (prompt, reply) in [("0", "1MP"), ("25", "55a0"), ("4aaa0", "0000")] {
            let heard = device.exchange(prompt.as_bytes()).expect("a reply");
            assert_eq!(
                String::from_utf8_lossy(&heard),
                reply,
                "{backend} to {prompt}"
            );
        }
    }
}

/// The bytes after a reply belong to no later one. Delays are ignored in Verilator.
#[test]
fn bytes_after_a_reply_are_not_those_of_the_next_one() {
    let source = changed(SOURCE, "8'h00, 3'd3};", "8'h21, 3'd5};");
    let source = changed(
        &source,
        "if (prompt) {reply, bytes} <= ",
        "if (prompt) {reply, bytes} <= #1 ",
    );
    let directory = tempfile::tempdir().expect("a directory");
    let mut device = device(&source, 50_000_000, Backend::Verilator, directory.path());
    for _ in 0..3 {
        assert_eq!(device.exchange(b"0").expect("a reply"), b"1MP!\0");
    }
    assert_eq!(device.exchange(b"25").expect("a reply"), b"55a0");
    assert_eq!(device.exchange(b"????").expect("no reply"), b"");
    assert_eq!(device.exchange(b"4aaa0").expect("a reply"), b"0000");
}

/// Errors name the contestant's file and line, and pins have one bit.
#[test]
fn faults_are_shown_in_the_file_of_the_player() {
    let refused = |from: &str, to: &str| {
        let directory = tempfile::tempdir().expect("a directory");
        let source = changed(SOURCE, from, to);
        fs::write(directory.path().join("minimal.v"), source).expect("it is written");
        let player = VerilogPlayer {
            path: directory.path().to_owned(),
            top: "minimal".into(),
            clock_hz: 50_000_000,
        };
        let opened = [Backend::Verilator, Backend::Icarus].map(|backend| {
            let opened = SimDevice::open_verilog(backend, &player, &Options::default());
            opened.err().map(|error| error.to_string())
        });
        (directory, opened)
    };
    let (directory, opened) = refused("localparam [15:0] HALF = BIT / 2;", "localparam = 2;");
    let place = format!("{}:6", directory.path().join("minimal.v").display());
    for error in opened {
        let error = error.expect("a syntax error");
        assert!(error.contains(&place), "{place}: {error}");
    }
    let (_, [verilator, _]) = refused("output tx);", "output [3:0] tx);");
    let error = verilator.expect("a pin of four bits");
    assert!(error.contains("WIDTH") && error.contains("'tx'"), "{error}");
}
