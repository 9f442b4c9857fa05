//! Replaying games from lists of moves.

use duoforge_protocol::{MoveCode, StartCell};
use duoforge_rules::{DuoBoard, Move};
use serde::Serialize;

use crate::judge::{Judge, Refusal};
use crate::{ArenaError, BrokenCode, Ending, Seat, Seats, Setup};

/// A game that was replayed. Player 1 is the one who moves first.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Start cells; `first` is always player 1.
    pub setup: Setup,
    /// The legal moves, up to the end of the game or to the first illegal one.
    pub plies: Vec<ReplayPly>,
    /// The position after them.
    pub board: DuoBoard,
    /// How the game ended. It cannot be judged by time or handshake here.
    pub ending: Ending,
}

/// A move of a replayed game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayPly {
    /// The code as it was given.
    pub code: MoveCode,
    /// Number of legal placements before the move.
    pub legal: u32,
}

impl Replay {
    /// Replays a game by the contest's rules, under both rules checkers.
    ///
    /// The first player starts at the start cell that the first placement covers, so that games
    /// which begin at (a,a) are read as well.
    ///
    /// # Errors
    /// [`ArenaError::CheckersDisagree`]. An illegal move is an [`Ending`] instead.
    pub fn new(codes: &[MoveCode]) -> Result<Self, ArenaError> {
        let setup = Setup {
            first: Seat::One,
            start: first_start(codes),
        };
        let mut judge = Judge::new(setup);
        let mut plies = Vec::new();
        let mut ending = Ending::Unfinished;
        for &code in codes {
            let seat = setup.mover(plies.len());
            let legal = judge.board().count_legal();
            let turn = match judge.play(code)? {
                Ok(turn) => turn,
                Err(refusal) => {
                    ending = match refusal {
                        Refusal::Illegal(reason) => Ending::Illegal { seat, code, reason },
                        Refusal::Broken(error) => Ending::BrokenCode {
                            seat,
                            reason: BrokenCode::Code { code, error },
                        },
                    };
                    break;
                }
            };
            plies.push(ReplayPly { code, legal });
            if judge.board().is_over() {
                ending = match turn {
                    Move::Pass => Ending::BothPassed,
                    Move::Place(_) => Ending::AllPlaced { seat },
                };
            }
        }
        Ok(Self {
            setup,
            plies,
            board: judge.board().clone(),
            ending,
        })
    }

    /// Cells that each player covers, the first player's first.
    #[must_use]
    pub fn squares(&self) -> Seats<u32> {
        Seats::each(|seat| self.board.squares(player(seat)))
    }

    /// Each player's score by the contest's rule, the first player's first.
    #[must_use]
    pub fn score(&self) -> Seats<i32> {
        Seats::each(|seat| self.board.score(player(seat)))
    }

    /// The game for programs.
    #[must_use]
    pub fn summary(&self) -> ReplaySummary {
        let text = |code: &MoveCode| code.escape_ascii().to_string();
        let fault = match &self.ending {
            Ending::Illegal { code, reason, .. } => Some((text(code), reason.to_string())),
            Ending::BrokenCode {
                reason: reason @ BrokenCode::Code { code, .. },
                ..
            } => Some((text(code), reason.to_string())),
            _ => None,
        };
        let ply = |ply: &ReplayPly| PlySummary {
            code: text(&ply.code),
            legal: ply.legal,
        };
        ReplaySummary {
            plies: self.plies.iter().map(ply).collect(),
            squares: self.squares().0,
            score: self.score().0,
            ending: self.ending.word(),
            fault: fault.map(|(code, reason)| FaultSummary {
                ply: self.plies.len() + 1,
                code,
                reason,
            }),
        }
    }
}

/// The player on the board who sits at `seat`, where player 1 moves first.
fn player(seat: Seat) -> duoforge_rules::Player {
    duoforge_rules::Player(seat as u8)
}

/// The start cell that the first move covers; (5,5) where it covers none.
fn first_start(codes: &[MoveCode]) -> StartCell {
    let first = codes.first().copied().map(Move::from_code_bytes);
    let covers = |start: StartCell| {
        let Some(Ok(Move::Place(placement))) = first else {
            return false;
        };
        let (x, y) = start.coordinates();
        placement.cells().any(|cell| (cell.x, cell.y) == (x, y))
    };
    if covers(StartCell::A) {
        StartCell::A
    } else {
        StartCell::Five
    }
}

/// A replayed game as one JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReplaySummary {
    /// The legal moves.
    pub plies: Vec<PlySummary>,
    /// Cells that each player covers, the first player's first.
    pub squares: [u32; 2],
    /// Each player's score, the first player's first.
    pub score: [i32; 2],
    /// The ending's [word](Ending::word).
    pub ending: &'static str,
    /// The move that ended the game by being none, or illegal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultSummary>,
}

/// A move in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlySummary {
    /// The code as it was given.
    pub code: String,
    /// Number of legal placements before the move.
    pub legal: u32,
}

/// A refused move in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultSummary {
    /// Number of the move, from 1.
    pub ply: usize,
    /// The code as it was given.
    pub code: String,
    /// Why it was refused.
    pub reason: String,
}
