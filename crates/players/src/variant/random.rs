//! Random player in games of every variant.

use duoforge_referee::variant::{MoverFault, TimeLeft, VariantMover};
use duoforge_rules::{Game, Move};

use crate::Random;

/// Passes only without a placement.
impl VariantMover for Random {
    fn choose(&mut self, game: &Game, _: TimeLeft) -> Result<Move, MoverFault> {
        Ok(self.draw(&game.legal()))
    }

    fn seed(&mut self, seed: u64) {
        *self = Self::new(seed);
    }
}
