//! Ctrl-C while a match waits for programs and devices.
#![cfg(unix)]

mod common;

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use common::events::{duoforge, interrupt, lines_of};
use common::text;
use duoforge_links::{Link, PtyLink};
use duoforge_protocol::{ByteDevice, HostCode, HostCodeParser, TeamCode};
use duoforge_twin::{Policy, Twin};
use tempfile::tempdir;

/// Time limit: long enough for any machine.
const SOON: Duration = Duration::from_secs(60);

/// Program that answers `0` and then sleeps. It and its descendants hold the pipe `alive` open.
const SLEEPER: &str = "#!/bin/sh
exec 3>alive
head -c 1 >/dev/null
printf 1AA
echo ready >&3
sleep 300 &
exec sleep 300
";

/// Starts a match with a sleeping program, and returns once the program has received `0`. The pipe
/// ends when no process of the program is left.
fn sleeping(directory: &Path, players: [&str; 2]) -> (Child, BufReader<File>) {
    fs::write(directory.join("sleeper.sh"), SLEEPER).unwrap();
    let made = Command::new("mkfifo").arg(directory.join("alive")).status();
    assert!(made.unwrap().success());
    let [one, two] = players;
    let arguments = ["match", one, two, "--limit", "1h", "-q"];
    let child = duoforge(directory, &arguments)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut alive = BufReader::new(File::open(directory.join("alive")).unwrap());
    let mut line = String::new();
    alive.read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    (child, alive)
}

/// Asserts that the match ends with the status of an interrupt, and that the program ends with it.
fn assert_ended(mut child: Child, mut alive: BufReader<File>) {
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let (sender, end) = mpsc::channel();
    thread::spawn(move || sender.send(alive.read_to_end(&mut Vec::new())));
    end.recv_timeout(SOON).expect("the program ends").unwrap();
}

#[test]
fn a_second_interrupt_also_ends_the_programs_of_the_players() {
    let directory = tempdir().unwrap();
    let players = ["exec:sh sleeper.sh", "random:1"];
    let (mut child, alive) = sleeping(directory.path(), players);
    let notes = lines_of(child.stderr.take().unwrap());
    interrupt(&child);
    while !notes
        .recv_timeout(SOON)
        .unwrap()
        .contains("Finishing this game")
    {}
    interrupt(&child);
    assert_ended(child, alive);
}

#[test]
fn an_interrupt_against_a_person_also_ends_the_program_of_the_opponent() {
    let directory = tempdir().unwrap();
    let players = ["exec:sh sleeper.sh", "human"];
    let (child, alive) = sleeping(directory.path(), players);
    interrupt(&child);
    assert_ended(child, alive);
}

/// Serves a twin at a pseudo-terminal, until it receives `9`.
fn serve_one_game(mut link: PtyLink) {
    let mut twin = Twin::new(TeamCode::new(*b"BD").unwrap(), Policy::default());
    let mut parser = HostCodeParser::new();
    let mut buffer = [0; 64];
    loop {
        let Ok(received) = link.recv(&mut buffer, Instant::now() + SOON) else {
            continue;
        };
        for &byte in received.bytes {
            if let Some(HostCode::End) = parser.feed(byte).code {
                return;
            }
            if let Ok(Some(frame)) = ByteDevice::receive(&mut twin, byte) {
                link.send(&frame).unwrap();
            }
        }
    }
}

#[test]
fn a_wait_for_a_vanished_device_is_announced_and_ends_at_an_interrupt() {
    let directory = tempdir().unwrap();
    let device = directory.path().join("device");
    let link = PtyLink::open_at(&device).unwrap();
    let served = thread::spawn(move || serve_one_game(link));
    let profile = format!("[bd]\ndevice = \"{}\"\nreconnect = \"1h\"\n", text(&device));
    fs::write(directory.path().join("p.toml"), profile).unwrap();
    let arguments = "match bd random:1 --games 3 -q --profiles p.toml --journal m.journal";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let mut child = duoforge(directory.path(), &arguments).spawn().unwrap();
    let notes = lines_of(child.stderr.take().unwrap());
    served.join().unwrap();
    let announced = format!("s for player 1 at serial:{}", device.display());
    while !notes.recv_timeout(SOON).unwrap().contains(&announced) {}
    interrupt(&child);
    // The match ends without a second interrupt, and no game is lost by it.
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let games = common::events::ended(&directory.path().join("m.journal"));
    assert_eq!(games.len(), 1, "{games:?}");
}
