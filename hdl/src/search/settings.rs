//! Configuration of a search in hardware, and the ranges that the hardware supports.

use std::fmt;
use std::str::FromStr;

use duoforge_twin::search::Parameters;
use duoforge_twin::search::arithmetic::spread;
use duoforge_twin::search::{ANY_NUMBER, SettingsError, pairs, set};
use thiserror::Error;

use super::tree::CHILDREN;
use super::tree::bank::NODES;

/// Numbers of playout cores that the hardware supports.
pub const LANES: [usize; 3] = [1, 2, 4];

/// Maximum number of simulations of a search: the counter has 18 bits.
pub const SIMULATIONS: u32 = (1 << 18) - 1;

/// Maximum duration of a search in milliseconds: a reply must take at most one second in all.
pub const MILLISECONDS: u32 = 900;

/// Configuration of a search for a known clock frequency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Search parameters.
    pub parameters: Parameters,
    /// Seed of the random generators.
    pub seed: u64,
    /// Number of simulations that ends a search, below 2^18.
    pub simulations: u32,
    /// Number of cycles that ends a search.
    pub clocks: u32,
}

/// Configuration of a search as text: `KEY=VALUE` pairs with commas between, such as
/// `lanes=2,nodes=511`.
///
/// The keys are `sims` and `ms`, the limits of a search, `seed`, and those of [`Parameters::set`].
/// The first limit that is reached ends a search. Omitted keys have the values of
/// [`Searching::default`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searching {
    /// Search parameters.
    pub parameters: Parameters,
    /// Seed of the random generators.
    pub seed: u64,
    /// Number of simulations that ends a search.
    pub simulations: u32,
    /// Time that ends a search, in milliseconds.
    pub milliseconds: u32,
    text: String,
}

/// Error: a search configuration that is invalid or not supported in hardware.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SearchingError {
    /// Text that is not a list of `KEY=VALUE` pairs, an unknown key, or an invalid value.
    #[error(transparent)]
    Text(#[from] SettingsError),
    /// Number out of the range of the hardware.
    #[error("{key}={value} cannot be built: {bounds}")]
    Bounds {
        /// Key of the parameter.
        key: &'static str,
        /// Value of the parameter.
        value: u64,
        /// Range that the hardware supports.
        bounds: String,
    },
}

impl Default for Searching {
    /// Returns the search of the ULX3S-85F, with the number of simulations that 880 ms allow.
    fn default() -> Self {
        Self {
            parameters: Parameters::shipped(),
            seed: 1,
            simulations: SIMULATIONS,
            milliseconds: 880,
            text: String::new(),
        }
    }
}

impl Searching {
    /// Returns the settings for a clock of `clock_hz`.
    pub fn on_clock(&self, clock_hz: u32) -> Settings {
        let clocks = u64::from(clock_hz) * u64::from(self.milliseconds) / 1000;
        Settings {
            parameters: self.parameters.clone(),
            seed: self.seed,
            simulations: self.simulations,
            clocks: u32::try_from(clocks).unwrap_or(u32::MAX),
        }
    }

    /// Checks that the hardware supports the configuration.
    fn check(&self) -> Result<(), SearchingError> {
        let p = &self.parameters;
        let bound = |key, value: u64, least: u64, most: u64| {
            let fits = (least..=most).contains(&value);
            let bounds = format!("it has to be {least} to {most}");
            (!fits).then_some(SearchingError::Bounds { key, value, bounds })
        };
        let weight = (1 << 6) - 1;
        let faults = [
            (!LANES.contains(&p.lanes)).then(|| SearchingError::Bounds {
                key: "lanes",
                value: p.lanes as u64,
                bounds: format!("there are searches of {LANES:?} cores"),
            }),
            bound("nodes", p.nodes as u64, 1, NODES as u64),
            bound("children", p.children as u64, 2, CHILDREN as u64),
            bound(
                "expand_threshold",
                p.expand_threshold.into(),
                0,
                SIMULATIONS.into(),
            ),
            bound("rave_weight_max", p.rave_weight_max.into(), 0, weight),
            bound("rave_weight_min", p.rave_weight_min.into(), 0, weight),
            bound("fpu_weight", p.fpu_weight.into(), 16, 0xfffe),
            bound("exploration", p.exploration.into(), 0, most_explore()),
            bound("sims", self.simulations.into(), 1, SIMULATIONS.into()),
            bound("ms", self.milliseconds.into(), 1, MILLISECONDS.into()),
        ];
        faults.into_iter().flatten().next().map_or(Ok(()), Err)
    }
}

/// Returns the largest exploration weight whose table fits.
fn most_explore() -> u64 {
    let fits = |explore: &u32| spread(*explore, 1 << 18) < 1 << super::tree::exploration::SPREAD;
    (0..=1024).take_while(fits).last().unwrap_or(0).into()
}

impl FromStr for Searching {
    type Err = SearchingError;

    fn from_str(text: &str) -> Result<Self, SearchingError> {
        let mut searching = Self {
            text: text.to_owned(),
            ..Self::default()
        };
        for pair in pairs(text) {
            let (key, value) = pair?;
            let wrong = |expected: String| SettingsError::wrong(key, value, expected);
            let up_to = |most: u32| wrong(format!("1 to {most}"));
            match key {
                "sims" => searching.simulations = value.parse().map_err(|_| up_to(SIMULATIONS))?,
                "ms" => searching.milliseconds = value.parse().map_err(|_| up_to(MILLISECONDS))?,
                "seed" => searching.seed = value.parse().map_err(|_| wrong(ANY_NUMBER.into()))?,
                _ => set(&mut searching.parameters, key, value)?,
            }
        }
        searching.check()?;
        Ok(searching)
    }
}

/// Prints the text from which the configuration was parsed.
impl fmt::Display for Searching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_set_what_they_name() {
        let text = "lanes=2,nodes=511,ms=500,sims=3000,seed=9";
        let searching: Searching = text.parse().expect("it can be built");
        assert_eq!(searching.to_string(), text);
        let settings = searching.on_clock(40_000_000);
        let (p, clocks) = (&settings.parameters, settings.clocks);
        assert_eq!(
            (p.lanes, p.nodes, p.children, clocks),
            (2, 511, 32, 20_000_000)
        );
        assert_eq!((settings.simulations, settings.seed), (3000, 9));
    }

    #[test]
    fn what_has_no_room_is_told_with_its_bounds() {
        for (text, message) in [
            (
                "lanes=3",
                "lanes=3 cannot be built: there are searches of [1, 2, 4] cores",
            ),
            (
                "nodes=1024",
                "nodes=1024 cannot be built: it has to be 1 to 1023",
            ),
            (
                "children=33",
                "children=33 cannot be built: it has to be 2 to 32",
            ),
            (
                "rave_weight_max=64",
                "rave_weight_max=64 cannot be built: it has to be 0 to 63",
            ),
            (
                "sims=262144",
                "sims=262144 cannot be built: it has to be 1 to 262143",
            ),
            ("ms=901", "ms=901 cannot be built: it has to be 1 to 900"),
            ("ms=x", "ms=x is out of range: expected 1 to 900"),
        ] {
            let error = text.parse::<Searching>().expect_err("it cannot be built");
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn the_largest_numbers_can_be_built() {
        let explore = most_explore();
        let text =
            format!("lanes=4,nodes=1023,children=32,rave_weight_max=63,exploration={explore}");
        let searching: Searching = text.parse().expect("it can be built");
        super::super::tree::Tree::new(&searching.parameters);
        let more = format!("exploration={}", explore + 1);
        assert!(more.parse::<Searching>().is_err(), "{more}");
    }
}
