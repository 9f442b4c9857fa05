//! Replay of games from lists of moves.

use duoforge_protocol::{MoveCode, StartCell};
use duoforge_rules::{DuoBoard, Move};
use serde::Serialize;

use crate::judge::{MoveJudge, Refusal};
use crate::{BrokenCode, Ending, RefereeError, Seat, Seats, Setup};

/// Replayed game. Player 1 is the player that moves first.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Start cells; `first` is always player 1.
    pub setup: Setup,
    /// Legal moves, up to the end of the game or the first rejected move.
    pub plies: Vec<ReplayPly>,
    /// Position after these moves.
    pub board: DuoBoard,
    /// Ending of the game; never one that concerns time or the handshake.
    pub ending: Ending,
}

/// Move of a replayed game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayPly {
    /// Code as given.
    pub code: MoveCode,
    /// Number of legal placements before the move.
    pub legal: u32,
}

impl Replay {
    /// Replays a game by the contest's rules, with both rules checkers.
    ///
    /// The start cell of the first player is the one that the first placement covers, so games that
    /// begin at (a,a) are accepted too.
    ///
    /// # Errors
    /// [`RefereeError::CheckersDisagree`]. An illegal move is an [`Ending`] instead.
    pub fn new(codes: &[MoveCode]) -> Result<Self, RefereeError> {
        let setup = Setup {
            first: Seat::One,
            start: first_start(codes),
        };
        let mut judge = MoveJudge::new(setup);
        let mut plies = Vec::new();
        let mut ending = Ending::Unfinished;
        for &code in codes {
            let seat = setup.mover(plies.len());
            let legal = judge.board().count_legal();
            let mv = match judge.play(code)? {
                Ok(mv) => mv,
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
                ending = match mv {
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

    /// Number of cells that each player covers, the first player's first.
    #[must_use]
    pub fn cells_placed(&self) -> Seats<u32> {
        Seats::each(|seat| self.board.cells_placed(player(seat)))
    }

    /// Score of each player by the contest's rule, the first player's first.
    #[must_use]
    pub fn score(&self) -> Seats<i32> {
        Seats::each(|seat| self.board.score(player(seat)))
    }

    /// Summary of the game as a JSON object.
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
            cells_placed: self.cells_placed().0,
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

/// Player on the board for `seat`, where player 1 moves first.
fn player(seat: Seat) -> duoforge_rules::Colour {
    duoforge_rules::Colour(seat as u8)
}

/// Start cell that the first move covers; (5,5) if it covers none.
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

/// Replayed game as one JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReplaySummary {
    /// Legal moves.
    pub plies: Vec<PlySummary>,
    /// Number of cells that each player covers, the first player's first.
    pub cells_placed: [u32; 2],
    /// Score of each player, the first player's first.
    pub score: [i32; 2],
    /// [Keyword](Ending::word) of the ending.
    pub ending: &'static str,
    /// Invalid or illegal move that ended the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultSummary>,
}

/// Move in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlySummary {
    /// Code as given.
    pub code: String,
    /// Number of legal placements before the move.
    pub legal: u32,
}

/// Rejected move in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultSummary {
    /// Number of the move, from 1.
    pub ply: usize,
    /// Code as given.
    pub code: String,
    /// Reason for the rejection.
    pub reason: String,
}
