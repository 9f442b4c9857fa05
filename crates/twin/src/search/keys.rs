//! Key tables: name, meaning, permitted values and access of every key of search settings.
//!
//! A [`Row`] describes one key of settings in the text form `KEY=VALUE,...`. The parsers, their
//! error messages, `duoforge players` and the tables of `docs/search.md` all read these rows.

use std::fmt;

use super::settings::SettingsError;

/// Limit of a search in MCTS simulations.
pub const SIMS: Key = Key::new("sims", "limit: simulations", Values::ANY);

/// Limit of a search in the opponent's time, in MCTS simulations.
pub const PONDER: Key = Key::new(
    "ponder_sims",
    "simulations in the opponent's time",
    Values::ANY,
);

/// Opening book before a search.
pub const BOOK: Key = Key::new("book", "1 to play from the opening book", Values::FLAG);

/// Limit of a search in milliseconds.
pub const MS: Key = Key::new("ms", "limit: milliseconds", Values::ANY);

/// Seed of a search.
pub const SEED: Key = Key::new("seed", "seed of random choices", Values::ANY);

/// Key of a `KEY=VALUE` list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Name of the key.
    pub name: &'static str,
    /// Former name of the key. A text with it is refused, and the error gives the new name.
    pub former: Option<&'static str>,
    /// Meaning of the value, with its unit.
    pub meaning: &'static str,
    /// Permitted values.
    pub values: Values,
}

impl Key {
    /// Creates a key that never had another name.
    pub const fn new(name: &'static str, meaning: &'static str, values: Values) -> Self {
        Self {
            name,
            former: None,
            meaning,
            values,
        }
    }

    /// Returns the key with its former name.
    pub const fn formerly(self, former: &'static str) -> Self {
        Self {
            former: Some(former),
            ..self
        }
    }
}

/// Permitted values of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Integers of a range, both ends included.
    Integers {
        /// Minimum value.
        min: u64,
        /// Maximum value.
        max: u64,
    },
    /// One of a few integers.
    OneOf(&'static [u64]),
    /// Signed bytes separated by `/`: one row for all phases, or one row for each phase.
    Rows {
        /// Numbers of a row.
        length: usize,
        /// Number of phases.
        phases: usize,
    },
}

impl Values {
    /// All integers of 64 bits.
    pub const ANY: Self = Self::range(0, u64::MAX);

    /// 0 for no, 1 for yes.
    pub const FLAG: Self = Self::OneOf(&[0, 1]);

    /// Returns the integers from `min` to `max`.
    pub const fn range(min: u64, max: u64) -> Self {
        Self::Integers { min, max }
    }

    /// True if an integer is permitted; rows contain no single integer.
    pub fn contains(self, value: u64) -> bool {
        match self {
            Self::Integers { min, max } => (min..=max).contains(&value),
            Self::OneOf(values) => values.contains(&value),
            Self::Rows { .. } => false,
        }
    }
}

/// Writes the values as in error messages and documents: `1 to 4096`, `1, 2 or 4`.
impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Integers { min, max: u64::MAX } => write!(f, "{min} to 2^64 - 1"),
            Self::Integers { min, max } if max == u32::MAX.into() => {
                write!(f, "{min} to 2^32 - 1")
            }
            Self::Integers { min, max } => write!(f, "{min} to {max}"),
            Self::OneOf(values) => {
                for (i, value) in values.iter().enumerate() {
                    let separator = match i {
                        0 => "",
                        _ if i + 1 == values.len() => " or ",
                        _ => ", ",
                    };
                    write!(f, "{separator}{value}")?;
                }
                Ok(())
            }
            Self::Rows { length, phases } => write!(
                f,
                "{length} or {} integers from -128 to 127, separated by /",
                length * phases
            ),
        }
    }
}

/// Row of a key table: a key, with access to its value in settings of type `S`.
#[derive(Debug)]
pub struct Row<S: 'static> {
    /// Key of the row.
    pub key: Key,
    access: Access<S>,
}

