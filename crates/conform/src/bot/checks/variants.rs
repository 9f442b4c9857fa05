//! Variants that a bot accepts.

use duoforge_rules::{Game, GameVariant, Seat};

use crate::Fault;
use crate::bot::positions::{play, random_move};
use crate::bot::{BotProtocolFault, BotTester};
use crate::device::CheckError;

/// Number of requests in each variant: with four of them, a bot has to place a colour that does not
/// bear the number of its seat, where a variant has such colours.
const REQUESTS: usize = 4;

/// In every built-in variant whose input test the bot passes, its moves are legal. Only Duo is
/// required.
pub fn variants(tester: &mut BotTester) -> Result<String, CheckError> {
    let mut rng = tester.rng(34);
    let (mut accepted, mut declined) = (Vec::new(), Vec::new());
    for (number, variant) in GameVariant::BUILT_IN.iter().enumerate() {
        let mut host = match tester.ready(variant) {
            Ok(host) => host,
            Err(CheckError::Fault(Fault::Bot(
                BotProtocolFault::NotReady { .. } | BotProtocolFault::Ended { .. },
            ))) if variant.name() != "duo" => {
                declined.push(variant.name());
                continue;
            }
            Err(error) => return Err(error),
        };
        let seat = Seat((number % variant.seat_count()) as u8);
        let mut game = Game::new(variant);
        let mut count = 0;
        while !game.is_over() && count < REQUESTS {
            let mv = if game.seat_to_move() == Some(seat) {
                count += 1;
                host.ask(&game)?
            } else {
                random_move(&game, &mut rng)
            };
            play(&mut game, mv);
        }
        accepted.push(variant.name());
    }
    let mut text = format!("legal moves in {}", accepted.join(", "));
    if !declined.is_empty() {
        text.push_str(&format!("; declines {}", declined.join(", ")));
    }
    Ok(text)
}
