//! Engine for every variant.

use std::ops::ControlFlow;
use std::time::Duration;

use duoforge_maxn::{MaxnEngine, MaxnSettings};
use duoforge_referee::variant::{MoverFault, TimeLeft, VariantMover};
use duoforge_rules::{Colour, DuoBoard, Game, GameVariant, Move};

use crate::{MoveError, Mover};

/// Share of the time limit after which a search ends, whatever the limit of the search.
const LIMIT_SHARE: f64 = 0.9;

/// Share of a time bank after which a search ends: later moves need the rest.
const BANK_SHARE: f64 = 0.125;

/// Player that searches by max^n, see [`MaxnEngine`]. It never exceeds 90 % of a time limit, nor an
/// eighth of a time bank.
///
/// ```
/// use duoforge_players::MaxnMover;
/// use duoforge_referee::variant::{TimeLeft, VariantMover};
/// use duoforge_rules::{Game, GameVariant};
///
/// let game = Game::new(&GameVariant::CLASSIC_3);
/// let mv = MaxnMover::new(&"sims=20".parse()?).choose(&game, TimeLeft::UNLIMITED)?;
/// assert!(game.check(mv).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MaxnMover(MaxnEngine);

impl MaxnMover {
    /// Creates a player with these settings.
    #[must_use]
    pub fn new(settings: &MaxnSettings) -> Self {
        Self(MaxnEngine::new(settings))
    }

    /// Chooses a move within `most`; `None` if the game is over.
    fn search(&mut self, game: &Game, most: Option<Duration>) -> Option<Move> {
        let limit = self.0.settings().limit;
        let result = self.0.choose_while(game, limit, |progress| {
            if most.is_some_and(|most| progress.time >= most) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        result.map(|result| result.mv)
    }
}

impl VariantMover for MaxnMover {
    fn choose(&mut self, game: &Game, time: TimeLeft) -> Result<Move, MoverFault> {
        let share = if time.is_bank {
            BANK_SHARE
        } else {
            LIMIT_SHARE
        };
        let most = time.left.map(|left| left.mul_f64(share));
        let over = || MoverFault::Unsuitable("the game is over".to_owned());
        self.search(game, most).ok_or_else(over)
    }

    fn seed(&mut self, seed: u64) {
        self.0.seed(seed);
    }
}

impl Mover for MaxnMover {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        let starts = [0, 1].map(|colour| board.start(Colour(colour)));
        let mut game = Game::new(&GameVariant::DUO.with_starts(&starts));
        for &mv in board.moves() {
            game.play(mv).expect("the moves of a board are legal");
        }
        // The board is that of a game in progress.
        Ok(self.search(&game, None).unwrap_or(Move::Pass))
    }

    fn seed(&mut self, seed: u64) {
        self.0.seed(seed);
    }
}
