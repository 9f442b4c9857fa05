//! The host's side of the protocol as a state machine without I/O, one per board.

use core::time::Duration;

use crate::REPLY_LIMIT;
use crate::code::{BuildId, Frame, HostCode, MoveCode, StartCell, TeamCode, has_no_blank};
use crate::is_blank;
use crate::reply::{Expect, Reply, ReplyError, ReplyParser};

/// Where the conversation with one board stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// No handshake yet, or it failed.
    New,
    /// The board gave its team code; no game has begun.
    Ready,
    /// A game is running.
    Playing,
    /// `9` was sent; only `0` may follow.
    Ended,
}

/// A code to send, and what has to come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prompt {
    /// The code.
    pub code: HostCode,
    /// Its bytes.
    pub frame: Frame,
    /// What the board has to answer; `None` after `9`.
    pub expect: Option<Expect>,
    /// How long it may take, from the last byte sent to the last byte received; zero after `9`.
    pub limit: Duration,
}

/// A prompt that does not fit the state of the conversation: a mistake of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum OrderError {
    /// The answer to the prompt before is still due.
    #[error("the answer to the prompt before is still due")]
    ReplyDue,
    /// A game needs a handshake (`0`) first.
    #[error("a game needs a handshake first")]
    NoHandshake,
    /// A turn (`4`) needs a first request (`2` or `3`).
    #[error("a turn needs a game that has begun")]
    NotPlaying,
    /// A handshake or a first request came in the middle of a game.
    #[error("a game is running; end it first")]
    Playing,
    /// A move code holds a blank, which would be dropped on the way.
    #[error("a move code cannot hold a blank")]
    BlankInCode,
}

/// What a byte of the board completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostEvent {
    /// The board answered the handshake.
    Team(TeamCode),
    /// The board answered a move; printable, but otherwise not judged.
    Move(MoveCode),
    /// The board answered which build it is.
    Build(BuildId),
    /// The answer has its full length but is broken.
    Broken(ReplyError),
    /// A byte came while nothing was due.
    Unsolicited(u8),
}

/// The host's end of one board's line.
///
/// Each prompt returns what to send and how long to wait; the board's bytes go into
/// [`feed`](Self::feed), and the end of the time limit into [`expire`](Self::expire).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HostSession {
    phase: Phase,
    pending: Option<ReplyParser>,
    team: Option<TeamCode>,
    limit: Duration,
}

impl Default for HostSession {
    fn default() -> Self {
        Self::new()
    }
}

impl HostSession {
    /// A conversation that has not begun, with the contest's time limit of 1 s.
    #[must_use]
    pub const fn new() -> Self {
        Self::with_limit(REPLY_LIMIT)
    }

    /// A conversation that has not begun, with another time limit for each answer.
    #[must_use]
    pub const fn with_limit(limit: Duration) -> Self {
        Self {
            phase: Phase::New,
            pending: None,
            team: None,
            limit,
        }
    }

    /// `0`: asks for the team code. May be repeated until a game begins.
    ///
    /// # Errors
    /// [`OrderError::ReplyDue`], [`OrderError::Playing`].
    pub fn hello(&mut self) -> Result<Prompt, OrderError> {
        self.nothing_due()?;
        if self.phase == Phase::Playing {
            return Err(OrderError::Playing);
        }
        self.phase = Phase::New;
        self.team = None;
        Ok(self.ask(HostCode::Hello))
    }

    /// `2X`: asks the first player for its first move.
    ///
    /// # Errors
    /// [`OrderError::ReplyDue`], [`OrderError::NoHandshake`], [`OrderError::Playing`].
    pub fn first(&mut self, start: StartCell) -> Result<Prompt, OrderError> {
        self.begin(HostCode::First { start })
    }

    /// `3XYYYY`: asks the second player for its first move, after the rival's `code`.
    ///
    /// # Errors
    /// [`OrderError::ReplyDue`], [`OrderError::NoHandshake`], [`OrderError::Playing`],
    /// [`OrderError::BlankInCode`].
    pub fn second(&mut self, start: StartCell, code: MoveCode) -> Result<Prompt, OrderError> {
        if !has_no_blank(code) {
            return Err(OrderError::BlankInCode);
        }
        self.begin(HostCode::Second { start, code })
    }

