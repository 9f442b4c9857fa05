//! Training of the prior: what it counts of each placement, and the weights that a program fits.
//!
//! `duoforge-lab learn --maxn` collects these samples from games and fits [`Weights`].

use duoforge_rules::{Game, Placement};

use crate::position::{Position, placement};
use crate::prior::{count_features, phase};
pub use crate::weights::{FEATURES, PHASES, Weights};

/// Position with all placements that a player could choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriorSample {
    /// Phase of the game, below [`PHASES`].
    pub phase: usize,
    /// Placements of the colour to move, each with the counts of its features.
    pub placements: Vec<(Placement, [u8; FEATURES])>,
}

impl PriorSample {
    /// Lists the placements of the colour to move; `None` if the game is over.
    #[must_use]
    pub fn of(game: &Game) -> Option<Self> {
        game.to_move()?;
        let position = Position::new(game);
        let counted = count_features(&position).into_iter();
        Some(Self {
            phase: phase(&position),
            placements: counted
                .map(|(key, counts)| (placement(key), counts))
                .collect(),
        })
    }
}
