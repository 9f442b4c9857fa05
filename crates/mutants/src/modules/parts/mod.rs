//! Mutated parts.

mod pattern;
mod search;

use crate::part::Part;

/// Iterates over all parts in the order of the report: those of the pattern player first.
pub fn parts() -> impl Iterator<Item = &'static Part> {
    pattern::PARTS.iter().chain(&search::PARTS)
}
