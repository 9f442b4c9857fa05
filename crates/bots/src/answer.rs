//! Answers of bots.

use std::time::Duration;

use duoforge_rules::Move;

/// Maximum number of characters of the text behind a move that are kept.
const MAX_TEXT: usize = 1000;

/// Maximum number of characters of a bot's output that a message shows.
const MAX_SHOWN: usize = 200;

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
    /// True if the bot exceeded its time, and [`duoforge_rules::Game::forfeited_move`] stands for its move.
    pub forfeit: bool,
}

/// Splits an answer into its first word and the text behind it; `None` for a blank line.
pub(crate) fn split(line: &str) -> Option<(&str, Option<String>)> {
    let line = line.trim();
    let (word, text) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let text: String = text.trim().chars().take(MAX_TEXT).collect();
    (!word.is_empty()).then(|| (word, Some(text).filter(|text| !text.is_empty())))
}

/// Shortens a bot's output for a message.
pub(crate) fn shortened(text: &str) -> String {
    text.chars().take(MAX_SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
