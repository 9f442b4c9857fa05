//! Link in simulated time, for tests that need exact times.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use duoforge_links::{Link, LinkError, Received, Sent};
use duoforge_referee::Player;

/// Chunk of bytes that arrives at a time after a send.
pub type Chunk = (Duration, Vec<u8>);

/// Far end that replies to each send with a list of chunks. No time passes but on its clock.
struct ScriptedLink {
    /// Lists that have not begun, one for each send.
    scripts: VecDeque<Vec<Chunk>>,
    due: VecDeque<Chunk>,
    sent: Sent,
    /// True if the link is lost at the first send without a list.
    ends: bool,
}

/// Creates a device that replies to each send with a list of chunks.
pub fn device(scripts: impl IntoIterator<Item = Vec<Chunk>>) -> Player {
    Player::board(link(scripts, false))
}

/// Creates a link to such a device, which is lost at the first send without a list if it ends.
pub fn link(scripts: impl IntoIterator<Item = Vec<Chunk>>, ends: bool) -> impl Link + 'static {
    ScriptedLink {
        scripts: scripts.into_iter().collect(),
        due: VecDeque::new(),
        sent: Sent::now(),
        ends,
    }
}

impl Link for ScriptedLink {
    fn send(&mut self, _bytes: &[u8]) -> Result<Sent, LinkError> {
        if self.ends && self.scripts.is_empty() {
            return Err(LinkError::Closed);
        }
        self.due
            .extend(self.scripts.pop_front().unwrap_or_default());
        self.sent = Sent {
            at: Instant::now(),
            simulated: Some(Duration::ZERO),
        };
        Ok(self.sent)
    }

    /// The deadline counts from the send, as with a simulated device.
    fn recv<'b>(
        &mut self,
        buf: &'b mut [u8],
        deadline: Instant,
    ) -> Result<Received<'b>, LinkError> {
        let limit = deadline.saturating_duration_since(self.sent.at);
        if self.due.front().is_none_or(|(at, _)| *at > limit) {
            return Err(LinkError::Timeout);
        }
        let (at, bytes) = self.due.pop_front().expect("the list is not empty");
        let part = &mut buf[..bytes.len()];
        part.copy_from_slice(&bytes);
        Ok(Received {
            bytes: part,
            at: self.sent.at,
            simulated: Some(at),
        })
    }

    fn describe(&self) -> String {
        "scripted".to_owned()
    }
}
