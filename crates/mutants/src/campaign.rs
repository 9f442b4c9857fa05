//! Runs the tests against every mutant.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::equivalent::{Answer, Question};
use crate::modules;
use crate::mutate::{self, Mutant, Mutants, SELECTED};
use crate::part::{Part, Source};
use crate::place::Place;
use crate::report::{PartReport, Report, Survivor};
use crate::same_module::Design;
use crate::suite::{Suite, Verdict, designs};
use crate::work::{fresh, in_parallel};

/// Time limit for runs without a mutation.
const HOUR: Duration = Duration::from_secs(3600);

/// Test suite and the designs that its tests open.
#[derive(Debug)]
pub struct Campaign {
    suite: Suite,
    directory: PathBuf,
    known: Mutex<BTreeMap<String, Arc<Known>>>,
}

/// Measured properties of a test.
#[derive(Debug)]
pub struct Known {
    /// Designs that the test opens: the file names of their substitutes, and their Verilog.
    pub designs: Vec<(String, String)>,
    /// Time limit with a mutant.
    pub limit: Duration,
}

/// Settings for mutating a part.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'p> {
    /// Part to mutate.
    pub part: &'static Part,
    /// Number of mutants.
    pub count: u32,
    /// Seed that selects the mutants.
    pub seed: u64,
    /// Number of mutants that are tested at a time.
    pub jobs: usize,
    /// Earlier row of the part; if present, only its survivors are tested again.
    pub again: Option<&'p PartReport>,
}

impl Campaign {
    /// Builds the tests of the repository at `root`.
    ///
    /// # Errors
    /// If cargo fails.
    pub fn new(root: &Path) -> Result<Self> {
        let suite = Suite::build(root)?;
        let directory = suite.target().join("duoforge-mutants");
        Ok(Self {
            suite,
            directory,
            known: Mutex::default(),
        })
    }

    /// Returns the test suite.
    pub const fn suite(&self) -> &Suite {
        &self.suite
    }

    /// Returns the directory for designs and logs.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the text of a design as currently emitted; nothing is simulated. Concurrent calls
    /// must use distinct `apart`.
    ///
    /// # Errors
    /// If the test opens no such design first.
    pub fn text(&self, source: &Source<'_>, apart: &str) -> Result<String> {
        let directory = self.directory.join("sources").join(apart);
        let designs = self.suite.emitted(source.test, &fresh(&directory)?)?;
        let mut found = designs.into_iter();
        let found = found.find(|(name, _)| name.starts_with(source.design));
        let (_, text) =
            found.with_context(|| format!("{} opens no {}", source.test, source.design))?;
        Ok(text)
    }

    /// Returns the parts whose emitted Verilog has changed since they were measured, and those that
    /// were never measured.
    ///
    /// # Errors
    /// If a source's test opens no such design.
    pub fn stale(&self, report: &Report) -> Result<Vec<&'static Part>> {
        let mut designs: Vec<(&Source<'_>, Design)> = Vec::new();
        let mut stale = Vec::new();
        for part in modules::parts() {
            if !designs.iter().any(|(source, _)| *source == part.source) {
                designs.push((part.source, Design::new(&self.text(part.source, "today")?)));
            }
            let today = designs
                .iter()
                .find(|(source, _)| *source == part.source)
                .map(|(_, design)| modules::digests(part, design));
            if report.part(part.name).map(|it| &it.modules) != today.as_ref() {
                stale.push(part);
            }
        }
        Ok(stale)
    }

