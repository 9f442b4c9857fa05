//! Connection to one player: prompts, replies and time control.

mod reply;

use std::sync::Arc;
use std::time::{Duration, Instant};

use duoforge_links::wirelog::{Endpoint, LoggedLink, WireLog};
use duoforge_links::{Link, LinkError, Sent};
use duoforge_protocol::{HostEvent, HostSession, Prompt, is_ignored};

pub use self::reply::{PromptError, ReplyContent, TimedReply};
use self::reply::{failed, since};
use crate::player::{Identity, Terms};
use crate::reset::Reset;
use crate::time_control::TimeBank;
use crate::variant::TimeLeft;
use crate::{
    BrokenCode, Fault, LateReply, Player, Remark, Seat, SideChannel, StallMonitor, StalledWait,
    Time, TimeControl,
};

/// Length of a single wait for a player without a time limit.
const PATIENCE: Duration = Duration::from_secs(24 * 3600);

/// Host end of the connection to one player.
pub struct Connection {
    name: String,
    version: Option<String>,
    link: LoggedLink<Box<dyn Link>>,
    session: HostSession,
    terms: Terms,
    bank: Option<TimeBank>,
    pulse: &'static StallMonitor,
    unsolicited: Vec<u8>,
    side: Option<Arc<dyn SideChannel>>,
    /// True if the last prompt could not be sent.
    unsent: bool,
    /// Time of the last wait for a reply in which the host stalled; zero in simulated time.
    stalled: Duration,
}

impl Connection {
    pub fn new(player: Player, seat: Seat, log: WireLog, limit: Duration) -> Self {
        let (identity, link) = player.detach();
        let Identity {
            name,
            version,
            terms,
            side,
        } = identity;
        let limit = match terms.clock {
            Some(TimeControl::Fixed(own)) => own,
            _ => limit,
        };
        Self {
            name,
            version,
            link: LoggedLink::new(link, log, seat.number().to_string(), Endpoint::Host),
            terms,
            bank: None,
            pulse: StallMonitor::of_host(),
            session: HostSession::with_limit(limit),
            unsolicited: Vec::new(),
            side,
            unsent: false,
            stalled: Duration::ZERO,
        }
    }

    /// Returns the player; its further traffic is not logged.
    pub fn into_player(self) -> Player {
        let identity = Identity {
            name: self.name,
            version: self.version,
            terms: self.terms,
            side: self.side,
        };
        Player::attach(identity, self.link.into_inner())
    }

    /// Begins a game: refills a time bank.
    pub fn begin(&mut self) {
        self.bank = self.terms.clock.and_then(TimeBank::full);
    }

    /// Time for the first reply of a game if the player has a bank, otherwise zero.
    pub fn full_bank(&self) -> Duration {
        self.terms
            .clock
            .and_then(TimeBank::full)
            .map_or(Duration::ZERO, |bank| bank.left())
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Version of the player, if known.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    pub const fn needs_pause(&self) -> bool {
        self.terms.needs_pause
    }

    /// Hard reset of the device after a game.
    pub const fn reset(&mut self) -> &mut Reset {
        &mut self.terms.reset
    }

    /// True if the player may reconnect after its link was lost.
    pub const fn reconnects(&self) -> bool {
        self.terms.reconnects
    }

    /// True if the player can reply to a repeated `0` although its link was lost. A link that
    /// reconnects fails to send only after its wait for the device, so a prompt that could not be
    /// sent is not repeated.
    pub const fn may_return(&self) -> bool {
        self.terms.reconnects && !self.unsent
    }

    /// State of the protocol, which creates the prompts.
    pub const fn session(&mut self) -> &mut HostSession {
        &mut self.session
    }

    /// Takes what the program behind the link added to its last move.
    pub fn take_remark(&self) -> Remark {
        let side = self.side.as_ref();
        side.map_or_else(Remark::default, |side| side.take_remark())
    }

    /// Takes the log of the program behind the link.
    pub fn take_log(&self) -> Option<String> {
        self.side.as_ref().and_then(|side| side.take_log())
    }

    /// Takes the unsolicited bytes.
    pub fn take_unsolicited(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.unsolicited)
    }

