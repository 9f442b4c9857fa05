//! Host side of the protocol as a state machine without I/O, one per device.

use core::time::Duration;

use crate::REPLY_LIMIT;
use crate::code::{BuildId, Frame, HostCode, MoveCode, StartCell, TeamCode, has_no_blank};
use crate::is_ignored;
use crate::reply::{Reply, ReplyError, ReplyParser};
use crate::reply_kind::ReplyKind;

/// Phase of the connection to one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// No handshake yet, or the last handshake failed.
    New,
    /// The device has sent its team code; no game has begun.
    Ready,
    /// A game is running.
    Playing,
    /// `9` was sent; only `0` and `????` may follow.
    Ended,
}

/// Code to send and the reply that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prompt {
    /// Host code.
    pub code: HostCode,
    /// Bytes of the code.
    pub frame: Frame,
    /// Kind of reply that is due; `None` after `9`.
    pub expect: Option<ReplyKind>,
    /// Time limit of the reply, from the last byte sent to the last byte received; zero after `9`.
    pub limit: Duration,
}

/// Error of a prompt that does not fit the phase of the connection: a mistake of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum PromptOrderError {
    /// The reply to the previous prompt is still due.
    #[error("the answer to the prompt before is still due")]
    ReplyDue,
    /// A game needs a handshake (`0`) first.
    #[error("a game needs a handshake first")]
    NoHandshake,
    /// `4` needs a game that `2` or `3` has begun.
    #[error("a turn needs a game that has begun")]
    NotPlaying,
    /// `0`, `2`, `3` or `????` is not permitted during a game.
    #[error("a game is running; end it first")]
    Playing,
    /// A move code contains a blank, which the device would drop.
    #[error("a move code cannot hold a blank")]
    BlankInCode,
}

/// Event that a byte from the device completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostEvent {
    /// The device replied to the handshake.
    Team(TeamCode),
    /// The device replied with a move; the characters are printable, the legality is unchecked.
    Move(MoveCode),
    /// The device replied with its build id.
    Build(BuildId),
    /// The reply has its full length but is malformed.
    Broken(ReplyError),
    /// A byte arrived while no reply was due.
    Unsolicited(u8),
}

/// Host end of the connection to one device.
///
/// Each prompt method returns the bytes to send and the time limit. Pass the device's bytes to
/// [`feed`](Self::feed) and the end of the time limit to [`expire`](Self::expire).
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
    /// Creates a connection in the phase [`Phase::New`] with the contest's limit of 1 s per reply.
    #[must_use]
    pub const fn new() -> Self {
        Self::with_limit(REPLY_LIMIT)
    }

    /// Creates a connection in the phase [`Phase::New`] with the given limit per reply.
    #[must_use]
    pub const fn with_limit(limit: Duration) -> Self {
        Self {
            phase: Phase::New,
            pending: None,
            team: None,
            limit,
        }
    }

    /// `0`: prompts for the team code. Repeatable until a game begins.
    ///
    /// # Errors
    /// [`PromptOrderError::ReplyDue`], [`PromptOrderError::Playing`].
    pub fn handshake(&mut self) -> Result<Prompt, PromptOrderError> {
        self.nothing_due()?;
        if self.phase == Phase::Playing {
            return Err(PromptOrderError::Playing);
        }
        self.phase = Phase::New;
        self.team = None;
        Ok(self.ask(HostCode::Handshake))
    }

    /// `2X`: prompts the first player for its first move.
    ///
    /// # Errors
    /// [`PromptOrderError::ReplyDue`], [`PromptOrderError::NoHandshake`],
    /// [`PromptOrderError::Playing`].
    pub fn first(&mut self, start: StartCell) -> Result<Prompt, PromptOrderError> {
        self.begin(HostCode::First { start })
    }

    /// `3XYYYY`: prompts the second player for its first move, after the opponent's `code`.
    ///
    /// # Errors
    /// [`PromptOrderError::ReplyDue`], [`PromptOrderError::NoHandshake`],
    /// [`PromptOrderError::Playing`], [`PromptOrderError::BlankInCode`].
    pub fn second(&mut self, start: StartCell, code: MoveCode) -> Result<Prompt, PromptOrderError> {
        if !has_no_blank(code) {
            return Err(PromptOrderError::BlankInCode);
        }
        self.begin(HostCode::Second { start, code })
    }

    /// `4XXXX`: prompts for a move after the opponent's `code`.
    ///
    /// # Errors
    /// [`PromptOrderError::ReplyDue`], [`PromptOrderError::NotPlaying`],
    /// [`PromptOrderError::BlankInCode`].
    pub fn turn(&mut self, code: MoveCode) -> Result<Prompt, PromptOrderError> {
        if !has_no_blank(code) {
            return Err(PromptOrderError::BlankInCode);
        }
        self.nothing_due()?;
        if self.phase != Phase::Playing {
            return Err(PromptOrderError::NotPlaying);
        }
        Ok(self.ask(HostCode::Turn { code }))
    }

    /// `9`: ends the game and cancels a reply that is due. The device does not reply. The next game
    /// needs `0` first.
    pub fn end(&mut self) -> Prompt {
        self.phase = Phase::Ended;
        self.pending = None;
        self.ask(HostCode::End)
    }

    /// `????`: prompts a device of this project for its build id; other devices stay silent. Not
    /// permitted during a game.
    ///
    /// # Errors
    /// [`PromptOrderError::ReplyDue`], [`PromptOrderError::Playing`].
    pub fn identify(&mut self) -> Result<Prompt, PromptOrderError> {
        self.nothing_due()?;
        if self.phase == Phase::Playing {
            return Err(PromptOrderError::Playing);
        }
        Ok(self.ask(HostCode::Identify))
    }

    fn nothing_due(&self) -> Result<(), PromptOrderError> {
        if self.pending.is_some() {
            Err(PromptOrderError::ReplyDue)
        } else {
            Ok(())
        }
    }

    fn begin(&mut self, code: HostCode) -> Result<Prompt, PromptOrderError> {
        self.nothing_due()?;
        match self.phase {
            Phase::New | Phase::Ended => Err(PromptOrderError::NoHandshake),
            Phase::Playing => Err(PromptOrderError::Playing),
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

    /// Takes the next byte from the device. A blank that arrives while no reply is due is ignored.
    pub fn feed(&mut self, byte: u8) -> Option<HostEvent> {
        let Some(parser) = &mut self.pending else {
            return (!is_ignored(byte)).then_some(HostEvent::Unsolicited(byte));
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

    /// Signals the end of the time limit: cancels the reply that is due. Returns
    /// [`ReplyError::Silent`] or [`ReplyError::Short`]; `None` if no reply was due. Later bytes of
    /// the reply are [`HostEvent::Unsolicited`].
    pub fn expire(&mut self) -> Option<ReplyError> {
        self.pending.take().map(|parser| parser.unfinished())
    }

    /// Kind of reply that is due now.
    #[must_use]
    pub fn expects(&self) -> Option<ReplyKind> {
        self.pending.as_ref().map(ReplyParser::expect)
    }

    /// Bytes of a partial reply, without CR and LF; empty if no reply is due.
    #[must_use]
    pub fn received(&self) -> &[u8] {
        self.pending.as_ref().map_or(&[], ReplyParser::received)
    }

    /// Current phase of the connection.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Team code of the last handshake.
    #[must_use]
    pub const fn team(&self) -> Option<TeamCode> {
        self.team
    }
}
