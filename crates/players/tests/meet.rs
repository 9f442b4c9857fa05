//! Handshake before a match, over real pseudo-terminals.
#![cfg(unix)]

mod common;

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use common::{DeviceAction, actions, board, rules, say};
use duoforge_links::{Link, LinkError, PtyLink, Received, ReconnectingLink, Sent, SerialLink};
use duoforge_players::software;
use duoforge_protocol::TeamCode;
use duoforge_referee::{
    Ending, HandshakeError, Player, Referee, Seat, Seats, Setup, check_players,
};

const LIMIT: Duration = Duration::from_millis(400);

fn team(letters: &str) -> Option<TeamCode> {
    Some(letters.parse().unwrap())
}

fn met(
    one: DeviceAction,
    two: DeviceAction,
    expected: [Option<TeamCode>; 2],
) -> Result<Seats<TeamCode>, HandshakeError> {
    let mut players = [one, two].map(|action| board(vec![action.clone(), action]));
    check_players(&mut players, Seats(expected), LIMIT)
}

#[test]
fn the_right_players_meet() {
    let teams = met(say("1AA"), say("1BB\r\n"), [team("AA"), None]).unwrap();
    assert_eq!(teams.0.map(Some), [team("AA"), team("BB")]);
}

#[test]
fn whoever_is_not_as_expected_is_noticed_with_its_own_error() {
    let error = met(say("1AA"), say("1BB"), [team("BB"), team("AA")]).unwrap_err();
    assert!(matches!(error, HandshakeError::Swapped { .. }), "{error}");
    let error = met(say("1AA"), say("1CC"), [team("AA"), team("BB")]).unwrap_err();
    assert!(
        matches!(
            error,
            HandshakeError::OtherTeam {
                seat: Seat::Two,
                ..
            }
        ),
        "{error}"
    );
    let error = met(say("1AA"), DeviceAction::Silence, [None; 2]).unwrap_err();
    assert!(
        matches!(
            error,
            HandshakeError::Silent {
                seat: Seat::Two,
                ..
            }
        ),
        "{error}"
    );
    // Bytes of a device at 57,600 baud as a host at 115,200 receives them.
    let error = met(say(b"\x66\x80\xfe"), say("1BB"), [None; 2]).unwrap_err();
    assert!(
        matches!(
            error,
            HandshakeError::Garbage {
                seat: Seat::One,
                ..
            }
        ),
        "{error}"
    );
    let error = met(say("HELLO"), say("1BB"), [None; 2]).unwrap_err();
    assert!(
        matches!(
            error,
            HandshakeError::Broken {
                seat: Seat::One,
                ..
            }
        ),
        "{error}"
    );
}

/// A reply is complete with its last letter. The limit of a day would hang the test.
#[test]
fn the_right_players_meet_at_once() {
    let mut players = [say("\r\n1AA"), say("1BB\r\n")].map(|action| board(vec![action]));
    let day = Duration::from_secs(24 * 3_600);
    let teams = check_players(&mut players, Seats([None; 2]), day).unwrap();
    assert_eq!(teams.0.map(Some), [team("AA"), team("BB")]);
}

/// A player that returns after a lost link.
#[test]
fn a_returning_player_reconnects() {
    let directory = tempfile::tempdir().unwrap();
    let plugged = Plugged(directory.path().join("board"));
    plugged.start(vec![actions("1AA", &[])], Duration::ZERO);
    let player = plugged.player(Duration::from_secs(20));
    assert!(player.reconnects() && player.needs_pause() && player.is_timed());
}

/// One device whose replies reach the host on two links.
#[test]
fn one_device_behind_two_lines_is_noticed() {
    let [mut first, mut second] = [PtyLink::open().unwrap(), PtyLink::open().unwrap()];
    let players = [&first, &second]
        .map(|link| Player::board(SerialLink::open(link.path().to_str().unwrap()).unwrap()));
    thread::spawn(move || {
        loop {
            let mut buf = [0; 8];
            let deadline = Instant::now() + Duration::from_secs(30);
            if first.recv(&mut buf, deadline).is_err() {
                return;
            }
            for link in [&mut first, &mut second] {
                let _ = link.send(b"1AA");
            }
        }
    });
    let mut players = players;
    let error = check_players(&mut players, Seats([None; 2]), LIMIT).unwrap_err();
    assert!(
        matches!(error, HandshakeError::SameDevice { .. }),
        "{error}"
    );
}

