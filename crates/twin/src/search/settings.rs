//! Search settings as text: parameters by name, a limit and a seed.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use duoforge_rules::DuoBoard;
use thiserror::Error;

use super::keys::{self, Key, Row, find};
use super::{BLOCK_RAM_SIMULATIONS, Search, SearchParameters, SearchResult};
use crate::book::Book;

/// Limit of a search for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Maximum number of MCTS simulations; reproducible.
    Simulations(u64),
    /// Maximum time; not reproducible.
    Time(Duration),
}

/// Settings of a search: parameters, limit and seed.
///
/// The text form is a comma-separated list of `KEY=VALUE` pairs, such as `sims=20000,children=32`.
/// The keys are `sims` and `ms` (limit), `ponder_sims`, `book`, `seed`, and those of [`SearchParameters::KEYS`]. Omitted
/// keys take the values of [`SearchSettings::default`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// Parameters of the search.
    pub parameters: SearchParameters,
    /// Limit of the search.
    pub limit: Limit,
    /// Number of simulations in the opponent's time; 0 for none.
    pub ponder: u64,
    /// Opening book that comes before a search.
    pub book: Option<&'static Book>,
    /// Seed of the random generators.
    pub seed: u64,
    text: String,
}

/// Error for a text that is not a valid [`SearchSettings`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// A part of the text is not of the form `KEY=VALUE`.
    #[error("`{0}` is not of the form KEY=VALUE")]
    Form(String),
    /// The key is unknown.
    #[error("unknown key `{key}`; expected one of {known}")]
    Key {
        /// The key.
        key: String,
        /// Comma-separated list of the known keys.
        known: String,
    },
    /// The key has a new name.
    #[error("the key `{former}` is now called `{name}`")]
    Renamed {
        /// Former name of the key.
        former: &'static str,
        /// Name of the key.
        name: &'static str,
    },
    /// The value is not a number.
    #[error("{key}={value} is not a number: expected {expected}")]
    Number {
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
        /// Permitted values, in words.
        expected: String,
    },
    /// The value is out of range.
    #[error("{key}={value} is out of range: expected {expected}")]
    Range {
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
        /// Permitted values, in words.
        expected: String,
    },
}

impl SettingsError {
    /// Creates the error for a key that is none of `known`.
    pub fn unknown(key: &str, known: impl Iterator<Item = Key>) -> Self {
        let known: Vec<Key> = known.collect();
        let renamed = known
            .iter()
            .find_map(|known| Some((known.former.filter(|&former| former == key)?, known.name)));
        if let Some((former, name)) = renamed {
            return Self::Renamed { former, name };
        }
        let names: Vec<_> = known.iter().map(|known| known.name).collect();
        Self::Key {
            key: key.to_owned(),
            known: names.join(", "),
        }
    }
}

impl Default for SearchSettings {
    /// Returns the settings of a search whose tree is in block RAM, limited to the number of
    /// simulations that the hardware completes in a move.
    fn default() -> Self {
        Self {
            parameters: SearchParameters::of_block_ram(),
            limit: Limit::Simulations(BLOCK_RAM_SIMULATIONS),
            ponder: 0,
            book: None,
            seed: 1,
            text: String::new(),
        }
    }
}

impl FromStr for SearchSettings {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let mut settings = Self {
            text: text.to_owned(),
            ..Self::default()
        };
        for pair in pairs(text) {
            let (key, value) = pair?;
            settings.set(key, value)?;
        }
        Ok(settings)
    }
}

/// Iterates over the keys and values of a text, in order.
pub fn pairs(text: &str) -> impl Iterator<Item = Result<(&str, &str), SettingsError>> {
    text.split(',').filter(|pair| !pair.is_empty()).map(|pair| {
        pair.split_once('=')
            .ok_or_else(|| SettingsError::Form(pair.to_owned()))
    })
}

