//! Definitions of custom variants, and the checks that turn one into a [`GameVariant`].

use std::borrow::Cow;

use super::variant::{ColourRules, VariantRules};
use super::{Ending, ForcedPass, GameVariant, Owner, Passing, ScoringRule, Seat, StartCells, Ties};
use crate::Cell;

/// Unchecked definition of a variant, for example from a TOML file.
///
/// With the feature `serde` it can be serialised; the fields are the keys of the file. Numbers are
/// wide, so that a value out of range reaches [`GameVariant::new`], whose errors name the key, the
/// value and the permitted range. Keys other than `name`, `size`, `seats` and `colours` are
/// optional.
///
/// A definition cannot express:
///
/// - boards of more than 20 columns, boards with more rows than columns or fewer, or boards with
///   holes;
/// - other tiles than the 21 of the game, other numbers of a tile, or tiles that differ by colour;
/// - more than four colours or seats, more than one shared colour, or a turn order other than
///   colour 0, 1, 2, 3;
/// - rules of contact other than corner contact and no edge contact within a colour;
/// - points other than those of a [`ScoringRule`], a handicap, or scores that are not sums over the
///   colours of a seat;
/// - limits of time or of the number of moves.
///
/// ```
/// use duoforge_rules::{ColourDefinition, GameVariant, VariantDefinition};
///
/// let colour = |seat, x, y| ColourDefinition {
///     seat: Some(seat),
///     starts: vec![[x, y]],
///     ..ColourDefinition::default()
/// };
/// let mut definition = VariantDefinition {
///     name: "small".to_owned(),
///     size: 9,
///     seats: 2,
///     colours: vec![colour(0, 2, 2), colour(1, 6, 6)],
///     ..VariantDefinition::default()
/// };
/// assert_eq!(GameVariant::new(&definition)?.size(), 9);
/// definition.size = 21;
/// let error = GameVariant::new(&definition).unwrap_err();
/// assert_eq!(error.to_string(), "size=21 is out of range: expected 5 to 20");
/// # Ok::<(), duoforge_rules::VariantError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct VariantDefinition {
    /// Name: 1 to 40 characters out of `a`-`z`, `0`-`9` and `-`. Names of built-in variants are
    /// taken.
    pub name: String,
    /// Number of columns, equal to the number of rows: 5 to 20.
    pub size: i64,
    /// Number of seats, 1 to 4. Each seat owns at least one colour.
    pub seats: i64,
    /// True if start cells that a colour has not covered remain cells to connect to.
    #[cfg_attr(feature = "serde", serde(default))]
    pub starts_stay: bool,
    /// Scoring rule.
    #[cfg_attr(feature = "serde", serde(default))]
    pub scoring: ScoringRule,
    /// Places of seats with equal scores.
    #[cfg_attr(feature = "serde", serde(default))]
    pub ties: Ties,
    /// Passes.
    #[cfg_attr(feature = "serde", serde(default))]
    pub passing: Passing,
    /// Conditions that end a game.
    #[cfg_attr(feature = "serde", serde(default))]
    pub ending: Ending,
    /// Colours in the order of turns, 1 to 4.
    pub colours: Vec<ColourDefinition>,
}

/// Unchecked definition of a colour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct ColourDefinition {
    /// Seat that owns the colour, from 0; absent for a shared colour.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub seat: Option<i64>,
    /// True if the seats place the colour's tiles in turn. At most one colour is shared.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "core::ops::Not::not")
    )]
    pub shared: bool,
    /// Start cells `[x, y]` from the upper left corner, 0-based: 1 to 8 distinct cells.
    pub starts: Vec<[i64; 2]>,
}

/// Reason why a definition is not a variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariantError {
    /// A number is out of its range.
    #[error("{key}={value} is out of range: expected {min} to {max}")]
    OutOfRange {
        /// Key, for example `colours[1].seat`.
        key: String,
        /// Value of the key.
        value: i64,
        /// Least permitted value.
        min: i64,
        /// Greatest permitted value.
        max: i64,
    },
    /// A list has too few or too many entries.
    #[error("{key} has {count} entries: expected {min} to {max}")]
    EntryCount {
        /// Key, for example `colours[1].starts`.
        key: String,
        /// Number of entries.
        count: usize,
        /// Least permitted number.
        min: usize,
        /// Greatest permitted number.
        max: usize,
    },
    /// A value is not permitted, or not with the value of another key.
    #[error("{key}={value} is not permitted: expected {expected}")]
    NotPermitted {
        /// Key, for example `colours[1].starts[0]`.
        key: String,
        /// Value of the key.
        value: String,
        /// Permitted values.
        expected: String,
    },
}

impl GameVariant {
    /// Maximum number of characters of a name.
    pub const MAX_NAME: usize = 40;

    /// Permitted numbers of columns.
    pub const SIZES: core::ops::RangeInclusive<u8> = 5..=20;

    /// Checks a definition.
    ///
    /// # Errors
    ///
    /// The first value that is not permitted, with its key and the permitted range.
    pub fn new(definition: &VariantDefinition) -> Result<Self, VariantError> {
        let name = &definition.name;
        check_name(name)?;
        let sizes = (*Self::SIZES.start(), *Self::SIZES.end());
        let size = ranged("size", definition.size, sizes)?;
        let seats = ranged("seats", definition.seats, (1, Self::MAX_COLOURS as u8))?;
        let count = definition.colours.len();
        let colour_count = counted("colours", count, Self::MAX_COLOURS)?;
        let mut colours = [ColourRules::UNUSED; Self::MAX_COLOURS];
        for (i, (rules, colour)) in colours.iter_mut().zip(&definition.colours).enumerate() {
            let key = format!("colours[{i}]");
            *rules = ColourRules {
                owner: owner(&key, colour, seats)?,
                starts: starts(&key, colour, size)?,
            };
        }
        let rules = VariantRules {
            size,
            seats,
            colours,
            colour_count,
            starts_stay: definition.starts_stay,
            scoring: definition.scoring,
            passing: definition.passing,
            ending: definition.ending,
            ties: definition.ties,
        };
        let variant = Self {
            name: Cow::Owned(name.clone()),
            rules,
        };
        variant.check_owners()?;
        if definition.passing.forced == ForcedPass::Skipped && !definition.ending.no_placement {
            let expected = "true with passing.forced=skipped";
            return Err(not_permitted("ending.no_placement", false, expected));
        }
        Ok(variant)
    }

