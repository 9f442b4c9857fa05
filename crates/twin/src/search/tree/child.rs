//! Child of a node: a placement with its statistics.

use duoforge_rules::Placement;

use super::super::arithmetic::{MAX_VALUE, Reciprocal};
use super::super::formulas::Formulas;

/// Fraction bits of a mean beyond those of a value.
pub(super) const FRACTION: u32 = 8;

/// Maximum mean.
const FULL: i64 = ((1 << FRACTION) * (MAX_VALUE as i64 + 1)) - 1;

/// Value count that marks a proven value.
const PROVEN: u32 = (1 << 16) - 1;

/// Distance of the maximum value count from the greatest number of its width. Above the maximum the
/// weight of the mean stays constant, and old results fade. In hardware no weight exceeds 63, so
/// other counts stay below [`PROVEN`].
const BELOW: u32 = 64;

/// Successor of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildLink {
    /// Leaf: not expanded yet.
    Leaf,
    /// Node with this index.
    Node(u32),
    /// End of the game: neither side has a legal placement.
    End,
}

/// Child of a node: a placement with its statistics.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The placement.
    pub placement: Placement,
    /// Prior, in units of 2^-16 (16 bits).
    pub prior: u32,
    /// Visit count: simulations through this child, in-flight visits included.
    pub visits: u32,
    /// Value count: weight of the mean in 16ths of a visit (16 bits); all ones if the value is
    /// proven.
    pub value_count: u32,
    /// Mean value for the side that plays the placement, in units of 2^-24 (24 bits).
    pub mean: u32,
    /// Successor in the tree.
    pub next: ChildLink,
}

impl Child {
    /// Returns the mean value, from 0 to [`MAX_VALUE`].
    pub fn value(&self) -> u32 {
        self.mean >> FRACTION
    }

    /// Returns the divisor of the exploration term: visit count (in-flight visits included) plus
    /// value count, in visits.
    ///
    /// The value count is at least 1 and is capped at `value_count_cap`. RAVE updates therefore
    /// reduce the exploration of a child. Without the cap, they could suppress it for all of a long
    /// search.
    pub fn exploration_visits(&self, value_count_cap: u32) -> u32 {
        self.visits + (self.value_count >> 4).min(value_count_cap)
    }

    /// True if the value is proven: the result of best play by both sides.
    pub fn is_proven(&self) -> bool {
        self.value_count == PROVEN
    }

    /// Sets the proven value; a value that is proven already stays.
    pub fn set_proven(&mut self, value: u32) {
        if !self.is_proven() {
            self.value_count = PROVEN;
            self.mean = value << FRACTION;
        }
    }

    /// Updates the mean with a result of the given weight, in 16ths of a visit; a proven value
    /// stays.
    pub fn update(&mut self, value: u32, weight: u32, formulas: &Formulas) {
        self.grow(weight, formulas);
        self.move_mean(value, weight, formulas);
    }

    /// Adds a weight to the value count.
    pub(super) fn grow(&mut self, weight: u32, formulas: &Formulas) {
        let end = 1 << formulas.value_count_bits;
        if self.is_proven() || self.value_count >= end - BELOW {
            return;
        }
        self.value_count = (self.value_count + weight).min(end - 2);
        // With more than 16 bits, the mark of a proven value is skipped.
        if self.value_count == PROVEN {
            self.value_count += 1;
        }
    }

    /// Moves the mean towards a result whose weight the value count includes.
    pub(super) fn move_mean(&mut self, value: u32, weight: u32, formulas: &Formulas) {
        if self.is_proven() {
            return;
        }
        let Reciprocal { factor, shift } = Reciprocal::of(self.value_count);
        // Dropping the six lowest bits of the difference keeps the product short.
        let difference = (i64::from(value << FRACTION) - i64::from(self.mean)) >> 6;
        let half = match formulas.value_count_bits {
            16 => 0,
            _ => 1 << (shift - 7),
        };
        let step = (difference * i64::from(weight * factor) + half) >> (shift - 6);
        self.mean = (i64::from(self.mean) + step).clamp(0, FULL) as u32;
    }
}
