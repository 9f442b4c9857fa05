//! Annulled games of matches: the device stops the referee while it delays a reply.
#![cfg(unix)]

mod common;

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Output;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use common::events::duoforge;
use duoforge_journal::{History, read};
use duoforge_protocol::{ByteDevice, HostCode, HostCodeParser, TeamCode};
use duoforge_twin::{Policy, Twin};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::tempdir;

/// Limit of a reply. A busy machine stops the referee later than at once.
const LIMIT: &str = "3s";

/// Delay of a reply, beyond the limit.
const DELAY: Duration = Duration::from_millis(3_300);

/// Device at a TCP port that stops the referee during its first replies of games.
struct Device {
    place: String,
    /// Number of first replies that it still delays.
    delays: Arc<AtomicU32>,
    /// Process id of the referee, locked until the referee has started.
    referee: Arc<Mutex<u32>>,
}

impl Device {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let device = Self {
            place: format!("tcp:{}", listener.local_addr().unwrap()),
            delays: Arc::default(),
            referee: Arc::default(),
        };
        let (delays, referee) = (Arc::clone(&device.delays), Arc::clone(&device.referee));
        thread::spawn(move || {
            for stream in listener.incoming() {
                serve(&mut stream.unwrap(), &delays, &referee);
            }
        });
        device
    }

    /// Runs a referee against the device, which delays this number of first replies.
    fn run(&self, directory: &Path, words: &[&str], delays: u32) -> Output {
        self.delays.store(delays, Ordering::Relaxed);
        let mut referee = self.referee.lock().unwrap();
        let child = duoforge(directory, words).spawn().unwrap();
        *referee = child.id();
        drop(referee);
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(self.delays.load(Ordering::Relaxed), 0, "{err}");
        output
    }
}

fn serve(stream: &mut TcpStream, delays: &AtomicU32, referee: &Mutex<u32>) {
    let mut twin = Twin::new(TeamCode::new(*b"SL").unwrap(), Policy::default());
    let mut parser = HostCodeParser::new();
    let mut byte = [0];
    while stream.read_exact(&mut byte).is_ok() {
        let code = parser.feed(byte[0]).code;
        let Ok(Some(frame)) = ByteDevice::receive(&mut twin, byte[0]) else {
            continue;
        };
        let is_first = matches!(code, Some(HostCode::First { .. } | HostCode::Second { .. }));
        let is_delayed = is_first && delays.load(Ordering::Relaxed) > 0;
        let id = *referee.lock().unwrap();
        if is_delayed {
            delays.fetch_sub(1, Ordering::Relaxed);
            // By then the referee has sent the prompt and waits; before, the stop would not count.
            thread::sleep(Duration::from_millis(500));
            signal(id, Signal::SIGSTOP);
            thread::sleep(DELAY);
        }
        let sent = stream.write_all(&frame);
        if is_delayed {
            signal(id, Signal::SIGCONT);
        }
        if sent.is_err() {
            return;
        }
    }
}

/// Sends a signal without a further process, which would take time to start.
fn signal(id: u32, signal: Signal) {
    kill(Pid::from_raw(id.try_into().unwrap()), signal).unwrap();
}

fn history(directory: &Path) -> History {
    read(&directory.join("m.journal")).unwrap().history
}

#[test]
fn an_annulled_game_of_a_match_is_replayed() {
    let directory = tempdir().unwrap();
    let device = Device::start();
    let place = |name: &str| directory.path().join(name);
    let line = format!(
        "match {} random:1 --limit {LIMIT} --games 2 --json --journal m.journal --record games.txt \
         --log wire.txt",
        device.place
    );
    let words: Vec<_> = line.split(' ').collect();
    let output = device.run(directory.path(), &words, 1);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(err.contains("game 1 does not count: annulled"), "{err}");
    assert!(err.contains("the host stalled"), "{err}");
    let out = String::from_utf8_lossy(&output.stdout);
    let objects: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(objects.len(), 3, "{out}");
    assert_eq!(
        (&objects[2]["games"], &objects[2]["open"]),
        (&2.into(), &0.into())
    );
    let history = history(directory.path());
    let games: Vec<_> = history.ended().map(|(game, _)| game).collect();
    let attempts = games.iter().map(|game| game.begun.attempt);
    assert_eq!(attempts.collect::<Vec<_>>(), [2, 1]);
    assert!(games[0].annulled[0].starts_with("annulled while waiting for player 1"));
    assert!(history.finished);
    let list = fs::read_to_string(place("games.txt")).unwrap();
    assert_eq!(list.matches("# game ").count(), 2, "{list}");
    let log = fs::read_to_string(place("wire.txt")).unwrap();
    let titles = log.lines().filter(|line| line.starts_with("# game "));
    let titles: Vec<_> = titles.collect();
    assert_eq!(titles, ["# game 1, annulled", "# game 1", "# game 2"]);
}

/// A match stops after five annulled attempts at a game. Its journal can be continued.
#[test]
fn a_match_on_a_host_that_stalls_again_and_again_stops() {
    let directory = tempdir().unwrap();
    let device = Device::start();
    let line = format!(
        "match {} random:1 --limit {LIMIT} -q --journal m.journal",
        device.place
    );
    let words: Vec<_> = line.split(' ').collect();
    let output = device.run(directory.path(), &words, 5);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("duoforge::host"), "{err}");
    assert!(err.contains("game 1 was annulled 5 times"), "{err}");
    let game = &history(directory.path()).games[&1];
    assert_eq!(
        (game.is_annulled, game.annulled.len(), &game.ended),
        (true, 5, &None)
    );
    let output = device.run(directory.path(), &["resume", "m.journal", "-q"], 0);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{err}");
    let history = history(directory.path());
    assert_eq!(history.games[&1].begun.attempt, 6);
    assert!(history.finished && history.games[&1].ended.is_some());
}
