//! The state as JSON: asked for and not.

use duoforge_rules::{Game, GameVariant};

use crate::bot::BotTester;
use crate::bot::host::{Sent, judged};
use crate::bot::positions::{play, random_move};
use crate::device::CheckError;

const DUO: GameVariant = GameVariant::DUO;

/// A bot that asked for the state answers from the current one. To one that did not ask, the state
/// is a line that it does not know.
pub fn state(tester: &mut BotTester) -> Result<String, CheckError> {
    let mut rng = tester.rng(31);
    let mut game = Game::new(&DUO);
    let mut host = tester.ready(&DUO)?;
    let left = tester.options.timebank;
    for _ in 0..3 {
        let text = host.request(&game, left, Sent::WithState, "");
        host.send(&text)?;
        let answer = host.answer(left)?;
        let mv = judged(&game, &answer)?;
        play(&mut game, mv);
        let reply = random_move(&game, &mut rng);
        play(&mut game, reply);
    }
    let asked = if host.wants_state() {
        "asked for the state, and answered from it"
    } else {
        "did not ask for the state, and ignored it"
    };
    Ok(asked.to_owned())
}