    /// Returns the definition of the variant. For a built-in variant it differs from a custom one
    /// in the name alone.
    #[must_use]
    pub fn definition(&self) -> VariantDefinition {
        let colour = |colour| {
            let seat = match self.owner(colour) {
                Owner::Seat(seat) => Some(i64::from(seat.0)),
                Owner::Shared => None,
            };
            let starts = self.starts(colour);
            let pair = |cell: &Cell| [i64::from(cell.x), i64::from(cell.y)];
            ColourDefinition {
                seat,
                shared: seat.is_none(),
                starts: starts.as_slice().iter().map(pair).collect(),
            }
        };
        VariantDefinition {
            name: self.name().to_owned(),
            size: self.size().into(),
            seats: self.seat_count() as i64,
            starts_stay: self.starts_stay(),
            scoring: self.scoring(),
            ties: self.ties(),
            passing: self.passing(),
            ending: self.ending(),
            colours: self.colours().map(colour).collect(),
        }
    }

    /// Checks that each seat owns a colour and that at most one colour is shared.
    fn check_owners(&self) -> Result<(), VariantError> {
        let without = self
            .seats()
            .find(|&seat| self.colours_of(seat).next().is_none());
        if let Some(seat) = without {
            let expected = format!("a colour with seat={}, since each seat owns one", seat.0);
            return Err(not_permitted("seats", self.seat_count(), &expected));
        }
        let is_shared = |&colour: &_| self.owner(colour) == Owner::Shared;
        if let Some(second) = self.colours().filter(is_shared).nth(1) {
            let key = format!("colours[{}].shared", second.0);
            return Err(not_permitted(&key, true, "at most one shared colour"));
        }
        Ok(())
    }
}

fn check_name(name: &str) -> Result<(), VariantError> {
    let max = GameVariant::MAX_NAME;
    let is_name_byte = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    if !(1..=max).contains(&name.len()) || !name.bytes().all(is_name_byte) {
        let expected = format!("1 to {max} characters out of a-z, 0-9 and -");
        return Err(not_permitted("name", format!("{name:?}"), &expected));
    }
    if GameVariant::named(name).is_some() {
        let expected = "another name than a built-in variant's";
        return Err(not_permitted("name", format!("{name:?}"), expected));
    }
    Ok(())
}

fn owner(key: &str, colour: &ColourDefinition, seats: u8) -> Result<Owner, VariantError> {
    match (colour.seat, colour.shared) {
        (Some(seat), false) => {
            let seat = ranged(&format!("{key}.seat"), seat, (0, seats - 1))?;
            Ok(Owner::Seat(Seat(seat)))
        }
        (None, true) => Ok(Owner::Shared),
        (Some(_), true) => {
            let key = format!("{key}.shared");
            Err(not_permitted(&key, true, "false for a colour with a seat"))
        }
        (None, false) => {
            let expected = format!("0 to {}, or shared=true", seats - 1);
            Err(not_permitted(&format!("{key}.seat"), "none", &expected))
        }
    }
}

fn starts(key: &str, colour: &ColourDefinition, size: u8) -> Result<StartCells, VariantError> {
    let count = colour.starts.len();
    counted(&format!("{key}.starts"), count, StartCells::MAX)?;
    let mut cells = Vec::new();
    for (i, &[x, y]) in colour.starts.iter().enumerate() {
        let key = format!("{key}.starts[{i}]");
        let on_board = |value: i64| u8::try_from(value).ok().filter(|&value| value < size);
        let (Some(column), Some(row)) = (on_board(x), on_board(y)) else {
            let expected = format!("two numbers from 0 to {}", size - 1);
            return Err(not_permitted(&key, format!("[{x}, {y}]"), &expected));
        };
        let cell = Cell::new(column, row);
        if cells.contains(&cell) {
            let expected = "each start cell once";
            return Err(not_permitted(&key, format!("[{x}, {y}]"), expected));
        }
        cells.push(cell);
    }
    Ok(StartCells::new(&cells))
}

/// Converts a number in a range, bounds included.
fn ranged(key: &str, value: i64, (min, max): (u8, u8)) -> Result<u8, VariantError> {
    let converted = u8::try_from(value).ok();
    let in_range = converted.filter(|value| (min..=max).contains(value));
    in_range.ok_or_else(|| VariantError::OutOfRange {
        key: key.to_owned(),
        value,
        min: min.into(),
        max: max.into(),
    })
}

/// Checks the number of entries of a list: at least 1, at most `max`.
fn counted(key: &str, count: usize, max: usize) -> Result<u8, VariantError> {
    let in_range = u8::try_from(count)
        .ok()
        .filter(|_| (1..=max).contains(&count));
    in_range.ok_or_else(|| VariantError::EntryCount {
        key: key.to_owned(),
        count,
        min: 1,
        max,
    })
}

fn not_permitted(key: &str, value: impl ToString, expected: &str) -> VariantError {
    VariantError::NotPermitted {
        key: key.to_owned(),
        value: value.to_string(),
        expected: expected.to_owned(),
    }
}
