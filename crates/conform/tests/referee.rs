//! The referee distinguishes the mocks by the endings of their games, over pipes and over
//! pseudo-terminals.
#![cfg(unix)]

mod common;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::{command, player};
use duoforge_conform::mock::MockKind;
use duoforge_links::SerialLink;
use duoforge_players::software;
use duoforge_protocol::ReplyError;
use duoforge_referee::{
    BrokenCode, Ending, Game, LateReply, LinkLoss, Player, Referee, RefereeOptions, Seat, Setup,
};
use duoforge_rules::{CodeError, IllegalMove};

const LIMIT: Duration = Duration::from_millis(800);

fn rules() -> RefereeOptions {
    RefereeOptions {
        limit: LIMIT,
        // Long enough for late bytes.
        pause: LIMIT / 2,
        ..RefereeOptions::default()
    }
}

fn against_twin(mock: Player) -> Game {
    let mut referee = Referee::new([mock, software::twin()], rules());
    referee.play(Setup::default(), &mut ()).unwrap()
}

fn game(kind: MockKind) -> Game {
    against_twin(player(kind, LIMIT).unwrap())
}

/// Mock on a pseudo-terminal; its process ends when this value is dropped.
struct Terminal(Child, String);

impl Terminal {
    fn start(kind: MockKind) -> Self {
        let words = command(kind, LIMIT);
        let mut child = Command::new(&words[0])
            .args(&words[1..])
            .arg("--pty")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut path = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut path).unwrap();
        Self(child, path.trim().to_owned())
    }

    fn player(&self) -> Player {
        Player::board(SerialLink::open(&self.1).unwrap())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn check(kind: MockKind, game: &Game) {
    use MockKind as Kind;
    let seat = Seat::One;
    let ending = &game.ending;
    let right = match (kind, ending) {
        (Kind::Correct, ending) => ending.is_normal(),
        (Kind::Crash | Kind::Vanish, Ending::LinkLost { reason, .. }) => {
            // The log contains the received part of the reply.
            let half = |entry: &duoforge_links::wirelog::WireEntry| {
                entry.line == "1"
                    && entry.to_string().contains(" 1 < ")
                    && entry.bytes().is_some_and(|it| it.len() == 2)
            };
            let half = game.wire.iter().any(half);
            // A terminal hides the exit status of the mock, a pipe does not.
            let status = if kind == Kind::Crash { 101 } else { 0 };
            let gone = match reason {
                LinkLoss::Ended(text) => {
                    *text == format!("the program ended with exit status {status}")
                }
                reason => *reason == LinkLoss::Closed,
            };
            gone && half == (kind == Kind::Vanish)
        }
        (Kind::Stall, Ending::Timeout { late, .. }) => {
            late.received.is_empty() && game.unsolicited.is_empty()
        }
        (Kind::Late, Ending::Timeout { late, .. }) => {
            late.received.is_empty()
                && game
                    .unsolicited
                    .iter()
                    .any(|unsolicited| unsolicited.bytes.len() == 4)
        }
        (Kind::BreakOff, Ending::Timeout { late, .. }) => {
            late.received.len() == 3 && game.unsolicited.is_empty()
        }
        (
            Kind::Trickle,
            Ending::Timeout {
                late: LateReply { received, .. },
                ..
            },
        ) => (1..4).contains(&received.len()) && !game.unsolicited.is_empty(),
        (kind, Ending::BrokenCode { reason, .. }) => matches!(
            (kind, reason),
            (
                Kind::Capitals,
                BrokenCode::Code {
                    error: CodeError::Column(_) | CodeError::Row(_) | CodeError::Tile(_),
                    ..
                }
            ) | (
                Kind::Malformed,
                BrokenCode::Code {
                    error: CodeError::Column(b'z'),
                    ..
                }
            ) | (
                Kind::Spaces,
                BrokenCode::Reply(ReplyError::Space { position: 2 })
            ) | (
                Kind::Control,
                BrokenCode::Reply(ReplyError::NotPrintable { byte: 0xeb, .. })
            )
        ),
        (kind, Ending::Illegal { reason, .. }) => matches!(
            (kind, reason),
            (Kind::PassFirst, IllegalMove::PassOnFirstTurn)
                | (Kind::OffBoard, IllegalMove::OffBoard)
                | (Kind::Overlap, IllegalMove::Occupied { .. })
                | (Kind::Edge, IllegalMove::EdgeContact { .. })
                | (Kind::NoCorner, IllegalMove::NoCornerContact)
                | (Kind::UsedTile, IllegalMove::TileUsed { .. })
                | (Kind::StartCell, IllegalMove::StartCellMissed { .. })
        ),
        _ => false,
    };
    assert!(right, "{kind:?}: {ending}, {:?}", game.unsolicited);
    if kind != Kind::Correct {
        assert_eq!(ending.loser(), Some(seat), "{kind:?}: {ending}");
    }
}

const KINDS: [MockKind; 18] = [
    MockKind::Correct,
    MockKind::Crash,
    MockKind::Vanish,
    MockKind::Stall,
    MockKind::BreakOff,
    MockKind::Trickle,
    MockKind::Late,
    MockKind::Capitals,
    MockKind::Spaces,
    MockKind::Control,
    MockKind::Malformed,
    MockKind::PassFirst,
    MockKind::OffBoard,
    MockKind::Overlap,
    MockKind::Edge,
    MockKind::NoCorner,
    MockKind::UsedTile,
    MockKind::StartCell,
];

#[test]
fn mocks_behind_pipes_are_told_apart() {
    std::thread::scope(|scope| {
        for kind in KINDS {
            scope.spawn(move || check(kind, &game(kind)));
        }
    });
}

#[test]
fn mocks_behind_pseudo_terminals_are_told_apart() {
    std::thread::scope(|scope| {
        for kind in KINDS {
            scope.spawn(move || {
                let mock = Terminal::start(kind);
                check(kind, &against_twin(mock.player()));
            });
        }
    });
}

/// The contest's host accepts such a pass; only the conformance checks report it.
#[test]
fn a_pass_that_is_not_forced_is_no_fault_from_the_third_turn_on() {
    let game = game(MockKind::PassEarly);
    assert!(game.ending.is_normal(), "{}", game.ending);
    assert!(
        game.plies
            .iter()
            .any(|ply| &ply.code == b"0000" && ply.legal > 0)
    );
}