    /// Runs a test on the original designs and caches the result. Concurrent calls must use
    /// distinct `apart`.
    ///
    /// # Errors
    /// If the test fails.
    pub fn know(&self, test: &str, apart: &str) -> Result<Arc<Known>> {
        if let Some(known) = self.known().get(test) {
            return Ok(known.clone());
        }
        let directory = fresh(&self.directory.join("emitted").join(apart))?;
        // The first run builds the models, the second measures the time.
        self.suite.run(test, &directory, &directory, HOUR)?;
        let started = Instant::now();
        let verdict = self.suite.run(test, &directory, &directory, HOUR)?;
        let time = started.elapsed();
        ensure!(verdict == Verdict::Passed, "{test} fails without any fault");
        let known = Arc::new(Known {
            designs: designs(&directory)?,
            limit: 10 * time + Duration::from_secs(20),
        });
        self.known().insert(test.to_owned(), known.clone());
        Ok(known)
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Known>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates mutants of a part and runs the tests on them.
    ///
    /// # Errors
    /// If a tool fails, or if a test fails on the module that went through Yosys without a
    /// mutation.
    pub fn run(
        &self,
        plan: Plan<'_>,
        progress: impl Fn(&Mutant, &str) + Sync,
    ) -> Result<PartReport> {
        let Plan {
            part,
            count,
            seed,
            jobs,
            again,
        } = plan;
        let started = Instant::now();
        let directory = fresh(&self.directory.join(part.name))?;
        let text = self.text(part.source, part.name)?;
        fs::write(directory.join(mutate::DESIGN), &text)?;
        let design = Design::new(&text);
        let modules: Vec<_> = design.names().filter(|name| part.owns(name)).collect();
        let digests = modules::digests(part, &design);
        let mutants = mutate::make(&directory, &modules, count, seed)?;
        let tried = match again {
            Some(row) => survivors(row, &digests, &mutants, &text)?,
            None => mutants.list.clone(),
        };
        let origin = Origin {
            text: &text,
            design: &design,
            modules: &modules,
            mutants: &mutants,
        };
        let tests = self.tests(part, &directory, &origin)?;
        let workers: Vec<_> = (0..jobs.max(1))
            .map(|worker| fresh(&directory.join(format!("worker{worker}"))))
            .collect::<Result<_>>()?;
        let killers = in_parallel(jobs, &tried, |worker, mutant| {
            let killer = killer(&self.suite, &tests, &directory, &workers[worker], mutant)?;
            let what = match &killer {
                Some((test, Verdict::Hung)) => format!("{test} hangs"),
                Some((test, _)) => test.clone(),
                None => "survives".to_owned(),
            };
            progress(mutant, &what);
            Ok(killer.map(|(_, verdict)| verdict))
        });
        let killers = killers.into_iter().collect::<Result<Vec<_>>>()?;
        let verdicts = |wanted| killers.iter().filter(|it| **it == wanted).count();
        let blocks = part.blocks(&design);
        let names: Vec<_> = design.names().collect();
        let question = Question {
            directory: &directory,
            modules: &modules,
            names: &names,
            blocks: &blocks,
        };
        let alive = tried.iter().zip(&killers);
        let alive: Vec<_> = alive
            .filter(|(_, killer)| killer.is_none())
            .map(|(mutant, _)| mutant)
            .collect();
        let answers = in_parallel(jobs, &alive, |_, mutant| question.ask(mutant));
        let answers = answers.into_iter().collect::<Result<Vec<_>>>()?;
        let answered = |wanted| answers.iter().filter(|it| **it == wanted).count();
        let open = alive.iter().zip(&answers);
        let open = open.filter(|(_, answer)| **answer == Answer::Open);
        let row = match again {
            Some(row) => row.clone(),
            None => PartReport::new(part.name, mutants.list.len(), seed),
        };
        let report = PartReport {
            failed: row.failed + verdicts(Some(Verdict::Failed)),
            hung: row.hung + verdicts(Some(Verdict::Hung)),
            equivalent: row.equivalent + answered(Answer::Alone),
            in_context: row.in_context + answered(Answer::InContext),
            survivors: open
                .map(|(mutant, _)| Survivor::new(Place::of(&mutant.fault, &text)))
                .collect(),
            seconds: row.seconds + started.elapsed().as_secs_f64().round(),
            modules: digests,
            ..row
        };
        ensure!(
            report.killed() > 0 || report.mutants < 10,
            "no test notices any mutant of {}: the designs do not read their numbers",
            part.name
        );
        Ok(report)
    }

    /// Returns the part's tests that open it, with their time limits, and writes the mutated
    /// designs to the directory.
    fn tests(
        &self,
        part: &Part,
        directory: &Path,
        origin: &Origin<'_>,
    ) -> Result<Vec<(String, Duration)>> {
        fs::write(directory.join(SELECTED), "0")?;
        let mut tests = Vec::new();
        for name in self.suite.named(part.tests) {
            let known = self.know(name, part.name)?;
            let mut concerned = false;
            for (file, text) in &known.designs {
                let design = Design::new(text);
                let text = match origin.adapted(&design, directory)? {
                    Some(text) => Some(text),
                    None => mutate::substitute(&design, origin.design, &origin.mutants.text),
                };
                if let Some(text) = text {
                    fs::write(directory.join(file), text)?;
                    concerned = true;
                }
            }
            if !concerned {
                continue;
            }
            let verdict = self.suite.run(name, directory, directory, HOUR)?;
            ensure!(
                verdict == Verdict::Passed,
                "{name} fails on {} without a fault; see {}",
                part.name,
                directory.display()
            );
            tests.push((name.to_owned(), known.limit));
        }
        ensure!(!tests.is_empty(), "no test opens {}", part.name);
        Ok(tests)
    }
}

/// Returns the mutants that survived when a row was measured.
///
/// # Errors
/// If the row was measured on other modules or with other mutants.
fn survivors(
    row: &PartReport,
    digests: &BTreeMap<String, String>,
    mutants: &Mutants,
    text: &str,
) -> Result<Vec<Mutant>> {
    let part = &row.part;
    ensure!(
        row.modules == *digests,
        "{part} has changed since it was measured"
    );
    let survived = |mutant: &&Mutant| {
        let place = Place::of(&mutant.fault, text);
        row.survivors.iter().any(|survivor| survivor.place == place)
    };
    let found: Vec<_> = mutants.list.iter().filter(survived).cloned().collect();
    let wanted = row.survivors.len();
    ensure!(
        found.len() == wanted && mutants.list.len() == row.mutants,
        "{part}: {} of {wanted} survivors are among today's {} mutants",
        found.len(),
        mutants.list.len()
    );
    Ok(found)
}

/// Returns the first test that kills a mutant.
fn killer(
    suite: &Suite,
    tests: &[(String, Duration)],
    designs: &Path,
    work: &Path,
    mutant: &Mutant,
) -> Result<Option<(String, Verdict)>> {
    fs::write(work.join(SELECTED), mutant.number.to_string())?;
    for (test, limit) in tests {
        let verdict = suite.run(test, designs, work, *limit)?;
        if verdict != Verdict::Passed {
            return Ok(Some((test.clone(), verdict)));
        }
    }
    Ok(None)
}

/// Origin of mutants.
#[derive(Debug)]
struct Origin<'c> {
    /// Text of the emitted design.
    text: &'c str,
    design: &'c Design,
    /// The part's modules in the design.
    modules: &'c [&'c str],
    mutants: &'c Mutants,
}

impl Origin<'_> {
    /// Returns a design with the mutants of a part whose constants differ there, such as the cycles
    /// per bit.
    fn adapted(&self, design: &Design, directory: &Path) -> Result<Option<String>> {
        let text = self
            .design
            .with_constants_of(self.text, design, self.modules);
        let Some(text) = text else {
            return Ok(None);
        };
        let directory = fresh(&directory.join("adapted"))?;
        fs::write(directory.join(mutate::DESIGN), &text)?;
        let mutated = mutate::apply(&directory, self.modules, &self.mutants.list)?;
        Ok(mutate::substitute(design, &Design::new(&text), &mutated))
    }
}
