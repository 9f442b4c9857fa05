//! Reason to end a check, and the classification of link errors.

use duoforge_links::LinkError;
use duoforge_referee::RefereeError;

use crate::bot::BotProtocolFault;
use crate::{ConformError, Fault};

/// Reason to end a check at once.
#[derive(Debug)]
pub enum CheckError {
    /// Fault of the device.
    Fault(Fault),
    /// The situation of the check does not occur, for this reason.
    NotReached(String),
    /// Failure of this program.
    Failed(ConformError),
}

impl From<BotProtocolFault> for CheckError {
    fn from(fault: BotProtocolFault) -> Self {
        Self::Fault(fault.into())
    }
}

impl From<Fault> for CheckError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<RefereeError> for CheckError {
    fn from(error: RefereeError) -> Self {
        Self::Failed(error.into())
    }
}

/// Classifies a link error; a failure inside this process is not a fault of the device.
pub fn lost(error: LinkError, asked: &[u8], got: Vec<u8>) -> CheckError {
    let reason = match error {
        LinkError::Inside { name, source } => {
            return CheckError::Failed(ConformError::Inside { name, source });
        }
        LinkError::Timeout => "the device accepts no bytes".to_owned(),
        error => error.to_string(),
    };
    let asked = asked.escape_ascii().to_string();
    CheckError::Fault(Fault::Lost { asked, got, reason })
}
