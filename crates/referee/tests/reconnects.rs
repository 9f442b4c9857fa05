//! Devices that disappear at `0`, before a game has begun, and return.
#![cfg(unix)]

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use duoforge_links::{Link, LinkError, PtyLink, ReconnectingLink, SerialLink};
use duoforge_referee::{
    Ending, Fault, Player, Referee, RefereeOptions, Seat, SeatError, SeatedDevice, Setup,
};
use tempfile::tempdir;

/// Starts a device at a path that disappears at its first `0`s, this number of times, and replies to
/// the next one. It replies to no prompt for a move.
fn start(path: &Path, disappearances: u32, returns: bool) {
    let mut link = PtyLink::open_at(path).unwrap();
    let path = path.to_owned();
    thread::spawn(move || {
        for _ in 0..disappearances {
            greeted(&mut link);
            drop(link);
            if !returns {
                return;
            }
            link = PtyLink::open_at(&path).unwrap();
        }
        loop {
            greeted(&mut link);
            link.send(b"1AA").unwrap();
        }
    });
}

/// Waits until the device receives `0`.
fn greeted(link: &mut PtyLink) {
    let mut buffer = [0];
    loop {
        match link.recv(&mut buffer, Instant::now() + Duration::from_secs(3_600)) {
            Ok(received) if received.bytes == b"0" => return,
            // The host has closed the terminal.
            Ok(_) | Err(LinkError::Closed) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

fn player(path: &Path, patience: Duration) -> Player {
    let path = path.to_str().unwrap().to_owned();
    let reopen =
        Box::new(move || SerialLink::open(&path).map(|link| Box::new(link) as Box<dyn Link>));
    Player::returning(ReconnectingLink::open(reopen, patience).unwrap())
}

const PATIENCE: Duration = Duration::from_secs(60);

const OPTIONS: RefereeOptions = RefereeOptions {
    limit: Duration::from_secs(20),
    handshakes: 3,
    pause: Duration::from_millis(10),
};

#[test]
fn a_seated_device_that_disappears_before_its_team_code_begins_its_game() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("board");
    start(&path, 2, true);
    let mut device = SeatedDevice::new(player(&path, PATIENCE), Seat::One, OPTIONS);
    assert_eq!(device.begin().unwrap().to_string(), "AA");
}

#[test]
fn a_device_that_stays_away_is_awaited_once() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("board");
    start(&path, 1, false);
    let patience = Duration::from_millis(200);
    let mut device = SeatedDevice::new(player(&path, patience), Seat::One, OPTIONS);
    let error = device.begin().unwrap_err();
    assert!(matches!(error, SeatError::Fault(Fault::Lost(_))), "{error}");
    // Two prompts: the one that the device received, and the one that could not be sent.
    let entries = device.log().entries();
    let repeated = entries.iter().map(ToString::to_string);
    let repeated = repeated.filter(|entry| entry.contains("! no handshake: "));
    assert_eq!(repeated.count(), 1);
}

/// A device that disappears at all three `0`s of a game can play the next one.
#[test]
fn a_device_that_disappears_in_all_handshakes_plays_the_next_game() {
    let directory = tempdir().unwrap();
    let paths = ["one", "two"].map(|name| directory.path().join(name));
    start(&paths[0], 3, true);
    start(&paths[1], 0, true);
    let players = [0, 1].map(|seat| player(&paths[seat], PATIENCE));
    let options = RefereeOptions {
        limit: Duration::from_secs(3),
        ..OPTIONS
    };
    let mut referee = Referee::new(players, options);
    let games = referee.series([Setup::default(); 2], &mut ()).unwrap();
    let endings: Vec<_> = games.iter().map(|game| game.ending.word()).collect();
    assert_eq!(endings, ["no-handshake", "timeout"]);
    let Ending::NoHandshake { faults } = &games[0].ending else {
        unreachable!("the word is that of this ending")
    };
    assert!(matches!(&faults.0, [Some(Fault::Lost(_)), None]));
}
