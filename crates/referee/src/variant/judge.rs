//! Legality of moves of every variant, decided by the fast rules and by the reference checker.

use duoforge_rules::naive::{NaiveGame, RejectReason};
use duoforge_rules::{Game, GameVariant, IllegalMove, Move};

use crate::RefereeError;

/// Game of any variant under two independent rules checkers, which must agree on every move.
///
/// A mistake in one of them never loses a game: if they differ, the result is
/// [`RefereeError::CheckersDisagree`].
#[derive(Clone, Debug)]
pub struct VariantJudge {
    fast: Game,
    slow: NaiveGame,
}

impl VariantJudge {
    /// Creates a game before its first move.
    #[must_use]
    pub fn new(variant: &GameVariant) -> Self {
        Self {
            fast: Game::new(variant),
            slow: NaiveGame::new(variant),
        }
    }

    /// Current position.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.fast
    }

    /// Returns the game.
    #[must_use]
    pub fn into_game(self) -> Game {
        self.fast
    }

    /// Plays a move for the colour to move if it is legal.
    ///
    /// # Errors
    /// [`RefereeError::CheckersDisagree`].
    pub fn play(&mut self, mv: Move) -> Result<Result<(), IllegalMove>, RefereeError> {
        let fast = self.fast.play(mv);
        let slow = self.slow.play(mv.to_code_bytes());
        let agree = match (&fast, &slow) {
            (Ok(()), Ok(())) => self.same_position(),
            (Err(fast), Err(RejectReason::IllegalMove(slow))) => fast == slow,
            _ => false,
        };
        if agree {
            return Ok(fast);
        }
        let moves: Vec<_> = self
            .fast
            .plies()
            .iter()
            .map(|ply| ply.mv.to_string())
            .collect();
        Err(RefereeError::CheckersDisagree {
            code: mv.to_code_bytes(),
            moves: moves.join(" "),
            fast: format!("{fast:?}"),
            slow: format!("{slow:?}"),
        })
    }

    fn same_position(&self) -> bool {
        let (fast, slow) = (&self.fast, &self.slow);
        let same = |colour| {
            fast.colour_score(colour) == slow.colour_score(colour)
                && fast.seat_of(colour) == slow.seat_of(colour)
                && fast.cells(colour).iter().eq(slow.cells(colour))
        };
        let result = fast.result();
        let seats = result.seats().iter();
        fast.colours().all(same)
            && fast.to_move() == slow.to_move()
            && seats.clone().all(|it| it.score == slow.seat_score(it.seat))
            && seats.map(|it| it.place).eq(slow.places())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_checkers_give_the_reason() {
        let mut judge = VariantJudge::new(&GameVariant::CLASSIC);
        let illegal = judge.play(Move::Pass).unwrap();
        assert_eq!(illegal, Err(IllegalMove::PassWithPlacement));
        let mv = "11a0".parse().unwrap();
        assert_eq!(judge.play(mv).unwrap(), Ok(()));
        assert_eq!(judge.game().plies().len(), 1);
        let reason = judge.play(mv).unwrap().unwrap_err();
        assert!(matches!(reason, IllegalMove::Occupied { .. }), "{reason}");
    }

    #[test]
    fn positions_that_differ_in_one_respect_are_not_the_same() {
        let mut judge = VariantJudge::new(&GameVariant::CLASSIC_2);
        assert!(judge.same_position());
        // Two placements of one tile: the same score, other cells.
        let legal = judge.fast.legal();
        let [first, second] = [0, 1].map(|number| {
            let mut dominoes = legal.iter().filter(|it| it.tile().size() == 2);
            Move::Place(*dominoes.nth(number).unwrap())
        });
        judge.fast.play(first).unwrap();
        judge.slow.play(second.to_code_bytes()).unwrap();
        assert_eq!(judge.fast.to_move(), judge.slow.to_move());
        assert!(!judge.same_position());
        // A pass: the same cells and scores, another turn.
        let mut judge = VariantJudge::new(&GameVariant::DUO);
        for code in ["53e0", "a8e0"] {
            judge.play(code.parse().unwrap()).unwrap().unwrap();
        }
        judge.fast.play(Move::Pass).unwrap();
        assert!(!judge.same_position());
        judge.slow.play(Move::Pass.to_code_bytes()).unwrap();
        assert!(judge.same_position());
    }

    /// A difference between the two games is detected at the next move.
    #[test]
    fn a_disagreement_is_an_error() {
        let mut judge = VariantJudge::new(&GameVariant::CLASSIC_2);
        for code in ["11a0", "k1a0"] {
            judge.play(code.parse().unwrap()).unwrap().unwrap();
        }
        judge.fast.undo();
        let error = judge.play("kka0".parse().unwrap()).unwrap_err();
        assert!(
            matches!(error, RefereeError::CheckersDisagree { ref moves, .. } if moves == "11a0"),
            "{error}"
        );
    }
}
