//! Breaks a module in many ways and runs its tests on each.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::design::{self, Opened};
use crate::equivalence::is_equivalent;
use crate::modules::Module;
use crate::mutation::{self, Mutation};
use crate::suite::{Suite, Verdict};

/// What became of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// A test failed.
    Killed,
    /// A test did not end.
    Hung,
    /// All tests passed, and no test could fail: the module computes the same.
    Equivalent,
    /// All tests passed.
    Survived,
}

/// What became of the mutants of a module.
#[derive(Debug, Clone)]
pub struct ModuleReport {
    /// The module.
    pub module: &'static Module,
    /// Its mutants in their order.
    pub mutants: Vec<(Mutation, Fate)>,
    /// How long it took.
    pub time: Duration,
}

impl ModuleReport {
    /// How many mutants had a fate.
    pub fn count(&self, fate: Fate) -> usize {
        self.mutants.iter().filter(|(_, f)| *f == fate).count()
    }

    /// Mutants that a test could notice.
    pub fn noticeable(&self) -> usize {
        self.mutants.len() - self.count(Fate::Equivalent)
    }

    /// Mutants that a test noticed.
    pub fn killed(&self) -> usize {
        self.count(Fate::Killed) + self.count(Fate::Hung)
    }
}

/// How modules are broken.
#[derive(Debug, Clone)]
pub struct Campaign {
    /// Mutants of a module; without it each module's own number.
    pub count: Option<usize>,
    /// Of the choice of faults.
    pub seed: u64,
    /// Working folder; what was in it is lost.
    pub folder: PathBuf,
}

impl Campaign {
    /// Breaks one module, telling `progress` of each mutant and its fate.
    ///
    /// # Errors
    /// When a tool fails, and when the tests fail on the design as it is emitted.
    pub fn run(
        &self,
        suite: &Suite,
        module: &'static Module,
        mut progress: impl FnMut(usize, &Mutation, Fate),
    ) -> Result<ModuleReport> {
        let begin = Instant::now();
        let folder = self.folder.join(module.name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let folder = folder.canonicalize()?;
        let chooser = folder.join("chosen.hex");
        let limits = passing(suite, module, &folder, Duration::from_secs(600))?;
        let designs = designs_of(module, &folder)?;
        let faults = self.faults(module, &designs[0])?;
        for design in &designs {
            design::write_substitute(design, &faults, &chooser)?;
        }
        design::choose(&chooser, 0)?;
        // The substitute without a fault is the module; from here on its model is built.
        passing(suite, module, &folder, Duration::from_secs(600))
            .context("without a fault the substitute differs from the design")?;
        let mut mutants = Vec::new();
        for (i, fault) in faults.into_iter().enumerate() {
            design::choose(&chooser, i + 1)?;
            let mut fate = fate(suite, module, &folder, &limits)?;
            if fate == Fate::Survived && is_equivalent(&designs[0], &fault)? {
                fate = Fate::Equivalent;
            }
            progress(i + 1, &fault, fate);
            mutants.push((fault, fate));
        }
        Ok(ModuleReport {
            module,
            mutants,
            time: begin.elapsed(),
        })
    }

    fn faults(&self, module: &Module, design: &Opened) -> Result<Vec<Mutation>> {
        let work = design.emitted.with_extension("work");
        fs::create_dir_all(&work)?;
        fs::copy(&design.emitted, work.join(mutation::DESIGN))?;
        let count = self.count.unwrap_or(module.count);
        mutation::choose(&work, &design.top, module.emitted, count, self.seed)
    }
}

/// Runs the tests, which have to pass; returns how long each may take with a fault.
fn passing(
    suite: &Suite,
    module: &Module,
    folder: &Path,
    limit: Duration,
) -> Result<Vec<Duration>> {
    let mut limits = Vec::new();
    for test in module.tests {
        let begin = Instant::now();
        let verdict = suite.run(test, folder, limit)?;
        ensure!(verdict == Verdict::Passed, "{test} does not pass");
        // Twice over and some more: another process may take its share of the machine.
        limits.push(begin.elapsed() * 4 + Duration::from_secs(20));
    }
    Ok(limits)
}

/// The designs with the module that its tests have opened.
fn designs_of(module: &Module, folder: &Path) -> Result<Vec<Opened>> {
    let mut designs = Vec::new();
    for design in design::opened(folder)? {
        if design.has(module.emitted)? {
            designs.push(design);
        }
    }
    ensure!(!designs.is_empty(), "no test opens {}", module.name);
    Ok(designs)
}

fn fate(suite: &Suite, module: &Module, folder: &Path, limits: &[Duration]) -> Result<Fate> {
    for (test, &limit) in module.tests.iter().zip(limits) {
        match suite.run(test, folder, limit)? {
            Verdict::Passed => {}
            Verdict::Failed => return Ok(Fate::Killed),
            Verdict::Hung => return Ok(Fate::Hung),
        }
    }
    Ok(Fate::Survived)
}
