//! SPSA (simultaneous perturbation stochastic approximation) over the keys of a search.
//!
//! A key has the position 0 at the start, and `n` when its value is `e^(n * change)` times its first
//! one. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic
//! optimization", IEEE Transactions on Aerospace and Electronic Systems 34 (1998), gives the decay of
//! steps and perturbations.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail, ensure};
use duoforge_players::PlayerSpec;
use duoforge_twin::search::keys::Values;

use crate::seed::derive;

/// First step, in positions for a score of 1 above the half.
const STEP: f64 = 6.0;

/// Iterations after which steps decay.
const STABLE: f64 = 20.0;

/// Exponent of the decay of steps.
const STEP_DECAY: f64 = 0.602;

/// Exponent of the decay of perturbations.
const PERTURBATION_DECAY: f64 = 0.101;

/// Size of the first changes in percent, if none is given.
const PERCENT: u8 = 30;

/// Keys that limit a search or seed it. A longer search is always better.
const LIMITS: [&str; 6] = ["sims", "ms", "ponder_sims", "level", "seed", "threads"];

/// Key that is tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuned {
    name: String,
    first: u64,
    min: u64,
    max: u64,
    /// Size of the first changes in percent.
    percent: u8,
}

impl Tuned {
    /// Parses `KEY` or `KEY=PERCENT` for a key of a search.
    ///
    /// # Errors
    /// An unknown key, a key without a positive integer, and a percentage out of range.
    pub fn parse(text: &str, search: &PlayerSpec) -> Result<Self> {
        let (name, percent) = match text.split_once('=') {
            None => (text, PERCENT),
            Some((name, percent)) => {
                let parsed = percent.parse().ok().filter(|it| (1..=100).contains(it));
                let parsed = parsed.with_context(|| {
                    format!("{text} has the change {percent}: expected a percentage from 1 to 100")
                });
                (name, parsed?)
            }
        };
        let keys = search.keys();
        ensure!(
            !keys.is_empty(),
            "{search} has no keys: expected search:KEY=VALUE,... or engine:KEY=VALUE,..."
        );
        ensure!(
            !LIMITS.contains(&name),
            "{name} is a limit or a seed, not a parameter: set it in SEARCH"
        );
        let found = keys.iter().find(|(key, _)| key.name == name);
        let Some((key, value)) = found else {
            let names: Vec<_> = keys.iter().map(|(key, _)| key.name).collect();
            bail!("unknown key `{name}`; expected one of {}", names.join(", "));
        };
        let Values::Integers { min, max } = key.values else {
            bail!("{name} has no range of integers: expected a key with a minimum and a maximum");
        };
        let first = value.as_deref().unwrap_or("0");
        let first: u64 = first.parse().with_context(|| format!("{name}={first}"))?;
        ensure!(
            first > 0,
            "{name} is 0, and changes are relative: expected a positive value in SEARCH"
        );
        let tuned = Self {
            name: name.to_owned(),
            first,
            min: min.max(1),
            max,
            percent,
        };
        ensure!(
            tuned.at(1.0) != tuned.at(-1.0),
            "{name}={first} does not change by {percent} %: expected a greater PERCENT in \
             {name}=PERCENT, up to 100, or another key"
        );
        Ok(tuned)
    }

    /// Returns the change of the logarithm of the value from one position to the next.
    fn change(&self) -> f64 {
        f64::from(self.percent) / 100.0
    }

    /// Returns the value at a position.
    fn at(&self, position: f64) -> u64 {
        let value = self.first as f64 * (position * self.change()).exp();
        (value.round() as u64).clamp(self.min, self.max)
    }

    /// Returns the nearest position whose value is in the permitted range.
    fn limited(&self, position: f64) -> f64 {
        let end = |value: u64| (value as f64 / self.first as f64).ln() / self.change();
        position.clamp(end(self.min), end(self.max))
    }
}

