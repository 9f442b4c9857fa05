//! Report of a campaign as JSON and as a page.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::place::Place;

/// File with the results, in the repository.
pub const DATA: &str = "docs/mutations.json";

/// Required share of mutants that are killed or proved equivalent, in percent.
pub const GOAL: f64 = 97.0;

/// Results for the mutants of all parts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of Yosys that created the mutants.
    pub yosys: String,
    /// Parts that were measured on earlier Verilog, or never.
    #[serde(default)]
    pub outdated: Vec<String>,
    /// Results by part.
    pub parts: Vec<PartReport>,
}

/// Results for the mutants of a part.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PartReport {
    /// Name of the part.
    pub part: String,
    /// Seed that selected the mutants.
    pub seed: u64,
    /// Number of mutants.
    pub mutants: usize,
    /// Number of mutants killed by a test that failed.
    pub failed: usize,
    /// Number of mutants killed by a test that hung.
    pub hung: usize,
    /// Number of mutants for which the module is proved equivalent.
    pub equivalent: usize,
    /// Number of mutants for which only the enclosing block is proved equivalent.
    #[serde(default)]
    pub in_context: usize,
    /// Remaining mutants, which survived.
    pub survivors: Vec<Survivor>,
    /// Wall-clock time in seconds; a row that shards measured has that of an earlier run, or 0.
    #[serde(default)]
    pub seconds: f64,
    /// Hashes of the modules' emitted text, by module name.
    #[serde(default)]
    pub modules: BTreeMap<String, String>,
}

/// Mutant that no test kills.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survivor {
    /// Place of the mutation.
    #[serde(flatten)]
    pub place: Place,
    /// Reason why the mutant is equivalent, or why it is accepted.
    pub reason: Option<String>,
    /// Reason that was given before the module changed and needs a review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub former: Option<String>,
}

/// Prefix of the reason of a survivor that a person argues to be equivalent.
const ARGUED: &str = "equivalent: ";

impl Survivor {
    /// Creates a survivor without a reason.
    pub const fn new(place: Place) -> Self {
        Self {
            place,
            reason: None,
            former: None,
        }
    }

    /// Returns the reason or its status.
    fn remark(&self) -> String {
        match (&self.reason, &self.former) {
            (Some(reason), _) => reason.clone(),
            (None, Some(former)) => format!("reason to be reviewed: {former}"),
            (None, None) => "not explained yet".into(),
        }
    }

    /// Returns true if another survivor may be the same mutation in an earlier version of the
    /// module.
    fn resembles(&self, other: &Self) -> bool {
        let fault = |it: &Self| {
            let fault = &it.place.fault;
            let end = fault.find(", line ").unwrap_or(fault.len());
            fault[..end].to_owned()
        };
        let (module, old) = (&self.place.module, &other.place.module);
        fault(self) == fault(other) && (module.ends_with(old.as_str()) || old.ends_with(module))
    }
}

impl PartReport {
    /// Creates the report of a part without any results.
    pub fn new(part: &str, mutants: usize, seed: u64) -> Self {
        Self {
            part: part.into(),
            seed,
            mutants,
            ..Self::default()
        }
    }

    /// Returns the number of killed mutants.
    pub const fn killed(&self) -> usize {
        self.failed + self.hung
    }

    /// Returns the number of mutants that are proved equivalent.
    pub const fn proved(&self) -> usize {
        self.equivalent + self.in_context
    }

    /// Returns the number of survivors whose reason is an argument of a person that they are
    /// equivalent.
    pub fn argued(&self) -> usize {
        let reasons = self.survivors.iter().filter_map(|it| it.reason.as_ref());
        reasons.filter(|it| it.starts_with(ARGUED)).count()
    }

    /// Copies the reasons of an older report where neither the mutation nor its module has changed;
    /// other reasons become former ones.
    fn remember(&mut self, old: &Self) {
        let places: Vec<_> = self.survivors.iter().map(|it| it.place.clone()).collect();
        for survivor in &mut self.survivors {
            let module = &survivor.place.module;
            let same_text = self
                .modules
                .get(module)
                .is_some_and(|digest| old.modules.get(module) == Some(digest));
            // Two mutations with the same name in a module are indistinguishable.
            let alone = places.iter().filter(|it| **it == survivor.place).count() == 1;
            let mut known = old.survivors.iter();
            if let Some(same) = known.clone().find(|it| it.place == survivor.place)
                && same_text
                && alone
            {
                (survivor.reason, survivor.former) = (same.reason.clone(), same.former.clone());
            } else if let Some(alike) = known.find(|it| survivor.resembles(it)) {
                survivor.former = alike.reason.clone().or_else(|| alike.former.clone());
            }
        }
    }

    /// Returns the share of killed mutants among those not proved equivalent, in percent.
    pub fn score(&self) -> f64 {
        percent(self.killed(), self.mutants - self.proved())
    }

    /// Returns the share of mutants that are killed or proved equivalent, in percent.
    pub fn decided(&self) -> f64 {
        percent(self.killed() + self.proved(), self.mutants)
    }
}

/// Returns a share in percent; 100 if there is nothing to count.
fn percent(some: usize, all: usize) -> f64 {
    match all {
        0 => 100.0,
        all => 100.0 * some as f64 / all as f64,
    }
}

