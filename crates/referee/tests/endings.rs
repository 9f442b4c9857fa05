//! Every ending, for both seats: its keyword, its loser, its effect on the result and its sentence.

use std::time::Duration;

use duoforge_links::LinkError;
use duoforge_protocol::ReplyError;
use duoforge_referee::{
    BrokenCode, Ending, Fault, HostStall, LateReply, LinkLoss, Outcome, RefereeError, Seat, Seats,
    StalledWait, Tally,
};
use duoforge_rules::{CodeError, IllegalMove};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// Effect of an ending on the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decides {
    /// The scores decide.
    Scores,
    /// The seat loses by a violation.
    Loses,
    /// The seat loses without a violation.
    GivesUp,
    /// No player wins, because of a violation before the game began.
    Nothing,
    /// No player wins, and no player is at fault.
    NoFault,
}

/// Row of the table. The sentence is that of player 1; for player 2 it contains 2 instead of 1.
type Row = (Ending, &'static str, Decides, &'static str);

fn late(received: &[u8], after: Option<Duration>) -> LateReply {
    LateReply {
        received: received.to_vec(),
        after,
        limit: MS(1_000),
    }
}

fn uncertain(stopped: Duration, suspended: Duration, after: Option<Duration>) -> StalledWait {
    StalledWait {
        stall: HostStall { stopped, suspended },
        after,
        limit: MS(1_500),
    }
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn table(seat: Seat) -> Vec<Row> {
    use Decides::{GivesUp, Loses, NoFault, Nothing, Scores};
    let none = Duration::ZERO;
    let zero = Duration::from_secs(62);
    let fault = |fault| {
        let mut faults = Seats([None, None]);
        faults[seat] = Some(fault);
        Ending::NoHandshake { faults }
    };
    let code = *b"A1k7";
    let error = CodeError::Column(b'A');
    let reply = ReplyError::MissingOne { found: b'2' };
    vec![
        (
            Ending::BothPassed,
            "both-passed",
            Scores,
            "both players passed",
        ),
        (
            Ending::AllPlaced { seat },
            "all-placed",
            Scores,
            "player 1 placed every tile",
        ),
        (
            Ending::Illegal {
                seat,
                code: *b"11u0",
                reason: IllegalMove::OffBoard,
            },
            "illegal",
            Loses,
            "illegal move 11u0 of player 1: the tile reaches beyond the board",
        ),
        (
            Ending::BrokenCode {
                seat,
                reason: BrokenCode::Code { code, error },
            },
            "broken-code",
            Loses,
            "broken code of player 1: 'A1k7': 'A' is not a column (1-9, then a, b, c, ...)",
        ),
        (
            Ending::BrokenCode {
                seat,
                reason: BrokenCode::Reply(ReplyError::Space { position: 2 }),
            },
            "broken-code",
            Loses,
            "broken code of player 1: a space stands at position 2 of the answer",
        ),
        (
            Ending::Timeout {
                seat,
                late: late(b"", None),
            },
            "timeout",
            Loses,
            "player 1 exceeded the time limit: nothing came within 1 s",
        ),
        (
            Ending::Timeout {
                seat,
                late: late(b"94\xff", None),
            },
            "timeout",
            Loses,
            "player 1 exceeded the time limit: only '94\\xff' came within 1 s",
        ),
        (
            Ending::Timeout {
                seat,
                late: late(b"94j0", Some(Duration::from_micros(1_000_001))),
            },
            "timeout",
            Loses,
            "player 1 exceeded the time limit: '94j0' was complete after 1.000001 s of 1 s",
        ),
        (
            Ending::Timeout {
                seat,
                late: late(b"", Some(Duration::from_micros(1_000_001))),
            },
            "timeout",
            Loses,
            "player 1 exceeded the time limit: the reply was complete after 1.000001 s of 1 s",
        ),
        (
            Ending::LinkLost {
                seat,
                reason: LinkLoss::Closed,
            },
            "link-lost",
            Loses,
            "link to player 1 lost: the other end has gone",
        ),
        (
            Ending::LinkLost {
                seat,
                reason: LinkLoss::Blocked,
            },
            "link-lost",
            Loses,
            "link to player 1 lost: the other end takes no bytes",
        ),
        (
            Ending::LinkLost {
                seat,
                reason: LinkLoss::Ended("the program ended with exit status 3".to_owned()),
            },
            "link-lost",
            Loses,
            "link to player 1 lost: the program ended with exit status 3",
        ),
        (
            Ending::LinkLost {
                seat,
                reason: LinkLoss::Failed("input/output error".to_owned()),
            },
            "link-lost",
            Loses,
            "link to player 1 lost: input/output error",
        ),
        (
            Ending::Resigned { seat },
            "resigned",
            GivesUp,
            "player 1 resigned",
        ),
        (
            Ending::Annulled {
                seat,
                reason: uncertain(MS(250), none, Some(MS(1_600))),
            },
            "annulled",
            NoFault,
            "annulled while waiting for player 1: the host stalled for 0.250 s; the answer was there \
             after 1.600 s of 1.5 s",
        ),
        (
            Ending::Annulled {
                seat,
                reason: uncertain(MS(250), zero, None),
            },
            "annulled",
            NoFault,
            "annulled while waiting for player 1: the machine was suspended for 62.0 s; no answer came \
             within 1.5 s",
        ),
        (
            fault(Fault::Timeout(late(b"1", None))),
            "no-handshake",
            Nothing,
            "no handshake: player 1: only '1' came within 1 s",
        ),
        (
            fault(Fault::Broken(BrokenCode::Reply(reply))),
            "no-handshake",
            Nothing,
            "no handshake: player 1: the answer to 0 begins with '2' instead of '1'",
        ),
        (
            fault(Fault::Lost(LinkLoss::Closed)),
            "no-handshake",
            Nothing,
            "no handshake: player 1: the other end has gone",
        ),
        (
            fault(Fault::Resigned),
            "no-handshake",
            Nothing,
            "no handshake: player 1: resigned",
        ),
        (
            fault(Fault::Uncertain(uncertain(MS(1), none, None))),
            "no-handshake",
            Nothing,
            "no handshake: player 1: the host stalled for 0.001 s; no answer came within 1.5 s",
        ),
        (Ending::Unfinished, "unfinished", NoFault, "unfinished"),
    ]
}

#[test]
fn every_ending_decides_as_it_should_and_says_so() {
    for seat in Seat::BOTH {
        for (ending, word, decides, sentence) in table(seat) {
            let sentence = match seat {
                Seat::One => sentence.to_owned(),
                Seat::Two => sentence.replace("player 1", "player 2"),
            };
            assert_eq!((ending.word(), ending.to_string()), (word, sentence));
            let loses = matches!(decides, Decides::Loses | Decides::GivesUp);
            assert_eq!(ending.loser(), loses.then_some(seat), "{word}");
            assert_eq!(ending.is_normal(), decides == Decides::Scores, "{word}");
            let breaks = matches!(decides, Decides::Loses | Decides::Nothing);
            assert_eq!(ending.is_violation(), breaks, "{word}");
            // The scores decide only if the game was played to its end.
            let by_score = [
                ([-3, -4], Outcome::Win(Seat::One)),
                ([-4, -3], Outcome::Win(Seat::Two)),
                ([20, 20], Outcome::Draw),
                ([15, -89], Outcome::Win(Seat::One)),
            ];
            for (score, outcome) in by_score {
                let right = match decides {
                    Decides::Scores => outcome,
                    Decides::Loses | Decides::GivesUp => Outcome::Win(seat.other()),
                    Decides::Nothing | Decides::NoFault => Outcome::Open,
                };
                assert_eq!(ending.outcome(Seats(score)), right, "{word} {score:?}");
            }
        }
    }
    assert_eq!(Outcome::Win(Seat::Two).winner(), Some(Seat::Two));
    assert_eq!(
        (Outcome::Draw.winner(), Outcome::Open.winner()),
        (None, None)
    );
}

#[test]
fn a_handshake_without_both_names_both() {
    let faults = Seats([
        Some(Fault::Lost(LinkLoss::Closed)),
        Some(Fault::Lost(LinkLoss::Blocked)),
    ]);
    assert_eq!(
        Ending::NoHandshake { faults }.to_string(),
        "no handshake: player 1: the other end has gone; player 2: the other end takes no bytes"
    );
}

#[test]
fn a_fault_ends_the_game_of_its_seat() {
    let reason = uncertain(MS(1), MS(0), None);
    let broken = BrokenCode::Reply(ReplyError::Space { position: 0 });
    for seat in Seat::BOTH {
        let table = [
            (
                Fault::Timeout(late(b"", None)),
                Ending::Timeout {
                    seat,
                    late: late(b"", None),
                },
            ),
            (
                Fault::Broken(broken.clone()),
                Ending::BrokenCode {
                    seat,
                    reason: broken.clone(),
                },
            ),
            (
                Fault::Lost(LinkLoss::Blocked),
                Ending::LinkLost {
                    seat,
                    reason: LinkLoss::Blocked,
                },
            ),
            (Fault::Resigned, Ending::Resigned { seat }),
            (Fault::Uncertain(reason), Ending::Annulled { seat, reason }),
        ];
        for (fault, ending) in table {
            assert_eq!(fault.ends(seat), ending);
        }
    }
    assert_eq!(LinkLoss::from(LinkError::Closed), LinkLoss::Closed);
    assert_eq!(LinkLoss::from(LinkError::Timeout), LinkLoss::Blocked);
    let ended = LinkError::Ended {
        status: None,
        tail: "in main\nKeyError: 9".to_owned(),
    };
    let text = ended.to_string();
    assert!(text.ends_with("\nin main\nKeyError: 9"), "{text}");
    assert_eq!(LinkLoss::from(ended), LinkLoss::Ended(text));
    let other = LinkError::Io {
        name: "x".to_owned(),
        source: std::io::Error::other("it burns"),
    };
    let text = other.to_string();
    assert_eq!(LinkLoss::from(other), LinkLoss::Failed(text));
}

#[test]
fn a_tally_counts_games_by_what_became_of_them() {
    let mut tally = Tally::default();
    tally.count(Outcome::Win(Seat::One), None, [60, 50], [-29, -39]);
    tally.count(
        Outcome::Win(Seat::One),
        Some(Seat::Two),
        [10, 20],
        [-79, -69],
    );
    tally.count(Outcome::Win(Seat::Two), Some(Seat::One), [1, 2], [-88, -87]);
    tally.count(Outcome::Draw, None, [40, 40], [-49, -49]);
    tally.count(Outcome::Open, None, [0, 0], [-89, -89]);
    tally.time(Seat::Two, 7);
    tally.time(Seat::Two, 5);
    tally.time(Seat::One, 3);
    let right = Tally {
        games: 5,
        wins: [2, 1],
        draws: 1,
        open: 1,
        violations: [1, 1],
        cells_placed: [111, 112],
        score: [-334, -333],
        slowest_us: [3, 7],
        ..Tally::default()
    };
    assert_eq!(tally, right);
    let micros = Duration::from_micros;
    assert_eq!(tally.slowest(), Seats([micros(3), micros(7)]));
}

/// Pairs that are zero are absent from the JSON object.
#[test]
fn a_tally_counts_the_waits_for_resets() {
    let mut tally = Tally::default();
    let json = serde_json::to_value(&tally).unwrap();
    assert_eq!((json.get("resets"), json.get("reset_us")), (None, None));
    tally.add_resets([0, 7]);
    tally.add_resets([0, 0]);
    tally.add_resets([20, 1]);
    assert_eq!((tally.resets, tally.reset_us), ([1, 2], [20, 8]));
    let json = serde_json::to_value(&tally).unwrap();
    assert_eq!(json["resets"], serde_json::json!([1, 2]));
    assert_eq!(json["reset_us"], serde_json::json!([20, 8]));
}

/// Messages of errors that no test of a whole game can cause.
#[test]
fn errors_say_what_happened() {
    let error = RefereeError::CheckersDisagree {
        code: *b"53e0",
        moves: "a8e0 21k7".to_owned(),
        fast: "Ok".to_owned(),
        slow: "Err".to_owned(),
    };
    assert_eq!(
        error.to_string(),
        "the two rules checkers disagree about '53e0' after [a8e0 21k7]: fast Ok, slow Err"
    );
    assert_eq!(
        RefereeError::BrokenOff.to_string(),
        "the game was broken off"
    );
}
