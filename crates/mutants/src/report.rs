//! What a campaign found, for people and for programs.

use std::fmt::Write;

use serde::Serialize;

use crate::campaign::{Fate, ModuleReport};

/// Killed of those that a test could notice, in percent; 100 if there are none.
pub fn score(killed: usize, noticeable: usize) -> f64 {
    match noticeable {
        0 => 100.0,
        noticeable => killed as f64 * 100.0 / noticeable as f64,
    }
}

/// A campaign for programs.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Seed of the choice of faults.
    pub seed: u64,
    /// The modules.
    pub modules: Vec<ModuleSummary>,
    /// Killed of noticeable, over all modules, in percent.
    pub score: f64,
}

/// A module's mutants for programs.
#[derive(Debug, Serialize)]
pub struct ModuleSummary {
    /// Its name.
    pub name: &'static str,
    /// Mutants.
    pub mutants: usize,
    /// Mutants that a test noticed, hung ones among them.
    pub killed: usize,
    /// Of these, mutants that kept a test from ending.
    pub hung: usize,
    /// Mutants that compute the same in every state.
    pub equivalent: usize,
    /// The others: what is broken, in words.
    pub survived: Vec<String>,
    /// Killed of noticeable, in percent.
    pub score: f64,
    /// Seconds.
    pub seconds: f64,
}

impl Report {
    /// Sums up.
    pub fn new(seed: u64, reports: &[ModuleReport]) -> Self {
        let sum = |part: fn(&ModuleReport) -> usize| reports.iter().map(part).sum::<usize>();
        Self {
            seed,
            modules: reports.iter().map(summary).collect(),
            score: score(sum(ModuleReport::killed), sum(ModuleReport::noticeable)),
        }
    }

    /// The table in Markdown.
    pub fn table(&self) -> String {
        let mut out = String::from(
            "| module | mutants | killed | of these hung | equivalent | survived | score |\n\
             |---|---|---|---|---|---|---|\n",
        );
        let total = |part: fn(&ModuleSummary) -> usize| self.modules.iter().map(part).sum();
        let all = ModuleSummary {
            name: "all",
            mutants: total(|module| module.mutants),
            killed: total(|module| module.killed),
            hung: total(|module| module.hung),
            equivalent: total(|module| module.equivalent),
            survived: Vec::new(),
            score: self.score,
            seconds: 0.0,
        };
        for module in self.modules.iter().chain([&all]) {
            let survived = module.mutants - module.killed - module.equivalent;
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} | {survived} | {:.1} % |",
                module.name,
                module.mutants,
                module.killed,
                module.hung,
                module.equivalent,
                module.score,
            );
        }
        out
    }
}

fn summary(report: &ModuleReport) -> ModuleSummary {
    let survived = report
        .mutants
        .iter()
        .filter(|(_, fate)| *fate == Fate::Survived);
    ModuleSummary {
        name: report.module.name,
        mutants: report.mutants.len(),
        killed: report.killed(),
        hung: report.count(Fate::Hung),
        equivalent: report.count(Fate::Equivalent),
        survived: survived.map(|(fault, _)| fault.describe()).collect(),
        score: score(report.killed(), report.noticeable()),
        seconds: report.time.as_secs_f64(),
    }
}
