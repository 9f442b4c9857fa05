//! Time limits to the microsecond, unsolicited bytes in every state of the connection, and broken
//! links, on links in simulated time.
#![cfg(unix)]

mod common;

use std::time::Duration;

use common::EXAMPLE;
use common::given::{Event, Given, at, stale, timed};
use duoforge_referee::{
    Ending, Fault, Game, LateReply, LinkLoss, Outcome, Player, Referee, RefereeOptions, Seat,
    Setup, TimeControl,
};

/// Time limit of the contest, in microseconds.
const LIMIT: u64 = 1_000_000;

const fn us(micros: u64) -> Duration {
    Duration::from_micros(micros)
}

fn play(players: [Player; 2]) -> Game {
    let mut referee = Referee::new(players, RefereeOptions::default());
    referee.play(Setup::default(), &mut ()).unwrap()
}

/// Plays the contest's example; the player in `seat` sends its move `number` (from 0) after
/// `micros`.
fn example(seat: Seat, number: usize, micros: u64, clock: Option<TimeControl>) -> Game {
    let players = Seat::BOTH.map(|own| {
        let mut moves: Vec<_> = EXAMPLE[own as usize]
            .iter()
            .map(|&code| (0, code))
            .collect();
        if own == seat {
            moves[number].0 = micros;
        }
        let player = timed(["AA", "BB"][own as usize], &moves);
        match clock.filter(|_| own == seat) {
            Some(clock) => player.with_clock(clock),
            None => player,
        }
    });
    play(players)
}

#[test]
fn an_answer_at_the_limit_is_in_time_and_one_a_microsecond_later_is_not() {
    for seat in Seat::BOTH {
        for (number, code) in EXAMPLE[seat as usize].into_iter().enumerate() {
            let game = example(seat, number, LIMIT, None);
            assert_eq!(game.ending, Ending::BothPassed, "{seat} {number}");
            assert_eq!(game.slowest(seat).unwrap().judged(), us(LIMIT));
            assert_eq!(game.slowest(seat.other()).unwrap().judged(), us(0));

            let game = example(seat, number, LIMIT + 1, None);
            let late = LateReply {
                received: code.into(),
                after: Some(us(LIMIT + 1)),
                limit: us(LIMIT),
            };
            assert_eq!(game.ending, Ending::Timeout { seat, late });
            assert_eq!(game.plies.len(), 2 * number + seat as usize);
            assert_eq!(game.outcome, Outcome::Win(seat.other()));
            assert_eq!(
                game.ending.to_string(),
                format!(
                    "{seat} exceeded the time limit: '{code}' was complete after 1.000001 s of 1 s"
                )
            );
        }
    }
}

#[test]
fn a_limit_of_ones_own_is_as_exact() {
    let clock = Some(TimeControl::Fixed(us(250_000)));
    for seat in Seat::BOTH {
        assert!(example(seat, 1, 250_000, clock).ending.is_normal());
        let ending = example(seat, 1, 250_001, clock).ending;
        let Ending::Timeout { seat: loser, late } = ending else {
            panic!("{ending}");
        };
        assert_eq!((loser, late.limit), (seat, us(250_000)));
        // The other player has the limit of the rules.
        assert!(example(seat.other(), 1, LIMIT, None).ending.is_normal());
    }
}

/// Plays a game whose first player has a bank of 1 s plus 0.1 s per move and replies after these
/// times. Returns the ending, and for each of that player's moves true if it was forfeited.
fn banked(micros: &[u64]) -> (Ending, Vec<bool>) {
    let codes = EXAMPLE[0].iter().copied().chain(std::iter::repeat("0000"));
    let moves: Vec<_> = micros.iter().copied().zip(codes).collect();
    let bank = TimeControl::TimeBank {
        start: us(LIMIT),
        increment: us(100_000),
    };
    let others: Vec<_> = EXAMPLE[1].iter().map(|&code| (0, code)).collect();
    let game = play([timed("AA", &moves).with_clock(bank), timed("BB", &others)]);
    let own = game.plies.iter().filter(|ply| ply.seat == Seat::One);
    (game.ending.clone(), own.map(|ply| ply.forfeit).collect())
}

