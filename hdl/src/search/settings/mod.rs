//! Configuration of a search in hardware, and the ranges that the hardware supports.

mod ranges;

use std::fmt;
use std::str::FromStr;

use duoforge_twin::book::Book;
use duoforge_twin::search::keys::{self, Key, Row, find};
use duoforge_twin::search::{SearchParameters, SettingsError, pairs};
use thiserror::Error;

pub use ranges::{MILLISECONDS, SIMULATIONS, check_supported};
use ranges::{check_nodes, check_weights, narrower};

/// Configuration of a search for a known clock frequency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockedSearchConfig {
    /// Search parameters.
    pub parameters: SearchParameters,
    /// Seed of the random generators.
    pub seed: u64,
    /// Number of simulations that ends a search, below 2^18.
    pub simulations: u32,
    /// Number of cycles that ends a search.
    pub cycles: u32,
    /// Nodes in block RAM, a power of two, if the tree has an external memory.
    pub lines: Option<usize>,
    /// True if the player also searches in the opponent's time.
    pub ponder: bool,
    /// Opening book that comes before a search.
    pub book: Option<&'static Book>,
}

/// Configuration of a search as text: `KEY=VALUE` pairs with commas between, such as
/// `lanes=2,nodes=511`.
///
/// The keys are `sims` and `ms`, the limits of a search, `seed`, `lines`, `ponder`, `book`, and those of
/// [`SearchParameters::KEYS`]. The first limit that is reached ends a search. Omitted keys have the
/// values of [`SearchConfig::default`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchConfig {
    /// Search parameters.
    pub parameters: SearchParameters,
    /// Seed of the random generators.
    pub seed: u64,
    /// Number of simulations that ends a search.
    pub simulations: u32,
    /// Time that ends a search, in milliseconds.
    pub milliseconds: u32,
    /// Nodes in block RAM if the tree is in an SDRAM, a power of two.
    pub lines: Option<usize>,
    /// True if the player also searches in the opponent's time, within the same limits.
    pub ponder: bool,
    /// Opening book that comes before a search.
    pub book: Option<&'static Book>,
    text: String,
}

/// Error: a search configuration that is invalid or not supported in hardware.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SearchingError {
    /// Text that is not a list of `KEY=VALUE` pairs, an unknown key, or an invalid value.
    #[error(transparent)]
    Text(#[from] SettingsError),
    /// Number out of the range of the hardware.
    #[error("{key}={value} is not supported in hardware: expected {expected}")]
    Unsupported {
        /// Key of the parameter.
        key: &'static str,
        /// Value of the parameter.
        value: String,
        /// Values that the hardware supports, in words.
        expected: String,
    },
    /// Prior weights whose scores do not fit into the bits of a score.
    #[error(
        "tile_weights and feature_weights allow scores up to {greatest}, which is not supported in \
         hardware: expected at most {most}"
    )]
    Weights {
        /// Upper bound of the absolute scores.
        greatest: i32,
        /// Maximum of that bound.
        most: i32,
    },
}

impl Default for SearchConfig {
    /// Returns the search with four playout cores and its tree in block RAM, with the number of
    /// simulations that 880 ms allow.
    fn default() -> Self {
        Self {
            parameters: SearchParameters::of_block_ram(),
            seed: 1,
            simulations: SIMULATIONS,
            milliseconds: 880,
            lines: None,
            ponder: false,
            book: None,
            text: String::new(),
        }
    }
}

impl SearchConfig {
    /// Returns the settings for a clock of `clock_hz`. A search that continues after one in the
    /// opponent's time adds to its visit counts, so either has at most half the simulations that
    /// these can count.
    pub fn on_clock(&self, clock_hz: u32) -> ClockedSearchConfig {
        let clocks = u64::from(clock_hz) * u64::from(self.milliseconds) / 1000;
        ClockedSearchConfig {
            parameters: self.parameters.clone(),
            seed: self.seed,
            simulations: match self.ponder {
                true => self.simulations.min(SIMULATIONS / 2),
                false => self.simulations,
            },
            cycles: u32::try_from(clocks).unwrap_or(u32::MAX),
            lines: self.lines,
            ponder: self.ponder,
            book: self.book,
        }
    }

    /// Keys of the limits, of the seed, of the SDRAM, of the opponent's time and of the
    /// opening book.
    pub const KEYS: [Row<Self>; 6] = [
        Row::<Self>::number(
            keys::SIMS,
            |searching| Some(searching.simulations as u64),
            |searching, number| searching.simulations = number as u32,
        ),
        Row::<Self>::number(
            keys::MS,
            |searching| Some(searching.milliseconds as u64),
            |searching, number| searching.milliseconds = number as u32,
        ),
        Row::<Self>::number(
            keys::SEED,
            |searching| Some(searching.seed),
            |searching, number| searching.seed = number,
        ),
        Row::<Self>::number(
            ranges::LINES,
            |searching| Some(searching.lines.unwrap_or_default() as u64),
            |searching, number| searching.lines = Some(number as usize).filter(|&n| n > 0),
        ),
        Row::<Self>::number(
            ranges::PONDER,
            |searching| Some(searching.ponder.into()),
            |searching, number| searching.ponder = number == 1,
        ),
        Row::<Self>::number(
            keys::BOOK,
            |searching| Some(searching.book.is_some().into()),
            |searching, number| searching.book = Book::of_key(number),
        ),
    ];

    /// Iterates over all keys with the values that the hardware supports, those of the parameters
    /// included.
    pub fn keys() -> impl Iterator<Item = Key> {
        let parameters = SearchParameters::KEYS.into_iter().map(|row| row.key);
        let keys = Self::KEYS.into_iter().map(|row| row.key).chain(parameters);
        keys.map(|key| Key {
            values: narrower(key.name).unwrap_or(key.values),
            ..key
        })
    }

    /// Sets the value of a key.
    fn set(&mut self, key: &str, value: &str) -> Result<(), SearchingError> {
        let Some(Key { name, values, .. }) = Self::keys().find(|known| known.name == key) else {
            return Err(SettingsError::unknown(key, Self::keys()).into());
        };
        let set = match find(&Self::KEYS, name) {
            Some(row) => row.set_within(values, self, value),
            None => find(&SearchParameters::KEYS, name)
                .expect("all other keys are parameters")
                .set_within(values, &mut self.parameters, value),
        };
        set.map_err(|error| match error {
            SettingsError::Range {
                key,
                value,
                expected,
            } if narrower(key).is_some() => SearchingError::Unsupported {
                key,
                value,
                expected,
            },
            error => error.into(),
        })
    }
}

impl FromStr for SearchConfig {
    type Err = SearchingError;

    fn from_str(text: &str) -> Result<Self, SearchingError> {
        let mut searching = Self {
            text: text.to_owned(),
            ..Self::default()
        };
        for pair in pairs(text) {
            let (key, value) = pair?;
            searching.set(key, value)?;
        }
        check_nodes(searching.parameters.nodes, searching.lines)?;
        check_weights(&searching.parameters.weights)?;
        Ok(searching)
    }
}

/// Prints the text from which the configuration was parsed.
impl fmt::Display for SearchConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests;