impl Report {
    /// Reads the results of the repository at `root`; a missing file gives an empty report.
    ///
    /// # Errors
    /// If the file cannot be read or parsed.
    pub fn read(root: &Path) -> Result<Self> {
        let path = root.join(DATA);
        if !path.is_file() {
            return Ok(Self::default());
        }
        let text = fs::read_to_string(&path)?;
        serde_json::from_str(&text).with_context(|| format!("{DATA} cannot be read"))
    }

    /// Replaces an older part by a newer one, and keeps the reasons that still hold. A newer part
    /// without a time keeps the older time.
    pub fn take(&mut self, mut part: PartReport) {
        self.outdated.retain(|name| *name != part.part);
        match self.parts.iter_mut().find(|old| old.part == part.part) {
            Some(old) => {
                part.remember(old);
                if part.seconds == 0.0 {
                    part.seconds = old.seconds;
                }
                *old = part;
            }
            None => self.parts.push(part),
        }
    }

    /// Returns the part of that name.
    pub fn part(&self, name: &str) -> Option<&PartReport> {
        self.parts.iter().find(|part| part.part == name)
    }

    /// Restores former reasons after a review. Returns their number.
    pub fn confirm(&mut self, parts: impl Fn(&str) -> bool) -> usize {
        let mut confirmed = 0;
        for part in self.parts.iter_mut().filter(|part| parts(&part.part)) {
            for survivor in &mut part.survivors {
                if let Some(former) = survivor.former.take() {
                    survivor.reason = Some(former);
                    confirmed += 1;
                }
            }
        }
        confirmed
    }

    /// Returns the parts that are not outdated.
    fn current(&self) -> impl Iterator<Item = &PartReport> {
        self.parts
            .iter()
            .filter(|part| !self.outdated.contains(&part.part))
    }

    /// Returns the sum of all parts, without the outdated ones.
    pub fn all(&self) -> PartReport {
        let mut all = PartReport::new("all", 0, 0);
        for part in self.current() {
            all.mutants += part.mutants;
            all.failed += part.failed;
            all.hung += part.hung;
            all.equivalent += part.equivalent;
            all.in_context += part.in_context;
            all.seconds += part.seconds;
            all.survivors.extend(part.survivors.iter().cloned());
        }
        all
    }

    /// Returns the table.
    pub fn table(&self) -> String {
        let mut text = "| part | seed | mutants | killed | of these hung | proved equivalent | of these in context | argued | survived | score | killed or proved |\n\
                        |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n"
            .to_owned();
        let mut row = |part: &PartReport, seed: String| {
            let argued = part.argued();
            let _ = writeln!(
                text,
                "| {}{} | {seed} | {} | {} | {} | {} | {} | {argued} | {} | {:.1} % | {:.1} % |",
                part.part,
                if self.outdated.contains(&part.part) {
                    " (outdated)"
                } else {
                    ""
                },
                part.mutants,
                part.killed(),
                part.hung,
                part.proved(),
                part.in_context,
                part.survivors.len() - argued,
                part.score(),
                part.decided(),
            );
        };
        for part in &self.parts {
            row(part, part.seed.to_string());
        }
        row(&self.all(), String::new());
        text
    }

    /// Returns the page with the table and the survivors.
    pub fn page(&self) -> String {
        let all = self.all();
        let below: Vec<_> = self
            .current()
            .filter(|part| part.decided() < GOAL)
            .map(|part| part.part.as_str())
            .collect();
        let below = match &below[..] {
            [] => "Every part that was counted reaches it".to_owned(),
            names => format!("Below it: {}", names.join(", ")),
        };
        let outdated = match &self.outdated[..] {
            [] => String::new(),
            names => format!(
                " Outdated, and not in these figures: {}; their rows, where they have any, were counted on \
                 an earlier Verilog, and `cargo xtask mutations --stale --write` counts them again.",
                names.join(", ")
            ),
        };
        let mut text = format!(
            "# Mutants of the emitted Verilog\n\nWritten by `cargo xtask mutations --write` with \
             Yosys {}.\n\n\
             - **Killed**: a test of `tests/tests/hardware` fails or hangs on the mutant.\n\
             - **Proved equivalent**: Yosys or ABC proves that from power-up on the module computes \
             the same whatever its inputs are, or ABC proves the same of a block around the module \
             (\"in context\").\n\
             - **Argued**: a person argues that nothing can notice it, with the reason below. It \
             counts as not killed.\n\
             - **Score**: killed / (mutants - proved equivalent). **Killed or proved**: (killed + \
             proved equivalent) / mutants; the goal is {GOAL} %.\n\n\
             A renaming of the Verilog keeps the rows: they hold for the same faults under new names, \
             of which a new count with the same seed may choose others.\n\n\
             Score {:.1} %, killed or proved {:.1} % of {} mutants. {below}.{outdated}\n\n{}\n## Survivors\n\n",
            self.yosys,
            all.score(),
            all.decided(),
            all.mutants,
            self.table()
        );
        for part in self.parts.iter().filter(|part| !part.survivors.is_empty()) {
            let _ = writeln!(text, "### {}\n", part.part);
            for survivor in &part.survivors {
                let Place { module, fault } = &survivor.place;
                let _ = writeln!(text, "- `{module}`: `{fault}`: {}", survivor.remark());
            }
            text.push('\n');
        }
        text.truncate(text.trim_end().len());
        text + "\n"
    }
}

#[cfg(test)]
mod tests;