    /// `4XXXX`: asks for a move after the rival's `code`.
    ///
    /// # Errors
    /// [`OrderError::ReplyDue`], [`OrderError::NotPlaying`], [`OrderError::BlankInCode`].
    pub fn turn(&mut self, code: MoveCode) -> Result<Prompt, OrderError> {
        if !has_no_blank(code) {
            return Err(OrderError::BlankInCode);
        }
        self.nothing_due()?;
        if self.phase != Phase::Playing {
            return Err(OrderError::NotPlaying);
        }
        Ok(self.ask(HostCode::Turn { code }))
    }

    /// `9`: ends the game, whatever is due. Nothing is answered; only `0` may follow.
    pub fn end(&mut self) -> Prompt {
        self.phase = Phase::Ended;
        self.pending = None;
        self.ask(HostCode::End)
    }

    /// `????`: asks a board of this project which build it is; others stay silent. Not in a game.
    ///
    /// # Errors
    /// [`OrderError::ReplyDue`], [`OrderError::Playing`].
    pub fn identify(&mut self) -> Result<Prompt, OrderError> {
        self.nothing_due()?;
        if self.phase == Phase::Playing {
            return Err(OrderError::Playing);
        }
        Ok(self.ask(HostCode::Identify))
    }

    fn nothing_due(&self) -> Result<(), OrderError> {
        if self.pending.is_some() {
            Err(OrderError::ReplyDue)
        } else {
            Ok(())
        }
    }

    fn begin(&mut self, code: HostCode) -> Result<Prompt, OrderError> {
        self.nothing_due()?;
        match self.phase {
            Phase::New | Phase::Ended => Err(OrderError::NoHandshake),
            Phase::Playing => Err(OrderError::Playing),
            Phase::Ready => {
                self.phase = Phase::Playing;
                Ok(self.ask(code))
            }
        }
    }

    fn ask(&mut self, code: HostCode) -> Prompt {
        let expect = code.expects();
        self.pending = expect.map(ReplyParser::new);
        let limit = if expect.is_some() {
            self.limit
        } else {
            Duration::ZERO
        };
        Prompt {
            code,
            frame: code.encode(),
            expect,
            limit,
        }
    }

    /// Takes the next byte from the board. Blanks never make an event.
    pub fn feed(&mut self, byte: u8) -> Option<HostEvent> {
        let Some(parser) = &mut self.pending else {
            return (!is_blank(byte)).then_some(HostEvent::Unsolicited(byte));
        };
        let reply = parser.feed(byte)?;
        self.pending = None;
        Some(match reply {
            Ok(Reply::Team(team)) => {
                self.phase = Phase::Ready;
                self.team = Some(team);
                HostEvent::Team(team)
            }
            Ok(Reply::Move(code)) => HostEvent::Move(code),
            Ok(Reply::Build(build)) => HostEvent::Build(build),
            Err(error) => HostEvent::Broken(error),
        })
    }

    /// The time limit is over: gives the answer up and says what is wrong with it,
    /// [`ReplyError::Silent`] or [`ReplyError::Short`]; `None` when nothing was due.
    /// What still comes of it is [`HostEvent::Unsolicited`].
    pub fn expire(&mut self) -> Option<ReplyError> {
        self.pending.take().map(|parser| parser.unfinished())
    }

    /// Which answer is due now.
    #[must_use]
    pub fn expects(&self) -> Option<Expect> {
        self.pending.as_ref().map(ReplyParser::expect)
    }

    /// The bytes of an unfinished answer, without CR and LF; empty when nothing is due.
    #[must_use]
    pub fn received(&self) -> &[u8] {
        self.pending.as_ref().map_or(&[], ReplyParser::received)
    }

    /// Where the conversation stands.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The team code of the last handshake.
    #[must_use]
    pub const fn team(&self) -> Option<TeamCode> {
        self.team
    }
}
