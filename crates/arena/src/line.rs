//! One player's line: prompts out, answers in, by the clock.

use std::time::{Duration, Instant};

use duoforge_protocol::link::{Link, LinkError, Received, Sent};
use duoforge_protocol::wirelog::{LoggedLink, Side, WireLog};
use duoforge_protocol::{HostEvent, HostSession, MoveCode, Prompt, TeamCode, is_blank};

use duoforge_sim::SimError;

use crate::clock::Bank;
use crate::{
    ArenaError, BrokenCode, Clock, Fault, Late, Loss, NoMove, Player, Pulse, Seat, Time, Uncertain,
};

/// How long a player without a clock is waited for at a time.
const PATIENCE: Duration = Duration::from_secs(24 * 3600);

/// The host's end of the line to one player.
pub struct Line {
    name: String,
    link: LoggedLink<Box<dyn Link>>,
    session: HostSession,
    timed: bool,
    settles: bool,
    clock: Option<Clock>,
    bank: Option<Bank>,
    pulse: &'static Pulse,
    returns: bool,
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
    /// A move, but after the player's time bank had run out for the first time.
    Forfeit,
}

impl Line {
    pub fn new(player: Player, seat: Seat, log: WireLog, limit: Duration) -> Self {
        let clock = player.clock();
        let limit = match clock {
            Some(Clock::Fixed(own)) => own,
            _ => limit,
        };
        Self {
            clock,
            bank: None,
            pulse: Pulse::of_host(),
            name: player.name().to_owned(),
            timed: player.is_timed(),
            settles: player.settles(),
            returns: player.returns(),
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

    /// The player, whose further traffic is not logged.
    pub fn into_player(self) -> Player {
        Player::again(
            self.name,
            self.link.into_inner(),
            [self.timed, self.settles, self.returns],
            self.clock,
        )
    }

    /// A game begins: a time bank is filled up.
    pub fn begin(&mut self) {
        self.bank = self.clock.and_then(Bank::full);
    }

    /// Time for the first answer of a game where the player has a bank.
    pub fn full_bank(&self) -> Duration {
        self.clock
            .and_then(Bank::full)
            .map_or(Duration::ZERO, |bank| bank.left())
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub const fn settles(&self) -> bool {
        self.settles
    }

    /// Whether the player may come back after its link was lost.
    pub const fn returns(&self) -> bool {
        self.returns
    }

    /// The protocol's state, to make prompts with.
    pub const fn session(&mut self) -> &mut HostSession {
        &mut self.session
    }

    /// Takes the bytes that came while nothing was due.
    pub fn take_strays(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.strays)
    }

    /// Sends a prompt for a move and waits for its answer, for as long as the player's clock says.
    pub fn ask_move(&mut self, prompt: Prompt) -> Result<Answer, Failed> {
        let Some(mut bank) = self.bank else {
            return self.ask(prompt, Duration::ZERO);
        };
        let limited = Prompt {
            limit: bank.left(),
            ..prompt
        };
        let answer = match self.ask(limited, bank.grace()) {
            Ok(answer) => {
                bank.pay(answer.time.judged());
                Ok(answer)
            }
            Err(Failed::Player(Fault::Timeout(late))) => match late.after {
                Some(after) if bank.forgive() => Ok(Answer {
                    content: Content::Forfeit,
                    time: Time {
                        wall: after,
                        ..Time::default()
                    },
                }),
                _ => Err(Failed::Player(Fault::Timeout(late))),
            },
            failed => failed,
        };
        self.bank = Some(bank);
        answer
    }

    /// Sends a prompt and waits for its answer, up to the end of `grace` after the limit. What was on
    /// the line before is discarded.
    pub fn ask(&mut self, prompt: Prompt, grace: Duration) -> Result<Answer, Failed> {
        self.discard()?;
        let sent = self.link.send(&prompt.frame).map_err(failed)?;
        let mut deadline = self.deadline(&prompt, &sent) + grace;
        let mut extended = false;
        let mut buf = [0; 64];
        loop {
            let received = match self.link.recv(&mut buf, deadline) {
                Ok(received) => received,
                Err(LinkError::Timeout) => {
                    let stall = self.pulse.stall(sent.at, Instant::now());
                    let counts = self.timed && sent.simulated.is_none();
                    if counts && !extended && !stall.stopped.is_zero() {
                        // The player has not had its whole time yet.
                        extended = true;
                        deadline = Instant::now() + stall.stopped.min(prompt.limit);
                        continue;
                    }
                    return Err(Failed::Player(self.give_up(&sent, prompt.limit)));
                }
                Err(error) => return Err(self.lost(error, &sent, prompt.limit)),
            };
            let mut time = since(&received, &sent);
            time.host = self.pulse.lateness(sent.at);
            let at = received.at;
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
                return answer.map_err(|fault| Failed::Player(self.doubted(fault, &sent, at)));
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

    fn give_up(&mut self, sent: &Sent, limit: Duration) -> Fault {
        let received = self.session.received().to_vec();
        self.session.expire();
        let stall = self.pulse.stall(sent.at, Instant::now());
        if self.timed && !stall.suspended.is_zero() {
            let after = None;
            return Fault::Uncertain(Uncertain {
                stall,
                after,
                limit,
            });
        }
        Fault::Timeout(Late {
            received,
            after: None,
            limit,
        })
    }

    /// A player that was late by no more than the host stood still may have been in time.
    fn doubted(&self, fault: Fault, sent: &Sent, at: Instant) -> Fault {
        let Fault::Timeout(Late { after, limit, .. }) = &fault else {
            return fault;
        };
        let stall = self.pulse.stall(sent.at, at);
        let took = after.unwrap_or_default();
        if sent.simulated.is_some() || took.saturating_sub(stall.stopped) > *limit {
            return fault;
        }
        Fault::Uncertain(Uncertain {
            stall,
            after: *after,
            limit: *limit,
        })
    }

    /// A link that broke. Devices may go away while a machine is suspended, which is not their fault.
    fn lost(&self, error: LinkError, sent: &Sent, limit: Duration) -> Failed {
        let stall = self.pulse.stall(sent.at, Instant::now());
        match failed(error) {
            Failed::Player(Fault::Lost(_)) if !stall.suspended.is_zero() => {
                let after = None;
                Failed::Player(Fault::Uncertain(Uncertain {
                    stall,
                    after,
                    limit,
                }))
            }
            failed => failed,
        }
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
        host: Duration::ZERO,
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

#[cfg(test)]
mod tests;
