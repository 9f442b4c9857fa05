//! Simulation of the vendors' tops in Icarus Verilog, with models of the vendors' cells.
//!
//! On each serial line a host performs the handshake, queries the build id and starts a game, and
//! then the reset button is pressed.

use std::fs;
use std::path::{Path, PathBuf};

use duoforge_targets::build::Options;
use duoforge_targets::target::{Active, Role};
use duoforge_targets::{Target, catalogue, project};
use duoforge_tools::catalogue::{IVERILOG, VVP};

const BENCH: &str = include_str!("tops/bench.v");
const CELLS: &str = include_str!("tops/loops.v");

/// Writes a target's project; returns its directory and its build id.
fn project(board: &Target) -> (PathBuf, String) {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tops");
    let options = Options {
        directory: directory.join(&board.name),
        team: *b"XY",
    };
    let project = project::write(board, &options).expect("it is written");
    let project = project.expect("the board needs a vendor's tool");
    (options.directory, project.id.to_string())
}

/// Returns the instance of the top in the bench. `rx` and `tx` are connected to serial line `line`;
/// the other lines are idle.
fn instance(board: &Target, line: usize) -> String {
    let mut ports = vec![".lights(lights)".to_owned()];
    ports.push(format!(".{}(clock)", board.clock_pin().port));
    let buttons = board.pins_of(Role::Reset);
    ports.extend(buttons.map(|pin| format!(".{}(button)", pin.port)));
    let ends = board.pins_of(Role::Rx).zip(board.pins_of(Role::Tx));
    for (i, (rx, tx)) in ends.enumerate() {
        let (receive, send) = match i == line {
            true => ("rx", "tx"),
            false => ("1'b1", ""),
        };
        ports.push(format!(".{}({receive})", rx.port));
        ports.push(format!(".{}({send})", tx.port));
    }
    format!("{} top ({});", board.top, ports.join(", "))
}

/// Returns the output of a host on one serial line of the target.
fn conversation(board: &Target, directory: &Path, line: usize) -> String {
    let released = board.pins_of(Role::Reset).next().map(|pin| pin.active);
    let released = u8::from(released == Some(Active::Low));
    let period = 1e9 / f64::from(board.clock.crystal_hz);
    let macros = format!(
        "`define TOP {}\n`define PERIOD {period}\n`define RELEASED 1'b{released}\n",
        instance(board, line)
    );
    let sources = [
        ("bench.v", BENCH),
        ("cells.v", CELLS),
        ("macros.v", &macros),
    ];
    for (name, text) in sources {
        fs::write(directory.join(name), text).expect("a file");
    }
    let mut player: Vec<PathBuf> = fs::read_dir(directory.join("player"))
        .expect("the player")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|end| end == "v"))
        .collect();
    player.sort();
    let mut compiler = IVERILOG.command().expect("it is installed");
    compiler
        .current_dir(directory)
        .args(["-g2005", "-s", "bench", "-o", "model.vvp"])
        .arg("macros.v")
        .arg(format!("{}.v", board.top))
        .args(["cells.v", "bench.v"])
        .args(player);
    duoforge_tools::run(&mut compiler).unwrap_or_else(|error| panic!("{error}"));
    let mut model = VVP.command().expect("it is installed");
    model.current_dir(directory).args(["-n", "model.vvp"]);
    duoforge_tools::run(&mut model).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn talks(name: &str) {
    let board = catalogue::find(name).expect("a board");
    let (directory, id) = project(&board);
    let lines = board.pins_of(Role::Rx).count();
    for line in 0..lines {
        let seen = conversation(&board, &directory, line);
        let seen: Vec<&str> = seen.lines().collect();
        let [handshake, build, quiet, first, playing, reset] = seen[..] else {
            panic!("{name}, line {line}: {seen:?}");
        };
        assert_eq!(handshake, "1XY", "{name}, line {line}");
        assert_eq!(build, id, "{name}, line {line}");
        assert_eq!(quiet, "lights 00000000", "{name}, line {line}");
        assert_eq!(first.len(), 4, "{name}, line {line}: {first}");
        assert!(
            first.starts_with(|c: char| c.is_ascii_hexdigit()),
            "{first}"
        );
        assert_eq!(playing, "lights 00000001", "{name}, line {line}");
        assert_eq!(reset, "lights 00000000", "{name}, line {line}");
    }
}

#[test]
fn the_de2_115_talks_over_its_socket() {
    talks("de2-115");
}

#[test]
fn the_arty_a7_talks_over_usb_and_over_the_pmod() {
    talks("arty-a7-35t");
}
