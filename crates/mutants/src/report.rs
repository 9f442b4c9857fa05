//! What came of a campaign, for people and programs.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// The mutants of all parts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The version of Yosys that made them.
    pub yosys: String,
    /// Part by part.
    pub parts: Vec<PartReport>,
}

/// The mutants of a part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// The others.
    pub survivors: Vec<Survivor>,
    /// How long it took.
    pub seconds: f64,
}

/// A mutant that no test noticed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survivor {
    /// The fault, in Yosys' words.
    pub fault: String,
    /// Why it is none, or why it is accepted.
    pub reason: Option<String>,
}

impl PartReport {
    /// A part of which nothing is known yet.
    pub fn new(part: &str, mutants: usize, seed: u64) -> Self {
        Self {
            part: part.into(),
            seed,
            mutants,
            failed: 0,
            hung: 0,
            equivalent: 0,
            survivors: Vec::new(),
            seconds: 0.0,
        }
    }

    /// Mutants that a test noticed.
    pub const fn killed(&self) -> usize {
        self.failed + self.hung
    }

    /// Survivors of which a person has found that they compute the same: their reason says so.
    pub fn argued(&self) -> usize {
        let reasons = self.survivors.iter().filter_map(|it| it.reason.as_ref());
        reasons.filter(|it| it.starts_with(ARGUED)).count()
    }
}

/// How the reason of a survivor begins that computes the same.
const ARGUED: &str = "equivalent: ";

/// Killed mutants of those that are not equivalent, in percent.
fn score(killed: usize, mutants: usize, equivalent: usize) -> f64 {
    match mutants - equivalent {
        0 => 100.0,
        real => 100.0 * killed as f64 / real as f64,
    }
}

impl Report {
    /// Puts newer parts in the place of older ones. A reason for a survivor stays as long as the
    /// survivor does.
    pub fn take(&mut self, parts: Vec<PartReport>) {
        for mut part in parts {
            let Some(old) = self.parts.iter_mut().find(|old| old.part == part.part) else {
                self.parts.push(part);
                continue;
            };
            for survivor in &mut part.survivors {
                let known = old.survivors.iter().find(|it| it.fault == survivor.fault);
                survivor.reason = known.and_then(|it| it.reason.clone());
            }
            *old = part;
        }
    }

    /// Killed mutants of those that are not equivalent, in percent.
    pub fn score(&self) -> f64 {
        let sum = |of: fn(&PartReport) -> usize| self.parts.iter().map(of).sum();
        score(
            sum(PartReport::killed),
            sum(|part| part.mutants),
            sum(|part| part.equivalent + part.argued()),
        )
    }

    /// The table.
    pub fn table(&self) -> String {
        let mut text =
            "| part | seed | mutants | killed | of these hung | proved equivalent | argued | survived | score |\n\
                        |---|--:|--:|--:|--:|--:|--:|--:|--:|\n"
                .to_owned();
        let mut row = |name: &str, seed: &str, numbers: [usize; 6]| {
            let [mutants, killed, hung, equivalent, argued, survived] = numbers;
            let score = score(killed, mutants, equivalent + argued);
            let _ = writeln!(
                text,
                "| {name} | {seed} | {mutants} | {killed} | {hung} | {equivalent} | {argued} | {survived} | {score:.1} % |"
            );
        };
        let mut total = [0; 6];
        for part in &self.parts {
            let argued = part.argued();
            let survived = part.survivors.len() - argued;
            let numbers = [
                part.mutants,
                part.killed(),
                part.hung,
                part.equivalent,
                argued,
                survived,
            ];
            row(&part.part, &part.seed.to_string(), numbers);
            for (sum, number) in total.iter_mut().zip(numbers) {
                *sum += number;
            }
        }
        row("all", "", total);
        text
    }

    /// The page with the table and the survivors.
    pub fn page(&self) -> String {
        let mut text = format!(
            "# Mutants of the emitted Verilog\n\nWritten by `cargo xtask mutations --write` with \
             Yosys {}. A mutant is killed if a test of `sim/tests/hardware` fails or hangs on it; \
             it is equivalent if Yosys proves by induction that from power-up on it computes the \
             same, or if a person argues so, with the reason below. The score is the part that was \
             killed of those that are not equivalent.\n\n{}\n## Survivors\n\n",
            self.yosys,
            self.table()
        );
        for part in self.parts.iter().filter(|part| !part.survivors.is_empty()) {
            let _ = writeln!(text, "### {}\n", part.part);
            for survivor in &part.survivors {
                let reason = survivor.reason.as_deref().unwrap_or("not explained yet");
                let _ = writeln!(text, "- `{}`: {reason}", survivor.fault);
            }
            text.push('\n');
        }
        text.truncate(text.trim_end().len());
        text + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(survivors: &[(&str, Option<&str>)]) -> PartReport {
        let survivors = survivors.iter().map(|(fault, reason)| Survivor {
            fault: (*fault).into(),
            reason: reason.map(str::to_owned),
        });
        PartReport {
            failed: 6,
            hung: 1,
            equivalent: 2,
            survivors: survivors.collect(),
            ..PartReport::new("store", 11, 1)
        }
    }

    #[test]
    fn equivalent_mutants_do_not_count() {
        let report = Report {
            yosys: "0.70".into(),
            parts: vec![part(&[
                ("-mode inv", None),
                ("-mode x", Some("equivalent: so it is")),
            ])],
        };
        assert_eq!(report.score(), 87.5);
        assert!(
            report
                .table()
                .contains("| all |  | 11 | 7 | 1 | 2 | 1 | 1 | 87.5 % |")
        );
        assert!(report.page().contains("- `-mode inv`: not explained yet"));
    }

    #[test]
    fn a_reason_stays_as_long_as_its_survivor() {
        let mut report = Report::default();
        report.take(vec![part(&[("a", Some("why")), ("b", Some("gone"))])]);
        report.take(vec![part(&[("a", None), ("c", None)])]);
        let reasons: Vec<_> = report.parts[0]
            .survivors
            .iter()
            .map(|it| &it.reason)
            .collect();
        assert_eq!(reasons, [&Some("why".into()), &None]);
    }
}
