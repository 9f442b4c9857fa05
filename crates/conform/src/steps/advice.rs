//! Checks that examine all earlier games.

use crate::conversation::Conversation;
use crate::device::Trouble;

/// The contest's host accepts a voluntary pass from the third move on, so it is not a violation. It
/// is rarely intended, though.
pub fn real_passes(conversation: &mut Conversation) -> Result<String, Trouble> {
    if conversation.answers == 0 {
        return Err(Trouble::NotReached("no game was played before".to_owned()));
    }
    match &conversation.early_pass {
        Some(fault) => Err(fault.clone().into()),
        None => Ok(format!(
            "{} answers without a pass that was not forced",
            conversation.answers
        )),
    }
}
