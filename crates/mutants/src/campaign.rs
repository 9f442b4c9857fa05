//! Runs the tests against every mutant.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::modules::{Part, Source};
use crate::mutate::{self, Mutant, Mutants, SELECTED};
use crate::report::{PartReport, Survivor};
use crate::suite::{Suite, Verdict};
use crate::verilog::Design;

/// The tests and what they open.
#[derive(Debug)]
pub struct Campaign {
    suite: Suite,
    folder: PathBuf,
    known: BTreeMap<String, Known>,
}

/// What is known of a test.
#[derive(Debug, Clone)]
struct Known {
    /// The Verilog of the designs that it opens, by what stands in for them.
    designs: Vec<(String, String)>,
    time: Duration,
}

/// How a part is mutated.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The part.
    pub part: &'static Part,
    /// How many mutants.
    pub count: u32,
    /// What decides which.
    pub seed: u64,
}

impl Campaign {
    /// Builds the tests of the repository at `root`.
    ///
    /// # Errors
    /// When cargo fails.
    pub fn new(root: &Path) -> Result<Self> {
        let suite = Suite::build(root)?;
        let folder = suite.target().join("duoforge-mutants");
        Ok(Self {
            suite,
            folder,
            known: BTreeMap::new(),
        })
    }

    /// The text of a design that mutants are made from.
    fn text(&mut self, source: &Source) -> Result<String> {
        let designs = self.know(source.test)?.designs;
        let found = designs
            .into_iter()
            .find(|(name, _)| name.starts_with(source.design));
        let (_, text) =
            found.with_context(|| format!("{} opens no {}", source.test, source.design))?;
        Ok(text)
    }

    /// Runs a test without any fault, once.
    fn know(&mut self, test: &str) -> Result<Known> {
        if let Some(known) = self.known.get(test) {
            return Ok(known.clone());
        }
        let folder = fresh(&self.folder.join("emitted"))?;
        // The first run builds the models, the second one tells the time.
        let hour = Duration::from_secs(3600);
        self.suite.run(test, &folder, hour)?;
        let started = Instant::now();
        let verdict = self.suite.run(test, &folder, hour)?;
        let time = started.elapsed();
        ensure!(verdict == Verdict::Passed, "{test} fails without any fault");
        let mut designs = Vec::new();
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            if let Some(name) = name.and_then(|name| name.strip_suffix(".emitted.v")) {
                designs.push((format!("{name}.v"), fs::read_to_string(&path)?));
            }
        }
        let known = Known { designs, time };
        self.known.insert(test.to_owned(), known.clone());
        Ok(known)
    }

    /// Makes mutants of a part and lets the tests find them.
    ///
    /// # Errors
    /// When a tool fails, and when a test fails on the module that went through Yosys without a fault.
    pub fn run(
        &mut self,
        plan: Plan,
        mut progress: impl FnMut(&Mutant, &str),
    ) -> Result<PartReport> {
        let Plan { part, count, seed } = plan;
        let started = Instant::now();
        let folder = fresh(&self.folder.join(part.name))?;
        let text = self.text(part.source)?;
        fs::write(folder.join(mutate::DESIGN), &text)?;
        let design = Design::new(&text);
        let modules: Vec<_> = design.names().filter(|name| part.owns(name)).collect();
        let mutants = mutate::make(&folder, &modules, count, seed)?;
        let origin = Origin {
            text: &text,
            design: &design,
            modules: &modules,
            mutants: &mutants,
        };
        let tests = self.tests(part, &folder, &origin)?;
        let mut report = PartReport::new(part.name, mutants.list.len(), seed);
        let mut alive = Vec::new();
        for mutant in &mutants.list {
            let killer = self.killer(&tests, &folder, mutant.number)?;
            match &killer {
                Some((_, Verdict::Hung)) => report.hung += 1,
                Some(_) => report.failed += 1,
                None => alive.push(mutant.clone()),
            }
            progress(mutant, killer.as_ref().map_or("survives", |(test, _)| test));
        }
        let same = mutate::equivalent(&folder, &modules, &alive)?;
        report.equivalent = same.len();
        report.survivors = alive
            .into_iter()
            .filter(|mutant| !same.contains(&mutant.number))
            .map(|mutant| Survivor {
                fault: mutant.fault,
                reason: None,
            })
            .collect();
        report.seconds = started.elapsed().as_secs_f64().round();
        Ok(report)
    }

    /// The part's tests that open it, each with its time limit; the designs with the mutants are in the
    /// folder then.
    fn tests(
        &mut self,
        part: &Part,
        folder: &Path,
        origin: &Origin<'_>,
    ) -> Result<Vec<(String, Duration)>> {
        let names: Vec<_> = self.suite.named(part.tests);
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        fs::write(folder.join(SELECTED), "0")?;
        let mut tests = Vec::new();
        for name in names {
            let known = self.know(&name)?;
            let mut concerned = false;
            for (file, text) in &known.designs {
                let design = Design::new(text);
                let same = mutate::substitute(&design, origin.design, &origin.mutants.text);
                let text = match same {
                    Some(text) => Some(text),
                    None => origin.adapted(&design, folder)?,
                };
                if let Some(text) = text {
                    fs::write(folder.join(file), text)?;
                    concerned = true;
                }
            }
            if !concerned {
                continue;
            }
            let hour = Duration::from_secs(3600);
            let verdict = self.suite.run(&name, folder, hour)?;
            ensure!(
                verdict == Verdict::Passed,
                "{name} fails on {} without a fault; see {}",
                part.name,
                folder.display()
            );
            tests.push((name, 10 * known.time + Duration::from_secs(20)));
        }
        ensure!(!tests.is_empty(), "no test opens {}", part.name);
        Ok(tests)
    }

    /// The first test that notices a mutant.
    fn killer(
        &self,
        tests: &[(String, Duration)],
        folder: &Path,
        number: u32,
    ) -> Result<Option<(String, Verdict)>> {
        fs::write(folder.join(SELECTED), number.to_string())?;
        for (test, limit) in tests {
            let verdict = self.suite.run(test, folder, *limit)?;
            if verdict != Verdict::Passed {
                return Ok(Some((test.clone(), verdict)));
            }
        }
        Ok(None)
    }
}

/// Where mutants come from.
#[derive(Debug)]
struct Origin<'c> {
    /// The emitted design.
    text: &'c str,
    design: &'c Design,
    /// The part's modules in it.
    modules: &'c [&'c str],
    mutants: &'c Mutants,
}

impl Origin<'_> {
    /// A design with the mutants of a part that has other constants there, such as the clocks a bit.
    fn adapted(&self, design: &Design, folder: &Path) -> Result<Option<String>> {
        let text = self
            .design
            .with_constants_of(self.text, design, self.modules);
        let Some(text) = text else {
            return Ok(None);
        };
        let selected = folder.join(SELECTED);
        let folder = fresh(&folder.join("adapted"))?;
        fs::write(folder.join(mutate::DESIGN), &text)?;
        let mutated = mutate::apply(&folder, self.modules, &self.mutants.list, &selected)?;
        Ok(mutate::substitute(design, &Design::new(&text), &mutated))
    }
}

/// An empty folder.
fn fresh(folder: &Path) -> Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
    Ok(folder.canonicalize()?)
}
