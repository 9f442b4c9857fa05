//! One player's line: prompts out, answers in, by the clock.

use std::time::{Duration, Instant};

use duoforge_protocol::link::{Link, LinkError, Received, Sent};
use duoforge_protocol::wirelog::{LoggedLink, Side, WireLog};
use duoforge_protocol::{HostEvent, HostSession, MoveCode, Prompt, TeamCode, is_blank};

use duoforge_sim::SimError;

use crate::{ArenaError, BrokenCode, Fault, Late, Loss, NoMove, Player, Seat, Time};

/// How long a player without a clock is waited for at a time.
const PATIENCE: Duration = Duration::from_secs(24 * 3600);

/// The host's end of the line to one player.
pub struct Line {
    name: String,
    link: LoggedLink<Box<dyn Link>>,
    session: HostSession,
    timed: bool,
    settles: bool,
    strays: Vec<u8>,
}

/// A complete answer and the time it took.
pub struct Answer {
    pub content: Content,
    pub time: Time,
}

/// Why there is no answer.
pub enum Failed {
    /// The player's doing, which ends the game.
    Player(Fault),
    /// A failure of this program, which is nobody's lost game.
    Host(ArenaError),
}

/// What an answer says.
pub enum Content {
    Team(TeamCode),
    Move(MoveCode),
}

impl Line {
    pub fn new(player: Player, seat: Seat, log: WireLog, limit: Duration) -> Self {
        Self {
            name: player.name().to_owned(),
            timed: player.is_timed(),
            settles: player.settles(),
            link: LoggedLink::new(
                player.into_link(),
                log,
                seat.number().to_string(),
                Side::Host,
            ),
            session: HostSession::with_limit(limit),
            strays: Vec::new(),
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub const fn settles(&self) -> bool {
        self.settles
    }

    /// The protocol's state, to make prompts with.
    pub const fn session(&mut self) -> &mut HostSession {
        &mut self.session
    }

    /// Takes the bytes that came while nothing was due.
    pub fn take_strays(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.strays)
    }

    /// Sends a prompt and waits for its answer. What was on the line before is discarded.
    pub fn ask(&mut self, prompt: Prompt) -> Result<Answer, Failed> {
        self.discard()?;
        let sent = self.link.send(&prompt.frame).map_err(failed)?;
        let deadline = self.deadline(&prompt, &sent);
        let mut buf = [0; 64];
        loop {
            let received = match self.link.recv(&mut buf, deadline) {
                Ok(received) => received,
                Err(LinkError::Timeout) => {
                    return Err(Failed::Player(self.give_up(prompt.limit)));
                }
                Err(error) => return Err(failed(error)),
            };
            let time = since(&received, &sent);
            let events = received.bytes.iter();
            let mut answer = None;
            for event in events.filter_map(|&byte| self.session.feed(byte)) {
                match event {
                    HostEvent::Unsolicited(byte) => self.strays.push(byte),
                    event => answer = Some(event),
                }
            }
            if let Some(event) = answer {
                let answer = self.judge(event, time, prompt.limit);
                return answer.map_err(Failed::Player);
            }
        }
    }

    /// Sends `9`, to which nothing is answered. A link that is broken now shows in the log.
    pub fn end(&mut self) {
        let prompt = self.session.end();
        let _ = self.link.send(&prompt.frame);
    }

    /// Discards the bytes that came while nothing was due. They do not reach the protocol's state,
    /// which may be waiting for the answer to a prompt that is yet to be sent.
    pub fn discard(&mut self) -> Result<(), Failed> {
        let bytes = self.link.drain().map_err(failed)?;
        let bytes = bytes.into_iter();
        self.strays.extend(bytes.filter(|&byte| !is_blank(byte)));
        Ok(())
    }

    /// Until when to wait for an answer. A link in simulated time counts the span from the
    /// sending to the deadline in that time.
    fn deadline(&self, prompt: &Prompt, sent: &Sent) -> Instant {
        let patience = if self.timed { prompt.limit } else { PATIENCE };
        sent.at + patience
    }

    fn give_up(&mut self, limit: Duration) -> Fault {
        let received = self.session.received().to_vec();
        self.session.expire();
        Fault::Timeout(Late {
            received,
            after: None,
            limit,
        })
    }

    fn judge(&self, event: HostEvent, time: Time, limit: Duration) -> Result<Answer, Fault> {
        let late = self.timed && time.judged() > limit;
        let too_late = |received: &[u8]| {
            Fault::Timeout(Late {
                received: received.to_vec(),
                after: Some(time.judged()),
                limit,
            })
        };
        match event {
            HostEvent::Team(team) if late => Err(too_late(&team.reply())),
            HostEvent::Move(code) if late => Err(too_late(&code)),
            HostEvent::Team(team) => Ok(Answer {
                content: Content::Team(team),
                time,
            }),
            HostEvent::Move(code) => Ok(Answer {
                content: Content::Move(code),
                time,
            }),
            HostEvent::Broken(error) => Err(Fault::Broken(BrokenCode::Reply(error))),
            HostEvent::Build(_) | HostEvent::Unsolicited(_) => {
                unreachable!("the referee has not asked for it")
            }
        }
    }
}

fn since(received: &Received<'_>, sent: &Sent) -> Time {
    let simulated = received.simulated.zip(sent.simulated);
    Time {
        wall: received.at.saturating_duration_since(sent.at),
        simulated: simulated.map(|(received, sent)| received.saturating_sub(sent)),
    }
}

/// What an error of the link means for the game.
fn failed(error: LinkError) -> Failed {
    let LinkError::Io { name, source } = error else {
        return Failed::Player(Fault::Lost(Loss::from(error)));
    };
    // Links inside this process bring errors of their own as the source of an I/O error.
    let inner = source.get_ref();
    match inner.and_then(|inner| inner.downcast_ref::<NoMove>()) {
        Some(NoMove::Resigned(_)) => return Failed::Player(Fault::Resigned),
        Some(NoMove::Engine(error)) => {
            return Failed::Player(Fault::Lost(Loss::Failed(error.to_string())));
        }
        None => {}
    }
    match source.downcast::<SimError>() {
        Ok(error) => Failed::Host(ArenaError::Simulation(error)),
        Err(source) => {
            let error = LinkError::Io { name, source };
            Failed::Player(Fault::Lost(Loss::from(error)))
        }
    }
}
