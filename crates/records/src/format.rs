//! What a file is, and where in it something stands.

use std::fmt;

/// Most bytes that a file of games may have. A game takes about 200 in a list, and 1,000 in a blksgf; what is
/// kept of a file may take up to eighty times the room.
pub const MOST_BYTES: usize = 8 << 20;

/// How games are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Four-letter codes, one game a line.
    List,
    /// Pentobi's Blokus SGF.
    Blksgf,
}

impl Format {
    /// The format of a text: a blksgf begins with a parenthesis, which no list can.
    #[must_use]
    pub fn of(text: &str) -> Self {
        if text.trim_start().starts_with('(') {
            Self::Blksgf
        } else {
            Self::List
        }
    }

    /// The format that a file's name asks for, by what is behind its last dot.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "blksgf" | "sgf" => Some(Self::Blksgf),
            "txt" | "list" => Some(Self::List),
            _ => None,
        }
    }
}

/// A place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Byte, from 0.
    pub offset: usize,
    /// Number of bytes that are meant; 0 at the end of the text.
    pub len: usize,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Place {
    /// The place of some bytes of a text. The offset must be at the boundary of a character.
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

/// Bytes that are no text of games at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotText {
    /// More than [`MOST_BYTES`].
    #[error("it has more than {MOST_BYTES} bytes, the most that is read: split it")]
    Large,
    /// Not UTF-8.
    #[error(
        "line {line}, byte {offset} of the file: 0x{byte:02x} does not belong to a text in UTF-8: \
         save it as UTF-8, or is it another kind of file?"
    )]
    Encoding {
        /// Line, from 1.
        line: usize,
        /// Byte of the file, from 0.
        offset: usize,
        /// The byte.
        byte: u8,
    },
}

/// The text of a file, without the byte order mark that some editors write.
///
/// # Errors
/// [`NotText`], if it is too large or not UTF-8.
pub fn text(bytes: &[u8]) -> Result<&str, NotText> {
    if bytes.len() > MOST_BYTES {
        return Err(NotText::Large);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to();
        let newlines = bytes[..offset].iter().filter(|&&byte| byte == b'\n');
        NotText::Encoding {
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
            Err(NotText::Encoding {
                line: 2,
                offset: 8,
                byte: 0xfc
            })
        );
        let large = vec![b' '; MOST_BYTES + 1];
        assert_eq!(text(&large), Err(NotText::Large));
        assert!(text(&large[1..]).is_ok());
    }

    #[test]
    fn places_count_characters() {
        let text = "ab\nüx";
        let place = Place::new(text, 5, 1);
        assert_eq!((place.line, place.column, &text[5..6]), (2, 2, "x"));
    }
}