// Derived impls would require the same of `S`.
impl<S> Clone for Row<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Row<S> {}

/// Functions that read and write a value.
#[derive(Debug)]
enum Access<S: 'static> {
    Number {
        get: fn(&S) -> Option<u64>,
        set: fn(&mut S, u64),
    },
    Weights {
        get: fn(&S) -> Vec<i8>,
        set: fn(&mut S, &[i8]),
    },
}

impl<S> Clone for Access<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Access<S> {}

impl<S> Row<S> {
    /// Creates the row of an integer. `get` returns `None` if the settings have no such value, as
    /// for a limit in milliseconds if the limit is in simulations.
    pub const fn number(key: Key, get: fn(&S) -> Option<u64>, set: fn(&mut S, u64)) -> Self {
        Self {
            key,
            access: Access::Number { get, set },
        }
    }

    /// Creates the row of [`Values::Rows`]; `get` returns, and `set` takes, a row for each phase.
    pub const fn weights(key: Key, get: fn(&S) -> Vec<i8>, set: fn(&mut S, &[i8])) -> Self {
        Self {
            key,
            access: Access::Weights { get, set },
        }
    }

    /// Returns the value of the key as text; `None` if the settings have no such value.
    pub fn get(&self, settings: &S) -> Option<String> {
        match self.access {
            Access::Number { get, .. } => get(settings).map(|number| number.to_string()),
            Access::Weights { get, .. } => {
                let numbers: Vec<_> = get(settings).iter().map(i8::to_string).collect();
                Some(numbers.join("/"))
            }
        }
    }

    /// Sets the value of the key.
    ///
    /// # Errors
    /// [`SettingsError::Number`], [`SettingsError::Range`].
    pub fn set(&self, settings: &mut S, value: &str) -> Result<(), SettingsError> {
        self.set_within(self.key.values, settings, value)
    }

    /// Sets the value of the key to one of `values`, which are permitted values of the key.
    ///
    /// # Errors
    /// [`SettingsError::Number`], [`SettingsError::Range`].
    pub fn set_within(
        &self,
        values: Values,
        settings: &mut S,
        value: &str,
    ) -> Result<(), SettingsError> {
        let refused = |refusal| {
            let (key, value) = (self.key.name, value.to_owned());
            let expected = values.to_string();
            match refusal {
                Refusal::Form => SettingsError::Number {
                    key,
                    value,
                    expected,
                },
                Refusal::Range => SettingsError::Range {
                    key,
                    value,
                    expected,
                },
            }
        };
        match self.access {
            Access::Number { set, .. } => {
                set(settings, number(values, value).map_err(refused)?);
            }
            Access::Weights { set, .. } => {
                set(settings, &numbers(values, value).map_err(refused)?);
            }
        }
        Ok(())
    }
}

/// Returns the rows of two tables in turn; `N` is the number of both, and `A` is above 0.
pub const fn joined<S, const A: usize, const B: usize, const N: usize>(
    first: [Row<S>; A],
    second: [Row<S>; B],
) -> [Row<S>; N] {
    assert!(A + B == N, "N is the number of all rows");
    let mut rows = [first[0]; N];
    let mut i = 0;
    while i < N {
        rows[i] = if i < A { first[i] } else { second[i - A] };
        i += 1;
    }
    rows
}

/// Returns the row of a key; `None` if the table lacks the key.
pub fn find<'a, S>(rows: &'a [Row<S>], name: &str) -> Option<&'a Row<S>> {
    rows.iter().find(|row| row.key.name == name)
}

/// Reason why a text is not a permitted value.
#[derive(Clone, Copy)]
enum Refusal {
    /// The text is not a number, or not a list of numbers.
    Form,
    /// A number is out of range, or there are too few or too many of them.
    Range,
}

/// True for an integer of any size.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses a permitted integer.
fn number(values: Values, text: &str) -> Result<u64, Refusal> {
    if !is_integer(text) {
        return Err(Refusal::Form);
    }
    let number = text.parse().ok();
    let permitted = number.filter(|&number| values.contains(number));
    permitted.ok_or(Refusal::Range)
}

