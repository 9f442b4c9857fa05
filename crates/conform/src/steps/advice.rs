//! Checks that examine all earlier games.

use crate::conversation::Conversation;
use crate::device::CheckError;

/// The contest's host accepts a voluntary pass from the third move on, so it is not a violation. It
/// is rarely intended, though.
pub fn no_voluntary_pass(conversation: &mut Conversation) -> Result<String, CheckError> {
    if conversation.answers == 0 {
        return Err(CheckError::NotReached(
            "no game preceded this check".to_owned(),
        ));
    }
    match &conversation.early_pass {
        Some(fault) => Err(fault.clone().into()),
        None => Ok(format!(
            "{} replies without a voluntary pass",
            conversation.answers
        )),
    }
}
