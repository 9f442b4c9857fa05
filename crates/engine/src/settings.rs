//! Engine settings as text: `KEY=VALUE` pairs.

use std::fmt;
use std::num::NonZero;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use duoforge_twin::search::keys::{self, Key, Row, Values, find};
use duoforge_twin::search::{Limit, SearchParameters, SettingsError, pairs};

/// Parameters that the engine lacks: `nodes` and `lanes` describe the hardware, and only the twin
/// computes the other formulas.
const OTHERS: [&str; 8] = [
    "nodes",
    "lanes",
    "fpu_root",
    "expand_ply",
    "replies",
    "margin_bonus",
    "length_bonus",
    "final_wins",
];

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
            // Larger values than the hardware can afford.
            parameters: SearchParameters {
                children: 300,
                expand_threshold: 8,
                exploration: 24,
                value_count_cap: 64,
                nodes: usize::MAX,
                lanes: 1,
                ..SearchParameters::default()
            },
            limit: Limit::Time(Duration::from_millis(900)),
            seed: 1,
            threads: thread::available_parallelism().map_or(1, NonZero::get),
            memory: 512,
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
    pub const KEYS: [Row<Self>; 11] = [
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

    /// Returns the values of [`Self::KEYS`], without `level` and without the unused one of `sims`
    /// and `ms`.
    pub fn values(&self) -> Vec<(&'static str, String)> {
        let rows = Self::KEYS.into_iter();
        rows.filter_map(|row| Some((row.key.name, row.get(self)?)))
            .collect()
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
mod tests {
    use super::*;

    #[test]
    fn texts_set_what_they_name() {
        let text = "sims=500,threads=3,memory=64,reuse_tree=0,endgame_mobility=0,\
                    children=200,voluntary_pass=0";
        let settings: EngineSettings = text.parse().expect("settings");
        assert_eq!(settings.limit, Limit::Simulations(500));
        let level: EngineSettings = "level=3".parse().expect("settings");
        assert_eq!(level.limit, Limit::Simulations(160));
        assert_eq!((settings.threads, settings.memory), (3, 64));
        assert!(!settings.reuse_tree && settings.early_stop && !settings.voluntary_pass);
        assert_eq!(
            (settings.endgame_mobility, settings.parameters.children),
            (0, 200)
        );
        assert_eq!(settings.to_string(), text);
        let values = settings.values();
        assert!(values.contains(&("threads", "3".to_owned())), "{values:?}");
        // Every value that is reported can be set.
        let mut other = EngineSettings::default();
        for (key, value) in values {
            other.set(key, &value).expect("a value");
        }
        assert_eq!(other.limit, settings.limit);
        assert_eq!(other.reuse_tree, settings.reuse_tree);
    }

    /// Key, accessor, default, minimum and maximum of a setting.
    type Expected = (
        &'static str,
        fn(&EngineSettings) -> u64,
        Option<u64>,
        u64,
        u64,
    );

    const ROWS: [Expected; 8] = [
        ("seed", |s| s.seed, Some(1), 0, u64::MAX),
        ("threads", |s| s.threads as u64, None, 1, 1_024),
        ("memory", |s| s.memory as u64, Some(512), 1, 65_536),
        ("reuse_tree", |s| s.reuse_tree.into(), Some(1), 0, 1),
        ("early_stop", |s| s.early_stop.into(), Some(1), 0, 1),
        (
            "endgame_mobility",
            |s| s.endgame_mobility.into(),
            Some(64),
            0,
            10_000,
        ),
        (
            "endgame_nodes",
            |s| s.endgame_nodes,
            Some(200_000),
            0,
            u64::MAX,
        ),
        ("voluntary_pass", |s| s.voluntary_pass.into(), Some(1), 0, 1),
    ];

    #[test]
    fn every_key_has_its_default_and_its_bounds() {
        let whole = EngineSettings::default();
        assert_eq!(whole.limit, Limit::Time(Duration::from_millis(900)));
        let p = &whole.parameters;
        let own = (
            p.children,
            p.expand_threshold,
            p.exploration,
            p.value_count_cap,
            p.nodes,
            p.lanes,
        );
        assert_eq!(own, (300, 8, 24, 64, usize::MAX, 1));
        for (key, read, default, least, most) in ROWS {
            assert!(
                default.is_none_or(|default| read(&whole) == default),
                "{key}"
            );
            for value in [least, most] {
                let settings: EngineSettings = format!("{key}={value}").parse().expect("settings");
                assert_eq!(read(&settings), value, "{key}");
                let told = settings.values();
                assert!(told.contains(&(key, value.to_string())), "{key}: {told:?}");
            }
            let outside = [least.checked_sub(1), most.checked_add(1)];
            for value in outside.into_iter().flatten() {
                let error = format!("{key}={value}").parse::<EngineSettings>();
                let error = error.expect_err("no settings").to_string();
                let words = match (least, most) {
                    (0, 1) => "0 or 1".to_owned(),
                    (0, u64::MAX) => "0 to 2^64 - 1".to_owned(),
                    _ => format!("{least} to {most}"),
                };
                let expected = format!("{key}={value} is out of range: expected {words}");
                assert_eq!(error, expected);
            }
        }
        for (level, sims) in (1..).zip(EngineSettings::LEVELS) {
            let settings: EngineSettings = format!("level={level}").parse().expect("settings");
            assert_eq!(settings.limit, Limit::Simulations(sims));
            assert_eq!(sims, 10 * 4_u64.pow(level - 1));
            assert_eq!(settings.values()[0], ("sims", sims.to_string()));
        }
        let time: EngineSettings = "ms=1500".parse().expect("settings");
        assert_eq!(time.values()[0], ("ms", "1500".to_owned()));
        assert!("level=0".parse::<EngineSettings>().is_err());
    }

    #[test]
    fn bad_texts_say_what_is_wrong() {
        for (text, message) in [
            ("threads", "`threads` is not of the form KEY=VALUE"),
            ("threads=0", "threads=0 is out of range: expected 1 to 1024"),
            (
                "memory=99999999",
                "memory=99999999 is out of range: expected 1 to 65536",
            ),
            ("level=10", "level=10 is out of range: expected 1 to 9"),
            (
                "reuse_tree=yes",
                "reuse_tree=yes is not a number: expected 0 or 1",
            ),
            (
                "children=0",
                "children=0 is out of range: expected 1 to 4096",
            ),
            ("seed=x", "seed=x is not a number: expected 0 to 2^64 - 1"),
        ] {
            let error = text.parse::<EngineSettings>().expect_err("no settings");
            assert_eq!(error.to_string(), message);
        }
        for text in ["thread=3", "lanes=2", "nodes=3"] {
            let error = text.parse::<EngineSettings>().expect_err("no settings");
            assert!(
                error
                    .to_string()
                    .contains("; expected one of sims, ms, level, seed, threads,")
            );
        }
    }

    #[test]
    fn every_key_of_the_table_is_expected() {
        let names: Vec<_> = ROWS.iter().map(|row| row.0).collect();
        let limits = ["sims", "ms", "level"];
        let rows = EngineSettings::KEYS.map(|row| row.key.name);
        assert_eq!(rows.to_vec(), [&limits[..], &names].concat());
        let mut settings = EngineSettings::default();
        for row in EngineSettings::parameter_rows() {
            let value = row.get(&settings.parameters).expect("a value");
            assert_eq!(settings.set(row.key.name, &value), Ok(()));
        }
        assert_eq!(settings, EngineSettings::default());
    }

    #[test]
    fn former_keys_are_refused_with_the_new_ones() {
        for (former, name) in [
            ("keep", "reuse_tree"),
            ("early", "early_stop"),
            ("endgame", "endgame_mobility"),
            ("pass", "voluntary_pass"),
            ("threshold", "expand_threshold"),
            ("kinds", "feature_weights"),
        ] {
            let error = format!("{former}=1").parse::<EngineSettings>();
            let message = format!("the key `{former}` is now called `{name}`");
            assert_eq!(error.expect_err("a former key").to_string(), message);
        }
    }
}
