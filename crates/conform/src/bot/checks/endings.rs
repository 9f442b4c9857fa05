//! Exit of a bot.

use std::time::{Duration, Instant};

use duoforge_rules::{Game, GameVariant};

use crate::bot::{BotProtocolFault, BotTester};
use crate::device::CheckError;

const DUO: GameVariant = GameVariant::DUO;

/// `quit` ends the program, before its first request and during a game. Its input stays open.
pub fn quit(tester: &mut BotTester) -> Result<String, CheckError> {
    let mut slowest = Duration::ZERO;
    for requests in [0, 1] {
        let mut host = tester.ready(&DUO)?;
        for _ in 0..requests {
            host.ask(&Game::new(&DUO))?;
        }
        host.send("quit\n")?;
        let begun = Instant::now();
        let limit = tester.options.quit;
        if !host.exits(begun + limit)? {
            let after = "'quit'";
            return Err(BotProtocolFault::Stays { after, limit }.into());
        }
        slowest = slowest.max(begun.elapsed());
    }
    Ok(format!("exit after at most {:.3} s", slowest.as_secs_f64()))
}

/// The program ends with its input: a referee that was killed cannot send `quit`.
pub fn end_of_input(tester: &mut BotTester) -> Result<String, CheckError> {
    let mut host = tester.ready(&DUO)?;
    host.ask(&Game::new(&DUO))?;
    tester.wire.note("the input is closed");
    let limit = tester.options.quit;
    if host.end(limit).is_some_and(|end| !end.killed) {
        return Ok("exit at the end of the input".to_owned());
    }
    let after = "the end of its input";
    Err(BotProtocolFault::Stays { after, limit }.into())
}
