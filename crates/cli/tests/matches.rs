//! Matches on the command line.
#![cfg(unix)]

mod common;
#[path = "common/terminal.rs"]
mod terminal;

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use common::{Served, fed, good, run, text};
use duoforge_links::{Link, PtyLink, SerialLink};
use duoforge_protocol::{ByteDevice, HostCode, HostCodeParser, TeamCode};
use duoforge_twin::{Policy, Twin};
use tempfile::tempdir;
use terminal::received;

#[test]
fn a_match_is_played_and_kept() {
    let directory = tempdir().unwrap();
    let [log, list] = ["wire.log", "games.txt"].map(|name| directory.path().join(name));
    let out = good(&[
        "match",
        "twin",
        "random:3",
        "--games",
        "4",
        "--first",
        "alternate",
        "--start",
        "alternate",
        "--log",
        text(&log),
        "--record",
        text(&list),
    ]);
    assert!(
        out.contains("game 4: ") && out.contains("slowest reply"),
        "{out}"
    );
    let log = fs::read_to_string(&log).unwrap();
    for expected in [
        "# game 4",
        "> 25",
        "> 2A",
        "> 35",
        "> 3A",
        "< 1TW",
        "< 1RN",
        "referee ! ",
    ] {
        assert!(log.contains(expected), "{expected} is missing in the log");
    }
    // A replay of the list results in the same scores.
    let replay = run(&["replay", text(&list), "--json"]).json();
    assert_eq!(replay.len(), 4);
    let lines: Vec<_> = out
        .lines()
        .filter(|line| line.starts_with("game "))
        .collect();
    for (number, (line, game)) in lines.iter().zip(&replay).enumerate() {
        let (a, b) = (&game["score"][0], &game["score"][1]);
        // Player 2 moves first in every other game.
        let score = if number % 2 == 0 {
            format!("{a}:{b}")
        } else {
            format!("{b}:{a}")
        };
        assert!(line.contains(&format!(" {score} after")), "{line} {score}");
    }
}

#[test]
fn json_is_alone_on_standard_output() {
    let run = run(&[
        "match", "pattern", "random", "--seed", "5", "--games", "2", "--json",
    ]);
    assert_eq!(run.status, 0);
    let objects = run.json();
    assert_eq!(objects.len(), 3);
    for game in &objects[..2] {
        let ending = game["ending"].as_str().unwrap();
        assert!(["both-passed", "all-placed"].contains(&ending), "{ending}");
        assert_eq!(game["names"][1], "random:6");
        assert_eq!(game["plies"][0]["legal"], 414);
        assert!(game["plies"][0]["us"].is_u64());
    }
    assert_eq!(objects[2]["games"], 2);
    assert_eq!(objects[2]["violations"], serde_json::json!([0, 0]));
}

#[test]
fn the_wire_log_may_be_json() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("wire.jsonl");
    good(&["match", "twin", "twin", "-q", "--log", text(&path)]);
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["game"], 1);
    assert_eq!(lines[1]["text"], "0");
    assert_eq!(lines[1]["dir"], "to-board");
}

#[test]
fn a_person_types_moves_and_resigns() {
    let input = "0000\n53E0\n11a0\nhelp\n?\n53e0\nq\n";
    let run = fed(input, &["match", "human", "random:1", "--json"]);
    assert_eq!(run.status, 0, "{}", run.err);
    for expected in [
        "may not pass",
        "not a tile",
        "start cell",
        "print this help",
        "\nt 5",
        "resigns",
    ] {
        assert!(run.err.contains(expected), "{expected}: {}", run.err);
    }
    let game = &run.json()[0];
    assert_eq!(game["plies"][0]["code"], "53e0");
    assert_eq!(game["ending"], "resigned");
    assert_eq!(game["winner"], 2);
}

/// The program waits at a pseudo-terminal for a device, which disconnects after the handshake.
#[test]
fn a_lost_link_is_a_negative_result() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("board");
    let place = path.clone();
    let board = thread::spawn(move || {
        let mut link = open(&place);
        let mut buf = [0; 8];
        let soon = || Instant::now() + Duration::from_secs(10);
        link.recv(&mut buf, soon()).unwrap();
        link.send(b"1ZZ").unwrap();
        // The next prompt has arrived, so the previous reply was read.
        link.recv(&mut buf, soon()).unwrap();
    });
    let spec = format!("pty:{}", path.display());
    let run = run(&[
        "match", &spec, "twin", "--json", "--games", "3", "--limit", "20s",
    ]);
    board.join().unwrap();
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.err.contains("waiting for player 1 at"), "{}", run.err);
    let objects = run.json();
    assert_eq!(objects.len(), 2, "{objects:?}");
    assert_eq!(objects[0]["ending"], "link-lost");
    assert_eq!(objects[0]["winner"], 2);
    assert_eq!(objects[0]["teams"][0], "ZZ");
}