/// State of the optimisation.
#[derive(Clone, Debug)]
pub struct Spsa {
    keys: Vec<Tuned>,
    positions: Vec<f64>,
    seed: u64,
}

impl Spsa {
    /// Starts at the first values of the keys.
    ///
    /// # Errors
    /// A key that is given twice.
    pub fn new(keys: Vec<Tuned>, seed: u64) -> Result<Self> {
        let mut names = BTreeSet::new();
        for key in &keys {
            let is_new = names.insert(&key.name);
            ensure!(
                is_new,
                "the key {} is given twice: expected it once",
                key.name
            );
        }
        Ok(Self {
            positions: vec![0.0; keys.len()],
            keys,
            seed,
        })
    }

    /// Returns the keys with the sizes of their first changes.
    #[must_use]
    pub fn changes(&self) -> String {
        let keys = self.keys.iter();
        let keys = keys.map(|key| format!("{}={}", key.name, key.percent));
        keys.collect::<Vec<_>>().join(",")
    }

    /// Returns the values of the keys.
    #[must_use]
    pub fn values(&self) -> BTreeMap<String, u64> {
        self.values_at(|_| 0.0)
    }

    /// Returns the values of A and B in the iteration with this number, from 0.
    #[must_use]
    pub fn values_of_sides(&self, number: u64) -> [BTreeMap<String, u64>; 2] {
        let size = perturbation(number);
        [size, -size].map(|size| self.values_at(|key| size * self.sign(number, key)))
    }

    /// Moves the keys by the score of A in the iteration with this number, from 0 to 1. A key that
    /// was equal in A and B keeps its position.
    pub fn step(&mut self, number: u64, score: f64) {
        let step = STEP / (number as f64 + 1.0 + STABLE).powf(STEP_DECAY);
        let [a, b] = self.values_of_sides(number);
        for (i, key) in self.keys.iter().enumerate() {
            if a[&key.name] == b[&key.name] {
                continue;
            }
            let slope = (score - 0.5) * self.sign(number, i) / perturbation(number);
            self.positions[i] = key.limited(self.positions[i] + step * slope);
        }
    }

    fn values_at(&self, perturbation: impl Fn(usize) -> f64) -> BTreeMap<String, u64> {
        let keys = self.keys.iter().zip(&self.positions).enumerate();
        let values =
            keys.map(|(i, (key, position))| (key.name.clone(), key.at(position + perturbation(i))));
        values.collect()
    }

    /// Returns the sign by which a key differs in A: 1 or -1.
    fn sign(&self, number: u64, key: usize) -> f64 {
        match derive(self.seed, &[number, key as u64]) & 1 {
            0 => -1.0,
            _ => 1.0,
        }
    }
}

