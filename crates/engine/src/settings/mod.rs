//! Engine settings as text: `KEY=VALUE` pairs.

use std::fmt;
use std::num::NonZero;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use duoforge_twin::search::keys::{self, Key, Row, Values, find};
use duoforge_twin::search::{Limit, SearchParameters, SettingsError, pairs};

/// Parameters that the engine lacks, since they describe the hardware.
const OTHERS: [&str; 2] = ["nodes", "lanes"];

/// Settings of the engine.
///
/// The text form is a comma-separated list of `KEY=VALUE` pairs, such as `ms=5000,threads=4`; see
/// [`Self::keys`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// Parameters of the search.
    pub parameters: SearchParameters,
    /// Limit of the search for one move.
    pub limit: Limit,
    /// Seed of the random generators.
    pub seed: u64,
    /// Number of search threads, at least 1.
    pub threads: usize,
    /// Maximum memory for the tree, in MiB.
    pub memory: usize,
    /// True if the learned network scores placements, in place of the weights of the prior.
    pub network: bool,
    /// True if the tree is reused from move to move.
    pub reuse_tree: bool,
    /// True if a search stops early, once no other move can exceed the visit count of the best one.
    pub early_stop: bool,
    /// Maximum mobility of both players together at which the endgame solver runs; 0 disables the
    /// solver.
    pub endgame_mobility: u32,
    /// Maximum number of positions that the endgame solver searches for a move.
    pub endgame_nodes: u64,
    /// True if voluntary passes are legal, as in the contest.
    pub voluntary_pass: bool,
    text: String,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            parameters: SearchParameters::of_software(),
            limit: Limit::Time(Duration::from_millis(900)),
            seed: 1,
            threads: thread::available_parallelism().map_or(1, NonZero::get),
            memory: 512,
            network: false,
            reuse_tree: true,
            early_stop: true,
            endgame_mobility: 64,
            endgame_nodes: 200_000,
            voluntary_pass: true,
            text: String::new(),
        }
    }
}

impl EngineSettings {
    /// Simulations per move of the levels, from level 1; each level has four times those of the
    /// preceding one.
    pub const LEVELS: [u64; 9] = [10, 40, 160, 640, 2_560, 10_240, 40_960, 163_840, 655_360];

    /// Keys in addition to those of the parameters.
    pub const KEYS: [Row<Self>; 12] = [
        Row::<Self>::number(
            keys::SIMS,
            |s| match s.limit {
                Limit::Simulations(limit) => Some(limit),
                Limit::Time(_) => None,
            },
            |s, number| s.limit = Limit::Simulations(number),
        ),
        Row::<Self>::number(
            keys::MS,
            |s| match s.limit {
                Limit::Simulations(_) => None,
                Limit::Time(limit) => Some(limit.as_millis() as u64),
            },
            |s, number| s.limit = Limit::Time(Duration::from_millis(number)),
        ),
        Row::<Self>::number(
            Key::new(
                "level",
                "limit in simulations: 10 * 4^(level - 1)",
                Values::range(1, Self::LEVELS.len() as u64),
            ),
            |_| None,
            |s, number| s.limit = Limit::Simulations(Self::LEVELS[number as usize - 1]),
        ),
        Row::<Self>::number(keys::SEED, |s| Some(s.seed), |s, number| s.seed = number),
        Row::<Self>::number(
            Key::new("threads", "search threads", Values::range(1, 1_024)),
            |s| Some(s.threads as u64),
            |s, number| s.threads = number as usize,
        ),
        Row::<Self>::number(
            Key::new(
                "memory",
                "maximum memory of the tree, in MiB",
                Values::range(1, 1 << 16),
            ),
            |s| Some(s.memory as u64),
            |s, number| s.memory = number as usize,
        ),
        Row::<Self>::number(
            Key::new(
                "network",
                "learned network for the prior, in place of its weights",
                Values::FLAG,
            ),
            |s| Some(s.network as u64),
            |s, number| s.network = number == 1,
        ),
        Row::<Self>::number(
            Key::new("reuse_tree", "tree reuse from move to move", Values::FLAG).formerly("keep"),
            |s| Some(s.reuse_tree as u64),
            |s, number| s.reuse_tree = number == 1,
        ),
        Row::<Self>::number(
            Key::new(
                "early_stop",
                "stop once the best move cannot change",
                Values::FLAG,
            )
            .formerly("early"),
            |s| Some(s.early_stop as u64),
            |s, number| s.early_stop = number == 1,
        ),
        Row::<Self>::number(
            Key::new(
                "endgame_mobility",
                "maximum mobility of both sides at which the endgame solver runs; 0 is never",
                Values::range(0, 10_000),
            )
            .formerly("endgame"),
            |s| Some(s.endgame_mobility as u64),
            |s, number| s.endgame_mobility = number as u32,
        ),
        Row::<Self>::number(
            Key::new(
                "endgame_nodes",
                "budget of the endgame solver for a move, in positions",
                Values::ANY,
            ),
            |s| Some(s.endgame_nodes),
            |s, number| s.endgame_nodes = number,
        ),
        Row::<Self>::number(
            Key::new("voluntary_pass", "voluntary passes are legal", Values::FLAG).formerly("pass"),
            |s| Some(s.voluntary_pass as u64),
            |s, number| s.voluntary_pass = number == 1,
        ),
    ];

    /// Iterates over the rows of the parameters without `OTHERS`.
    pub fn parameter_rows() -> impl Iterator<Item = Row<SearchParameters>> {
        let rows = SearchParameters::KEYS.into_iter();
        rows.filter(|row| !OTHERS.contains(&row.key.name))
    }

    /// Iterates over all keys.
    pub fn keys() -> impl Iterator<Item = Key> {
        let own = Self::KEYS.into_iter().map(|row| row.key);
        own.chain(Self::parameter_rows().map(|row| row.key))
    }

    /// Sets the value of a key.
    ///
    /// # Errors
    /// All [`SettingsError`]s but [`SettingsError::Form`].
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingsError> {
        if let Some(row) = find(&Self::KEYS, key) {
            return row.set(self, value);
        }
        match Self::parameter_rows().find(|row| row.key.name == key) {
            Some(row) => row.set(&mut self.parameters, value),
            None => Err(SettingsError::unknown(key, Self::keys())),
        }
    }

    /// Returns the values of all keys, without `level` and without the unused one of `sims` and
    /// `ms`.
    pub fn values(&self) -> Vec<(&'static str, String)> {
        let own = Self::KEYS.into_iter();
        let own = own.filter_map(|row| Some((row.key.name, row.get(self)?)));
        let parameters = Self::parameter_rows();
        let parameters =
            parameters.filter_map(|row| Some((row.key.name, row.get(&self.parameters)?)));
        own.chain(parameters).collect()
    }
}

impl FromStr for EngineSettings {
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

/// Writes the text from which the settings were parsed.
impl fmt::Display for EngineSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests;
