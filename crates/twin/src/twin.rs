use std::convert::Infallible;

use duoforge_protocol::{
    BuildId, ByteDevice, DeviceEvent, DeviceSession, Frame, MoveCode, PASS, StartCell, TeamCode,
};
use duoforge_rules::{Cell, Code, Colour, DuoBoard, Move, Variant};

use crate::ScoredPlacement;
use crate::chooser::{Chooser, Chosen};

/// Twin of the complete hardware player: bit-exact model from host codes to replies.
///
/// The twin has no clock: the caller reports the inter-byte timeout with [`on_silence`](Twin::on_silence).
#[derive(Clone, Debug)]
pub struct Twin {
    session: DeviceSession,
    chooser: Chooser,
    board: DuoBoard,
    me: Colour,
    /// Number of simulations in the opponent's time before the next prompt.
    pondered: u64,
    decision: Option<Decision>,
    flags: StatusFlags,
}

/// Decision of the twin for one prompt that asks for a move.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Opponent's move in the prompt and its outcome.
    pub opponent: OpponentMove,
    /// Position after the opponent's move and before the reply.
    pub position: DuoBoard,
    /// Chosen placement; `None` is a pass.
    pub choice: Option<ScoredPlacement>,
    /// Number of MCTS simulations for the choice.
    pub simulations: u64,
    /// True if the search continued in the tree of one in the opponent's time.
    pub continued: bool,
}

/// Outcome of the opponent's move in a prompt.
#[derive(Clone, Debug)]
pub enum OpponentMove {
    /// No opponent's move: this player moves first.
    None,
    /// Pass, or an invalid code, which counts as a pass.
    Passed,
    /// Legal placement; the position is the one before it.
    Placed(DuoBoard),
    /// Illegal placement, which counts as a pass; the position is the one before it.
    Illegal(DuoBoard),
}

/// Status flags: faults in the opponent's moves since the last `0`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatusFlags {
    /// True after a code that is neither a pass nor the code of a placement.
    pub broken: bool,
    /// True after an illegal placement.
    pub illegal: bool,
}

impl Twin {
    /// Creates a player after power-up, with a pattern policy or a search as chooser.
    pub fn new(team: TeamCode, chooser: impl Into<Chooser>) -> Self {
        Self {
            session: DeviceSession::new(team),
            chooser: chooser.into(),
            board: DuoBoard::new(&Variant::ENDLESS_DUO),
            me: Colour(0),
            pondered: 0,
            decision: None,
            flags: StatusFlags::default(),
        }
    }

    /// Sets the build id of the player, which is 0 by default.
    #[must_use]
    pub fn with_build(mut self, build: BuildId) -> Self {
        self.session = self.session.with_build(build);
        self
    }

    /// Limits later searches to this number of simulations, for example the number that the
    /// hardware completed.
    pub fn set_simulations(&mut self, simulations: u64) {
        if let Chooser::Search(chooser) = &mut self.chooser {
            chooser.simulations = simulations;
        }
    }

    /// Has the search make this number of simulations in the opponent's time before the next prompt,
    /// for example the number that the hardware reports; 0 for none.
    pub fn set_pondered(&mut self, simulations: u64) {
        self.pondered = simulations;
    }

    /// Processes a byte from the host and returns the reply, if any.
    pub fn receive(&mut self, byte: u8) -> Option<Frame> {
        let step = self.session.feed(byte);
        self.decision = None;
        match step.event {
            Some(DeviceEvent::Begin { start, opponent }) => {
                self.begin(start, opponent.is_some());
                Some(self.answer(opponent))
            }
            Some(DeviceEvent::Turn { opponent }) => {
                self.chooser.ponder(&self.board, self.pondered);
                Some(self.answer(Some(opponent)))
            }
            Some(DeviceEvent::Reset) => {
                self.flags = StatusFlags::default();
                step.send
            }
            _ => step.send,
        }
    }

    /// Reports the inter-byte timeout: a partial code is dropped.
    pub fn on_silence(&mut self) {
        self.session.on_silence();
    }

    /// Reports a byte lost to a framing error: a partial code is dropped.
    pub fn framing_error(&mut self) {
        self.session.framing_error();
    }

    /// Returns the decision for the last byte, if that byte completed a prompt for a move.
    pub fn decision(&self) -> Option<&Decision> {
        self.decision.as_ref()
    }

    /// Returns the status flags.
    pub fn flags(&self) -> StatusFlags {
        self.flags
    }

    /// Returns the current position.
    pub fn board(&self) -> &DuoBoard {
        &self.board
    }

    fn begin(&mut self, start: StartCell, second: bool) {
        let cell = |start: StartCell| {
            let (x, y) = start.coordinates();
            Cell::new(x, y)
        };
        let (mine, theirs) = (cell(start), cell(start.other()));
        let starts = if second {
            [theirs, mine]
        } else {
            [mine, theirs]
        };
        self.board = DuoBoard::with_starts(&Variant::ENDLESS_DUO, &starts);
        self.me = Colour(second.into());
    }

    fn answer(&mut self, opponent: Option<MoveCode>) -> Frame {
        let opponent = opponent.map_or(OpponentMove::None, |code| self.take(code));
        let Chosen {
            choice,
            simulations,
            continued,
        } = self.chooser.choose(&self.board);
        let position = self.board.clone();
        let mv = choice.map_or(Move::Pass, |choice| Move::Place(choice.placement));
        self.board
            .play(mv)
            .expect("a chosen placement is legal, and a pass always is");
        self.decision = Some(Decision {
            opponent,
            position,
            choice,
            simulations,
            continued,
        });
        self.session
            .answer(mv.to_code_bytes())
            .expect("the session has just asked for a move")
    }

    /// Plays the opponent's move; an invalid code or an illegal placement counts as a pass.
    fn take(&mut self, code: MoveCode) -> OpponentMove {
        let mv = read(code).unwrap_or_else(|| {
            self.flags.broken = true;
            Move::Pass
        });
        let before = self.board.clone();
        if self.board.play(mv).is_err() {
            self.flags.illegal = true;
            self.board
                .play(Move::Pass)
                .expect("a pass is always accepted here");
            return OpponentMove::Illegal(before);
        }
        match mv {
            Move::Pass => OpponentMove::Passed,
            Move::Place(_) => OpponentMove::Placed(before),
        }
    }
}

impl ByteDevice for Twin {
    type Error = Infallible;

    fn receive(&mut self, byte: u8) -> Result<Option<Frame>, Infallible> {
        Ok(Self::receive(self, byte))
    }

    fn on_silence(&mut self) {
        Self::on_silence(self);
    }
}

/// Parses the code of a move as the hardware does. `None` means an invalid code: a letter outside
/// the range of this board, or a tile that extends beyond the left or upper edge. A tile beyond the
/// right or lower edge is valid as a code, and illegal as a placement.
fn read(code: MoveCode) -> Option<Move> {
    if code != PASS {
        Code::from_bytes(code).ok().filter(|code| {
            code.x < Variant::ENDLESS_DUO.size && code.y < Variant::ENDLESS_DUO.size
        })?;
    }
    Move::from_code_bytes(code).ok()
}
