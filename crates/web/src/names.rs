//! Names that clients give to persons, players and events.

use std::ops::RangeInclusive;

/// Characters of the general category `Cf` (format) of Unicode 16.0, from `DerivedGeneralCategory.txt`.
const FORMAT: [RangeInclusive<char>; 21] = [
    '\u{AD}'..='\u{AD}',
    '\u{600}'..='\u{605}',
    '\u{61C}'..='\u{61C}',
    '\u{6DD}'..='\u{6DD}',
    '\u{70F}'..='\u{70F}',
    '\u{890}'..='\u{891}',
    '\u{8E2}'..='\u{8E2}',
    '\u{180E}'..='\u{180E}',
    '\u{200B}'..='\u{200F}',
    '\u{202A}'..='\u{202E}',
    '\u{2060}'..='\u{2064}',
    '\u{2066}'..='\u{206F}',
    '\u{FEFF}'..='\u{FEFF}',
    '\u{FFF9}'..='\u{FFFB}',
    '\u{110BD}'..='\u{110BD}',
    '\u{110CD}'..='\u{110CD}',
    '\u{13430}'..='\u{1343F}',
    '\u{1BCA0}'..='\u{1BCA3}',
    '\u{1D173}'..='\u{1D17A}',
    '\u{E0001}'..='\u{E0001}',
    '\u{E0020}'..='\u{E007F}',
];

/// Other characters without a glyph: those with the property `Default_Ignorable_Code_Point` of Unicode
/// 16.0, from `DerivedCoreProperties.txt`, and the blank of Braille.
const EMPTY: [RangeInclusive<char>; 12] = [
    '\u{34F}'..='\u{34F}',
    '\u{115F}'..='\u{1160}',
    '\u{17B4}'..='\u{17B5}',
    '\u{180B}'..='\u{180D}',
    '\u{180F}'..='\u{180F}',
    '\u{2065}'..='\u{2065}',
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{FE00}'..='\u{FE0F}',
    '\u{FFA0}'..='\u{FFA0}',
    '\u{FFF0}'..='\u{FFF8}',
    '\u{E0000}'..='\u{E0FFF}',
];

/// Characters that join their neighbours, in names of some scripts and in emoji.
const JOINERS: [char; 2] = ['\u{200C}', '\u{200D}'];

/// Line and paragraph separator.
const SEPARATORS: [char; 2] = ['\u{2028}', '\u{2029}'];

/// Fault of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// The name has too many characters.
    #[error("{found} characters are out of range: expected 1 to {max} printable characters")]
    Long {
        /// Number of characters.
        found: usize,
        /// Maximum number of characters.
        max: usize,
    },
    /// The name has a character that controls or formats the text.
    #[error("U+{:04X} is not permitted: expected 1 to {max} printable characters", *.found as u32)]
    Character {
        /// The character.
        found: char,
        /// Maximum number of characters.
        max: usize,
    },
    /// The name has no visible character.
    #[error("no character is visible: expected 1 to {0} printable characters")]
    Invisible(usize),
}

impl NameFault {
    /// Next action of the client.
    pub const fn help(self) -> &'static str {
        match self {
            Self::Long { .. } => "shorten the name",
            Self::Character { .. } => "leave the character out",
            Self::Invisible(_) => "add a letter",
        }
    }
}

/// Returns a name of at most `max` characters without the blanks around it.
///
/// # Errors
/// [`NameFault`].
pub fn printable(name: &str, max: usize) -> Result<&str, NameFault> {
    let name = name.trim();
    let letters: Vec<char> = name.chars().collect();
    if letters.len() > max {
        let found = letters.len();
        return Err(NameFault::Long { found, max });
    }
    for (index, &found) in letters.iter().enumerate() {
        let is_forbidden = found.is_control()
            || SEPARATORS.contains(&found)
            || (is_in(&FORMAT, found) && !joins(&letters, index));
        if is_forbidden {
            return Err(NameFault::Character { found, max });
        }
    }
    if letters.iter().copied().any(is_visible) {
        return Ok(name);
    }
    Err(NameFault::Invisible(max))
}

/// True if a character joins two visible ones; the first one may have a variation selector.
fn joins(letters: &[char], index: usize) -> bool {
    let is_selector = |letter: char| matches!(letter, '\u{FE00}'..='\u{FE0F}');
    let before = index.checked_sub(1).and_then(|before| letters.get(before));
    let after = letters.get(index + 1);
    JOINERS.contains(&letters[index])
        && before.is_some_and(|&letter| is_visible(letter) || is_selector(letter))
        && after.is_some_and(|&letter| is_visible(letter))
}

fn is_visible(letter: char) -> bool {
    let is_blank = letter.is_whitespace() || letter.is_control();
    !is_blank && !is_in(&FORMAT, letter) && !is_in(&EMPTY, letter)
}

fn is_in(ranges: &[RangeInclusive<char>], letter: char) -> bool {
    ranges.iter().any(|range| range.contains(&letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_scripts_are_printable() {
        for name in [
            "Ann",
            "Zoë O'Neill-Smith",
            "山田\u{3000}太郎",
            "می\u{200C}نا",
            "क\u{94D}\u{200D}ष",
            "\u{1F469}\u{200D}\u{1F680}",
            "\u{2764}\u{FE0F}\u{200D}\u{1F525}",
            "e\u{301}",
        ] {
            assert_eq!(printable(&format!(" {name} "), 40), Ok(name));
        }
    }

    #[test]
    fn characters_that_format_the_text_are_refused() {
        let refused = |found| Err(NameFault::Character { found, max: 40 });
        for (name, found) in [
            ("a\u{200B}b", '\u{200B}'),
            ("a\u{202E}b", '\u{202E}'),
            ("a\u{2066}b", '\u{2066}'),
            ("\u{FEFF}", '\u{FEFF}'),
            ("a\u{2028}b", '\u{2028}'),
            ("a\u{7}b", '\u{7}'),
            ("\u{200D}a", '\u{200D}'),
            ("a\u{200C}", '\u{200C}'),
            ("a\u{200D}\u{200D}b", '\u{200D}'),
            ("a \u{200D}b", '\u{200D}'),
        ] {
            assert_eq!(printable(name, 40), refused(found));
        }
        let text = NameFault::Character {
            found: '\u{AD}',
            max: 8,
        };
        let expected = "U+00AD is not permitted: expected 1 to 8 printable characters";
        assert_eq!(text.to_string(), expected);
    }

    #[test]
    fn names_without_a_visible_character_are_refused() {
        for name in ["", " ", "\u{3164}", "\u{FE0F}", "\u{2800}\u{2800}"] {
            assert_eq!(printable(name, 40), Err(NameFault::Invisible(40)));
        }
    }
}
