//! Custom variants from the text of a TOML file.

use core::ops::Range;

use duoforge_rules::{GameVariant, VariantDefinition, VariantError};

/// Values that each key of a definition permits.
const PERMITTED: [(&str, &str); 17] = [
    (
        "name",
        "1 to 40 characters out of a-z, 0-9 and -, in quotation marks",
    ),
    ("size", "5 to 20"),
    ("seats", "1 to 4"),
    ("starts_stay", "true or false"),
    (
        "scoring",
        "\"basic\", \"advanced\", \"alternative\" or \"cells\"",
    ),
    ("ties", "\"shared\" or \"later-seat\""),
    (
        "passing",
        "a table with the keys forced, voluntary and final",
    ),
    ("forced", "\"skipped\" or \"played\""),
    ("voluntary", "\"never\", \"after-first-turn\" or \"always\""),
    ("final", "true or false"),
    (
        "ending",
        "a table with the keys all_placed and no_placement",
    ),
    ("all_placed", "true or false"),
    ("no_placement", "true or false"),
    (
        "colours",
        "1 to 4 tables with the keys seat, shared and starts",
    ),
    ("seat", "0 to the number of seats - 1"),
    ("shared", "true or false"),
    (
        "starts",
        "1 to 8 cells [x, y] of numbers from 0 to size - 1",
    ),
];

/// Reason why a text is not the definition of a variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariantFileError {
    /// A key has a value that no variant may have.
    #[error("line {line}: {key}={value} is not permitted: expected {expected}")]
    Value {
        /// Line of the value, from 1.
        line: usize,
        /// Key of the value, without the table that contains it.
        key: String,
        /// The value as written.
        value: String,
        /// Permitted values.
        expected: &'static str,
        /// Byte range of the value.
        span: Range<usize>,
    },
    /// A required key is absent.
    #[error("the key {key} is missing: expected {expected}")]
    Missing {
        /// The key.
        key: String,
        /// Permitted values.
        expected: &'static str,
    },
    /// The text is not TOML, or has a key that no definition has.
    #[error("line {line}: {message}")]
    Toml {
        /// Line of the fault, from 1.
        line: usize,
        /// Message of the parser.
        message: String,
        /// Byte range of the fault.
        span: Range<usize>,
    },
    /// The definition contradicts itself, or a value is out of its range.
    #[error(transparent)]
    Variant(#[from] VariantError),
}

/// Reads a variant from the text of a TOML file. `docs/variants.md` lists the keys.
///
/// # Errors
///
/// The first fault, with its key, its value and the permitted range.
///
/// ```
/// let error = duoforge_view::read_variant("name = \"big\"\nsize = \"wide\"").unwrap_err();
/// assert_eq!(error.to_string(), "line 2: size=\"wide\" is not permitted: expected 5 to 20");
/// ```
pub fn read_variant(text: &str) -> Result<GameVariant, VariantFileError> {
    let definition: VariantDefinition =
        toml::from_str(text).map_err(|error| fault(text, &error))?;
    Ok(GameVariant::new(&definition)?)
}

impl VariantFileError {
    /// Returns the byte range of the fault in the text, if it has a place.
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        match self {
            Self::Value { span, .. } | Self::Toml { span, .. } => Some(span.clone()),
            Self::Missing { .. } | Self::Variant(_) => None,
        }
    }
}

/// Returns the fault that a message of the parser names.
fn fault(text: &str, error: &toml::de::Error) -> VariantFileError {
    let message = error.message().lines().next().unwrap_or_default();
    if let Some(key) = message.strip_prefix("missing field ")
        && let Some((key, expected)) = permitted(key.trim_matches('`'))
    {
        let key = key.to_owned();
        return VariantFileError::Missing { key, expected };
    }
    let span = error.span().unwrap_or(0..0);
    let line = text[..span.start].matches('\n').count() + 1;
    let is_value = ["invalid ", "unknown variant "]
        .iter()
        .any(|start| message.starts_with(start));
    if is_value && let Some((key, expected)) = key_before(&text[..span.start]).and_then(permitted) {
        return VariantFileError::Value {
            line,
            key: key.to_owned(),
            value: text[span.clone()].trim().replace('\n', " "),
            expected,
            span,
        };
    }
    VariantFileError::Toml {
        line,
        message: message.to_owned(),
        span,
    }
}

/// Returns the key to which the value after `before` belongs.
fn key_before(before: &str) -> Option<&str> {
    let (head, _) = before.rsplit_once('=')?;
    let is_key = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    head.trim_end().rsplit(|letter| !is_key(letter)).next()
}

/// Returns a key and its permitted values; `None` if no definition has the key.
fn permitted(key: &str) -> Option<(&'static str, &'static str)> {
    PERMITTED.into_iter().find(|&(known, _)| known == key)
}