    /// Sends a prompt for a move and waits for the reply under the player's time control.
    pub fn ask_move(&mut self, prompt: Prompt) -> Result<TimedReply, PromptError> {
        let Some(mut bank) = self.bank else {
            self.set_time_left(prompt.limit, Duration::ZERO);
            return self.ask(prompt, Duration::ZERO);
        };
        self.set_time_left(bank.left(), bank.grace());
        let limited = Prompt {
            limit: bank.left(),
            ..prompt
        };
        let answer = match self.ask(limited, bank.grace()) {
            Ok(answer) => {
                // The player does not pay for the time in which the host stalled.
                bank.pay(answer.time.judged().saturating_sub(self.stalled));
                Ok(answer)
            }
            Err(PromptError::Player(Fault::Timeout(late))) => match late.after {
                Some(after) if bank.forgive() => Ok(TimedReply {
                    content: ReplyContent::Forfeit,
                    time: Time {
                        wall: after,
                        ..Time::default()
                    },
                }),
                _ => Err(PromptError::Player(Fault::Timeout(late))),
            },
            failed => failed,
        };
        self.bank = Some(bank);
        answer
    }

    /// Sends the time for the next move to the program behind the link.
    fn set_time_left(&self, left: Duration, grace: Duration) {
        if let Some(side) = &self.side {
            let time = TimeLeft {
                left: Some(left),
                grace,
                is_bank: self.bank.is_some(),
            };
            let time = if self.terms.timed {
                time
            } else {
                TimeLeft::UNLIMITED
            };
            side.set_time_left(time);
        }
    }

    /// Sends a prompt and waits for the reply until `grace` after the limit. Earlier bytes on the
    /// connection are discarded as unsolicited. No reply is due after a failure.
    pub fn ask(&mut self, prompt: Prompt, grace: Duration) -> Result<TimedReply, PromptError> {
        let answer = self.exchange(prompt, grace);
        if answer.is_err() {
            self.session.expire();
        }
        answer
    }

    fn exchange(&mut self, prompt: Prompt, grace: Duration) -> Result<TimedReply, PromptError> {
        self.discard()?;
        let sent = self.link.send(&prompt.frame);
        self.unsent = sent.is_err();
        let sent = sent.map_err(failed)?;
        let mut deadline = self.deadline(&prompt, &sent) + grace;
        let mut extended = false;
        let mut buf = [0; 64];
        loop {
            match self.link.recv(&mut buf, deadline) {
                Ok(received) => {
                    if let Some(event) = self.feed(received.bytes) {
                        let mut time = since(&received, &sent);
                        time.host = self.pulse.latency(sent.at);
                        self.stalled = match time.simulated {
                            Some(_) => Duration::ZERO,
                            None => self.pulse.stall(sent.at, received.at).stopped,
                        };
                        let answer = self.judge(event, time, prompt.limit);
                        return answer.map_err(|fault| {
                            PromptError::Player(self.doubted(fault, &sent, received.at))
                        });
                    }
                    // Bytes without a reply, such as line ends, do not extend the wait.
                    if received.since(&sent) <= deadline.saturating_duration_since(sent.at) {
                        continue;
                    }
                }
                Err(LinkError::Timeout) => {}
                Err(error) => return Err(self.lost(error, &sent, prompt.limit)),
            }
            let stall = self.pulse.stall(sent.at, Instant::now());
            let counts = self.terms.timed && sent.simulated.is_none();
            if !counts || extended || stall.stopped.is_zero() {
                return Err(PromptError::Player(self.give_up(&sent, prompt.limit)));
            }
            // The stall has shortened the player's time.
            extended = true;
            deadline = Instant::now() + stall.stopped.min(prompt.limit);
        }
    }

