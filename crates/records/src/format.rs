//! File formats of games, and places in a text.

use std::fmt;

/// Maximum size of a file of games in bytes. A game takes about 200 bytes in a list and 1,000 in a
/// blksgf. The parsed games may take up to eighty times the size of the file.
pub const MOST_BYTES: usize = 8 << 20;

/// File format of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// List of four-letter codes, one game per line.
    List,
    /// Blokus SGF, the format of Pentobi.
    Blksgf,
}

impl Format {
    /// Detects the format of a text: a blksgf starts with a parenthesis, which no list can contain
    /// outside a comment.
    #[must_use]
    pub fn of(text: &str) -> Self {
        if text.trim_start().starts_with('(') {
            Self::Blksgf
        } else {
            Self::List
        }
    }

    /// Returns the format of a file name extension (without the dot), or `None` if it is unknown.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "blksgf" | "sgf" => Some(Self::Blksgf),
            "txt" | "list" => Some(Self::List),
            _ => None,
        }
    }
}

/// Place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Byte offset, from 0.
    pub offset: usize,
    /// Length in bytes; 0 at the end of the text.
    pub len: usize,
    /// Line number, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Place {
    /// Creates the place of `len` bytes at `offset`, which must be a character boundary.
    pub(crate) fn new(text: &str, offset: usize, len: usize) -> Self {
        let before = &text[..offset];
        let begin = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            offset,
            len,
            line: before.matches('\n').count() + 1,
            column: before[begin..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Error for bytes that cannot be a text of games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidText {
    /// More than [`MOST_BYTES`] bytes.
    #[error("it has more than {MOST_BYTES} bytes, the most that is read: split it")]
    Large,
    /// Bytes that are not UTF-8.
    #[error(
        "line {line}, byte {offset} of the file: 0x{byte:02x} does not belong to a text in UTF-8: \
         save it as UTF-8, or is it another kind of file?"
    )]
    Encoding {
        /// Line number, from 1.
        line: usize,
        /// Byte offset in the file, from 0.
        offset: usize,
        /// Offending byte.
        byte: u8,
    },
}

/// Decodes the text of a file, without the byte order mark that some editors write.
///
/// # Errors
/// [`InvalidText`] if the file is too large or not UTF-8.
pub fn text(bytes: &[u8]) -> Result<&str, InvalidText> {
    if bytes.len() > MOST_BYTES {
        return Err(InvalidText::Large);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to();
        let newlines = bytes[..offset].iter().filter(|&&byte| byte == b'\n');
        InvalidText::Encoding {
            line: newlines.count() + 1,
            offset,
            byte: bytes[offset],
        }
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_character_tells_the_format() {
        assert_eq!(Format::of("\n (\n;GM[Blokus Duo])"), Format::Blksgf);
        for list in ["", "53e0", "# (\n53e0"] {
            assert_eq!(Format::of(list), Format::List);
        }
        assert_eq!(Format::of_extension("BLKSGF"), Some(Format::Blksgf));
        assert_eq!(Format::of_extension("jsonl"), None);
    }

    #[test]
    fn broken_bytes_are_placed() {
        assert_eq!(text("\u{feff}53e0".as_bytes()), Ok("53e0"));
        assert_eq!(
            text(b"53e0\n# M\xfcller"),
            Err(InvalidText::Encoding {
                line: 2,
                offset: 8,
                byte: 0xfc
            })
        );
        let large = vec![b' '; MOST_BYTES + 1];
        assert_eq!(text(&large), Err(InvalidText::Large));
        assert!(text(&large[1..]).is_ok());
    }

    #[test]
    fn places_count_characters() {
        let text = "ab\nüx";
        let place = Place::new(text, 5, 1);
        assert_eq!((place.line, place.column, &text[5..6]), (2, 2, "x"));
    }
}
