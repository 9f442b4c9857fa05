//! Device side of the protocol as a state machine without I/O.

use crate::code::{BuildId, Frame, HostCode, MoveCode, PASS, StartCell, TeamCode};
use crate::parser::{Counters, HostCodeParser};

/// Command for the player, decoded from a host code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceEvent {
    /// `0`: clear the board and forget the start cell. The session sends `1XX` itself.
    Reset,
    /// `2X` or `3XYYYY`: start a game on an empty board. Apply the opponent's move, if there is
    /// one, then call [`answer`](DeviceSession::answer).
    Begin {
        /// Start cell of this device; the opponent has the other one.
        start: StartCell,
        /// First move of the opponent, if the opponent moves first.
        opponent: Option<MoveCode>,
    },
    /// `4XXXX`: apply the opponent's move, then call [`answer`](DeviceSession::answer).
    Turn {
        /// Move of the opponent; a malformed or illegal move counts as a pass.
        opponent: MoveCode,
    },
    /// `4XXXX` while no game is running. Without a start cell no placement is legal, so the session
    /// replies `0000` itself.
    UnsolicitedTurn {
        /// Move in the host code.
        opponent: MoveCode,
    },
    /// `9`: the game is over; clear the board.
    End,
}

/// Result of one received byte: a command for the player and bytes that the session sends itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeviceOutput {
    /// Command for the player.
    pub event: Option<DeviceEvent>,
    /// Bytes to send at once.
    pub send: Option<Frame>,
}

/// Error of [`DeviceSession::answer`] while no reply is due: it was sent already, or the prompt was
/// superseded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("no answer is due")]
pub struct NoAnswerDue;

/// Device end of the connection.
///
/// Pass bytes from the host to [`feed`](Self::feed), silence to [`on_silence`](Self::on_silence) and the player's
/// moves to [`answer`](Self::answer). A code that arrives before the reply to the previous one
/// supersedes that prompt. A superseded prompt never gets a late reply.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DeviceSession {
    team: TeamCode,
    build: BuildId,
    parser: HostCodeParser,
    start: Option<StartCell>,
    answer_due: bool,
}

impl DeviceSession {
    /// Creates a device in its power-on state: no game is running and no reply is due.
    #[must_use]
    pub const fn new(team: TeamCode) -> Self {
        Self {
            team,
            build: BuildId(0),
            parser: HostCodeParser::new(),
            start: None,
            answer_due: false,
        }
    }

    /// Sets the build id; the default is 0.
    #[must_use]
    pub const fn with_build(mut self, build: BuildId) -> Self {
        self.build = build;
        self
    }

    /// Takes the next byte from the host.
    pub fn feed(&mut self, byte: u8) -> DeviceOutput {
        match self.parser.feed(byte).code {
            Some(code) => self.take(code),
            None => DeviceOutput::default(),
        }
    }

    fn take(&mut self, code: HostCode) -> DeviceOutput {
        let (start, answer_due, event, send) = match code {
            // The parser accepts this code only outside a game, so the game state needs no update.
            HostCode::Identify => {
                return DeviceOutput {
                    event: None,
                    send: Some(self.build.reply()),
                };
            }
            HostCode::Handshake => (None, false, DeviceEvent::Reset, Some(self.team.reply())),
            HostCode::End => (None, false, DeviceEvent::End, None),
            HostCode::First { start } => (
                Some(start),
                true,
                DeviceEvent::Begin {
                    start,
                    opponent: None,
                },
                None,
            ),
            HostCode::Second { start, code } => (
                Some(start),
                true,
                DeviceEvent::Begin {
                    start,
                    opponent: Some(code),
                },
                None,
            ),
            HostCode::Turn { code: opponent } if self.start.is_some() => {
                (self.start, true, DeviceEvent::Turn { opponent }, None)
            }
            HostCode::Turn { code: opponent } => (
                None,
                false,
                DeviceEvent::UnsolicitedTurn { opponent },
                Some(Frame::new(&PASS)),
            ),
        };
        self.start = start;
        self.answer_due = answer_due;
        DeviceOutput {
            event: Some(event),
            send,
        }
    }

    /// Signals the inter-byte timeout ([`crate::INTER_BYTE_TIMEOUT`]): drops a partial code.
    /// Returns true if there was one.
    pub fn on_silence(&mut self) -> bool {
        self.parser.on_silence()
    }

    /// Signals a framing error of the receiver: drops a partial code. Returns true if there was
    /// one.
    pub fn framing_error(&mut self) -> bool {
        self.parser.framing_error()
    }

    /// Submits the player's move and returns the bytes to send.
    ///
    /// # Errors
    /// [`NoAnswerDue`] if no prompt is open or a newer code superseded it. The caller must then
    /// send nothing.
    pub fn answer(&mut self, code: MoveCode) -> Result<Frame, NoAnswerDue> {
        if !self.answer_due {
            return Err(NoAnswerDue);
        }
        self.answer_due = false;
        Ok(Frame::new(&code))
    }

    /// True if the host waits for a move.
    #[must_use]
    pub const fn answer_due(&self) -> bool {
        self.answer_due
    }

    /// Start cell of this device while a game is running.
    #[must_use]
    pub const fn start(&self) -> Option<StartCell> {
        self.start
    }

    /// True if a partial code waits for more bytes.
    #[must_use]
    pub fn is_mid_code(&self) -> bool {
        !self.parser.is_idle()
    }

    /// Error counters since power-on.
    #[must_use]
    pub const fn counters(&self) -> Counters {
        self.parser.counters()
    }
}
