//! Builds of a small design with the real tools: results and failures.

use std::fs;
use std::path::Path;

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_hdl::verilog::Module;
use duoforge_targets::build::{
    BuildError, Design, Observer, Options, Record, Stage, build_design, nextpnr::Used, record,
};
use duoforge_targets::target::{Pin, Role};
use duoforge_targets::{Target, catalogue};

/// Design with a counter on the LEDs; the counter multiplies, so that a fast clock is missed.
const TOP: &str = "
module hx8k_breakout(input clock_12mhz, input ftdi_rx, output ftdi_tx, output [7:0] lights);
    counter counter(.clock(clock_12mhz), .lights(lights));
    assign ftdi_tx = ftdi_rx;
endmodule
";

const COUNTER: &str = "
module counter(input clock, output [7:0] lights);
    reg [15:0] count = 0;
    always @(posedge clock) count <= count * count + 1;
    assign lights = count[15:8];
endmodule
";

/// Returns the small target without its PLL: the crystal's clock is the design's. The seed is 1,
/// whichever places the player best.
fn board(crystal_hz: u32) -> Target {
    let mut board = catalogue::find("hx8k-breakout").expect("a board");
    board.clock.crystal_hz = crystal_hz;
    board.clock.player_hz = crystal_hz;
    board.clock.pll = None;
    board.seed = 1;
    board
}

fn build_text(board: &Target, counter: &str, directory: &Path) -> Result<Record, BuildError> {
    build_watched(board, counter, directory, &mut ())
}

fn build_watched(
    board: &Target,
    counter: &str,
    directory: &Path,
    observer: &mut dyn Observer,
) -> Result<Record, BuildError> {
    build_top(board, TOP, counter, directory, observer)
}

fn build_top(
    board: &Target,
    top: &str,
    counter: &str,
    directory: &Path,
    observer: &mut dyn Observer,
) -> Result<Record, BuildError> {
    let design = Design {
        top,
        modules: &|_| {
            Ok(vec![Module {
                name: "counter".into(),
                text: counter.into(),
            }])
        },
    };
    let options = Options {
        directory: directory.into(),
        team: *b"DF",
    };
    build_design(board, &design, &options, observer)
}

/// Returns the files of a directory that look like results of a build.
fn results(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory)
        .expect("the directory")
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .into_string()
                .expect("UTF-8")
        });
    names
        .filter(|name| name.starts_with("duoforge-") || name == record::RECORD)
        .collect()
}

#[test]
fn equal_builds_make_equal_bitstreams_and_another_seed_another_id() {
    let board = board(12_000_000);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (one, two) = (
        directory.path().join("one, with a blank"),
        directory.path().join("two"),
    );
    let first = build_text(&board, COUNTER, &one).expect("it is built");
    let again = build_text(&board, COUNTER, &two).expect("it is built");
    let bits =
        |directory: &Path| fs::read(directory.join("duoforge-hx8k-breakout.bin")).expect("bits");
    assert_eq!(bits(&one), bits(&two));
    assert_eq!(first.id, again.id);
    assert_eq!(
        first.bitstream.as_deref(),
        Some("duoforge-hx8k-breakout.bin")
    );
    assert_eq!(Record::read(&one).expect("a record"), first);
    assert_eq!(first.clocks.len(), 1);
    assert_eq!(first.clocks[0].needed, 12.0);
    assert!(first.timing_is_met());
    let available = 7680;
    assert_eq!(
        first.utilisation.ff,
        Used {
            used: 16,
            available
        }
    );

    let reseeded = Target { seed: 2, ..board };
    let other = build_text(&reseeded, COUNTER, &two).expect("it is built");
    assert_ne!(other.id, first.id);
    assert_ne!(bits(&one), bits(&two));
}

#[test]
fn a_clock_that_is_not_reached_leaves_a_record_and_no_bitstream() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let easy = build_text(&board(12_000_000), COUNTER, directory.path()).expect("it is built");
    assert!(easy.bitstream.is_some());
    let hard = build_text(&board(200_000_000), COUNTER, directory.path()).expect("it is routed");
    assert!(!hard.timing_is_met());
    assert_eq!(hard.bitstream, None);
    assert_eq!(results(directory.path()), [record::RECORD]);
    let path = hard.worst_path.expect("a path").to_string();
    assert!(path.starts_with("counter.count to "), "{path}");
}

/// Design with an SDRAM's pins: one output after a register or after long logic, and one input.
const MEMORY: &str = "
module hx8k_breakout(input clock_12mhz, input ftdi_rx, output ftdi_tx, output sdram_cke,
                     input sdram_data);
    counter counter(.clock(clock_12mhz), .input_pin(sdram_data), .output_pin(sdram_cke));
    assign ftdi_tx = ftdi_rx;
endmodule
";

fn memory_counter(output: &str) -> String {
    format!(
        "module counter(input clock, input input_pin, output output_pin);
            reg [17:0] count = 0;
            always @(posedge clock) count <= {{count[16:0], input_pin}};
            wire [17:0] long = (count * count + 1) * (count * count + 3) + count;
            assign output_pin = {output};
        endmodule"
    )
}