#[test]
fn a_bank_is_paid_to_the_microsecond() {
    let timeout = |received: &[u8], after, limit| Ending::Timeout {
        seat: Seat::One,
        late: LateReply {
            received: received.to_vec(),
            after,
            limit: us(limit),
        },
    };
    // The first reply takes the whole bank, each further one the 0.1 s that are left; the fourth
    // move is a pass.
    let (ending, forfeits) = banked(&[LIMIT, 100_000, 100_000, 100_000]);
    assert_eq!((ending, forfeits), (Ending::BothPassed, vec![false; 4]));
    // Time bank in seconds: 1 - 0.6 + 0.1 = 0.5, then 0.5 - 0.2 + 0.1 = 0.4.
    let (ending, forfeits) = banked(&[600_000, 200_000, 400_000]);
    assert_eq!(
        (ending, &forfeits[..3]),
        (Ending::BothPassed, &[false; 3][..])
    );
    // One microsecond more forfeits the move, once.
    let (ending, forfeits) = banked(&[600_000, 200_000, 400_001]);
    assert_eq!(
        (ending, &forfeits[..3]),
        (Ending::BothPassed, &[false, false, true][..])
    );
    let (ending, forfeits) = banked(&[600_000, 500_001]);
    assert_eq!(
        (ending, &forfeits[..2]),
        (Ending::BothPassed, &[false, true][..])
    );
    // Afterwards the bank holds only the increment.
    let (ending, forfeits) = banked(&[600_000, 500_001, 100_000]);
    assert_eq!(
        (ending, &forfeits[..3]),
        (Ending::BothPassed, &[false, true, false][..])
    );
    let (ending, forfeits) = banked(&[600_000, 500_001, 100_001]);
    assert_eq!(ending, timeout(b"61a0", Some(us(100_001)), 100_000));
    assert_eq!(forfeits, [false, true]);
    // The first move cannot be forfeited, since a player may not pass on it.
    let (ending, forfeits) = banked(&[LIMIT + 1]);
    assert_eq!(ending, timeout(b"", Some(us(LIMIT + 1)), LIMIT));
    assert_eq!(forfeits, [false; 0]);
}

/// The bank is full again in the next game.
#[test]
fn a_bank_is_filled_up_for_each_game() {
    let bank = TimeControl::TimeBank {
        start: us(LIMIT),
        increment: us(0),
    };
    let game = |team: &'static str, micros: u64| {
        let moves = EXAMPLE[usize::from(team == "BB")];
        let mut turns = vec![vec![at(0, format!("1{team}"))]];
        turns.extend(moves.iter().map(|code| vec![at(0, code)]));
        turns[1] = vec![at(micros, moves[0])];
        // The pass at the end of the example, and `9`.
        turns.extend([vec![at(0, "0000")], vec![]]);
        turns
    };
    let player = |team, micros| {
        let mut turns = vec![vec![]];
        turns.extend(game(team, micros));
        turns.extend(game(team, micros));
        Player::inside(Given::new(team, turns).0)
    };
    let players = [player("AA", LIMIT).with_clock(bank), player("BB", 0)];
    let mut referee = Referee::new(players, RefereeOptions::default());
    let games = referee.series(vec![Setup::default(); 2], &mut ()).unwrap();
    let endings: Vec<_> = games.iter().map(|game| game.ending.clone()).collect();
    assert_eq!(endings, [Ending::BothPassed, Ending::BothPassed]);
    assert_eq!(games[1].plies.iter().filter(|ply| ply.forfeit).count(), 0);
}

/// A late handshake is attempted three times.
#[test]
fn a_handshake_is_timed_like_a_move() {
    let late = |micros| vec![at(micros, "1AA")];
    let player = |times: &[u64]| {
        let mut turns = vec![vec![]];
        turns.extend(times.iter().map(|&micros| late(micros)));
        turns.extend(EXAMPLE[0].iter().map(|code| vec![at(0, code)]));
        turns.push(vec![at(0, "0000")]);
        Player::inside(Given::new("AA", turns).0)
    };
    let rules = RefereeOptions {
        pause: Duration::from_millis(1),
        ..RefereeOptions::default()
    };
    let others: Vec<_> = EXAMPLE[1].iter().map(|&code| (0, code)).collect();
    let ending = |times: &[u64]| {
        let players = [player(times), timed("BB", &others)];
        let mut referee = Referee::new(players, rules);
        referee.play(Setup::default(), &mut ()).unwrap().ending
    };
    for times in [
        &[LIMIT][..],
        &[LIMIT + 1, LIMIT],
        &[LIMIT + 1, LIMIT + 1, LIMIT],
    ] {
        assert_eq!(ending(times), Ending::BothPassed, "{times:?}");
    }
    let Ending::NoHandshake { faults } = ending(&[LIMIT + 1; 3]) else {
        panic!("three late answers are no handshake");
    };
    let late = LateReply {
        received: b"1AA".to_vec(),
        after: Some(us(LIMIT + 1)),
        limit: us(LIMIT),
    };
    assert_eq!(faults.0, [Some(Fault::Timeout(late)), None]);
}