    /// Feeds received bytes to the state of the protocol and returns the reply that they complete.
    fn feed(&mut self, bytes: &[u8]) -> Option<HostEvent> {
        let mut answer = None;
        for event in bytes.iter().filter_map(|&byte| self.session.feed(byte)) {
            match event {
                HostEvent::Unsolicited(byte) => self.unsolicited.push(byte),
                event => answer = Some(event),
            }
        }
        answer
    }

    /// Sends `9`, which gets no reply, and begins the device's reset. A failure is only logged.
    pub fn end(&mut self) {
        let prompt = self.session.end();
        let _ = self.link.send(&prompt.frame);
        self.terms.reset.begin();
    }

    /// Discards unsolicited bytes. They bypass the protocol state, which may already expect the
    /// reply to a prompt that is not sent yet.
    pub fn discard(&mut self) -> Result<(), PromptError> {
        let bytes = self.link.drain().map_err(failed)?;
        let bytes = bytes.into_iter();
        self.unsolicited
            .extend(bytes.filter(|&byte| !is_ignored(byte)));
        Ok(())
    }

    /// Deadline for a reply, at the limit after the prompt was sent. A link in simulated time
    /// measures this time span in simulated time.
    fn deadline(&self, prompt: &Prompt, sent: &Sent) -> Instant {
        let patience = if self.terms.timed {
            prompt.limit
        } else {
            PATIENCE
        };
        sent.at + patience
    }

    fn give_up(&mut self, sent: &Sent, limit: Duration) -> Fault {
        let received = self.session.received().to_vec();
        self.session.expire();
        let stall = self.pulse.stall(sent.at, Instant::now());
        if self.terms.timed && !stall.suspended.is_zero() {
            let after = None;
            return Fault::Uncertain(StalledWait {
                stall,
                after,
                limit,
            });
        }
        Fault::Timeout(LateReply {
            received,
            after: None,
            limit,
        })
    }

    /// Marks a late reply as uncertain if the host stall accounts for the delay.
    fn doubted(&self, fault: Fault, sent: &Sent, at: Instant) -> Fault {
        let Fault::Timeout(LateReply { after, limit, .. }) = &fault else {
            return fault;
        };
        let stall = self.pulse.stall(sent.at, at);
        let took = after.unwrap_or_default();
        if sent.simulated.is_some() || took.saturating_sub(stall.stopped) > *limit {
            return fault;
        }
        Fault::Uncertain(StalledWait {
            stall,
            after: *after,
            limit: *limit,
        })
    }

    /// Classifies a broken link. A device may disconnect because the machine was suspended, which
    /// is not the player's fault.
    fn lost(&self, error: LinkError, sent: &Sent, limit: Duration) -> PromptError {
        let stall = self.pulse.stall(sent.at, Instant::now());
        match failed(error) {
            PromptError::Player(Fault::Lost(_)) if !stall.suspended.is_zero() => {
                let after = None;
                PromptError::Player(Fault::Uncertain(StalledWait {
                    stall,
                    after,
                    limit,
                }))
            }
            failed => failed,
        }
    }

    fn judge(&self, event: HostEvent, time: Time, limit: Duration) -> Result<TimedReply, Fault> {
        let late = self.terms.timed && time.judged() > limit;
        let too_late = |received: &[u8]| {
            Fault::Timeout(LateReply {
                received: received.to_vec(),
                after: Some(time.judged()),
                limit,
            })
        };
        match event {
            HostEvent::Team(team) if late => Err(too_late(&team.reply())),
            HostEvent::Move(code) if late => Err(too_late(&code)),
            HostEvent::Team(team) => Ok(TimedReply {
                content: ReplyContent::Team(team),
                time,
            }),
            HostEvent::Move(code) => Ok(TimedReply {
                content: ReplyContent::Move(code),
                time,
            }),
            HostEvent::Broken(error) => Err(Fault::Broken(BrokenCode::Reply(error))),
            HostEvent::Build(_) | HostEvent::Unsolicited(_) => {
                unreachable!("the referee has not asked for it")
            }
        }
    }
}

#[cfg(test)]
mod tests;
