//! Identification of a device: its team code and its build id.

use duoforge_links::{Link, LinkError};
use duoforge_protocol::{BuildId, HostEvent, HostSession, Prompt, ReplyError, TeamCode};

/// Team code and build id of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Team code.
    pub team: TeamCode,
    /// Build id; `None` if the device reports none.
    pub build: Option<BuildId>,
}

/// Reason why a device cannot be identified.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IdentifyError {
    /// The device does not reply.
    #[error("the device does not reply to `0`")]
    Silent,
    /// The reply to `0` is not a team code.
    #[error(transparent)]
    Garbled(ReplyError),
    /// The link failed.
    #[error(transparent)]
    Link(#[from] LinkError),
}

/// Asks a device for its team code and its build id. Sends `0`, which ends a game in progress, and
/// then `????`, to which only devices of this project reply.
///
/// # Errors
/// [`IdentifyError`]. A device without a build id is not an error.
pub fn identify(link: &mut dyn Link) -> Result<Identity, IdentifyError> {
    let mut session = HostSession::new();
    // Bytes of an earlier exchange are not a reply.
    link.drain()?;
    let order = "a new session may ask";
    let team = match exchange(link, &mut session, |host| host.handshake().expect(order))? {
        Some(HostEvent::Team(team)) => team,
        Some(HostEvent::Broken(error)) => return Err(IdentifyError::Garbled(error)),
        _ => return Err(IdentifyError::Silent),
    };
    let build = match exchange(link, &mut session, |host| host.identify().expect(order))? {
        Some(HostEvent::Build(build)) => Some(build),
        _ => None,
    };
    Ok(Identity { team, build })
}

/// Sends a prompt and returns the reply; `None` if none arrives within the limit.
fn exchange(
    link: &mut dyn Link,
    session: &mut HostSession,
    prompt: impl FnOnce(&mut HostSession) -> Prompt,
) -> Result<Option<HostEvent>, LinkError> {
    let prompt = prompt(session);
    let sent = link.send(&prompt.frame)?;
    let mut buf = [0; 64];
    loop {
        match link.recv(&mut buf, sent.at + prompt.limit) {
            Ok(received) => {
                let mut events = received.bytes.iter().filter_map(|&byte| session.feed(byte));
                if let Some(event) =
                    events.find(|event| !matches!(event, HostEvent::Unsolicited(_)))
                {
                    return Ok(Some(event));
                }
                // Bytes without a reply, such as line ends, do not extend the wait.
                if received.since(&sent) > prompt.limit {
                    break;
                }
            }
            Err(LinkError::Timeout) => break,
            Err(error) => return Err(error),
        }
    }
    session.expire();
    Ok(None)
}