/// A device that disappears at the `0` of a game and returns plays this game and the next one.
#[test]
fn a_device_that_is_unplugged_before_its_team_code_plays_on() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("board");
    let mut link = PtyLink::open_at(&path).unwrap();
    let place = path.clone();
    thread::spawn(move || {
        // The device disappears at its second handshake.
        serve_until(&mut link, 2);
        drop(link);
        thread::sleep(Duration::from_millis(500));
        serve_until(&mut PtyLink::open_at(&place).unwrap(), u32::MAX);
    });
    let run = run(&[
        "match",
        text(&path),
        "random:1",
        "--json",
        "--games",
        "3",
        "--limit",
        "20s",
    ]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    let objects = run.json();
    assert_eq!(objects.len(), 4, "{objects:?}");
    assert_eq!(objects[3]["open"], 0);
    assert_eq!(objects[1]["teams"][0], "UN");
}

/// Plays as a device until it receives `0` for this number of times.
fn serve_until(link: &mut PtyLink, greetings: u32) {
    let mut twin = Twin::new(TeamCode::new(*b"UN").unwrap(), Policy::default());
    let (mut parser, mut left) = (HostCodeParser::new(), greetings);
    loop {
        for byte in received(link) {
            if parser.feed(byte).code == Some(HostCode::Handshake) {
                left -= 1;
                if left == 0 {
                    return;
                }
            }
            if let Ok(Some(frame)) = ByteDevice::receive(&mut twin, byte) {
                link.send(&frame).unwrap();
            }
        }
    }
}

/// Bot in Python that fails at its first prompt for a move.
const FAILING: &str = "import sys
while True:
    code = sys.stdin.read(1)
    if code == '0':
        print('1PY', flush=True)
    if code in '23':
        raise ValueError('no placement left')
";

#[test]
fn a_bot_that_fails_shows_its_last_words() {
    let directory = tempdir().unwrap();
    let file = |name: &str| directory.path().join(name);
    let [bot, journal, list] = ["bot.py", "friday.journal", "games.txt"].map(file);
    fs::write(&bot, FAILING).unwrap();
    let bot = format!("exec:python3 {}", bot.display());
    let played = run(&[
        "match",
        "twin",
        &bot,
        "--limit",
        "20s",
        "--journal",
        text(&journal),
        "--record",
        text(&list),
    ]);
    assert_eq!(played.status, 1, "{}{}", played.out, played.err);
    let history = duoforge_journal::read(&journal).unwrap().history;
    let ended = history.games[&1].ended.as_ref().unwrap();
    assert_eq!(ended.ending, "link-lost");
    for shown in [&played.out, &ended.detail] {
        let lost = "link to player 2 lost: the program ended with exit status 1; its last lines on \
                    standard error:\nTraceback";
        assert!(shown.contains(lost), "{shown}");
        assert!(shown.contains("\nValueError: no placement left"), "{shown}");
    }
    // The list has the ending in a comment of one line, and can still be read.
    let replay = run(&["replay", text(&list), "--json"]).json();
    assert_eq!(replay.len(), 1);
}

