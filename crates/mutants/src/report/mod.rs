//! What came of a campaign, for people and programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::place::Place;

/// The file with the results, in the repository.
pub const DATA: &str = "docs/mutations.json";

/// The part of all mutants that is to be killed or proved equivalent, in percent.
pub const GOAL: f64 = 97.0;

/// The mutants of all parts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The version of Yosys that made them.
    pub yosys: String,
    /// Parts that were counted on an earlier Verilog, or never.
    #[serde(default)]
    pub outdated: Vec<String>,
    /// Part by part.
    pub parts: Vec<PartReport>,
}

/// The mutants of a part.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PartReport {
    /// Its name.
    pub part: String,
    /// What decided which mutants.
    pub seed: u64,
    /// How many mutants.
    pub mutants: usize,
    /// Killed by a test that failed.
    pub failed: usize,
    /// Killed by a test that did not come to an end.
    pub hung: usize,
    /// Proved to compute the same as the module.
    pub equivalent: usize,
    /// Proved to make no difference to the block around the module.
    #[serde(default)]
    pub in_context: usize,
    /// The others.
    pub survivors: Vec<Survivor>,
    /// How long it took.
    pub seconds: f64,
    /// Hashes of the modules' emitted text.
    #[serde(default)]
    pub modules: BTreeMap<String, String>,
}

/// A mutant that no test noticed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survivor {
    /// The fault.
    #[serde(flatten)]
    pub place: Place,
    /// Why it is none, or why it is accepted.
    pub reason: Option<String>,
    /// A reason that was given before the module changed, to be looked at again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub former: Option<String>,
}

/// How the reason of a survivor begins that computes the same in a person's opinion.
const ARGUED: &str = "equivalent: ";

impl Survivor {
    /// A survivor that nobody has looked at.
    pub const fn new(place: Place) -> Self {
        Self {
            place,
            reason: None,
            former: None,
        }
    }

    /// What is known of it.
    fn remark(&self) -> String {
        match (&self.reason, &self.former) {
            (Some(reason), _) => reason.clone(),
            (None, Some(former)) => format!("reason to be looked at again: {former}"),
            (None, None) => "not explained yet".into(),
        }
    }

    /// Whether another survivor may be the same fault in a module that has changed since.
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
    /// A part of which nothing is known yet.
    pub fn new(part: &str, mutants: usize, seed: u64) -> Self {
        Self {
            part: part.into(),
            seed,
            mutants,
            ..Self::default()
        }
    }

    /// Mutants that a test noticed.
    pub const fn killed(&self) -> usize {
        self.failed + self.hung
    }

    /// Mutants that are proved to make no difference.
    pub const fn proved(&self) -> usize {
        self.equivalent + self.in_context
    }

    /// Survivors of which a person has found that they compute the same: their reason says so.
    pub fn argued(&self) -> usize {
        let reasons = self.survivors.iter().filter_map(|it| it.reason.as_ref());
        reasons.filter(|it| it.starts_with(ARGUED)).count()
    }

    /// Takes the reasons of an older report over where neither the fault nor its module has changed; the
    /// others stay as former ones.
    fn remember(&mut self, old: &Self) {
        let places: Vec<_> = self.survivors.iter().map(|it| it.place.clone()).collect();
        for survivor in &mut self.survivors {
            let module = &survivor.place.module;
            let same_text = self
                .modules
                .get(module)
                .is_some_and(|digest| old.modules.get(module) == Some(digest));
            // Two faults with one name in a module cannot be told apart.
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

    /// Killed mutants of those that are not proved to make no difference, in percent.
    pub fn score(&self) -> f64 {
        percent(self.killed(), self.mutants - self.proved())
    }

    /// Mutants that are killed or proved to make no difference, of all, in percent.
    pub fn settled(&self) -> f64 {
        percent(self.killed() + self.proved(), self.mutants)
    }
}

/// All of nothing is everything.
fn percent(some: usize, all: usize) -> f64 {
    match all {
        0 => 100.0,
        all => 100.0 * some as f64 / all as f64,
    }
}

impl Report {
    /// The results of the repository at `root`; none if they are not written yet.
    ///
    /// # Errors
    /// When the file holds something else.
    pub fn read(root: &Path) -> Result<Self> {
        let path = root.join(DATA);
        if !path.is_file() {
            return Ok(Self::default());
        }
        let text = fs::read_to_string(&path)?;
        serde_json::from_str(&text).with_context(|| format!("{DATA} cannot be read"))
    }

    /// Puts a newer part in the place of an older one, and keeps the reasons that still hold.
    pub fn take(&mut self, mut part: PartReport) {
        self.outdated.retain(|name| *name != part.part);
        match self.parts.iter_mut().find(|old| old.part == part.part) {
            Some(old) => {
                part.remember(old);
                *old = part;
            }
            None => self.parts.push(part),
        }
    }

    /// The part of that name.
    pub fn part(&self, name: &str) -> Option<&PartReport> {
        self.parts.iter().find(|part| part.part == name)
    }

    /// Makes former reasons reasons again, once a person has looked at them.
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

    /// Parts that were counted on the Verilog of today.
    fn current(&self) -> impl Iterator<Item = &PartReport> {
        self.parts
            .iter()
            .filter(|part| !self.outdated.contains(&part.part))
    }

    /// All parts as one, without the outdated ones.
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

    /// The table.
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
                part.settled(),
            );
        };
        for part in &self.parts {
            row(part, part.seed.to_string());
        }
        row(&self.all(), String::new());
        text
    }

    /// The page with the table and the survivors.
    pub fn page(&self) -> String {
        let all = self.all();
        let below: Vec<_> = self
            .current()
            .filter(|part| part.settled() < GOAL)
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
             - **Killed**: a test of `sim/tests/hardware` fails or hangs on the mutant.\n\
             - **Proved equivalent**: Yosys proves by induction that from power-up on the module \
             computes the same whatever its inputs are, or ABC proves the same of the block around \
             the module (\"in context\").\n\
             - **Argued**: a person argues that nothing can notice it, with the reason below. It \
             counts as not killed.\n\
             - **Score**: killed / (mutants - proved equivalent). **Killed or proved**: (killed + \
             proved equivalent) / mutants; the goal is {GOAL} %.\n\n\
             Score {:.1} %, killed or proved {:.1} % of {} mutants. {below}.{outdated}\n\n{}\n## Survivors\n\n",
            self.yosys,
            all.score(),
            all.settled(),
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
