//! Answers of bots.

use std::time::Duration;

use duoforge_rules::{Game, Move};

/// Maximum number of characters of the text behind a move that are kept.
const MAX_TEXT: usize = 1000;

/// Answer to a request for a move, or the move that stands for it after a time-out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotReply {
    /// The move; its legality is not checked.
    pub mv: Move,
    /// Code or action number as the bot wrote it; empty for a forfeited move.
    pub word: String,
    /// Text that the bot wrote behind the move.
    pub text: Option<String>,
    /// Time of the answer. For a forfeited move it exceeds the time that was left.
    pub time: Duration,
    /// True if the bot exceeded its time, and [`forfeited_move`] stands for its move.
    pub forfeit: bool,
}

/// Splits an answer into its first word and the text behind it; `None` for a blank line.
pub(crate) fn split(line: &str) -> Option<(&str, Option<String>)> {
    let line = line.trim();
    let (word, text) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let text: String = text.trim().chars().take(MAX_TEXT).collect();
    (!word.is_empty()).then(|| (word, Some(text).filter(|text| !text.is_empty())))
}

/// Returns the move that stands for a forfeited one: a pass where a pass costs only this turn,
/// otherwise the first legal placement of the largest tile.
///
/// A forfeited move is one move that the bot does not make, as in the contests from which the time
/// bank comes. In Duo a pass is exactly that. In other variants a pass may be illegal, or may put
/// the colour out of the game for good; a forfeited move would then forfeit the game.
///
/// # Panics
/// If the game has ended.
///
/// ```
/// use duoforge_bots::forfeited_move;
/// use duoforge_rules::{Game, GameVariant, Move};
///
/// let mut game = Game::new(&GameVariant::DUO);
/// // No pass is legal on the first turn.
/// assert!(matches!(forfeited_move(&game), Move::Place(placement) if placement.tile().size() ==
/// 5)); for code in ["53e0", "a8e0"] {
///     game.play(code.parse()?)?;
/// }
/// assert_eq!(forfeited_move(&game), Move::Pass);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn forfeited_move(game: &Game) -> Move {
    let costs_one_turn = !game.variant().passing().is_final;
    if costs_one_turn && game.check(Move::Pass).is_ok() {
        return Move::Pass;
    }
    let placements = game.legal();
    // The first of the largest: `max_by_key` would return the last one.
    let largest = placements
        .into_iter()
        .rev()
        .max_by_key(|placement| placement.tile().size());
    match largest {
        Some(placement) => Move::Place(placement),
        None => {
            assert!(!game.is_over(), "the game has ended");
            Move::Pass
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use duoforge_rules::GameVariant;

    #[test]
    fn an_answer_is_a_word_and_a_text() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(split("53e0"), Some(("53e0", None)));
        assert_eq!(split("  1590  "), Some(("1590", None)));
        assert_eq!(
            split("53e0\tdepth 3, 99 % "),
            Some(("53e0", text("depth 3, 99 %")))
        );
        assert_eq!(split(" \t "), None);
        let long = format!("53e0 {}", "é".repeat(5000));
        assert_eq!(split(&long).unwrap().1.unwrap().chars().count(), 1000);
    }

    /// A final pass, or one that is illegal, does not stand for a forfeited move.
    #[test]
    fn a_forfeited_move_costs_one_turn_in_every_variant() {
        for variant in &GameVariant::BUILT_IN {
            let mut game = Game::new(variant);
            let mut passes = 0;
            while !game.is_over() {
                let mv = forfeited_move(&game);
                let is_forced = game.legal().is_empty();
                if mv == Move::Pass {
                    passes += 1;
                    assert!(is_forced || !variant.passing().is_final);
                }
                game.play(mv).unwrap();
            }
            assert!(passes > 0 || variant.name() != "duo");
        }
    }
}
