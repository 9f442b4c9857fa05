//! Values of properties, and errors with their places.

use super::error::{SgfError, SgfFault};
use super::parse::{Property, unescape};
use crate::Place;

/// Number that a property may hold.
pub trait Finite: Sized {
    /// Reads the number; `None` if the text is not a finite number.
    fn finite(text: &str) -> Option<Self>;
}

impl Finite for f64 {
    fn finite(text: &str) -> Option<Self> {
        text.parse().ok().filter(|number: &Self| number.is_finite())
    }
}

impl Finite for usize {
    fn finite(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// Returns the value of a property that has one.
pub fn single<'a>(text: &'a str, property: &Property<'a>) -> Result<&'a str, SgfError> {
    if let [value] = property.values[..] {
        return Ok(value);
    }
    let fault = SgfFault::Several(property.name.to_owned());
    Err(on_value(text, property.values[1], fault))
}

/// Resolves the escapes of a value and joins its lines.
pub fn simple(value: &str) -> String {
    unescape(value).replace('\n', " ")
}

/// Returns the byte offset of a slice of the text.
pub fn offset(text: &str, piece: &str) -> usize {
    piece.as_ptr() as usize - text.as_ptr() as usize
}

/// Creates an error at a value.
pub fn on_value(text: &str, value: &str, fault: SgfFault) -> SgfError {
    at(text, offset(text, value), value.len(), fault)
}

/// Creates an error at a byte offset.
pub fn at(text: &str, offset: usize, len: usize, fault: SgfFault) -> SgfError {
    SgfError {
        place: Place::new(text, offset, len),
        fault,
    }
}

/// Shortens a text for a message.
pub fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}
