//! Devices that need a hard reset after the end of a game: real pseudo-terminals whose far end
//! ignores its line for a while after `9`.
#![cfg(unix)]

mod common;
#[path = "common/terminal.rs"]
mod terminal;

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use common::events::{duoforge, ended, wait_for};
use common::{run, text};
use duoforge_journal::read;
use duoforge_links::{Link, PtyLink};
use duoforge_protocol::{ByteDevice, HostCode, HostCodeParser, TeamCode};
use duoforge_twin::{Policy, Twin};
use tempfile::tempdir;
use terminal::received;

/// Time for which the device is deaf after `9`: longer than the three handshakes of the referee.
const DEAF: Duration = Duration::from_secs(4);

/// Reset that is declared for the device.
const RESET: Duration = Duration::from_millis(4500);

/// Device at a pseudo-terminal that hears nothing while it resets.
struct Device {
    place: String,
    /// Times of `9` and of the bytes that arrived during a reset.
    ends: Arc<Mutex<Vec<Instant>>>,
    dropped: Arc<Mutex<Vec<u8>>>,
    /// Times of `0` that the device received.
    greetings: Arc<Mutex<Vec<Instant>>>,
}

fn device() -> Device {
    let mut link = PtyLink::open().unwrap();
    let device = Device {
        place: text(link.path()).to_owned(),
        ends: Arc::default(),
        dropped: Arc::default(),
        greetings: Arc::default(),
    };
    let (ends, dropped, greetings) = (
        Arc::clone(&device.ends),
        Arc::clone(&device.dropped),
        Arc::clone(&device.greetings),
    );
    let new = || Twin::new(TeamCode::new(*b"RS").unwrap(), Policy::default());
    thread::spawn(move || {
        let (mut twin, mut parser) = (new(), HostCodeParser::new());
        let mut deaf_until = Instant::now();
        loop {
            for byte in received(&mut link) {
                let now = Instant::now();
                if now < deaf_until {
                    dropped.lock().unwrap().push(byte);
                    continue;
                }
                match parser.feed(byte).code {
                    Some(HostCode::End) => {
                        ends.lock().unwrap().push(now);
                        deaf_until = now + DEAF;
                        (twin, parser) = (new(), HostCodeParser::new());
                        continue;
                    }
                    Some(HostCode::Handshake) => greetings.lock().unwrap().push(now),
                    _ => {}
                }
                if let Ok(Some(frame)) = ByteDevice::receive(&mut twin, byte) {
                    link.send(&frame).unwrap();
                }
            }
        }
    });
    device
}

impl Device {
    /// Checks that `games` games were played after `tests` input tests, and that no byte arrived
    /// during a reset.
    fn check(&self, games: usize, tests: usize) {
        let ends = self.ends.lock().unwrap();
        let greetings = self.greetings.lock().unwrap();
        assert_eq!((ends.len(), greetings.len()), (games, games + tests));
        assert_eq!(*self.dropped.lock().unwrap(), b"");
        for (end, next) in ends.iter().zip(&greetings[1 + tests..]) {
            let waited = next.duration_since(*end);
            assert!(waited >= RESET - Duration::from_millis(20), "{waited:?}");
            assert!(waited < RESET + Duration::from_secs(5), "{waited:?}");
        }
    }
}

fn profile(directory: &Path, device: &Device, rest: &str) -> String {
    let path = directory.join("profiles.toml");
    let place = &device.place;
    let table = format!("[board]\ndevice = \"{place}\"\n{rest}\n");
    fs::write(&path, table).unwrap();
    text(&path).to_owned()
}

