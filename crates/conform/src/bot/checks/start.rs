//! Start of a bot: the input test, and lines that it does not know.

use std::time::Instant;

use duoforge_rules::{Game, GameVariant};

use crate::Fault;
use crate::bot::host::{BotHost, Sent, judged};
use crate::bot::{BotProtocolFault, BotTester};
use crate::device::CheckError;

const DUO: GameVariant = GameVariant::DUO;

/// The bot answers `action warmup` with `ready`, and writes no other `ready`: the second one would
/// be taken for the answer to the first request.
pub fn ready(tester: &mut BotTester) -> Result<String, CheckError> {
    let mut host = BotHost::start(tester)?;
    let text = host.settings(&DUO, "");
    host.send(&text)?;
    let deadline = Instant::now() + tester.options.quiet;
    while let Some(line) = host.receive(deadline)? {
        if line.text.split_whitespace().next() == Some("ready") {
            return Err(BotProtocolFault::EarlyReady.into());
        }
    }
    let begun = Instant::now();
    host.warm_up()?;
    let time = begun.elapsed();
    // Any other `ready` comes before the answer.
    let left = tester.options.timebank;
    let text = host.request(&Game::new(&DUO), left, Sent::AsAsked, "");
    host.send(&text)?;
    match host.answer(left) {
        Err(CheckError::Fault(Fault::Bot(BotProtocolFault::EarlyReady))) => {
            Err(BotProtocolFault::EarlyReady.into())
        }
        // Other checks examine the answer.
        _ => Ok(format!("ready after {:.3} s", time.as_secs_f64())),
    }
}

/// The bot ignores lines and settings that it does not know: later versions may add some.
pub fn unknown_lines(tester: &mut BotTester) -> Result<String, CheckError> {
    const EARLY: &str = "settings palette dark\nsettings your_name\nhello\n\n";
    const LATE: &str = "settings palette light 7\nupdate clock 17\nupdate game weather 3 {}\n\n\
                        action ponder 100\ntell 53e0\n";
    let mut host = BotHost::start(tester)?;
    let text = host.settings(&DUO, EARLY);
    host.send(&text)?;
    host.warm_up()?;
    let game = Game::new(&DUO);
    let left = tester.options.timebank;
    let text = host.request(&game, left, Sent::AsAsked, LATE);
    host.send(&text)?;
    let answer = host.answer(left)?;
    judged(&game, &answer)?;
    let count = EARLY.lines().chain(LATE.lines()).count();
    Ok(format!("{count} unknown lines ignored"))
}
