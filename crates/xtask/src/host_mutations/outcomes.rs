//! Reader of `outcomes.json`, which cargo-mutants writes.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::report::{Row, Survivor};

/// Outcomes of a run.
#[derive(Debug, Deserialize)]
pub struct Lab {
    outcomes: Vec<Outcome>,
}

#[derive(Debug, Deserialize)]
struct Outcome {
    scenario: Scenario,
    summary: Summary,
}

/// Source tree without a mutation, or with one.
#[derive(Debug, Deserialize)]
enum Scenario {
    Baseline,
    Mutant { name: String },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
enum Summary {
    Success,
    CaughtMutant,
    MissedMutant,
    Unviable,
    Failure,
    Timeout,
}

impl Lab {
    /// Reads the file.
    ///
    /// # Errors
    /// If the file is missing, or is not of the pinned version.
    pub fn read(path: &Path) -> Result<Self> {
        let text = super::read(path)?;
        serde_json::from_str(&text).with_context(|| format!("{} is not understood", path.display()))
    }

    /// Counts the outcomes.
    pub fn row(&self, name: &str, shard: &str, listed: usize, tuned: bool, took: Duration) -> Row {
        let count = |wanted: Summary| self.mutants().filter(|(_, it)| *it == wanted).count();
        let missed = self
            .mutants()
            .filter(|(_, it)| *it == Summary::MissedMutant);
        let survivors = missed.map(|(name, _)| Survivor {
            mutant: without_position(name),
            reason: None,
        });
        Row {
            name: name.to_owned(),
            shard: shard.to_owned(),
            tuned,
            listed,
            // A mutant that ends the tests in an unknown way counts as caught.
            caught: count(Summary::CaughtMutant) + count(Summary::Failure),
            timed_out: count(Summary::Timeout),
            unviable: count(Summary::Unviable),
            seconds: took.as_secs(),
            survivors: survivors.collect(),
        }
    }

    fn mutants(&self) -> impl Iterator<Item = (&str, Summary)> {
        self.outcomes.iter().filter_map(|it| match &it.scenario {
            Scenario::Baseline => None,
            Scenario::Mutant { name } => Some((name.as_str(), it.summary)),
        })
    }
}

/// Removes the line and the column from `src/a.rs:12:3: replace x`, since they change with every
/// edit.
fn without_position(name: &str) -> String {
    let (place, change) = name.split_once(": ").unwrap_or((name, ""));
    let file = place.split(':').next().unwrap_or(place);
    format!("{file}: {change}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_counted_by_kind() {
        let mutant = |name: &str, summary: &str| {
            format!(r#"{{"scenario":{{"Mutant":{{"name":"{name}"}}}},"summary":"{summary}"}}"#)
        };
        let text = format!(
            r#"{{"outcomes":[{{"scenario":"Baseline","summary":"Success"}},{},{},{},{},{}],"missed":1}}"#,
            mutant("a.rs:1:2: replace < with <= in f", "CaughtMutant"),
            mutant("a.rs:1:2: replace f -> bool with true", "CaughtMutant"),
            mutant("a.rs:10:20: replace < with == in f", "MissedMutant"),
            mutant("b.rs:1:2: replace g: h", "Timeout"),
            mutant("b.rs:1:3: replace g", "Unviable"),
        );
        let lab: Lab = serde_json::from_str(&text).unwrap();
        let row = lab.row("x", "1/2", 11, false, Duration::from_millis(2_900));
        assert_eq!(
            (
                row.caught,
                row.timed_out,
                row.unviable,
                row.listed,
                row.seconds
            ),
            (2, 1, 1, 11, 2)
        );
        assert_eq!(row.survivors.len(), 1);
        assert_eq!(row.survivors[0].mutant, "a.rs: replace < with == in f");
    }

    #[test]
    fn a_position_is_taken_out_once() {
        assert_eq!(
            without_position("b.rs:1:2: replace g: h"),
            "b.rs: replace g: h"
        );
    }
}
