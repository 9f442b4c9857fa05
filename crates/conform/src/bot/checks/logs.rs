//! Log of a bot: its standard error.

use crate::bot::host::LOG_LIMIT;
use crate::bot::{BotProtocolFault, BotTester};
use crate::device::CheckError;

/// The log of the game of `bot-answers` fits. A longer one does not block the bot, but its end is
/// lost.
pub fn size(tester: &mut BotTester) -> Result<String, CheckError> {
    let Some(bytes) = tester.log_bytes else {
        let reason = "the check bot-answers did not run before".to_owned();
        return Err(CheckError::NotReached(reason));
    };
    let limit = LOG_LIMIT as u64;
    if bytes > limit {
        return Err(BotProtocolFault::LongLog { bytes, limit }.into());
    }
    Ok(format!("{bytes} bytes on standard error in a game"))
}
