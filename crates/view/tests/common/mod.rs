//! Variants and random positions.

// Each test uses a part of this module.
#![allow(dead_code)]

use duoforge_rules::{Game, GameVariant, Move};
use duoforge_view::read_variant;

/// Random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound as u64) as usize
    }
}

/// Returns the built-in variants, and custom ones: those of the page on variants, the smallest
/// board, and scores of the rule `alternative`.
pub fn variants() -> Vec<GameVariant> {
    let page = include_str!("../../../../docs/variants.md");
    let blocks = page.split("```toml\n").skip(1);
    let blocks = blocks.map(|rest| rest.split("```").next().unwrap());
    let least = "
        name = 'least'
        size = 5
        seats = 1
        scoring = 'alternative'
        colours = [{ seat = 0, starts = [[2, 3]] }]
    ";
    let custom = blocks
        .chain([least])
        .map(|text| read_variant(text).unwrap());
    let variants: Vec<_> = GameVariant::BUILT_IN.into_iter().chain(custom).collect();
    assert_eq!(variants.len(), 6 + 3);
    variants
}

/// Plays a random game; calls `visit` at every position, the first and the last included.
pub fn walk(variant: &GameVariant, seed: u64, mut visit: impl FnMut(&Game)) {
    let mut random = Random(seed);
    let mut game = Game::new(variant);
    visit(&game);
    while !game.is_over() {
        let moves = game.legal_moves();
        let placements = game.legal().len();
        // One move in eight is a pass, if a pass is legal.
        let mv = match placements {
            0 => Move::Pass,
            _ if random.below(8) == 0 => moves[moves.len() - 1],
            _ => moves[random.below(placements)],
        };
        game.play(mv).unwrap();
        visit(&game);
    }
}