impl SearchSettings {
    /// Keys of the limits and of the seed.
    pub const KEYS: [Row<Self>; 5] = [
        Row::<Self>::number(
            keys::SIMS,
            |settings| match settings.limit {
                Limit::Simulations(limit) => Some(limit),
                Limit::Time(_) => None,
            },
            |settings, number| settings.limit = Limit::Simulations(number),
        ),
        Row::<Self>::number(
            keys::MS,
            |settings| match settings.limit {
                Limit::Simulations(_) => None,
                Limit::Time(limit) => Some(limit.as_millis() as u64),
            },
            |settings, number| settings.limit = Limit::Time(Duration::from_millis(number)),
        ),
        Row::<Self>::number(
            keys::PONDER,
            |settings| Some(settings.ponder),
            |settings, number| settings.ponder = number,
        ),
        Row::<Self>::number(
            keys::BOOK,
            |settings| Some(settings.book.is_some().into()),
            |settings, number| settings.book = Book::of_key(number),
        ),
        Row::<Self>::number(
            keys::SEED,
            |settings| Some(settings.seed),
            |settings, number| settings.seed = number,
        ),
    ];

    /// Iterates over all keys, those of the parameters included.
    pub fn keys() -> impl Iterator<Item = Key> {
        let parameters = SearchParameters::KEYS.into_iter().map(|row| row.key);
        Self::KEYS.into_iter().map(|row| row.key).chain(parameters)
    }

    /// Sets the value of a key.
    ///
    /// # Errors
    /// All [`SettingsError`]s but [`SettingsError::Form`].
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingsError> {
        if let Some(row) = find(&Self::KEYS, key) {
            return row.set(self, value);
        }
        match find(&SearchParameters::KEYS, key) {
            Some(row) => row.set(&mut self.parameters, value),
            None => Err(SettingsError::unknown(key, Self::keys())),
        }
    }

    /// Searches the position after a move of this side, in the opponent's time; see
    /// [`Search::ponder`].
    pub fn ponder(&self, search: &mut Search, board: &DuoBoard) {
        search.ponder(board, self.ponder);
    }

    /// Chooses a move from the opening book, or searches for one within the limit.
    pub fn run(&self, search: &mut Search, board: &DuoBoard) -> SearchResult {
        if let Some(placement) = self.book.and_then(|book| book.reply(board)) {
            return SearchResult::of_book(placement);
        }
        match self.limit {
            Limit::Simulations(limit) => search.run(board, |done| done < limit),
            Limit::Time(limit) => {
                let end = Instant::now() + limit;
                // Polls the clock every 64 simulations.
                search.run(board, |done| done % 64 != 63 || Instant::now() < end)
            }
        }
    }
}

