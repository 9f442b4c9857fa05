//! Moves of a bot: legal ones, from any position.

use std::time::Duration;

use duoforge_rules::{Game, GameVariant, Move, Seat};

use crate::bot::BotTester;
use crate::bot::host::{BotHost, Sent, judged};
use crate::bot::positions::{after, forced_pass, forfeited, list, play, random_move};
use crate::device::CheckError;

const DUO: GameVariant = GameVariant::DUO;

/// Number of requests of the check `bot-moves`.
const REQUESTS: usize = 6;

/// Numbers of plies of the positions in which `bot-mid-game` starts: either seat, early and late.
const MID_GAME: [usize; 4] = [7, 8, 13, 16];

/// A game from the empty board: every answer is a code or an action number of a legal move.
pub fn legal(tester: &mut BotTester) -> Result<String, CheckError> {
    let mut rng = tester.rng(28);
    let mut game = Game::new(&DUO);
    let mut host = tester.ready(&DUO)?;
    let mut count = 0;
    while count < REQUESTS && !game.is_over() {
        let mv = if game.seat_to_move() == Some(Seat(0)) {
            count += 1;
            host.ask(&game)?
        } else {
            random_move(&game, &mut rng)
        };
        play(&mut game, mv);
    }
    Ok(format!("{count} legal moves: {}", list(&game)))
}

/// The bot enters games in the middle, also at its first request.
pub fn mid_game(tester: &mut BotTester) -> Result<String, CheckError> {
    let mut rng = tester.rng(30);
    for plies in MID_GAME {
        let game = after(&DUO, plies, &mut rng);
        if game.is_over() {
            continue;
        }
        tester.ready(&DUO)?.ask(&game)?;
    }
    let plies = MID_GAME.map(|plies| plies.to_string()).join(", ");
    Ok(format!("legal first answers after {plies} plies"))
}

/// A time-out forfeits a move: the host drops the answer and plays another move in its place. The
/// next request has the increment as its time, and the bot continues from the moves of the host.
pub fn forfeit(tester: &mut BotTester) -> Result<String, CheckError> {
    let mut rng = tester.rng(32);
    let mut game = Game::new(&DUO);
    let mut host = tester.ready(&DUO)?;
    let mut forfeits = String::new();
    for number in 0..4 {
        let mv = if number == 1 {
            let dropped = request(tester, &mut host, &game, tester.options.timebank)?;
            tester.wire.note("the answer counts as late and is dropped");
            let mv = forfeited(&game);
            forfeits = format!("{mv} in place of {dropped}");
            mv
        } else if number == 2 {
            // The bot knows its increment, but a slow machine does not fail it.
            let left = tester.options.move_time;
            let text = host.request(&game, left, Sent::AsAsked, "");
            host.send(&text)?;
            let answer = host.answer(tester.options.timebank)?;
            judged(&game, &answer)?
        } else {
            host.ask(&game)?
        };
        play(&mut game, mv);
        let reply = random_move(&game, &mut rng);
        play(&mut game, reply);
    }
    Ok(format!("the game continued after {forfeits}"))
}

fn request(
    tester: &BotTester,
    host: &mut BotHost,
    game: &Game,
    left: Duration,
) -> Result<String, CheckError> {
    let text = host.request(game, left, Sent::AsAsked, "");
    host.send(&text)?;
    let answer = host.answer(tester.options.timebank)?;
    let word = answer.split_whitespace().next().unwrap_or_default();
    Ok(word.to_owned())
}

/// Without a legal placement, the bot passes.
pub fn forced_pass_check(tester: &mut BotTester) -> Result<String, CheckError> {
    let Some(mut game) = forced_pass(&DUO, tester.options.seed) else {
        let reason = "no random game has a forced pass".to_owned();
        return Err(CheckError::NotReached(reason));
    };
    let mut rng = tester.rng(33);
    let seat = game.seat_to_move();
    let mut host = tester.ready(&DUO)?;
    let mut passes = 0;
    while !game.is_over() && passes < 3 {
        let mv = if game.seat_to_move() == seat {
            passes += 1;
            host.ask(&game)?
        } else {
            random_move(&game, &mut rng)
        };
        debug_assert!(game.seat_to_move() != seat || mv == Move::Pass);
        play(&mut game, mv);
    }
    Ok(format!("{passes} forced passes"))
}

/// The bytes of a request may arrive in pieces.
pub fn split(tester: &mut BotTester) -> Result<String, CheckError> {
    let mut rng = tester.rng(35);
    let mut game = Game::new(&DUO);
    let mut host = tester.ready(&DUO)?;
    for _ in 0..2 {
        let left = tester.options.timebank;
        let text = host.request(&game, left, Sent::AsAsked, "");
        // A state is long: only the lines around it come in pieces.
        for line in text.split_inclusive('\n') {
            if line.starts_with("update game state") {
                host.send(line)?;
            } else {
                host.send_in_pieces(line)?;
            }
        }
        let answer = host.answer(left)?;
        let mv = judged(&game, &answer)?;
        play(&mut game, mv);
        let reply = random_move(&game, &mut rng);
        play(&mut game, reply);
    }
    Ok("2 requests in pieces of 5 bytes".to_owned())
}
