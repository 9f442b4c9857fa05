//! Settings as text: `KEY=VALUE` pairs.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use duoforge_twin::search::keys::{self, Key, Row, Values, find};
use duoforge_twin::search::{Limit, SettingsError, pairs};

use crate::tree::TreeParameters;

/// Settings of the engine.
///
/// The text form is a comma-separated list of `KEY=VALUE` pairs, such as `level=4,seed=7`; see
/// [`Self::KEYS`]. Omitted keys keep their defaults.
///
/// ```
/// use duoforge_maxn::MaxnSettings;
/// use duoforge_twin::search::Limit;
///
/// let settings: MaxnSettings = "level=3,seed=7".parse()?;
/// assert_eq!((settings.limit, settings.seed), (Limit::Simulations(1_000), 7));
/// let error = "level=9".parse::<MaxnSettings>().unwrap_err();
/// assert_eq!(error.to_string(), "level=9 is out of range: expected 1 to 6");
/// # Ok::<(), duoforge_twin::search::SettingsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MaxnSettings {
    /// Limit of the search for one move. The default is one second.
    pub limit: Limit,
    /// Seed of the random generator.
    pub seed: u64,
    /// Maximum number of children of a node: the best placements by prior.
    pub children: usize,
    /// Maximum memory of the tree, in MiB. A full tree no longer grows.
    pub memory: usize,
    /// Share of the margin in the value of a result, in percent.
    pub margin: u32,
    /// True if a search continues from the part of the last tree that the moves since then reach.
    pub reuse_tree: bool,
    pub(crate) tree: TreeParameters,
    text: String,
}

// No setting is NaN: the parser refuses it.
impl Eq for MaxnSettings {}

impl Default for MaxnSettings {
    fn default() -> Self {
        Self {
            limit: Limit::Time(Duration::from_secs(1)),
            seed: 1,
            children: 400,
            memory: 256,
            margin: 20,
            reuse_tree: false,
            tree: TreeParameters {
                exploration: 0.5,
                fpu_weight: 3.0,
                rave_weight: 0.7,
                rave_child_max: 2_000.0,
                rave_parent_max: 25_000,
            },
            text: String::new(),
        }
    }
}

impl MaxnSettings {
    /// Simulations per move of the levels, from level 1.
    pub const LEVELS: [u64; 6] = [40, 200, 1_000, 5_000, 25_000, 125_000];

    /// All keys. The settings hold the limit of a level and not its number.
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
                "limit in simulations: 8 * 5^level",
                Values::range(1, Self::LEVELS.len() as u64),
            ),
            |_| None,
            |s, number| s.limit = Limit::Simulations(Self::LEVELS[number as usize - 1]),
        ),
        Row::<Self>::number(keys::SEED, |s| Some(s.seed), |s, number| s.seed = number),
        Row::<Self>::number(
            Key::new(
                "children",
                "placements that a node keeps",
                Values::range(1, 4_096),
            ),
            |s| Some(s.children as u64),
            |s, number| s.children = number as usize,
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
                "margin",
                "share of the margin in the value of a result, in percent",
                Values::range(0, 100),
            ),
            |s| Some(s.margin.into()),
            |s, number| s.margin = number as u32,
        ),
        Row::<Self>::number(
            Key::new("reuse_tree", "tree reuse from move to move", Values::FLAG),
            |s| Some(s.reuse_tree.into()),
            |s, number| s.reuse_tree = number == 1,
        ),
        Row::<Self>::number(
            Key::new(
                "exploration",
                "exploration constant, in 100ths",
                Values::range(0, 10_000),
            ),
            |s| Some(hundredths(s.tree.exploration)),
            |s, number| s.tree.exploration = number as f32 / 100.0,
        ),
        Row::<Self>::number(
            Key::new(
                "fpu_weight",
                "weight of the initial value, in 100ths of a visit",
                Values::range(1, 100_000),
            ),
            |s| Some(hundredths(s.tree.fpu_weight)),
            |s, number| s.tree.fpu_weight = number as f32 / 100.0,
        ),
        Row::<Self>::number(
            Key::new(
                "rave_weight",
                "weight of a RAVE update from the next ply, in 100ths of a visit",
                Values::range(0, 1_000),
            ),
            |s| Some(hundredths(s.tree.rave_weight)),
            |s, number| s.tree.rave_weight = number as f32 / 100.0,
        ),
        Row::<Self>::number(
            Key::new(
                "rave_parent_max",
                "visit count above which a node makes no RAVE updates",
                Values::range(0, u32::MAX as u64),
            ),
            |s| Some(s.tree.rave_parent_max.into()),
            |s, number| s.tree.rave_parent_max = number as u32,
        ),
    ];

    /// Sets the value of a key.
    ///
    /// # Errors
    ///
    /// All [`SettingsError`]s but [`SettingsError::Form`].
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingsError> {
        match find(&Self::KEYS, key) {
            Some(row) => row.set(self, value),
            None => {
                let known = Self::KEYS.into_iter().map(|row| row.key);
                Err(SettingsError::unknown(key, known))
            }
        }
    }
}

/// Returns a number in 100ths.
fn hundredths(number: f32) -> u64 {
    (number * 100.0).round() as u64
}

impl FromStr for MaxnSettings {
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
impl fmt::Display for MaxnSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_its_default_and_its_bounds() {
        let default = MaxnSettings::default();
        let defaults: Vec<_> = MaxnSettings::KEYS
            .iter()
            .map(|row| (row.key.name, row.get(&default)))
            .collect();
        let expected = [
            ("sims", None),
            ("ms", Some("1000")),
            ("level", None),
            ("seed", Some("1")),
            ("children", Some("400")),
            ("memory", Some("256")),
            ("margin", Some("20")),
            ("reuse_tree", Some("0")),
            ("exploration", Some("50")),
            ("fpu_weight", Some("300")),
            ("rave_weight", Some("70")),
            ("rave_parent_max", Some("25000")),
        ];
        assert_eq!(
            defaults,
            expected.map(|(key, value)| (key, value.map(str::to_owned)))
        );
        for row in MaxnSettings::KEYS {
            let bounds = match row.key.values {
                Values::Integers { min, max } => vec![min, max],
                Values::OneOf(values) => values.to_vec(),
                Values::Rows { .. } => panic!("{} is an integer", row.key.name),
            };
            for value in bounds {
                let mut settings = default.clone();
                row.set(&mut settings, &value.to_string())
                    .expect("a permitted value");
                if let Some(read) = row.get(&settings) {
                    assert_eq!(read, value.to_string(), "{}", row.key.name);
                }
            }
        }
    }

    #[test]
    fn texts_set_what_they_name() {
        let text = "ms=250,children=64,memory=16,margin=0";
        let settings: MaxnSettings = text.parse().expect("settings");
        assert_eq!(settings.limit, Limit::Time(Duration::from_millis(250)));
        assert_eq!(
            (settings.children, settings.memory, settings.margin),
            (64, 16, 0)
        );
        assert_eq!(settings.to_string(), text);
        let limits: Vec<_> = (1..=6)
            .map(|level| {
                format!("level={level}")
                    .parse::<MaxnSettings>()
                    .expect("a level")
                    .limit
            })
            .collect();
        let expected = (1..=6).map(|level| Limit::Simulations(8 * 5_u64.pow(level)));
        assert_eq!(limits, expected.collect::<Vec<_>>());
        let error = "sim=5".parse::<MaxnSettings>().unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("unknown key `sim`; expected one of sims, ms")
        );
        assert_eq!(
            "sims".parse::<MaxnSettings>(),
            Err(SettingsError::Form("sims".to_owned()))
        );
    }
}
