//! Devices that send line ends without end: programs, and peers on TCP and on a pseudo-terminal.
#![cfg(unix)]

mod common;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use common::rules;
use duoforge_links::wirelog::WireEntry;
use duoforge_links::{DRAIN_LIMIT, ExecLink, Link, PtyLink, SerialLink, TcpLink};
use duoforge_players::software;
use duoforge_referee::{
    Ending, HandshakeError, Player, Referee, Seat, Seats, Setup, check_player, check_players,
};

/// Shell code that replies to the handshake before each game, and floods after it.
const AFTER_HANDSHAKE: &str = "head -c 1 >/dev/null; printf 1AA; head -c 2 >/dev/null; yes ''";

fn program(script: &str) -> Player {
    let words = ["/bin/sh", "-c", script].map(str::to_owned);
    Player::board(ExecLink::start(&words).unwrap())
}

/// Peer on TCP that sends `first` after the first byte it receives, and then line feeds.
fn peer(first: &'static [u8]) -> Player {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 1]);
        let _ = stream.write_all(first);
        // The thread ends when the host closes the connection.
        while stream.write_all(&[b'\n'; 1000]).is_ok() {}
    });
    let deadline = Instant::now() + Duration::from_secs(20);
    Player::board(TcpLink::connect(&address, deadline).unwrap())
}

/// Device on a pseudo-terminal that sends line ends.
fn terminal() -> Player {
    let mut link = PtyLink::open().unwrap();
    let path = link.path().to_str().unwrap().to_owned();
    let host = SerialLink::open(&path).unwrap();
    // A send fails once the host has closed the link.
    thread::spawn(move || while link.send(&[b'\r'; 100]).is_ok() {});
    Player::board(host)
}

/// The flood counts as silence, and the wire log stays small.
#[test]
fn a_flood_of_line_ends_loses_on_time() {
    for player in [program(AFTER_HANDSHAKE), peer(b"1AA")] {
        let mut referee = Referee::new([player, software::pattern()], rules(300));
        let game = referee.play(Setup::default(), &mut ()).unwrap();
        let ending = &game.ending;
        assert!(
            matches!(ending, Ending::Timeout { seat: Seat::One, late } if late.after.is_none()),
            "{ending}"
        );
        let bytes = game.wire.iter().filter_map(WireEntry::bytes);
        let bytes: usize = bytes.map(<[u8]>::len).sum();
        assert!(bytes < 10 * DRAIN_LIMIT, "{bytes}");
    }
}

#[test]
fn a_flood_of_line_ends_is_not_a_handshake() {
    let limit = Duration::from_millis(100);
    for mut player in [program("yes ''"), peer(b""), terminal()] {
        let team = check_player(&mut player, limit);
        assert!(
            matches!(team, Err(HandshakeError::Silent { .. })),
            "{team:?}"
        );
    }
}

/// The connection that is monitored during the other player's handshake may send without end.
#[test]
fn a_flood_does_not_delay_the_handshake_of_the_other_player() {
    let mut players = [software::pattern(), program("yes ''")];
    let teams = check_players(&mut players, Seats([None; 2]), Duration::from_millis(100));
    let is_second = matches!(
        teams,
        Err(HandshakeError::Silent {
            seat: Seat::Two,
            ..
        })
    );
    assert!(is_second, "{teams:?}");
}
