//! Devices that disappear at `0`, before a game has begun, and return.
#![cfg(unix)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use duoforge_links::{Link, LinkError, PtyLink, ReconnectingLink, SerialLink};
use duoforge_referee::{
    Ending, Fault, Player, Referee, RefereeOptions, Seat, SeatError, SeatedDevice, Setup,
};
use tempfile::tempdir;

/// Starts a device at a path that disappears at a `0` if `goes` returns true, and replies to it
/// otherwise. It replies to no prompt for a move.
fn start(path: &Path, mut goes: impl FnMut() -> bool + Send + 'static, returns: bool) {
    let mut link = PtyLink::open_at(path).unwrap();
    let path = path.to_owned();
    thread::spawn(move || {
        loop {
            greeted(&mut link);
            if !goes() {
                link.send(b"1AA").unwrap();
                continue;
            }
            // By then the host has sent the `0` and waits for the reply.
            thread::sleep(Duration::from_millis(300));
            drop(link);
            if !returns {
                return;
            }
            link = PtyLink::open_at(&path).unwrap();
        }
    });
}

/// Returns a function that returns true this number of times.
fn times(mut left: u32) -> impl FnMut() -> bool + Send + 'static {
    move || {
        let goes = left > 0;
        left = left.saturating_sub(1);
        goes
    }
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
    start(&path, times(2), true);
    let mut device = SeatedDevice::new(player(&path, PATIENCE), Seat::One, OPTIONS);
    assert_eq!(device.begin().unwrap().to_string(), "AA");
}

#[test]
fn a_device_that_stays_away_is_awaited_once() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("board");
    start(&path, times(1), false);
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

/// A device that disappears at all `0`s of a game can play the next one.
#[test]
fn a_device_that_disappears_in_all_handshakes_plays_the_next_game() {
    let directory = tempdir().unwrap();
    let paths = ["one", "two"].map(|name| directory.path().join(name));
    let is_first_game = Arc::new(AtomicBool::new(true));
    let goes = Arc::clone(&is_first_game);
    start(&paths[0], move || goes.load(Ordering::SeqCst), true);
    start(&paths[1], || false, true);
    let players = [0, 1].map(|seat| player(&paths[seat], PATIENCE));
    let options = RefereeOptions {
        limit: Duration::from_secs(3),
        ..OPTIONS
    };
    let mut referee = Referee::new(players, options);
    // The second setup is requested after the first game.
    let setups = [true, false].into_iter().map(|is_first| {
        is_first_game.store(is_first, Ordering::SeqCst);
        Setup::default()
    });
    let games = referee.series(setups, &mut ()).unwrap();
    let endings: Vec<_> = games.iter().map(|game| game.ending.word()).collect();
    assert_eq!(endings, ["no-handshake", "timeout"]);
    let Ending::NoHandshake { faults } = &games[0].ending else {
        unreachable!("the word is that of this ending")
    };
    assert!(matches!(&faults.0, [Some(Fault::Lost(_)), None]));
}
