//! What can be chosen about a search before it is built, and the bounds that hardware sets to it.

use std::fmt;
use std::str::FromStr;

use duoforge_engine::search::Parameters;
use duoforge_engine::search::arithmetic::spread;
use duoforge_engine::search::{SettingsError, pairs, set};
use thiserror::Error;

use super::tree::{CHILDREN, NODES};

/// Numbers of playout cores with which a search can be built.
pub const LANES: [usize; 3] = [1, 2, 4];

/// Simulations of a search at most.
pub const SIMULATIONS: u32 = (1 << 18) - 1;

/// Milliseconds after which a search ends at the latest: the board has a second for everything.
pub const MILLISECONDS: u32 = 900;

/// What can be chosen about a search before it is built, for a known clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What the search does.
    pub parameters: Parameters,
    /// What its random choices depend on.
    pub seed: u64,
    /// Simulations after which it ends, below 2^18.
    pub simulations: u32,
    /// Clocks after which it ends.
    pub clocks: u32,
}

/// A search to be built, as text: `KEY=VALUE` pairs with commas between, such as `lanes=2,nodes=511`.
///
/// The keys are `sims` and `ms` for the limits, whichever comes first, `seed`, and those of
/// [`Parameters::set`]. What is not named is as in [`Searching::default`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searching {
    /// What the search does.
    pub parameters: Parameters,
    /// What its random choices depend on.
    pub seed: u64,
    /// Simulations after which it ends.
    pub simulations: u32,
    /// Time after which it ends, in milliseconds.
    pub milliseconds: u32,
    text: String,
}

/// A search that cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SearchingError {
    /// The text is none, or names an unknown parameter, or a value is no number.
    #[error(transparent)]
    Text(#[from] SettingsError),
    /// A number is too large or too small for the hardware.
    #[error("{key}={value} cannot be built: {bounds}")]
    Bounds {
        /// The parameter.
        key: &'static str,
        /// Its value.
        value: u64,
        /// What the hardware has room for.
        bounds: String,
    },
}

impl Default for Searching {
    /// Search of the ULX3S-85F, with as many simulations as 880 ms allow.
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
    /// The settings on a clock of `clock_hz`.
    pub fn on_clock(&self, clock_hz: u32) -> Settings {
        let clocks = u64::from(clock_hz) * u64::from(self.milliseconds) / 1000;
        Settings {
            parameters: self.parameters.clone(),
            seed: self.seed,
            simulations: self.simulations,
            clocks: u32::try_from(clocks).unwrap_or(u32::MAX),
        }
    }

    /// What the hardware has no room for, if there is any.
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
            bound("threshold", p.threshold.into(), 0, SIMULATIONS.into()),
            bound("rave_near", p.rave_near.into(), 0, weight),
            bound("rave_far", p.rave_far.into(), 0, weight),
            bound("first_count", p.first_count.into(), 16, 0xfffe),
            bound("explore", p.explore.into(), 0, most_explore()),
            bound("sims", self.simulations.into(), 1, SIMULATIONS.into()),
            bound("ms", self.milliseconds.into(), 1, MILLISECONDS.into()),
        ];
        faults.into_iter().flatten().next().map_or(Ok(()), Err)
    }
}

/// The largest weight of exploration whose table fits.
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
            let wrong = || SettingsError::wrong(key, value);
            match key {
                "sims" => searching.simulations = value.parse().map_err(|_| wrong())?,
                "ms" => searching.milliseconds = value.parse().map_err(|_| wrong())?,
                "seed" => searching.seed = value.parse().map_err(|_| wrong())?,
                _ => set(&mut searching.parameters, key, value)?,
            }
        }
        searching.check()?;
        Ok(searching)
    }
}

/// The text that it was read from.
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
                "rave_near=64",
                "rave_near=64 cannot be built: it has to be 0 to 63",
            ),
            (
                "sims=262144",
                "sims=262144 cannot be built: it has to be 1 to 262143",
            ),
            ("ms=901", "ms=901 cannot be built: it has to be 1 to 900"),
            ("ms=x", "`x` is no value for ms"),
        ] {
            let error = text.parse::<Searching>().expect_err("it cannot be built");
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn the_largest_numbers_can_be_built() {
        let explore = most_explore();
        let text = format!("lanes=4,nodes=1023,children=32,rave_near=63,explore={explore}");
        let searching: Searching = text.parse().expect("it can be built");
        super::super::tree::Tree::new(&searching.parameters);
        let more = format!("explore={}", explore + 1);
        assert!(more.parse::<Searching>().is_err(), "{more}");
    }
}
