//! Parsers of text.

use std::fmt::Display;

/// Reads an input as text. Returns the value; `None` if the input is not a text in UTF-8, or is
/// refused.
///
/// # Panics
/// If the message of an error is empty.
pub fn read_text<'a, T, E: Display>(
    bytes: &'a [u8],
    read: impl FnOnce(&'a str) -> Result<T, E>,
) -> Option<T> {
    accepted(read(str::from_utf8(bytes).ok()?))
}

/// Returns the value of a result, after a check of the error's message.
///
/// # Panics
/// If the message of the error is empty.
pub fn accepted<T, E: Display>(result: Result<T, E>) -> Option<T> {
    result
        .inspect_err(|error| assert!(!error.to_string().trim().is_empty()))
        .ok()
}
