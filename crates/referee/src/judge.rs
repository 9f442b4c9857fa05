//! Legality of moves, decided by the fast rules and by the reference checker.

use duoforge_protocol::MoveCode;
use duoforge_rules::naive::{NaiveBoard, RejectReason};
use duoforge_rules::{Code, CodeError, Colour, DuoBoard, IllegalMove, Move, Variant};

use crate::{RefereeError, Setup};

/// Game under two independent rules checkers, which must agree on every move.
///
/// A mistake in one of them never loses a game: if they differ, the result is
/// [`RefereeError::CheckersDisagree`].
#[derive(Clone, Debug)]
pub struct MoveJudge {
    fast: DuoBoard,
    slow: NaiveBoard,
}

/// Reason why a move was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The four bytes are not the code of a move.
    Broken(CodeError),
    /// The move is against the rules.
    Illegal(IllegalMove),
}

impl MoveJudge {
    /// Creates a game before its first move.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let starts = setup.start_cells();
        Self {
            fast: DuoBoard::with_starts(&Variant::DUO, &starts),
            slow: NaiveBoard::with_starts(&Variant::DUO, &starts),
        }
    }

    /// Current position.
    #[must_use]
    pub const fn board(&self) -> &DuoBoard {
        &self.fast
    }

    /// Plays a move for the side to move if the code is valid and the move is legal.
    ///
    /// # Errors
    /// [`RefereeError::CheckersDisagree`].
    pub fn play(&mut self, code: MoveCode) -> Result<Result<Move, Refusal>, RefereeError> {
        let fast = self.play_fast(code);
        let slow = self.slow.play(code);
        let agree = match (&fast, &slow) {
            (Ok(_), Ok(())) => self.same_position(),
            (Err(Refusal::Illegal(fast)), Err(RejectReason::IllegalMove(slow))) => fast == slow,
            (Err(Refusal::Broken(_)), Err(RejectReason::Broken)) => true,
            _ => false,
        };
        if agree {
            return Ok(fast);
        }
        let moves: Vec<_> = self.fast.moves().iter().map(ToString::to_string).collect();
        Err(RefereeError::CheckersDisagree {
            code,
            moves: moves.join(" "),
            fast: format!("{fast:?}"),
            slow: format!("{slow:?}"),
        })
    }

    fn play_fast(&mut self, code: MoveCode) -> Result<Move, Refusal> {
        let mv = match Move::from_code_bytes(code) {
            Ok(mv) => mv,
            Err(CodeError::OffBoard(code)) => return Err(Refusal::Illegal(self.sticks_out(code))),
            Err(error) => return Err(Refusal::Broken(error)),
        };
        self.fast.play(mv).map_err(Refusal::Illegal)?;
        Ok(mv)
    }

    /// Reason why a placement that extends beyond the left or upper edge is illegal. The board
    /// cannot check it, since it accepts only placements with an anchor on the board.
    fn sticks_out(&self, code: Code) -> IllegalMove {
        let tile = code.tile;
        if self.fast.is_over() {
            IllegalMove::GameOver
        } else if !self.fast.tiles_left(self.fast.to_move()).contains(tile) {
            IllegalMove::TileUsed { tile }
        } else {
            IllegalMove::OffBoard
        }
    }

    fn same_position(&self) -> bool {
        let (fast, slow) = (&self.fast, &self.slow);
        let same = |player: Colour| {
            fast.score(player) == slow.score(player)
                && fast.cells_placed(player) == slow.cells_placed(player)
                && fast.cells(player).iter().eq(slow.cells(player))
        };
        fast.players().all(same)
            && fast.to_move() == slow.to_move()
            && fast.is_over() == slow.is_over()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(moves: &[&str]) -> MoveJudge {
        let mut judge = MoveJudge::new(Setup::default());
        for code in moves {
            let code = code.as_bytes().try_into().unwrap();
            judge.play(code).unwrap().unwrap();
        }
        judge
    }

    fn refused(moves: &[&str], code: &[u8; 4]) -> Refusal {
        judge(moves).play(*code).unwrap().unwrap_err()
    }

    #[test]
    fn placements_beyond_the_left_and_upper_edge_are_off_board_not_broken() {
        assert_eq!(
            refused(&[], b"11u0"),
            Refusal::Illegal(IllegalMove::OffBoard)
        );
        let used = duoforge_rules::Tile::from_letter(b'e').unwrap();
        let reason = IllegalMove::TileUsed { tile: used };
        assert_eq!(
            refused(&["53e0", "a8e0"], b"11e0"),
            Refusal::Illegal(reason)
        );
        assert_eq!(
            refused(&[], b"ffa0"),
            Refusal::Illegal(IllegalMove::OffBoard)
        );
    }

    #[test]
    fn what_names_no_move_is_broken() {
        let tile = Refusal::Broken(CodeError::Tile(b'E'));
        assert_eq!(refused(&[], b"53E0"), tile);
        assert_eq!(
            refused(&[], b"0001"),
            Refusal::Broken(CodeError::Column(b'0'))
        );
        assert_eq!(
            refused(&[], b"55a8"),
            Refusal::Broken(CodeError::Rotation(b'8'))
        );
    }

    /// Two placements of one tile: the same scores and cell counts, other cells.
    #[test]
    fn positions_with_other_cells_are_not_the_same() {
        let mut judge = judge(&[]);
        assert!(judge.same_position());
        let dominoes = judge.fast.legal().filter(|it| it.tile().size() == 2);
        let dominoes: Vec<_> = dominoes.map(Move::Place).collect();
        judge.fast.play(dominoes[0]).unwrap();
        judge.slow.play(dominoes[1].to_code_bytes()).unwrap();
        assert!(!judge.same_position());
    }

    /// A difference between the two boards is detected at the next move.
    #[test]
    fn a_disagreement_is_an_error() {
        let mut judge = judge(&["53e0", "a8e0"]);
        judge.fast.undo();
        let error = judge.play(*b"21k7").unwrap_err();
        assert!(
            matches!(error, RefereeError::CheckersDisagree { ref moves, .. } if moves == "53e0"),
            "{error}"
        );
    }

    /// Both checkers reject the move, but for different reasons.
    #[test]
    fn a_disagreement_about_the_reason_is_an_error() {
        let mut judge = judge(&["53e0", "a8e0"]);
        judge.fast.undo();
        judge.fast.undo();
        let error = judge.play(*b"e1a0").unwrap_err().to_string();
        assert!(error.contains("StartCellMissed"), "{error}");
        assert!(error.contains("NoCornerContact"), "{error}");
    }
}
