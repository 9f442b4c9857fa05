use duoforge_protocol::{
    BoardEvent, BoardSession, BuildId, Frame, MoveCode, PASS, StartCell, TeamCode,
};
use duoforge_rules::{Cell, Code, DuoBoard, Move, Player, Variant};

use crate::Choice;
use crate::chooser::{Chooser, Chosen};

/// The twin of the whole board: host bytes in, answer bytes out, equal to the hardware's.
///
/// It has no clock: silence on the line is told to it with [`gap`](Twin::gap).
#[derive(Clone, Debug)]
pub struct Twin {
    session: BoardSession,
    chooser: Chooser,
    board: DuoBoard,
    me: Player,
    thought: Option<Thought>,
    trouble: Trouble,
}

/// What the twin did about one request for a move.
#[derive(Clone, Debug)]
pub struct Thought {
    /// What became of the rival's move.
    pub rival: RivalMove,
    /// The position that was judged, before the own move.
    pub position: DuoBoard,
    /// What is played; none is a pass.
    pub choice: Option<Choice>,
    /// How many simulations were made for it.
    pub simulations: u64,
}

/// What became of the rival's move that came with a request.
#[derive(Clone, Debug)]
pub enum RivalMove {
    /// There was none: we move first.
    None,
    /// A pass, or a broken code, which counts as one.
    Passed,
    /// It was looked up in the rival's legal set and found; this was the position before it.
    Placed(DuoBoard),
    /// It was looked up and not found, and counts as a pass; this was the position.
    Illegal(DuoBoard),
}

/// What was wrong with the rival's moves since the last `0`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trouble {
    /// A code that names no placement on the board, and is no pass.
    pub broken: bool,
    /// A placement against the rules.
    pub illegal: bool,
}

impl Twin {
    /// A board after power-up that chooses with a pattern policy or a search.
    pub fn new(team: TeamCode, chooser: impl Into<Chooser>) -> Self {
        Self {
            session: BoardSession::new(team),
            chooser: chooser.into(),
            board: DuoBoard::new(&Variant::ENDLESS_DUO),
            me: Player(0),
            thought: None,
            trouble: Trouble::default(),
        }
    }

    /// The same board with a build id of its own; without, it is 0.
    #[must_use]
    pub fn with_build(mut self, build: BuildId) -> Self {
        self.session = self.session.with_build(build);
        self
    }

    /// From now on a search ends after so many simulations, as a real one did.
    pub fn set_simulations(&mut self, simulations: u64) {
        if let Chooser::Search(_, limit) = &mut self.chooser {
            *limit = simulations;
        }
    }

    /// Takes a byte from the host; returns what the board sends because of it.
    pub fn receive(&mut self, byte: u8) -> Option<Frame> {
        let step = self.session.feed(byte);
        self.thought = None;
        match step.event {
            Some(BoardEvent::Begin { start, rival }) => {
                self.begin(start, rival.is_some());
                Some(self.answer(rival))
            }
            Some(BoardEvent::Turn { rival }) => Some(self.answer(Some(rival))),
            Some(BoardEvent::Reset) => {
                self.trouble = Trouble::default();
                step.send
            }
            _ => step.send,
        }
    }

    /// The line was silent for the gap time: an unfinished code is forgotten.
    pub fn gap(&mut self) {
        self.session.gap();
    }

    /// A byte was lost to a framing error: an unfinished code is forgotten.
    pub fn framing_error(&mut self) {
        self.session.framing_error();
    }

    /// What the last byte made the board think, if it completed a request for a move.
    pub fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }

    /// What was wrong with the rival's moves.
    pub fn trouble(&self) -> Trouble {
        self.trouble
    }

    /// The position.
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
        self.me = Player(second.into());
    }

    fn answer(&mut self, rival: Option<MoveCode>) -> Frame {
        let rival = rival.map_or(RivalMove::None, |code| self.take(code));
        let Chosen {
            choice,
            simulations,
        } = self.chooser.choose(&self.board);
        let position = self.board.clone();
        let turn = choice.map_or(Move::Pass, |choice| Move::Place(choice.placement));
        self.board
            .play(turn)
            .expect("a chosen placement is legal, and a pass always is");
        self.thought = Some(Thought {
            rival,
            position,
            choice,
            simulations,
        });
        self.session
            .answer(turn.to_code_bytes())
            .expect("the session has just asked for a move")
    }

    /// Applies the rival's move; a broken or illegal one counts as a pass.
    fn take(&mut self, code: MoveCode) -> RivalMove {
        let turn = read(code).unwrap_or_else(|| {
            self.trouble.broken = true;
            Move::Pass
        });
        let before = self.board.clone();
        if self.board.play(turn).is_err() {
            self.trouble.illegal = true;
            self.board
                .play(Move::Pass)
                .expect("a pass is always accepted here");
            return RivalMove::Illegal(before);
        }
        match turn {
            Move::Pass => RivalMove::Passed,
            Move::Place(_) => RivalMove::Placed(before),
        }
    }
}

/// What the board understands of a move's four letters. `None` is a broken code: a letter that does
/// not exist on this board, or a tile that would stick out to the left or above. What sticks out to
/// the right or below is understood, and illegal.
fn read(code: MoveCode) -> Option<Move> {
    if code != PASS {
        Code::from_bytes(code).ok().filter(|code| {
            code.x < Variant::ENDLESS_DUO.size && code.y < Variant::ENDLESS_DUO.size
        })?;
    }
    Move::from_code_bytes(code).ok()
}
