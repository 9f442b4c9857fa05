//! Devices that misbehave, each in a thread at the far end of a real pseudo-terminal.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod given;

use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use duoforge_links::wirelog::WireEvent;
use duoforge_links::{Link, LinkError, PtyLink, SerialLink};
use duoforge_protocol::{HostCode, HostCodeParser};
use duoforge_referee::{Ending, Game, Player, RefereeOptions, Seat};

/// Moves of the example in the contest's description; Fig. 6 shows the resulting position.
pub const EXAMPLE: [[&str; 3]; 2] = [["53e0", "21k7", "61a0"], ["a8e0", "94j0", "71b3"]];

/// Reaction of a device to a prompt that requires a reply.
#[derive(Clone, Debug)]
pub enum DeviceAction {
    /// Sends these bytes.
    Say(Vec<u8>),
    /// Sends these bytes after a delay.
    After(Duration, Vec<u8>),
    /// Sends these bytes one by one, with a pause before each.
    Trickle(Duration, Vec<u8>),
    /// Sends the first bytes at once and the others after a delay.
    Twice(Vec<u8>, Duration, Vec<u8>),
    /// Sends no bytes.
    Silence,
    /// Sends these bytes and disconnects.
    Vanish(Vec<u8>),
}

/// Creates an action that sends these bytes.
pub fn say(bytes: impl AsRef<[u8]>) -> DeviceAction {
    DeviceAction::Say(bytes.as_ref().to_vec())
}

/// Creates the actions for the prompts in succession, `0` first; after them the device passes.
pub fn actions(handshake: &str, moves: &[&str]) -> Vec<DeviceAction> {
    let mut actions = vec![say(handshake)];
    actions.extend(moves.iter().map(say));
    actions
}

/// Creates a device on a pseudo-terminal that performs these actions, one per prompt.
pub fn board(actions: Vec<DeviceAction>) -> Player {
    let mut link = PtyLink::open().unwrap();
    let path = link.path().to_str().unwrap().to_owned();
    // The thread ends when the host closes the link. It is not joined, so that a failing test
    // cannot hang.
    let _: JoinHandle<()> = thread::spawn(move || run(&mut link, actions));
    Player::board(SerialLink::open(&path).unwrap())
}

pub fn run(link: &mut PtyLink, actions: Vec<DeviceAction>) {
    let mut parser = HostCodeParser::new();
    let mut actions = actions.into_iter();
    let mut buf = [0; 64];
    loop {
        let bytes = match link.recv(&mut buf, Instant::now() + Duration::from_secs(60)) {
            Ok(received) => received.bytes.to_vec(),
            Err(LinkError::Closed) => return,
            Err(error) => panic!("{error}"),
        };
        for byte in bytes {
            let code = parser.feed(byte).code;
            if code.is_none_or(|code| code == HostCode::End) {
                continue;
            }
            let action = actions.next().unwrap_or_else(|| say("0000"));
            if let DeviceAction::Vanish(bytes) = &action {
                send(link, bytes);
                // Unread bytes in a pseudo-terminal are lost with its master.
                thread::sleep(Duration::from_millis(50));
                return;
            }
            act(link, action);
        }
    }
}

fn act(link: &mut PtyLink, action: DeviceAction) {
    match action {
        DeviceAction::Say(bytes) => send(link, &bytes),
        DeviceAction::After(pause, bytes) => {
            thread::sleep(pause);
            send(link, &bytes);
        }
        DeviceAction::Twice(first, pause, second) => {
            send(link, &first);
            thread::sleep(pause);
            send(link, &second);
        }
        DeviceAction::Trickle(pause, bytes) => {
            for byte in bytes {
                thread::sleep(pause);
                send(link, &[byte]);
            }
        }
        DeviceAction::Silence | DeviceAction::Vanish(_) => {}
    }
}

fn send(link: &mut PtyLink, bytes: &[u8]) {
    // The host may have disconnected.
    let _ = link.send(bytes);
}

/// The contest's options with a shorter limit, long enough for a busy machine. Replies that must be
/// in time have no pause before them, or a far shorter one.
pub fn rules(limit_ms: u64) -> RefereeOptions {
    RefereeOptions {
        limit: Duration::from_millis(limit_ms),
        pause: Duration::from_millis(50),
        ..RefereeOptions::default()
    }
}

/// Log entries of a player's connection, each as in `> 25` or `< 53e0`.
pub fn wire(game: &Game, seat: Seat) -> Vec<String> {
    let name = seat.number().to_string();
    let on_line = game.wire.iter().filter(|entry| entry.line == name);
    on_line
        .filter(|entry| matches!(entry.event, WireEvent::Chunk { .. }))
        .map(|entry| {
            let text = entry.to_string();
            let (_, rest) = text.split_once(&format!(" {name} ")).unwrap();
            rest.to_owned()
        })
        .collect()
}

/// Checks invariants of every game: both connections are logged from `0` to `9` in the order of
/// time, and the ending is noted.
pub fn check_log(game: &Game) {
    for seat in Seat::BOTH {
        let lines = wire(game, seat);
        assert_eq!(lines.first().map(String::as_str), Some("> 0"), "{lines:?}");
        let lost = |ending: &Ending| match ending {
            Ending::LinkLost { .. } => ending.loser() == Some(seat),
            Ending::NoHandshake { faults } => faults[seat].is_some(),
            _ => false,
        };
        if !lost(&game.ending) {
            assert!(lines.contains(&"> 9".to_owned()), "{lines:?}");
        }
    }
    assert!(game.wire.is_sorted_by_key(|entry| entry.wall));
    let ending = game.ending.to_string();
    let noted =
        |entry: &WireEvent| matches!(entry, WireEvent::Note(text) if text.starts_with(&ending));
    assert!(game.wire.iter().any(|entry| noted(&entry.event)));
}