#[test]
fn a_match_waits_for_the_reset_counts_it_and_shows_it() {
    let directory = tempdir().unwrap();
    let device = device();
    let file = profile(directory.path(), &device, "reset = \"4500ms\"");
    let [journal, log] = ["m.journal", "wire.txt"].map(|name| directory.path().join(name));
    let said = run(&[
        "match",
        "board",
        "pattern",
        "--games",
        "3",
        "--profiles",
        &file,
        "--json",
        "--journal",
        text(&journal),
        "--log",
        text(&log),
    ]);
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
    device.check(3, 0);
    assert_eq!(
        said.err.matches(" s for the reset of player 1").count(),
        2,
        "{}",
        said.err
    );
    let lines = said.json();
    let waited: Vec<_> = lines[..3]
        .iter()
        .map(|game| game["reset_us"][0].as_u64().unwrap_or(0))
        .collect();
    assert_eq!(waited[0], 0);
    for us in &waited[1..] {
        assert!((3_000_000..4_600_000).contains(us), "{waited:?}");
    }
    assert_eq!(lines[3]["resets"], serde_json::json!([2, 0]));
    assert_eq!(
        lines[3]["reset_us"],
        serde_json::json!([waited[1] + waited[2], 0])
    );
    // The journal and the wire log hold the waits, too.
    let history = read(&journal).unwrap().history;
    let kept: Vec<bool> = history
        .games
        .values()
        .map(|game| game.begun.reset_us[0] > 0)
        .collect();
    assert_eq!(kept, [false, true, true]);
    let log = fs::read_to_string(log).unwrap();
    assert_eq!(log.matches(" s for the reset").count(), 2, "{log}");
}

#[test]
fn without_the_key_the_same_device_has_no_handshake() {
    let directory = tempdir().unwrap();
    let device = device();
    let file = profile(directory.path(), &device, "");
    let said = run(&[
        "match",
        "board",
        "pattern",
        "--games",
        "2",
        "--profiles",
        &file,
        "-q",
    ]);
    assert_eq!(said.status, 1, "{}{}", said.out, said.err);
    assert!(said.out.contains("handshake"), "{}", said.out);
    assert!(device.dropped.lock().unwrap().contains(&b'0'));
}

#[test]
fn a_tournament_waits_for_the_reset_between_games() {
    let directory = tempdir().unwrap();
    let device = device();
    let plan = format!(
        "event = \"Reset\"\nformat = \"gauntlet\"\n\
         [[player]]\nname = \"Board\"\nspec = \"{}\"\nreset = \"4500ms\"\n\
         [[player]]\nspec = \"random:1\"\n[[player]]\nspec = \"random:2\"\n",
        device.place
    );
    fs::write(directory.path().join("cup.toml"), plan).unwrap();
    let output = duoforge(directory.path(), &["tournament", "cup.toml", "-q"])
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{err}");
    device.check(4, 1);
    assert_eq!(err.matches(" s for the reset of Board").count(), 3, "{err}");
    let history = read(&directory.path().join("cup.journal")).unwrap().history;
    let games: Vec<_> = history.games.values().collect();
    assert!(
        games.iter().all(|game| game.begun.attempt == 1),
        "{games:?}"
    );
    let waits = games
        .iter()
        .filter(|game| game.begun.reset_us != [0, 0])
        .count();
    assert_eq!(waits, 3);
}

#[test]
fn a_wait_ends_at_an_interruption_and_a_resumed_match_waits_again() {
    let directory = tempdir().unwrap();
    let device = device();
    let journal = directory.path().join("m.journal");
    let arguments = "match board pattern --games 2 --profiles profiles.toml -q --journal m.journal";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    profile(directory.path(), &device, "reset = \"1h\"");
    let child = duoforge(directory.path(), &arguments).spawn().unwrap();
    wait_for(|| ended(&journal).len() == 1);
    thread::sleep(Duration::from_millis(500));
    let begin = Instant::now();
    let status = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(begin.elapsed() < Duration::from_secs(30), "{err}");
    assert!(err.contains("s for the reset of player 1"), "{err}");
    assert_eq!(read(&journal).unwrap().history.games.len(), 1);
    profile(directory.path(), &device, "reset = \"4500ms\"");
    let begin = Instant::now();
    let output = duoforge(directory.path(), &["resume"]).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(begin.elapsed() >= RESET, "{:?}", begin.elapsed());
    assert!(err.contains("s for the reset of player 1"), "{err}");
    assert_eq!(ended(&journal).len(), 2);
}