/// After several attempts, replies to the earlier ones are discarded before the first move.
#[test]
fn late_replies_to_a_handshake_are_not_taken_for_moves() {
    let mut turns = vec![
        vec![],
        vec![at(LIMIT + 1, "1XX")],
        vec![at(0, "1XX"), stale("1XX")],
    ];
    turns.extend(EXAMPLE[1].iter().map(|code| vec![at(0, code)]));
    turns.push(vec![at(0, "0000")]);
    let moves: Vec<_> = EXAMPLE[0].iter().map(|&code| (0, code)).collect();
    let players = [
        timed("AA", &moves),
        Player::inside(Given::new("XX", turns).0),
    ];
    let game = play(players);
    assert_eq!(game.ending, Ending::BothPassed);
    let unsolicited = &game.unsolicited[0];
    assert_eq!(
        (unsolicited.seat, unsolicited.ply, &unsolicited.bytes[..]),
        (Seat::Two, 0, &b"1XX"[..])
    );
    assert_eq!(game.unsolicited.len(), 1);
}

/// Each unsolicited byte, with the number of moves at which it is noticed: before `0`, after the
/// team code, before, inside and after replies, and after `9`. Blanks are ignored.
#[test]
fn unsolicited_bytes_are_noticed_in_every_state() {
    for seat in Seat::BOTH {
        let codes = EXAMPLE[seat as usize];
        let turns = vec![
            vec![stale("a")],
            vec![at(0, "1XXb"), stale("c\r\n")],
            vec![at(0, format!("{}d", codes[0])), stale("e"), stale("f")],
            vec![at(0, codes[1]), stale(" \r\n")],
            vec![at(0, "\n"), at(1, codes[2]), stale("g")],
            vec![at(0, "0000h")],
            vec![stale("i")],
        ];
        let (line, _) = Given::new("XX", turns);
        let others: Vec<_> = EXAMPLE[seat.other() as usize]
            .iter()
            .map(|&code| (0, code))
            .collect();
        let mut players = [Player::inside(line), timed("YY", &others)];
        if seat == Seat::Two {
            players.reverse();
        }
        let game = play(players);
        assert_eq!(game.ending, Ending::BothPassed, "{seat}");
        let unsolicited: Vec<_> = game
            .unsolicited
            .iter()
            .map(|unsolicited| {
                assert_eq!(unsolicited.seat, seat);
                (
                    unsolicited.ply,
                    String::from_utf8(unsolicited.bytes.clone()).unwrap(),
                )
            })
            .collect();
        // Player 2 is prompted one move later.
        let later = seat as usize;
        let right = [
            (0, "ab"),
            (later, "cd"),
            (2 + later, "ef"),
            (6 + later, "gh"),
            (8, "i"),
        ];
        let right = right.map(|(ply, bytes)| (ply, bytes.to_owned()));
        assert_eq!(unsolicited, right, "{seat}");
    }
}

/// The link breaks while a reply is due, inside a reply, or while a prompt is sent. In the
/// handshake this does not lose a game.
#[test]
fn broken_links_lose_where_a_game_has_begun() {
    let lost = |seat, reason| Ending::LinkLost { seat, reason };
    for seat in Seat::BOTH {
        let game = |broken: Vec<Event>, number: usize| {
            let mut turns = vec![vec![], vec![at(0, "1XX")]];
            turns.extend(EXAMPLE[seat as usize].iter().map(|code| vec![at(0, code)]));
            turns[number] = broken;
            let others: Vec<_> = EXAMPLE[seat.other() as usize]
                .iter()
                .map(|&code| (0, code))
                .collect();
            let mut players = [
                Player::inside(Given::new("XX", turns).0),
                timed("YY", &others),
            ];
            if seat == Seat::Two {
                players.reverse();
            }
            play(players)
        };
        let ended = game(vec![Event::Gone], 3);
        assert_eq!(ended.ending, lost(seat, LinkLoss::Closed));
        assert_eq!(
            (ended.plies.len(), ended.outcome),
            (2 + seat as usize, Outcome::Win(seat.other()))
        );
        let ended = game(vec![at(0, "21"), Event::Gone], 3);
        assert_eq!(ended.ending, lost(seat, LinkLoss::Closed));
        let ended = game(vec![at(0, EXAMPLE[seat as usize][0]), Event::Blocked], 2);
        assert_eq!(ended.ending, lost(seat, LinkLoss::Blocked));
        let text = format!("link to {seat} lost: the other end takes no bytes");
        assert_eq!(ended.ending.to_string(), text);
        let ended = game(vec![Event::Gone], 1);
        let Ending::NoHandshake { faults } = &ended.ending else {
            panic!("{}", ended.ending);
        };
        assert_eq!(faults[seat], Some(Fault::Lost(LinkLoss::Closed)));
        assert_eq!(
            (faults[seat.other()].clone(), ended.outcome),
            (None, Outcome::Open)
        );
    }
}
