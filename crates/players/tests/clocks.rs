//! Players with individual time controls.
#![cfg(unix)]

mod common;

use std::time::Duration;

use common::{DeviceAction, EXAMPLE, actions, board, check_log, rules, say};
use duoforge_referee::{Ending, Game, Player, Referee, Seat, Setup, TimeControl};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// Long enough for a busy machine. Overdue replies exceed the bank by a similar time.
const BANK: TimeControl = TimeControl::TimeBank {
    start: Duration::from_millis(800),
    increment: Duration::from_millis(100),
};

fn late(code: &str) -> DeviceAction {
    DeviceAction::After(MS(1_200), code.as_bytes().to_vec())
}

/// Plays the example; the first player has a bank and performs these actions instead.
fn game(first: Vec<DeviceAction>) -> Game {
    let mut own = vec![say("1AA")];
    own.extend(first);
    let players = [
        board(own).with_clock(BANK),
        board(actions("1BB", &EXAMPLE[1])),
    ];
    let game = Referee::new(players, rules(5_000)).play(Setup::default(), &mut ());
    let game = game.unwrap();
    check_log(&game);
    game
}

#[test]
fn a_bank_that_runs_out_forfeits_the_move_and_the_late_answer_is_dropped() {
    // The third move is late; the later moves are passes, so that the game ends.
    let game = game(vec![say("53e0"), say("21k7"), late("61a0")]);
    assert_eq!(game.ending, Ending::BothPassed, "{}", game.ending);
    let ply = &game.plies[4];
    assert_eq!((&ply.code, ply.forfeit), (b"0000", true));
    assert!(ply.time.wall >= MS(1_200));
    assert_eq!(game.plies.iter().filter(|ply| ply.forfeit).count(), 1);
    assert!(game.unsolicited.is_empty(), "{:?}", game.unsolicited);
}

#[test]
fn a_bank_that_runs_out_a_second_time_loses() {
    let game = game(vec![say("53e0"), say("21k7"), late("61a0"), late("61a0")]);
    assert!(
        matches!(
            game.ending,
            Ending::Timeout {
                seat: Seat::One,
                ..
            }
        ),
        "{}",
        game.ending
    );
    assert_eq!(game.plies.iter().filter(|ply| ply.forfeit).count(), 1);
}

#[test]
fn a_bank_that_runs_out_before_a_pass_is_allowed_loses() {
    let game = game(vec![late("53e0")]);
    assert!(
        matches!(
            game.ending,
            Ending::Timeout {
                seat: Seat::One,
                ..
            }
        ),
        "{}",
        game.ending
    );
    assert!(game.plies.is_empty());
}

#[test]
fn a_bank_does_not_wait_for_ever() {
    let game = game(vec![say("53e0"), say("21k7"), DeviceAction::Silence]);
    let Ending::Timeout {
        seat: Seat::One,
        late,
    } = &game.ending
    else {
        panic!("{}", game.ending);
    };
    assert_eq!(late.after, None);
}

#[test]
fn a_player_may_have_a_limit_of_its_own() {
    let slow = |clock: Option<TimeControl>| {
        let mut own = vec![say("1AA")];
        own.push(DeviceAction::After(MS(900), b"53e0".to_vec()));
        let player = board(own);
        match clock {
            Some(clock) => player.with_clock(clock),
            None => player,
        }
    };
    let ending = |player: Player| {
        let players = [player, board(actions("1BB", &EXAMPLE[1]))];
        let mut referee = Referee::new(players, rules(300));
        referee.play(Setup::default(), &mut ()).unwrap().ending
    };
    assert!(matches!(
        ending(slow(None)),
        Ending::Timeout {
            seat: Seat::One,
            ..
        }
    ));
    let longer = TimeControl::Fixed(MS(5_000));
    let ending = ending(slow(Some(longer)));
    assert!(ending.is_normal(), "{ending}");
}
