//! Lists of games: four-letter codes separated by blanks, one game per line.

use duoforge_rules::{CodeError, GameVariant, Move};

use crate::Record;

/// Game read from a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedGame {
    /// Line number, from 1.
    pub line: usize,
    /// Codes of the moves, at least one.
    pub codes: Vec<ListedCode>,
}

/// Code read from a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedCode {
    /// Column of the first letter, from 1.
    pub column: usize,
    /// Four letters that name a move; the move may be illegal.
    pub bytes: [u8; 4],
}

/// Error for a word in a list that is not a code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: '{word}' is not a move: {reason}")]
pub struct ListError {
    /// Line number, from 1.
    pub line: usize,
    /// Column of the first character of the word, from 1.
    pub column: usize,
    /// Invalid word.
    pub word: String,
    /// Fault in the word.
    pub reason: CodeError,
}

/// Reads a list. Lines without a code are skipped, and `#` starts a comment.
///
/// A code whose tile would lie off the board is accepted: it is an illegal move, not a malformed
/// list.
///
/// # Errors
/// The first word that is not a code.
///
/// ```
/// let games = duoforge_records::read_list("# Fig. 6\n53e0 a8e0 21k7  # and so on\n\n")?;
/// assert_eq!(games.len(), 1);
/// assert_eq!(games[0].codes[2].bytes, *b"21k7");
/// # Ok::<(), duoforge_records::ListError>(())
/// ```
pub fn read_list(text: &str) -> Result<Vec<ListedGame>, ListError> {
    let mut games = Vec::new();
    for (index, content) in text.lines().enumerate() {
        let line = index + 1;
        let codes = read_game(content, line)?;
        if !codes.is_empty() {
            games.push(ListedGame { line, codes });
        }
    }
    Ok(games)
}

/// Writes games as a list: a comment with the players' names, and the variant if it is not the
/// contest's game, then the moves.
///
/// Other metadata is dropped.
#[must_use]
pub fn write_list(records: &[Record]) -> String {
    let mut out = String::new();
    for (record, number) in records.iter().zip(1..) {
        if let Some(heading) = heading(record) {
            out.push_str(&format!("# game {number}: {heading}\n"));
        }
        let codes: Vec<_> = record.moves().map(|mv| mv.to_string()).collect();
        out.push_str(&codes.join(" "));
        out.push('\n');
    }
    out
}

/// Returns the comment on a game, if there is one.
fn heading(record: &Record) -> Option<String> {
    let mut parts = Vec::new();
    if record.variant != GameVariant::DUO {
        parts.push(record.variant.name().to_owned());
    }
    if record.players.iter().any(|name| !name.is_empty()) {
        let named = record.players.iter().map(|name| match name.as_str() {
            "" => "?".to_owned(),
            name => name.replace(['\r', '\n'], " "),
        });
        parts.push(named.collect::<Vec<_>>().join(" against "));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn read_game(content: &str, line: usize) -> Result<Vec<ListedCode>, ListError> {
    let moves = content.split('#').next().unwrap_or_default();
    let mut codes = Vec::new();
    // Position of the word in the line, in bytes and in characters.
    let (mut seen, mut characters) = (0, 0);
    for word in moves.split_whitespace() {
        // `word` is a slice of `content`: the difference of the addresses is its byte offset.
        let begin = word.as_ptr() as usize - content.as_ptr() as usize;
        characters += content[seen..begin].chars().count();
        seen = begin;
        let column = characters + 1;
        let bytes = read_code(word).map_err(|reason| ListError {
            line,
            column,
            word: word.to_owned(),
            reason,
        })?;
        codes.push(ListedCode { column, bytes });
    }
    Ok(codes)
}

fn read_code(word: &str) -> Result<[u8; 4], CodeError> {
    match word.parse::<Move>() {
        Ok(_) | Err(CodeError::OffBoard(_)) => {}
        Err(error) => return Err(error),
    }
    let bytes = word.as_bytes().try_into();
    bytes.map_err(|_| CodeError::Length(word.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_blank_lines_and_all_blanks_are_skipped() {
        let text = "\u{feff}";
        assert!(read_list(text).is_err(), "a byte order mark is no blank");
        let games = read_list("# a\r\n\r\n  53e0\ta8e0 \r\n#53e0\n0000#x").unwrap();
        let places: Vec<_> = games
            .iter()
            .map(|game| (game.line, game.codes.len(), game.codes[0].column))
            .collect();
        assert_eq!(places, [(3, 2, 3), (5, 1, 1)]);
        assert_eq!(games[0].codes[1].column, 8);
    }

    #[test]
    fn errors_name_line_column_and_word() {
        let error = |text| {
            let error = read_list(text).unwrap_err();
            (error.line, error.column, error.word, error.reason)
        };
        assert_eq!(
            error("53e0\n a8e0 53E0"),
            (2, 7, "53E0".into(), CodeError::Tile(b'E'))
        );
        assert_eq!(error("53e"), (1, 1, "53e".into(), CodeError::Length(3)));
        assert_eq!(error("53e0 ü"), (1, 6, "ü".into(), CodeError::Length(2)));
        assert_eq!(error("53e0 üü").3, CodeError::Column("ü".as_bytes()[0]));
        let (_, column, ..) = error("53e0\u{3000}a8e0\u{a0} x");
        assert_eq!(column, 12, "blanks of several bytes are one column each");
    }

    #[test]
    fn tiles_off_the_board_are_left_to_the_rules() {
        assert_eq!(read_list("11u0").unwrap()[0].codes[0].bytes, *b"11u0");
    }
}
