//! The board's side of the protocol as a state machine without I/O.

use crate::code::{BuildId, Frame, HostCode, MoveCode, PASS, StartCell, TeamCode};
use crate::parser::{BoardParser, Counters};

/// What a board has to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardEvent {
    /// `0`: clear the board; no start cell is known any more. The session sends `1XX` itself.
    Reset,
    /// `2X` or `3XYYYY`: a new game on a clear board. Apply the rival's move if there is one,
    /// then [`answer`](BoardSession::answer).
    Begin {
        /// Our start cell; the rival's is the other one.
        start: StartCell,
        /// The rival's first move, when it moved first.
        rival: Option<MoveCode>,
    },
    /// `4XXXX`: apply the rival's move, then [`answer`](BoardSession::answer).
    Turn {
        /// The rival's move; broken or illegal ones count as a pass.
        rival: MoveCode,
    },
    /// `4XXXX` while no game is running. Nothing is legal without a start cell, so the session
    /// answers `0000` itself.
    StrayTurn {
        /// The move that came with it.
        rival: MoveCode,
    },
    /// `9`: the game is over; clear the board.
    End,
}

/// What one byte did: an event for the board, and bytes that the session itself answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BoardStep {
    /// What the board has to do.
    pub event: Option<BoardEvent>,
    /// What has to be sent at once.
    pub send: Option<Frame>,
}

/// An answer was offered, but none is due: it has been given, or the host went on without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("no answer is due")]
pub struct NoAnswerDue;

/// One board's end of the line.
///
/// Bytes of the host go into [`feed`](Self::feed), silence into [`gap`](Self::gap); the board's
/// moves go into [`answer`](Self::answer). A code that arrives before the answer to the one
/// before cancels that answer, so that no late answer ever leaves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoardSession {
    team: TeamCode,
    build: BuildId,
    parser: BoardParser,
    start: Option<StartCell>,
    answer_due: bool,
}

impl BoardSession {
    /// A board after power-on: no game, nothing due.
    #[must_use]
    pub const fn new(team: TeamCode) -> Self {
        Self {
            team,
            build: BuildId(0),
            parser: BoardParser::new(),
            start: None,
            answer_due: false,
        }
    }

    /// The same board with a build id of its own; without, it is 0.
    #[must_use]
    pub const fn with_build(mut self, build: BuildId) -> Self {
        self.build = build;
        self
    }

    /// Takes the next byte from the host.
    pub fn feed(&mut self, byte: u8) -> BoardStep {
        match self.parser.feed(byte).code {
            Some(code) => self.take(code),
            None => BoardStep::default(),
        }
    }

    fn take(&mut self, code: HostCode) -> BoardStep {
        let (start, answer_due, event, send) = match code {
            // Nothing of a game can be lost: while one is on, the parser knows no such code.
            HostCode::Identify => {
                return BoardStep {
                    event: None,
                    send: Some(self.build.reply()),
                };
            }
            HostCode::Hello => (None, false, BoardEvent::Reset, Some(self.team.reply())),
            HostCode::End => (None, false, BoardEvent::End, None),
            HostCode::First { start } => (
                Some(start),
                true,
                BoardEvent::Begin { start, rival: None },
                None,
            ),
            HostCode::Second { start, code } => (
                Some(start),
                true,
                BoardEvent::Begin {
                    start,
                    rival: Some(code),
                },
                None,
            ),
            HostCode::Turn { code: rival } if self.start.is_some() => {
                (self.start, true, BoardEvent::Turn { rival }, None)
            }
            HostCode::Turn { code: rival } => (
                None,
                false,
                BoardEvent::StrayTurn { rival },
                Some(Frame::new(&PASS)),
            ),
        };
        self.start = start;
        self.answer_due = answer_due;
        BoardStep {
            event: Some(event),
            send,
        }
    }

    /// The line was silent for the gap time ([`crate::GAP`]): an unfinished code is dropped.
    /// Returns whether there was one.
    pub fn gap(&mut self) -> bool {
        self.parser.gap()
    }

    /// The receiver saw a framing error: an unfinished code is dropped. Returns whether there
    /// was one.
    pub fn framing_error(&mut self) -> bool {
        self.parser.framing_error()
    }

    /// The board's move; returns the bytes to send.
    ///
    /// # Errors
    /// [`NoAnswerDue`] when nothing was asked or the host went on in the meantime; then nothing
    /// must be sent.
    pub fn answer(&mut self, code: MoveCode) -> Result<Frame, NoAnswerDue> {
        if !self.answer_due {
            return Err(NoAnswerDue);
        }
        self.answer_due = false;
        Ok(Frame::new(&code))
    }

    /// Whether the host waits for a move.
    #[must_use]
    pub const fn answer_due(&self) -> bool {
        self.answer_due
    }

    /// Our start cell, while a game is running.
    #[must_use]
    pub const fn start(&self) -> Option<StartCell> {
        self.start
    }

    /// Whether an unfinished code waits for more bytes.
    #[must_use]
    pub fn is_mid_code(&self) -> bool {
        !self.parser.is_idle()
    }

    /// What went wrong on the line so far.
    #[must_use]
    pub const fn counters(&self) -> Counters {
        self.parser.counters()
    }
}