#[test]
fn a_pin_of_an_sdram_beyond_its_limit_leaves_no_bitstream() {
    let search = PlayerConfig::Search(Box::default());
    let memory = catalogue::find("ulx3s-85f").expect("a board");
    let memory = memory.with(&search).expect("a search player");
    let mut board = catalogue::find("ulx3s-12f").expect("a board");
    board.top = "hx8k_breakout".into();
    board.clock.crystal_hz = 50_000_000;
    board.clock.player_hz = 50_000_000;
    board.clock.pll = None;
    let pin = |board: &Target, role, port: &str| Pin {
        port: port.into(),
        ..board.pins_of(role).next().expect("a pin").clone()
    };
    let data = memory.pins.iter().find(|pin| pin.port == "sdram_data[0]");
    board.pins = vec![
        pin(&board, Role::Clock, "clock_12mhz"),
        pin(&board, Role::Rx, "ftdi_rx"),
        pin(&board, Role::Tx, "ftdi_tx"),
        pin(&memory, Role::Memory, "sdram_cke"),
        Pin {
            port: "sdram_data".into(),
            ..data.expect("a pin").clone()
        },
    ];
    let directory = tempfile::tempdir().expect("a temporary directory");
    let build = |output: &str| {
        let counter = memory_counter(output);
        let built = build_top(&board, MEMORY, &counter, directory.path(), &mut ());
        let record = built.expect("it is routed");
        let times = record.pin_times.expect("an SDRAM");
        assert!(record.clocks[0].is_met() && times.input.is_met());
        (times.output, record)
    };
    let (output, record) = build("count[17]");
    assert!(output.is_met() && record.bitstream.is_some(), "{output:?}");
    let (output, record) = build("^long");
    assert!(!output.is_met(), "{output:?}");
    assert_eq!(record.bitstream, None);
    assert_eq!(results(directory.path()), [record::RECORD]);
}

#[test]
fn verilog_that_is_wrong_fails_with_the_end_of_the_log() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let good = build_text(&board(12_000_000), COUNTER, directory.path());
    assert!(good.is_ok_and(|record| record.bitstream.is_some()));
    let error = build_text(&board(12_000_000), "module counter(", directory.path());
    match error.expect_err("it is no Verilog") {
        BuildError::Stage {
            stage, end, log, ..
        } => {
            assert_eq!(stage, Stage::Synthesis);
            assert!(end.contains("syntax error"), "{end}");
            assert!(fs::read_to_string(log).is_ok_and(|text| text.contains("syntax error")));
        }
        other => panic!("{other}"),
    }
    assert_eq!(
        results(directory.path()),
        [""; 0],
        "the old bitstream is gone"
    );
}

#[test]
fn a_port_without_a_place_is_refused() {
    for name in ["hx8k-breakout", "ulx3s-12f"] {
        let mut board = catalogue::find(name).expect("a board");
        board.top = "hx8k_breakout".into();
        board.pins.retain(|pin| pin.role != Role::Tx);
        let clock = board.pins.iter_mut().find(|pin| pin.role == Role::Clock);
        clock.expect("a clock").port = "clock_12mhz".into();
        let rx = board.pins.iter_mut().find(|pin| pin.role == Role::Rx);
        rx.expect("a line").port = "ftdi_rx".into();
        let directory = tempfile::tempdir().expect("a temporary directory");
        let error =
            build_text(&board, COUNTER, directory.path()).expect_err("ftdi_tx has no place");
        match error {
            BuildError::Stage { stage, end, .. } => {
                assert_eq!(stage, Stage::Routing, "{end}");
                assert!(end.contains("ftdi_tx"), "{end}");
            }
            other => panic!("{other}"),
        }
        assert_eq!(results(directory.path()), [""; 0]);
    }
}

/// Observer that records the stages and stops the build in the first tool's run.
#[derive(Default)]
struct Impatient(Vec<Stage>);

impl Observer for Impatient {
    fn begin(&mut self, stage: Stage) {
        self.0.push(stage);
    }

    fn tick(&mut self, _line: &str) -> bool {
        false
    }

    fn end(&mut self, _stage: Stage, _time: std::time::Duration) {}
}

#[test]
fn an_interrupted_build_leaves_nothing_that_looks_finished() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut observer = Impatient::default();
    let error = build_watched(&board(12_000_000), COUNTER, directory.path(), &mut observer);
    assert!(matches!(error, Err(BuildError::Interrupted)), "{error:?}");
    assert_eq!(observer.0, [Stage::Verilog, Stage::Synthesis]);
    assert_eq!(results(directory.path()), [""; 0]);
}

#[test]
fn two_builds_do_not_share_a_directory() {
    /// Observer that starts a second build in the same directory while the first one runs.
    struct Opponent<'a>(&'a Path, Option<BuildError>);
    impl Observer for Opponent<'_> {
        fn begin(&mut self, _stage: Stage) {}
        fn tick(&mut self, _line: &str) -> bool {
            self.1 = build_text(&board(12_000_000), COUNTER, self.0).err();
            false
        }
        fn end(&mut self, _stage: Stage, _time: std::time::Duration) {}
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut opponent = Opponent(directory.path(), None);
    let first = build_watched(&board(12_000_000), COUNTER, directory.path(), &mut opponent);
    assert!(matches!(first, Err(BuildError::Interrupted)), "{first:?}");
    assert!(
        matches!(opponent.1, Some(BuildError::Busy(_))),
        "{:?}",
        opponent.1
    );
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("file");
    fs::write(&file, "").expect("a file");
    let error = build_text(&board(12_000_000), COUNTER, &file.join("below"));
    match error {
        Err(BuildError::File { action, path, .. }) => {
            assert_eq!((action, path), ("made", file.join("below")));
        }
        other => panic!("{other:?}"),
    }
}