/// Link to a device whose replies reach the host on two links. A wait that ends before the last
/// prompt receives nothing.
struct Shared {
    own: usize,
    reply: &'static [u8],
    inboxes: Arc<Mutex<[Vec<u8>; 2]>>,
    sent: Arc<Mutex<Instant>>,
}

impl Link for Shared {
    fn send(&mut self, _: &[u8]) -> Result<Sent, LinkError> {
        for inbox in &mut *self.inboxes.lock().unwrap() {
            inbox.extend(self.reply);
        }
        let at = Instant::now();
        *self.sent.lock().unwrap() = at;
        let simulated = None;
        Ok(Sent { at, simulated })
    }

    fn recv<'b>(&mut self, buf: &'b mut [u8], end: Instant) -> Result<Received<'b>, LinkError> {
        let bytes = std::mem::take(&mut self.inboxes.lock().unwrap()[self.own]);
        if bytes.is_empty() || end < *self.sent.lock().unwrap() {
            return Err(LinkError::Timeout);
        }
        buf[..bytes.len()].copy_from_slice(&bytes);
        Ok(Received {
            bytes: &buf[..bytes.len()],
            at: Instant::now(),
            simulated: None,
        })
    }

    fn describe(&self) -> String {
        "shared".to_owned()
    }
}

/// The other connection is monitored for a while after each handshake.
#[test]
fn a_reply_on_the_other_line_is_noticed_after_the_handshake() {
    for reply in [&b"1AA"[..], b"1AA\r\n"] {
        let (inboxes, sent) = (Arc::default(), Arc::new(Mutex::new(Instant::now())));
        let mut players = [0, 1].map(|own| {
            Player::board(Shared {
                own,
                reply,
                inboxes: Arc::clone(&inboxes),
                sent: Arc::clone(&sent),
            })
        });
        let error = check_players(&mut players, Seats([None; 2]), LIMIT).unwrap_err();
        assert!(
            matches!(error, HandshakeError::SameDevice { .. }),
            "{error}"
        );
    }
}

/// Device at a path that disappears and returns.
struct Plugged(std::path::PathBuf);

impl Plugged {
    /// Serves these actions in turn, one list for each life of the device, with a pause between two
    /// lives.
    fn start(&self, lives: Vec<Vec<DeviceAction>>, away: Duration) {
        let path = self.0.clone();
        thread::spawn(move || {
            for actions in lives {
                let mut link = PtyLink::open_at(&path).unwrap();
                common::run(&mut link, actions);
                drop(link);
                thread::sleep(away);
            }
        });
        while !self.0.exists() {
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn player(&self, patience: Duration) -> Player {
        let path = self.0.to_str().unwrap().to_owned();
        let reopen =
            Box::new(move || SerialLink::open(&path).map(|link| Box::new(link) as Box<dyn Link>));
        Player::returning(ReconnectingLink::open(reopen, patience).unwrap())
    }
}

#[test]
fn a_device_that_vanishes_in_a_game_loses_it_and_plays_the_next_one() {
    let directory = tempfile::tempdir().unwrap();
    let plugged = Plugged(directory.path().join("board"));
    let mut first = actions("1AA", &["53e0"]);
    first.push(DeviceAction::Vanish(Vec::new()));
    let second = actions("1AA", &["53e0", "0000"]);
    plugged.start(vec![first, second], Duration::from_millis(300));
    let players = [plugged.player(Duration::from_secs(20)), software::twin()];
    let mut referee = Referee::new(players, rules(3000));
    let games = referee.series(vec![Setup::default(); 2], &mut ()).unwrap();
    assert_eq!(games.len(), 2);
    assert!(
        matches!(
            games[0].ending,
            Ending::LinkLost {
                seat: Seat::One,
                ..
            }
        ),
        "{}",
        games[0].ending
    );
    assert_eq!(games[0].plies.len(), 2);
    assert!(games[1].plies.len() > 2, "{}", games[1].ending);
}

#[test]
fn a_device_that_does_not_come_back_is_no_handshake() {
    let directory = tempfile::tempdir().unwrap();
    let plugged = Plugged(directory.path().join("board"));
    plugged.start(vec![vec![DeviceAction::Vanish(Vec::new())]], Duration::ZERO);
    let players = [plugged.player(Duration::from_millis(200)), software::twin()];
    let mut referee = Referee::new(players, rules(1000));
    let games = referee.series(vec![Setup::default(); 3], &mut ()).unwrap();
    assert_eq!(games.len(), 1);
    assert!(
        matches!(games[0].ending, Ending::NoHandshake { .. }),
        "{}",
        games[0].ending
    );
}