/// Returns the size of the perturbations in an iteration.
fn perturbation(number: u64) -> f64 {
    (number as f64 + 1.0).powf(-PERTURBATION_DECAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spsa(keys: &[&str]) -> Result<Spsa> {
        let search: PlayerSpec = "search:sims=9,exploration=40,replies=0".parse()?;
        let keys = keys.iter().map(|text| Tuned::parse(text, &search));
        Spsa::new(keys.collect::<Result<_>>()?, 3)
    }

    /// The score of A is higher the greater the exploration and the smaller the weight, whatever the
    /// third key is.
    #[test]
    fn keys_move_to_the_better_side() {
        let mut spsa = spsa(&["exploration", "fpu_weight=50", "win_value=1"]).expect("keys");
        let first = spsa.values();
        for number in 0..40 {
            let [a, b] = spsa.values_of_sides(number);
            let part = |values: &BTreeMap<String, u64>| {
                (values["exploration"] as f64).ln() - (values["fpu_weight"] as f64).ln()
            };
            spsa.step(number, 0.5 + 0.2 * (part(&a) - part(&b)));
        }
        let last = spsa.values();
        assert!(last["exploration"] > first["exploration"] * 2, "{last:?}");
        assert!(last["fpu_weight"] < first["fpu_weight"] / 2, "{last:?}");
        // The score does not depend on this key, and its changes are the smallest.
        let ratio = last["win_value"] as f64 / first["win_value"] as f64;
        assert!((0.9..1.1).contains(&ratio), "{last:?}");
    }

    #[test]
    fn sides_differ_by_the_change_of_each_key_and_an_even_score_moves_nothing() {
        let mut spsa = spsa(&["exploration=30", "rave_child_max=70"]).expect("keys");
        assert_eq!(spsa.changes(), "exploration=30,rave_child_max=70");
        let first = spsa.values();
        assert_eq!((first["exploration"], first["rave_child_max"]), (40, 2_000));
        let [a, b] = spsa.values_of_sides(0);
        for (key, ends) in [("exploration", [30, 54]), ("rave_child_max", [993, 4_028])] {
            let mut values = [a[key], b[key]];
            values.sort_unstable();
            assert_eq!(values, ends);
        }
        spsa.step(0, 0.5);
        assert_eq!(spsa.values(), first);
    }

    #[test]
    fn a_key_that_is_equal_in_both_sides_stays() {
        // The first change of 40 by 3 % is one of 1, and smaller ones are none.
        let mut spsa = spsa(&["exploration=3"]).expect("a key");
        let number = (0..10_000)
            .find(|&number| {
                let [a, b] = spsa.values_of_sides(number);
                a == b
            })
            .expect("changes become smaller");
        spsa.step(number, 1.0);
        assert_eq!(spsa.positions, [0.0]);
        spsa.step(0, 1.0);
        assert_ne!(spsa.positions, [0.0]);
    }

    #[test]
    fn values_stay_within_their_range() {
        let mut spsa = spsa(&["exploration=100"]).expect("keys");
        let score = |spsa: &Spsa, number, greatest: bool| {
            let [a, b] = spsa.values_of_sides(number);
            f64::from((a["exploration"] > b["exploration"]) == greatest)
        };
        for number in 0..200 {
            let score = score(&spsa, number, true);
            spsa.step(number, score);
        }
        assert_eq!(spsa.values()["exploration"], 4_096);
        for key in spsa.values_of_sides(9) {
            assert!(key["exploration"] <= 4_096);
        }
        // The key does not run further than the end, so one step leads back.
        let score = score(&spsa, 200, false);
        spsa.step(200, score);
        assert!(spsa.values()["exploration"] < 4_096);
    }

    #[test]
    fn keys_that_cannot_be_tuned_are_refused() {
        for (keys, message) in [
            (
                &["exploration=0"][..],
                "exploration=0 has the change 0: expected a percentage from 1 to 100",
            ),
            (
                &["exploration=x"],
                "exploration=x has the change x: expected a percentage from 1 to 100",
            ),
            (
                &["sims"],
                "sims is a limit or a seed, not a parameter: set it in SEARCH",
            ),
            (
                &["ponder_sims"],
                "ponder_sims is a limit or a seed, not a parameter: set it in SEARCH",
            ),
            (&["child"], "unknown key `child`; expected one of sims, "),
            (
                &["tile_weights"],
                "tile_weights has no range of integers: expected a key with a minimum and a maximum",
            ),
            (
                &["fpu_root"],
                "fpu_root has no range of integers: expected a key with a minimum and a maximum",
            ),
            (
                &["replies"],
                "replies is 0, and changes are relative: expected a positive value in SEARCH",
            ),
            (
                &["reply_min_size=9"],
                "reply_min_size=1 does not change by 9 %: expected a greater PERCENT in \
                 reply_min_size=PERCENT",
            ),
            (
                &["nodes", "nodes=5"],
                "the key nodes is given twice: expected it once",
            ),
        ] {
            let error = spsa(keys).expect_err("refused").to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let error = Tuned::parse("exploration", &PlayerSpec::Pattern).expect_err("no keys");
        assert!(
            error
                .to_string()
                .starts_with("pattern has no keys: expected "),
            "{error}"
        );
    }
}