/// Parses rows of numbers; a single row is repeated for each phase.
fn numbers(values: Values, text: &str) -> Result<Vec<i8>, Refusal> {
    let Values::Rows { length, phases } = values else {
        return Err(Refusal::Range);
    };
    if !text.split('/').all(is_integer) {
        return Err(Refusal::Form);
    }
    let numbers: Result<Vec<i8>, _> = text.split('/').map(str::parse).collect();
    let numbers = numbers.map_err(|_| Refusal::Range)?;
    match numbers.len() {
        len if len == length => Ok(numbers.repeat(phases)),
        len if len == length * phases => Ok(numbers),
        _ => Err(Refusal::Range),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_ranges_and_lists() {
        let rows = Values::Rows {
            length: 10,
            phases: 4,
        };
        for (values, text) in [
            (Values::range(1, 4_096), "1 to 4096"),
            (Values::ANY, "0 to 2^64 - 1"),
            (Values::range(5, u32::MAX.into()), "5 to 2^32 - 1"),
            (Values::FLAG, "0 or 1"),
            (Values::OneOf(&[1, 2, 4]), "1, 2 or 4"),
            (Values::OneOf(&[3]), "3"),
            (rows, "10 or 40 integers from -128 to 127, separated by /"),
        ] {
            assert_eq!(values.to_string(), text);
        }
    }

    #[test]
    fn a_value_is_a_number_in_range() {
        let row = Row::<Option<u64>>::number(
            Key::new("n", "a number", Values::range(3, 5)),
            |settings| *settings,
            |settings, number| *settings = Some(number),
        );
        let mut settings = None;
        assert_eq!(row.get(&settings), None);
        for value in ["3", "5", "+4"] {
            assert_eq!(row.set(&mut settings, value), Ok(()), "{value}");
        }
        assert_eq!(row.get(&settings), Some("4".to_owned()));
        for (value, fault) in [
            ("2", "out of range"),
            ("6", "out of range"),
            ("-4", "out of range"),
            ("99999999999999999999", "out of range"),
            ("", "not a number"),
            ("-", "not a number"),
            ("4.0", "not a number"),
            ("4/4", "not a number"),
            (" 4", "not a number"),
        ] {
            let error = row.set(&mut settings, value).expect_err(value);
            let expected = format!("n={value} is {fault}: expected 3 to 5");
            assert_eq!(error.to_string(), expected);
        }
        let one = Values::OneOf(&[3]);
        let error = row.set_within(one, &mut settings, "4").expect_err("not 3");
        assert_eq!(error.to_string(), "n=4 is out of range: expected 3");
        assert_eq!(settings, Some(4));
    }

    #[test]
    fn a_single_row_is_repeated_for_each_phase() {
        let values = Values::Rows {
            length: 2,
            phases: 3,
        };
        let row = Row::<Vec<i8>>::weights(
            Key::new("w", "weights", values),
            Clone::clone,
            |settings, numbers| *settings = numbers.to_vec(),
        );
        let mut settings = Vec::new();
        assert_eq!(row.set(&mut settings, "-128/127"), Ok(()));
        assert_eq!(settings, [-128, 127, -128, 127, -128, 127]);
        assert_eq!(row.set(&mut settings, "1/2/3/4/5/6"), Ok(()));
        assert_eq!(row.get(&settings), Some("1/2/3/4/5/6".to_owned()));
        for value in ["1", "1/2/3/4", "1/2/3/4/5/6/7/8", "1/128"] {
            let error = row.set(&mut settings, value).expect_err(value);
            assert!(matches!(error, SettingsError::Range { .. }), "{error}");
        }
        for value in ["", "1/", "1,2", "a/b"] {
            let error = row.set(&mut settings, value).expect_err(value);
            assert!(matches!(error, SettingsError::Number { .. }), "{error}");
        }
    }
}
