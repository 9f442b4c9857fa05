//! Device in one seat of a game whose other moves the caller supplies.

use std::fmt;
use std::thread;
use std::time::{Duration, Instant};

use duoforge_links::wirelog::WireLog;
use duoforge_protocol::{MoveCode, PASS, Phase, TeamCode};

use crate::connection::{Connection, PromptError, ReplyContent, TimedReply};
use crate::{Fault, Player, RefereeError, RefereeOptions, Seat, Setup, Time};

/// Device in one seat of a game of the contest, in the contest's setup: player 1 moves first, from
/// (5,5). A [`Referee`](crate::Referee) prompts two players; here the caller supplies the moves of
/// the other seat, such as those of a person, and judges the device's moves.
///
/// Replies are timed as the referee times them, and the bytes are in the [`log`](Self::log).
pub struct SeatedDevice {
    line: Connection,
    log: WireLog,
    seat: Seat,
    options: RefereeOptions,
    replies: usize,
}

/// Reason why a device gives no move.
#[derive(Debug, thiserror::Error)]
pub enum SeatError {
    /// Fault of the device.
    #[error("{0}")]
    Fault(Fault),
    /// Failure of this program, which is not the device's.
    #[error(transparent)]
    Host(#[from] RefereeError),
}

impl SeatError {
    /// True if the device is at fault: neither this program failed nor the host stalled.
    #[must_use]
    pub const fn is_of_device(&self) -> bool {
        matches!(self, Self::Fault(fault) if !matches!(fault, Fault::Uncertain(_)))
    }
}

impl From<PromptError> for SeatError {
    fn from(error: PromptError) -> Self {
        match error {
            PromptError::Player(fault) => Self::Fault(fault),
            PromptError::Host(error) => Self::Host(error),
        }
    }
}

impl SeatedDevice {
    /// Seats a device. Its connection has the number of its seat in the log.
    #[must_use]
    pub fn new(player: Player, seat: Seat, options: RefereeOptions) -> Self {
        let log = WireLog::new();
        Self {
            line: Connection::new(player, seat, log.clone(), options.limit),
            log,
            seat,
            options,
            replies: 0,
        }
    }

    /// Begins a game with the handshake. A game in progress ends before it.
    ///
    /// # Errors
    /// [`SeatError`] if the device does not reply with its team code.
    pub fn begin(&mut self) -> Result<TeamCode, SeatError> {
        if self.line.session().phase() == Phase::Playing {
            self.line.end();
        }
        self.line.reset().wait(|| false);
        self.replies = 0;
        let mut tries = 1;
        loop {
            let prompt = self
                .line
                .session()
                .handshake()
                .map_err(RefereeError::from)?;
            let answer = self.line.ask(prompt, Duration::ZERO);
            self.note_unsolicited();
            match answer {
                Ok(TimedReply {
                    content: ReplyContent::Team(team),
                    ..
                }) => {
                    if tries > 1 {
                        // Late replies to the earlier prompts may still arrive.
                        thread::sleep(self.options.pause);
                        self.line.discard()?;
                        self.note_unsolicited();
                    }
                    self.line.begin();
                    return Ok(team);
                }
                Ok(_) => unreachable!("the reply to 0 is a team code"),
                Err(PromptError::Player(fault))
                    if tries < self.options.handshakes
                        && (self.line.may_return() || !matches!(fault, Fault::Lost(_))) =>
                {
                    self.note(format!("no handshake: {fault}"));
                    tries += 1;
                }
                Err(error) => return Err(self.noted(error)),
            }
        }
    }

    /// Prompts the device for its next move. `last` is the move before it; `None` at the begin of
    /// the game, for the device that moves first.
    ///
    /// # Errors
    /// [`SeatError`]. The moves of the reply are not checked: an illegal one is not an error.
    pub fn reply(&mut self, last: Option<MoveCode>) -> Result<(MoveCode, Time), SeatError> {
        let start = Setup::default().start(self.seat);
        let session = self.line.session();
        let prompt = match (self.replies, last) {
            (0, None) => session.first(start),
            (0, Some(code)) => session.second(start, code),
            (_, code) => session.turn(code.unwrap_or(PASS)),
        };
        let answer = self.line.ask_move(prompt.map_err(RefereeError::from)?);
        self.note_unsolicited();
        match answer {
            Ok(TimedReply { content, time }) => {
                self.replies += 1;
                let code = match content {
                    ReplyContent::Move(code) => code,
                    ReplyContent::Forfeit => PASS,
                    ReplyContent::Team(_) => unreachable!("the reply to a prompt is a move"),
                };
                Ok((code, time))
            }
            Err(error) => Err(self.noted(error)),
        }
    }

    /// Number of moves that the device has made in this game.
    #[must_use]
    pub const fn replies(&self) -> usize {
        self.replies
    }

    /// Bytes on the connection with their times.
    #[must_use]
    pub const fn log(&self) -> &WireLog {
        &self.log
    }

    /// Ends the game with `9`. Returns the end of the device's hard reset, if it needs one.
    pub fn end(&mut self) -> Option<Instant> {
        self.line.end();
        self.replies = 0;
        self.line.reset().until
    }

    fn note(&self, text: String) {
        self.log.note(&self.seat.number().to_string(), text);
    }

    fn note_unsolicited(&mut self) {
        let bytes = self.line.take_unsolicited();
        if !bytes.is_empty() {
            self.note(format!(
                "discarded, as nothing was due: {}",
                bytes.escape_ascii()
            ));
        }
    }

    /// Notes a fault in the log.
    fn noted(&self, error: PromptError) -> SeatError {
        let error = SeatError::from(error);
        self.note(error.to_string());
        error
    }
}

impl fmt::Debug for SeatedDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SeatedDevice")
            .field("name", &self.line.name())
            .field("seat", &self.seat)
            .field("replies", &self.replies)
            .finish_non_exhaustive()
    }
}
