//! Replies to prompts, and the reasons why there are none.

use std::time::Duration;

use duoforge_links::{LinkError, Received, Sent};
use duoforge_protocol::{MoveCode, TeamCode};

use crate::{BrokenCode, Fault, LateReply, LinkLoss, RefereeError, Time};

/// Complete reply and its time.
pub struct TimedReply {
    pub content: ReplyContent,
    pub time: Time,
}

/// Reason why there is no reply.
pub enum PromptError {
    /// Fault of the player, which ends the game.
    Player(Fault),
    /// Failure of this program, which does not lose a player's game.
    Host(RefereeError),
}

/// Content of a reply.
pub enum ReplyContent {
    Team(TeamCode),
    Move(MoveCode),
    /// Move received after the player's time bank ran out for the first time.
    Forfeit,
}

/// Returns the time of a reply.
pub fn since(received: &Received<'_>, sent: &Sent) -> Time {
    let simulated = received.simulated.zip(sent.simulated);
    Time {
        wall: received.at.saturating_duration_since(sent.at),
        simulated: simulated.map(|(received, sent)| received.saturating_sub(sent)),
        host: Duration::ZERO,
    }
}

/// Classifies a link error as a fault of the player or a failure of the host.
pub fn failed(error: LinkError) -> PromptError {
    match error {
        LinkError::Resigned => PromptError::Player(Fault::Resigned),
        LinkError::OutOfTime { after, limit } => PromptError::Player(Fault::Timeout(LateReply {
            received: Vec::new(),
            after,
            limit,
        })),
        LinkError::NoCode { reply, reason } => {
            PromptError::Player(Fault::Broken(BrokenCode::Text { reply, reason }))
        }
        LinkError::Inside { name, source } => {
            PromptError::Host(RefereeError::Inside { name, source })
        }
        error => PromptError::Player(Fault::Lost(LinkLoss::from(error))),
    }
}
