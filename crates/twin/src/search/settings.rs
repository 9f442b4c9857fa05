//! Search settings as text: parameters by name, a limit and a seed.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use duoforge_rules::DuoBoard;
use thiserror::Error;

use super::{Found, Parameters, SHIPPED_SIMULATIONS, Search};

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
/// The keys are `sims` and `ms` (limit), `seed`, and the keys of [`Parameters::set`]. Omitted keys
/// take the values of [`Settings::default`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Parameters of the search.
    pub parameters: Parameters,
    /// Limit of the search.
    pub limit: Limit,
    /// Seed of the random generators.
    pub seed: u64,
    text: String,
}

/// Permitted values of a number of 64 bits.
pub const ANY_NUMBER: &str = "0 to 2^64 - 1";

/// Error for a text that is not a valid [`Settings`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// A part of the text is not of the form `KEY=VALUE`.
    #[error("`{0}` is not of the form KEY=VALUE")]
    Form(String),
    /// The key is unknown.
    #[error("there is no parameter `{key}`; there are {known}")]
    Key {
        /// The key.
        key: String,
        /// Comma-separated list of the known keys.
        known: String,
    },
    /// The value is not a number, or is out of range.
    #[error("{key}={value} is out of range: expected {expected}")]
    Value {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// Permitted values, in words.
        expected: String,
    },
}

impl Default for Settings {
    /// Returns the settings of the search for the ULX3S-85F, limited to the number of simulations
    /// that the hardware completes in a move.
    fn default() -> Self {
        Self {
            parameters: Parameters::shipped(),
            limit: Limit::Simulations(SHIPPED_SIMULATIONS),
            seed: 1,
            text: String::new(),
        }
    }
}

impl FromStr for Settings {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let mut settings = Self {
            text: text.to_owned(),
            ..Self::default()
        };
        for pair in pairs(text) {
            let (key, value) = pair?;
            let wrong = || SettingsError::wrong(key, value, ANY_NUMBER);
            let number = || value.parse::<u64>().map_err(|_| wrong());
            match key {
                "sims" => settings.limit = Limit::Simulations(number()?),
                "ms" => settings.limit = Limit::Time(Duration::from_millis(number()?)),
                "seed" => settings.seed = number()?,
                _ => set(&mut settings.parameters, key, value)?,
            }
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

/// Sets a parameter of a search; an error lists the keys `sims`, `ms` and `seed` as well.
///
/// # Errors
/// [`SettingsError::Key`], [`SettingsError::Value`].
pub fn set(parameters: &mut Parameters, key: &str, value: &str) -> Result<(), SettingsError> {
    if !Parameters::KEYS.contains(&key) {
        return Err(SettingsError::Key {
            key: key.to_owned(),
            known: format!("sims, ms, seed, {}", Parameters::KEYS.join(", ")),
        });
    }
    parameters
        .set(key, value)
        .ok_or_else(|| SettingsError::wrong(key, value, Parameters::expected(key)))
}

impl SettingsError {
    /// Creates the error for a value that the key does not accept.
    pub fn wrong(key: &str, value: &str, expected: impl Into<String>) -> Self {
        Self::Value {
            key: key.to_owned(),
            value: value.to_owned(),
            expected: expected.into(),
        }
    }
}

impl Settings {
    /// Searches for a move within the limit.
    pub fn think(&self, search: &mut Search, board: &DuoBoard) -> Found {
        match self.limit {
            Limit::Simulations(limit) => search.think(board, |done| done < limit),
            Limit::Time(limit) => {
                let end = Instant::now() + limit;
                // Polls the clock every 64 simulations.
                search.think(board, |done| done % 64 != 63 || Instant::now() < end)
            }
        }
    }
}

/// Writes the text from which the settings were parsed.
impl fmt::Display for Settings {
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
        let settings: Settings = text.parse().expect("settings");
        assert_eq!(settings.limit, Limit::Simulations(500));
        assert_eq!((settings.seed, settings.parameters.children), (3, 7));
        let kinds = settings.parameters.weights.kinds;
        assert_eq!(kinds, [[1, -2, 3, 4, 5, 6, 7, 8, 9, 10]; 4]);
        assert_eq!(settings.to_string(), text);
        let shipped: Settings = "".parse().expect("settings");
        assert_eq!(shipped.limit, Limit::Simulations(SHIPPED_SIMULATIONS));
        assert_eq!(shipped.parameters, Parameters::shipped());
        let time: Settings = "ms=20".parse().expect("settings");
        assert_eq!(time.limit, Limit::Time(Duration::from_millis(20)));
    }

    #[test]
    fn without_a_text_a_search_is_the_one_that_ships() {
        let settings: Settings = "".parse().expect("settings");
        assert_eq!(settings, Settings::default());
        assert_eq!(settings.limit, Limit::Simulations(SHIPPED_SIMULATIONS));
        assert_eq!((settings.seed, settings.to_string()), (1, String::new()));
        // Empty parts are ignored; the last of several limits applies.
        let last: Settings = ",ms=5,,sims=7,".parse().expect("settings");
        assert_eq!(last.limit, Limit::Simulations(7));
        for text in ["sims=-1", "ms=1s", "seed=", "seed=18446744073709551616"] {
            assert!(text.parse::<Settings>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_limit_of_simulations_is_kept_exactly() {
        let mut search = Search::new(Parameters::default(), 1);
        for sims in [1, 5, 64] {
            let settings: Settings = format!("sims={sims}").parse().expect("settings");
            let found = settings.think(&mut search, &DuoBoard::duo());
            assert_eq!(found.simulations, sims);
        }
        // An expired time limit ends the search at the first poll of the clock, after 63
        // simulations.
        let settings: Settings = "ms=0".parse().expect("settings");
        assert_eq!(
            settings.think(&mut search, &DuoBoard::duo()).simulations,
            63
        );
    }

    #[test]
    fn bad_texts_say_what_is_wrong() {
        for (text, message) in [
            ("children", "`children` is not of the form KEY=VALUE"),
            (
                "children=x",
                "children=x is out of range: expected 1 to 4096",
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
            ("ms=x", "ms=x is out of range: expected 0 to 2^64 - 1"),
        ] {
            let error = text.parse::<Settings>().expect_err("no settings");
            assert_eq!(error.to_string(), message);
        }
        let error = "child=3".parse::<Settings>().expect_err("no settings");
        assert!(
            error
                .to_string()
                .contains("there are sims, ms, seed, children,")
        );
    }
}
