//! Greedy player.

use duoforge_referee::variant::{MoverFault, TimeLeft, VariantMover};
use duoforge_rules::{DuoBoard, Game, Move, Placement};

use crate::{MoveError, Mover, Random};

/// Greedy player: of the placements with the largest tile, one after which its colour has the most
/// corner points. Ties are drawn at random.
///
/// ```
/// use duoforge_players::Greedy;
/// use duoforge_referee::variant::{TimeLeft, VariantMover};
/// use duoforge_rules::{Game, GameVariant, Tile};
///
/// let mut game = Game::new(&GameVariant::CLASSIC);
/// let mv = Greedy::new(7).choose(&game, TimeLeft::UNLIMITED)?;
/// game.play(mv)?;
/// assert_eq!(mv.placement().map(|it| it.tile().size()), Some(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Greedy {
    ties: Random,
}

impl Greedy {
    /// Creates a player whose moves depend only on the seed and the positions.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            ties: Random::new(seed),
        }
    }

    /// Chooses a placement by the number of corner points after it.
    fn best(
        &mut self,
        legal: impl IntoIterator<Item = Placement>,
        mut corner_points_after: impl FnMut(Placement) -> u32,
    ) -> Move {
        let mut legal: Vec<Placement> = legal.into_iter().collect();
        let size = |placement: &Placement| placement.tile().size();
        let largest = legal.iter().map(size).max();
        legal.retain(|placement| Some(size(placement)) == largest);
        let mut best = Vec::new();
        let mut most = 0;
        for placement in legal {
            let points = corner_points_after(placement);
            if points > most {
                best.clear();
                most = points;
            }
            if points == most {
                best.push(placement);
            }
        }
        self.ties.draw(&best)
    }
}

/// Passes only without a placement.
impl VariantMover for Greedy {
    fn choose(&mut self, game: &Game, _: TimeLeft) -> Result<Move, MoverFault> {
        let mut next = game.clone();
        Ok(self.best(game.legal(), |placement| {
            let colour = next.to_move().expect("a placement is legal");
            next.play(placement.into()).expect("a legal placement");
            let points = next.corner_points(colour).len();
            next.undo();
            points
        }))
    }

    fn seed(&mut self, seed: u64) {
        *self = Self::new(seed);
    }
}

/// Passes only without a placement.
impl Mover for Greedy {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        let mut next = board.clone();
        Ok(self.best(board.legal(), |placement| {
            let colour = next.to_move();
            next.play(placement.into()).expect("a legal placement");
            let points = next.corner_points(colour).len();
            next.undo();
            points
        }))
    }

    fn seed(&mut self, seed: u64) {
        *self = Self::new(seed);
    }
}
