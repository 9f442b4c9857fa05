//! Contents of docs/host-mutations.json, and the page that is generated from it.

use std::fmt::{self, Write as _};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// Head of the table.
pub const HEAD: &str = "\
| crate | shard | tuned on | mutants of the crate | viable | caught | of these timed out | missed | unviable | caught of viable | seconds |
|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|";

/// Results of all runs.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of cargo-mutants.
    pub version: String,
    /// Rows by crate and shard.
    pub rows: Vec<Row>,
}

/// Results for one shard of a crate's mutants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Name of the crate, without `duoforge-`.
    #[serde(rename = "crate")]
    pub name: String,
    /// Shard `I/N`: every N-th mutant, starting with mutant I.
    pub shard: String,
    /// True if tests were written with knowledge of this shard's survivors.
    pub tuned: bool,
    /// Number of mutants of the whole crate.
    pub listed: usize,
    /// Number of mutants that a test caught.
    pub caught: usize,
    /// Number of mutants whose tests exceeded the time limit.
    pub timed_out: usize,
    /// Number of mutants that do not compile.
    pub unviable: usize,
    /// Wall-clock time of the run, in seconds.
    pub seconds: u64,
    /// Mutants that no test caught.
    pub survivors: Vec<Survivor>,
}

/// Mutant that no test caught.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survivor {
    /// File, replacement and function, without a line number.
    pub mutant: String,
    /// Reason why the mutant is equivalent, or why it is accepted.
    pub reason: Option<String>,
}

impl fmt::Display for Survivor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = self.reason.as_deref().unwrap_or("not explained yet");
        write!(f, "- `{}`: {reason}", self.mutant)
    }
}

impl Row {
    /// Returns the number of caught mutants, including timeouts.
    pub fn noticed(&self) -> usize {
        self.caught + self.timed_out
    }

    /// Returns the number of mutants that compile.
    pub fn viable(&self) -> usize {
        self.noticed() + self.survivors.len()
    }

    /// Returns the row of the table.
    pub fn line(&self) -> String {
        let share = match self.viable() {
            0 => "-".to_owned(),
            viable => format!("{:.1} %", 100.0 * self.noticed() as f64 / viable as f64),
        };
        format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {share} | {} |",
            self.name,
            self.shard,
            if self.tuned { "yes" } else { "no" },
            self.listed,
            self.viable(),
            self.noticed(),
            self.timed_out,
            self.survivors.len(),
            self.unviable,
            self.seconds
        )
    }
}

impl Report {
    /// Reads the data; a missing file gives an empty report.
    ///
    /// # Errors
    /// If the file cannot be read or parsed.
    pub fn load(path: &Path) -> Result<Self> {
        if !path.exists() {
            return Ok(Self::default());
        }
        let text = super::read(path)?;
        serde_json::from_str(&text).with_context(|| format!("{} is not understood", path.display()))
    }

    /// Writes the data and the page.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn save(&self, data: &Path, page: &Path) -> Result<()> {
        fs::write(data, serde_json::to_string_pretty(self)? + "\n")?;
        Ok(fs::write(page, self.page())?)
    }

    /// Replaces the row of the same crate and shard. A survivor without a reason gets that of the
    /// same mutant in any row of the crate.
    pub fn take(&mut self, version: &str, mut row: Row) -> Row {
        version.clone_into(&mut self.version);
        let known: Vec<Survivor> = self
            .rows
            .iter()
            .filter(|old| old.name == row.name)
            .flat_map(|old| old.survivors.iter().cloned())
            .collect();
        for survivor in &mut row.survivors {
            let mut same = known.iter().filter(|old| old.mutant == survivor.mutant);
            let reason = survivor.reason.take();
            survivor.reason = reason.or_else(|| same.find_map(|old| old.reason.clone()));
        }
        self.rows
            .retain(|old| (&old.name, &old.shard) != (&row.name, &row.shard));
        self.rows.push(row.clone());
        self.rows
            .sort_by(|a, b| (&a.name, &a.shard).cmp(&(&b.name, &b.shard)));
        row
    }

    /// Returns the page with the table and the survivors.
    pub fn page(&self) -> String {
        let mut text = format!(
            "# Mutants of the host's crates\n\n\
             Written by `cargo xtask host-mutations --write` with cargo-mutants {}. A mutant is one \
             small fault in a crate's source. It is caught if a test of that crate fails or does not \
             end. Shard I/N holds mutants I, I+N, I+2N and so on of the crate. A row is tuned if tests \
             were written while looking at its survivors; the others show what the tests are worth. \
             The newest rows of referee, players and conform were counted after a reading of the \
             list of all their mutants, and after tests for those that seemed to survive. \
             Documentation examples do not run, and properties and parsers run fewer cases than in \
             `cargo xtask test`.\n\n{HEAD}\n",
            self.version
        );
        for row in &self.rows {
            let _ = writeln!(text, "{}", row.line());
        }
        for row in self.rows.iter().filter(|row| !row.survivors.is_empty()) {
            let _ = writeln!(
                text,
                "\n## Survivors of {}, shard {}\n",
                row.name, row.shard
            );
            for survivor in &row.survivors {
                let _ = writeln!(text, "{survivor}");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(shard: &str, survivors: &[(&str, Option<&str>)]) -> Row {
        Row {
            name: "rules".to_owned(),
            shard: shard.to_owned(),
            tuned: false,
            listed: 40,
            caught: 6,
            timed_out: 1,
            unviable: 2,
            seconds: 30,
            survivors: survivors
                .iter()
                .map(|(mutant, reason)| Survivor {
                    mutant: (*mutant).to_owned(),
                    reason: reason.map(str::to_owned),
                })
                .collect(),
        }
    }

    #[test]
    fn unviable_mutants_do_not_count_and_timeouts_are_caught() {
        assert_eq!(
            row("1/4", &[("a", None)]).line(),
            "| rules | 1/4 | no | 40 | 8 | 7 | 1 | 1 | 2 | 87.5 % | 30 |"
        );
    }

    #[test]
    fn a_newer_row_replaces_its_shard_and_keeps_reasons() {
        let mut report = Report::default();
        report.take("1", row("0/2", &[("a", Some("why")), ("b", None)]));
        report.take("1", row("1/2", &[("a", None), ("c", None)]));
        report.take("2", row("0/2", &[("c", None), ("a", None)]));
        let shards: Vec<_> = report.rows.iter().map(|it| it.shard.as_str()).collect();
        assert_eq!((shards, report.version.as_str()), (vec!["0/2", "1/2"], "2"));
        let reasons = report.rows.iter().flat_map(|it| &it.survivors);
        let reasons: Vec<_> = reasons.map(|it| it.reason.as_deref()).collect();
        assert_eq!(reasons, [None, Some("why"), Some("why"), None]);
        let page = report.page();
        assert!(page.contains(
            "## Survivors of rules, shard 1/2\n\n- `a`: why\n- `c`: not explained yet\n"
        ));
    }
}
