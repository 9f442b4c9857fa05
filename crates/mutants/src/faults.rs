//! Hand-written mutants, each of which one of its named tests must kill.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::campaign::Campaign;
use crate::part::Source;
use crate::same_module::Design;
use crate::suite::Verdict;
use crate::work::fresh;

/// File with the hand-written mutants, in the repository.
pub const FILE: &str = "crates/mutants/faults.toml";

/// Hand-written mutant: a change of the emitted Verilog.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Name of the mutant.
    pub name: String,
    /// Effect of the mutant.
    pub why: String,
    /// Prefix of the name of the emitted design.
    pub design: String,
    /// Test that opens the design before all others.
    pub test: String,
    /// Name of the module.
    pub module: String,
    /// Text that occurs exactly once in the module.
    pub find: String,
    /// Text that replaces it.
    pub replace: String,
    /// Prefixes of the names of tests, one of which must kill the mutant.
    pub tests: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    fault: Vec<Fault>,
}

/// Reads all hand-written mutants of the repository at `root`.
///
/// # Errors
/// If the file cannot be read or parsed, or if two mutants have the same name.
pub fn read(root: &Path) -> Result<Vec<Fault>> {
    let text = fs::read_to_string(root.join(FILE)).with_context(|| format!("reading {FILE}"))?;
    parse(&text).with_context(|| format!("{FILE} cannot be read"))
}

fn parse(text: &str) -> Result<Vec<Fault>> {
    let File { fault: faults } = toml::from_str(text)?;
    for (number, fault) in faults.iter().enumerate() {
        let same = |other: &Fault| other.name == fault.name;
        ensure!(
            !faults[..number].iter().any(same),
            "two faults are called '{}'",
            fault.name
        );
    }
    Ok(faults)
}

impl Fault {
    /// Returns the design that the mutant changes.
    pub fn source(&self) -> Source<'_> {
        Source {
            test: &self.test,
            design: &self.design,
        }
    }

    /// Returns the mutated module, from the text of the emitted design.
    ///
    /// # Errors
    /// If the design lacks the module, if the text does not occur exactly once in it, or if nothing
    /// changes.
    pub fn applied(&self, text: &str) -> Result<String> {
        let Self {
            name,
            module,
            find,
            replace,
            ..
        } = self;
        let design = Design::new(text);
        let body = design
            .module(module)
            .with_context(|| format!("fault '{name}': {} has no module {module}", self.design))?;
        let count = body.matches(find.as_str()).count();
        ensure!(
            count == 1,
            "fault '{name}': '{find}' occurs {count} times in {module}: expected exactly once"
        );
        ensure!(find != replace, "fault '{name}' changes nothing");
        Ok(body.replacen(find.as_str(), replace, 1))
    }

    /// Returns a test's design with the mutated module, or `None` if the design lacks the module.
    fn put_into(&self, design: &Design, text: &str) -> Result<Option<String>> {
        let source = Design::new(text);
        let adapted = source.with_constants_of(text, design, &[&self.module]);
        let text = adapted.as_deref().unwrap_or(text);
        let fault = Design::new(&self.applied(text)?);
        Ok(design.with(&Design::new(text), &fault))
    }

    /// Returns the first test that kills the mutant and its verdict, or `None` if the mutant
    /// survives.
    ///
    /// # Errors
    /// If the mutant does not apply, or if no test opens the module.
    pub fn killer(&self, campaign: &Campaign) -> Result<Option<(String, Verdict)>> {
        let name = format!(
            "fault-{}",
            self.name.replace(|c: char| !c.is_alphanumeric(), "-")
        );
        let directory = fresh(&campaign.directory().join(&name))?;
        let text = campaign.text(&self.source(), &name)?;
        let suite = campaign.suite();
        let mut opened = false;
        for test in suite.beginning(&self.tests) {
            let known = campaign.know(test, &name)?;
            let mut concerned = false;
            for (file, design) in &known.designs {
                if let Some(changed) = self.put_into(&Design::new(design), &text)? {
                    fs::write(directory.join(file), changed)?;
                    concerned = true;
                }
            }
            opened |= concerned;
            // The time limit includes the build of the mutated model.
            let limit = known.limit + std::time::Duration::from_secs(300);
            if concerned {
                let verdict = suite.run(test, &directory, &directory, limit)?;
                if verdict != Verdict::Passed {
                    return Ok(Some((test.to_owned(), verdict)));
                }
            }
        }
        ensure!(
            opened,
            "fault '{}': none of its tests opens {}",
            self.name,
            self.module
        );
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAULTS: &str = r#"
[[fault]]
name = "stuck"
why = "the output never changes"
design = "top-"
test = "a"
module = "leaf"
find = "q = d"
replace = "q = 0"
tests = ["a", "b"]
"#;

    #[test]
    fn a_fault_occurs_exactly_once() {
        let [fault] = &parse(FAULTS).expect("a fault")[..] else {
            panic!("one fault");
        };
        let leaf = "module leaf(d,q);\n    q = d;\nendmodule\n";
        let applied = fault.applied(leaf).expect("it applies");
        assert_eq!(applied, leaf.replace("= d", "= 0"));
        let error = |text: &str| {
            fault
                .applied(text)
                .expect_err("it does not apply")
                .to_string()
        };
        let twice = leaf.replace("q = d;", "q = d; q = d;");
        assert!(error(&twice).contains("occurs 2 times in leaf"));
        assert!(error("module other(q);\nendmodule\n").contains("has no module leaf"));
    }

    #[test]
    fn names_are_used_once() {
        let error = parse(&format!("{FAULTS}{FAULTS}")).expect_err("two of a name");
        assert_eq!(error.to_string(), "two faults are called 'stuck'");
    }

    #[test]
    fn a_fault_is_put_where_the_module_has_another_name_or_other_constants() {
        let fault = parse(FAULTS).expect("a fault").remove(0);
        let text = "module leaf(d,q);\n    localparam n = 3;\n    q = d;\nendmodule\n";
        let there = text.replace("leaf", "part_leaf");
        let put = |there: &str| {
            fault
                .put_into(&Design::new(there), text)
                .expect("it applies")
        };
        assert_eq!(put(&there), Some(there.replace("= d", "= 0")));
        let other = there.replace("= 3", "= 5");
        assert_eq!(put(&other), Some(other.replace("= d", "= 0")));
        assert_eq!(put(&there.replace("q = d", "q = ~d")), None);
    }
}
