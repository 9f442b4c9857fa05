//! Answers of a bot: one line for each request, at once.

use duoforge_rules::{Game, GameVariant, Seat};

use crate::bot::host::{BotHost, Sent, read};
use crate::bot::positions::{play, small_move, substitute};
use crate::bot::{BotProtocolFault, BotTester};
use crate::device::CheckError;

const DUO: GameVariant = GameVariant::DUO;

/// A game in which the opponent places small tiles, so that the bot has many turns. Every request
/// gets one line, flushed at once. Illegal moves are replaced: another check examines them.
pub fn answers(tester: &mut BotTester) -> Result<String, CheckError> {
    let mut host = tester.ready(&DUO)?;
    let result = game(tester, &mut host);
    tester.log_bytes = Some(host.log_bytes());
    result
}

fn game(tester: &BotTester, host: &mut BotHost) -> Result<String, CheckError> {
    let mut rng = tester.rng(27);
    let mut game = Game::new(&DUO);
    let left = tester.options.timebank;
    let mut count = 0;
    while !game.is_over() {
        if game.seat_to_move() != Some(Seat(0)) {
            let mv = small_move(&game, &mut rng);
            play(&mut game, mv);
            continue;
        }
        if game.is_pass_forced() {
            break;
        }
        let text = host.request(&game, left, Sent::AsAsked, "");
        host.send(&text)?;
        let answer = host.answer(left)?;
        count += 1;
        let mv = read(&game, &answer).ok();
        let legal = mv.filter(|&mv| game.check(mv).is_ok());
        let mv = legal.unwrap_or_else(|| substitute(&game));
        play(&mut game, mv);
    }
    // A second answer shifts all later ones, so that a line is left at the end.
    host.send("quit\n")?;
    host.end(tester.options.quit);
    if let Some(got) = host.unsolicited().into_iter().next() {
        return Err(BotProtocolFault::Unsolicited { got }.into());
    }
    Ok(format!("{count} requests, one answer each"))
}