fn open(path: &Path) -> SerialLink {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        match SerialLink::open(text(path)) {
            Ok(link) => return link,
            Err(error) => assert!(Instant::now() < deadline, "{error}"),
        }
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn players_that_cannot_be_opened_are_failures_with_help() {
    let missing = run(&["match", "/dev/no-such-device", "twin"]);
    assert_eq!((missing.status, missing.out.as_str()), (2, ""));
    assert!(
        missing.err.contains("duoforge::link::not_found"),
        "{}",
        missing.err
    );
    assert!(missing.err.contains("duoforge ports"), "{}", missing.err);
    let unknown = run(&["match", "twins", "twin"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.err.contains("is not a player"), "{}", unknown.err);
    let limit = run(&["match", "twin", "twin", "--limit", "soon"]);
    assert_eq!(limit.status, 2);
    for part in ["'soon'", "1m 30s"] {
        assert!(limit.err.contains(part), "{part}: {}", limit.err);
    }
}

/// A number without a unit is in seconds.
#[test]
fn limits_are_durations() {
    for limit in ["5", "1m", "2500ms"] {
        good(&["match", "twin", "random:3", "-q", "--limit", limit]);
    }
}

#[test]
fn the_help_of_a_link_fits_its_kind() {
    for (player, part) in [
        ("tcp:localhost:1", "HOST:PORT"),
        ("exec:./nosuch", "command line"),
        ("pty:/etc/passwd", "symbolic link"),
    ] {
        let missing = run(&["match", player, "twin"]);
        assert_eq!((missing.status, missing.out.as_str()), (2, ""), "{player}");
        assert!(missing.err.contains(part), "{part}: {}", missing.err);
        for wrong in ["serial", "duoforge ports", "in use"] {
            assert!(!missing.err.contains(wrong), "{wrong}: {}", missing.err);
        }
    }
}

#[test]
fn a_settings_error_names_the_range() {
    let wrong = run(&["match", "engine:level=10", "twin"]);
    assert_eq!(wrong.status, 2);
    let part = "level=10 is out of range: expected 1 to 9";
    assert!(wrong.err.contains(part), "{}", wrong.err);
}

#[test]
fn players_and_the_keys_of_their_settings_are_listed() {
    let all = good(&["players"]);
    for part in ["Players:\n", "\n  twin ", "\n  pattern ", "\n  human "] {
        assert!(all.contains(part), "{all}");
    }
    let engine = good(&["players", "engine"]);
    for part in [
        "engine, engine:KEY=VALUE,...",
        "\nkey                  values                  default    meaning\n",
        "\nthreads              1 to 1024               all cores  ",
        "\nreuse_tree           0 or 1                  1          ",
        "\nchildren             1 to 4096               4096       ",
    ] {
        assert!(engine.contains(part), "{part}: {engine}");
    }
    assert!(!engine.contains("\nlanes "), "{engine}");
    let simulated = good(&["players", "sim"]);
    for part in [
        "\nms                   1 to 900                880      limit: milliseconds\n",
        "\nlanes                1, 2 or 4               4        ",
    ] {
        assert!(simulated.contains(part), "{part}: {simulated}");
    }
    assert_eq!(run(&["players", "twin"]).status, 2);
}

#[test]
fn a_device_that_cannot_be_served_is_a_failure_with_help() {
    let address = run(&["device", "--twin", "--tcp", "foo"]);
    assert_eq!(address.status, 2);
    assert!(address.err.contains("HOST:PORT"), "{}", address.err);
    assert!(!address.err.contains("pseudo-terminal"), "{}", address.err);
    let file = run(&["device", "--twin", "--pty", "/etc/passwd"]);
    assert_eq!(file.status, 2);
    assert!(file.err.contains("duoforge::link::exists"), "{}", file.err);
    assert!(!file.err.contains("in use"), "{}", file.err);
}

#[test]
fn old_names_are_refused_with_the_new_ones() {
    for (arguments, name) in [
        (&["board", "--twin", "--tcp", "127.0.0.1:0"][..], "`device`"),
        (&["device", "--twin", "--build", "0badcafe"], "--build-id"),
        (&["tournament", "cup.toml", "--form", "json"], "--format"),
    ] {
        let old = run(arguments);
        assert_eq!((old.status, old.out.as_str()), (2, ""), "{arguments:?}");
        assert!(old.err.contains(name), "{name}: {}", old.err);
    }
}

#[test]
fn a_device_on_a_pseudo_terminal_outlives_its_hosts() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("board");
    let mut device = Served::start(&["device", "--twin", "--pty", text(&path)]);
    assert_eq!(device.place, text(&path));
    for _ in 0..2 {
        let out = good(&["match", &device.place, "random:2", "-q"]);
        assert!(out.contains("game 1: "), "{out}");
    }
    assert_eq!(device.interrupt(), 0);
    assert!(
        fs::symlink_metadata(&path).is_err(),
        "the link was not removed"
    );
}

#[test]
fn a_device_on_a_tcp_port_serves_one_host_after_the_other() {
    let mut device = Served::start(&["device", "--twin", "--tcp", "127.0.0.1:0", "--team", "Q7"]);
    assert!(
        device.place.starts_with("tcp:127.0.0.1:"),
        "{}",
        device.place
    );
    for _ in 0..2 {
        let run = run(&["match", "random:2", &device.place, "--json"]);
        assert_eq!(run.status, 0, "{}", run.err);
        assert_eq!(run.json()[0]["teams"][1], "Q7");
    }
    assert_eq!(device.interrupt(), 0);
}
