//! Passes of a list that stand for skipped turns.

use duoforge_rules::{Colour, ForcedPass, Game, GameVariant, Move};

use crate::record::played_variant;

/// Counter of the passes that stand for skipped turns: in a variant that skips colours without a
/// placement, a list may have `0000` for each such turn, as records of other programs do.
#[derive(Clone, Copy, Debug, Default)]
pub struct SkippedTurns {
    /// Number of passes since the last move.
    passes: usize,
}

impl SkippedTurns {
    /// True if the next move of a list stands for a skipped turn. It is then not played.
    pub fn contains(&mut self, game: &Game, is_pass: bool) -> bool {
        let is_skipped = is_pass && self.passes < skipped_colours(game);
        self.passes = if is_skipped { self.passes + 1 } else { 0 };
        is_skipped
    }
}

/// Number of colours whose turns the variant skipped since the last ply.
fn skipped_colours(game: &Game) -> usize {
    let variant = game.variant();
    if variant.passing().forced != ForcedPass::Skipped {
        return 0;
    }
    let count = variant.colour_count() as u8;
    let last = game.plies().last().map(|ply| ply.colour.0);
    let first = last.map_or(0, |last| (last + 1) % count);
    let order = (0..count).map(|step| Colour((first + step) % count));
    let to_move = game.to_move();
    order.take_while(|&it| Some(it) != to_move).count()
}

/// Returns the moves of a list without the passes that stand for skipped turns. The moves from the
/// first illegal one on remain as they are.
///
/// ```
/// use duoforge_records::without_skipped_turns;
/// use duoforge_rules::{GameVariant, Move};
///
/// let moves = [Move::Pass];
/// assert_eq!(without_skipped_turns(&GameVariant::CLASSIC, &moves), moves);
/// ```
#[must_use]
pub fn without_skipped_turns(variant: &GameVariant, moves: &[Move]) -> Vec<Move> {
    let mut game = Game::new(&played_variant(variant, moves.first().copied()));
    let mut turns = SkippedTurns::default();
    let mut played = Vec::with_capacity(moves.len());
    for (index, &mv) in moves.iter().enumerate() {
        if turns.contains(&game, mv == Move::Pass) {
            continue;
        }
        if game.play(mv).is_err() {
            played.extend(&moves[index..]);
            break;
        }
        played.push(mv);
    }
    played
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the moves of a game of `classic`, with a pass for each skipped turn and without
    /// these passes.
    fn game_with_passes() -> [Vec<Move>; 2] {
        let mut game = Game::new(&GameVariant::CLASSIC);
        let mut explicit = Vec::new();
        let mut next = 0;
        while let Some(colour) = game.to_move() {
            while next != colour.0 {
                explicit.push(Move::Pass);
                next = (next + 1) % 4;
            }
            let mv = Move::Place(*game.legal().last().expect("a placement"));
            game.play(mv).expect("a legal move");
            explicit.push(mv);
            next = (next + 1) % 4;
        }
        let plain = game.plies().iter().map(|ply| ply.mv);
        [explicit, plain.collect()]
    }

    #[test]
    fn passes_of_skipped_turns_are_no_moves() {
        let variant = &GameVariant::CLASSIC;
        let [explicit, plain] = game_with_passes();
        assert!(explicit.len() > plain.len());
        assert_eq!(without_skipped_turns(variant, &explicit), plain);
        assert_eq!(without_skipped_turns(variant, &plain), plain);
        // After the end of the game, each turn is skipped once.
        let ended = [&plain[..], &[Move::Pass; 5]].concat();
        assert_eq!(
            without_skipped_turns(variant, &ended),
            [&plain[..], &[Move::Pass]].concat()
        );
        // A pass of a colour that has placements is illegal, and remains with what follows it.
        let illegal = [&[Move::Pass], &explicit[..]].concat();
        assert_eq!(without_skipped_turns(variant, &illegal), illegal);
        // A variant that plays passes skips no turn.
        let passed = [Move::Pass, Move::Pass];
        assert_eq!(without_skipped_turns(&GameVariant::DUO, &passed), passed);
    }
}
