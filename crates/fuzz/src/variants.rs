//! Definitions of variants.

use duoforge_rules::naive::NaiveGame;
use duoforge_rules::{Game, GameVariant, Move};
use duoforge_view::read_variant;

use crate::text::accepted;

/// Largest board on which the slow checker follows a game.
const SIZE: u8 = 7;

/// Number of moves of a game.
const PLIES: usize = 4;

/// Definitions of variants in TOML: the definition of a variant defines the same variant, and the
/// first moves of a game are legal. On small boards the slow checker agrees.
pub fn variants(bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(bytes) else {
        return false;
    };
    let read = read_variant(text);
    if let Err(error) = &read
        && let Some(span) = error.span()
    {
        assert!(text.get(span).is_some());
    }
    let Some(variant) = accepted(read) else {
        return false;
    };
    assert_eq!(
        GameVariant::new(&variant.definition()).as_ref(),
        Ok(&variant)
    );
    play(&variant);
    true
}

/// Plays the last legal placement, or passes, for a few plies.
fn play(variant: &GameVariant) {
    let mut game = Game::new(variant);
    let mut naive = (variant.size() <= SIZE).then(|| NaiveGame::new(variant));
    for _ in 0..PLIES {
        let legal = game.legal();
        if let Some(naive) = &naive {
            assert_eq!(naive.to_move(), game.to_move());
            assert_eq!(naive.legal().len(), legal.len());
        }
        if game.is_over() {
            return;
        }
        let mv = legal.last().map_or(Move::Pass, |&last| Move::Place(last));
        game.play(mv).expect("the move is legal");
        if let Some(naive) = &mut naive {
            naive.play(mv.to_code_bytes()).expect("the move is legal");
        }
    }
}