/// Writes the text from which the settings were parsed.
impl fmt::Display for SearchSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_set_what_they_name() {
        let text = "sims=500,children=7,seed=3,feature_weights=1/-2/3/4/5/6/7/8/9/10";
        let settings: SearchSettings = text.parse().expect("settings");
        assert_eq!(settings.limit, Limit::Simulations(500));
        assert_eq!((settings.seed, settings.parameters.children), (3, 7));
        let kinds = settings.parameters.weights.kinds;
        assert_eq!(kinds, [[1, -2, 3, 4, 5, 6, 7, 8, 9, 10]; 4]);
        assert_eq!(settings.to_string(), text);
        let hardware: SearchSettings = "".parse().expect("settings");
        assert_eq!(hardware.limit, Limit::Simulations(BLOCK_RAM_SIMULATIONS));
        assert_eq!(hardware.parameters, SearchParameters::of_block_ram());
        let time: SearchSettings = "ms=20".parse().expect("settings");
        assert_eq!(time.limit, Limit::Time(Duration::from_millis(20)));
    }

    #[test]
    fn without_a_text_a_search_is_that_of_block_ram() {
        let settings: SearchSettings = "".parse().expect("settings");
        assert_eq!(settings, SearchSettings::default());
        assert_eq!(settings.limit, Limit::Simulations(BLOCK_RAM_SIMULATIONS));
        assert_eq!((settings.seed, settings.to_string()), (1, String::new()));
        // Empty parts are ignored; the last of several limits applies.
        let last: SearchSettings = ",ms=5,,sims=7,".parse().expect("settings");
        assert_eq!(last.limit, Limit::Simulations(7));
        for text in ["sims=-1", "ms=1s", "seed=", "seed=18446744073709551616"] {
            assert!(text.parse::<SearchSettings>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_limit_of_simulations_is_kept_exactly() {
        let mut search = Search::new(SearchParameters::default(), 1);
        for sims in [1, 5, 64] {
            let settings: SearchSettings = format!("sims={sims}").parse().expect("settings");
            let found = settings.run(&mut search, &DuoBoard::duo());
            assert_eq!(found.simulations, sims);
        }
        // An expired time limit ends the search at the first poll of the clock, after 63
        // simulations.
        let settings: SearchSettings = "ms=0".parse().expect("settings");
        assert_eq!(settings.run(&mut search, &DuoBoard::duo()).simulations, 63);
    }

    #[test]
    fn a_limit_of_time_is_used_to_its_end() {
        let mut search = Search::new(SearchParameters::default(), 1);
        let settings: SearchSettings = "ms=400".parse().expect("settings");
        let begun = Instant::now();
        let found = settings.run(&mut search, &DuoBoard::duo());
        assert!(begun.elapsed() >= Duration::from_millis(400));
        // The clock is read after 63 simulations, and then after 64 each.
        assert_eq!(found.simulations % 64, 63);
    }

    #[test]
    fn bad_texts_say_what_is_wrong() {
        for (text, message) in [
            ("children", "`children` is not of the form KEY=VALUE"),
            (
                "children=x",
                "children=x is not a number: expected 1 to 4096",
            ),
            (
                "children=0",
                "children=0 is out of range: expected 1 to 4096",
            ),
            (
                "exploration=4097",
                "exploration=4097 is out of range: expected 0 to 4096",
            ),
            (
                "nodes=4294967295",
                "nodes=4294967295 is out of range: expected 1 to 16777216",
            ),
            (
                "feature_weights=1/2",
                "feature_weights=1/2 is out of range: expected 10 or 40 integers from -128 to 127, separated by /",
            ),
            ("ms=x", "ms=x is not a number: expected 0 to 2^64 - 1"),
            (
                "threshold=8",
                "the key `threshold` is now called `expand_threshold`",
            ),
        ] {
            let error = text.parse::<SearchSettings>().expect_err("no settings");
            assert_eq!(error.to_string(), message);
        }
        let error = "child=3"
            .parse::<SearchSettings>()
            .expect_err("no settings");
        assert!(error.to_string().starts_with(
            "unknown key `child`; expected one of sims, ms, ponder_sims, book, seed, children,"
        ));
    }

    #[test]
    fn a_limit_and_a_seed_are_any_number() {
        for key in ["sims", "ms", "ponder_sims", "seed"] {
            for value in [0, u64::MAX] {
                let settings: SearchSettings = format!("{key}={value}").parse().expect("settings");
                let row = find(&SearchSettings::KEYS, key).expect(key);
                assert_eq!(row.get(&settings), Some(value.to_string()), "{key}");
            }
            for value in ["-1", "18446744073709551616", ""] {
                let text = format!("{key}={value}");
                assert!(text.parse::<SearchSettings>().is_err(), "{text}");
            }
        }
    }

    #[test]
    fn former_keys_are_refused_with_the_new_ones() {
        let renamed: Vec<_> = SearchSettings::keys()
            .filter_map(|key| Some((key.former?, key.name)))
            .collect();
        assert_eq!(renamed.len(), 15);
        for (former, name) in renamed {
            assert!(
                SearchSettings::keys().all(|key| key.name != former),
                "{former}"
            );
            let error = format!("{former}=1").parse::<SearchSettings>();
            let message = format!("the key `{former}` is now called `{name}`");
            assert_eq!(error.expect_err("a former key").to_string(), message);
        }
    }
}
