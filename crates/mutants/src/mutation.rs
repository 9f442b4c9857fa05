//! Faults, as Yosys chooses them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use duoforge_tools::catalogue::YOSYS;
use duoforge_tools::run;

/// Name under which a design lies in its working folder: cells are named after it, so it is the
/// same for all designs.
pub const DESIGN: &str = "design.v";

/// One fault: a line of Yosys' `mutate -list`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutation {
    command: String,
}

impl Mutation {
    /// Yosys' command that puts the fault into the design, with further options.
    pub fn command(&self, options: &str) -> String {
        self.command
            .replacen("mutate ", &format!("mutate {options} "), 1)
    }

    /// The emitted module that it is in.
    pub fn module(&self) -> &str {
        self.word("-module").unwrap_or_default()
    }

    /// What is broken, for people: the kind of fault, the cell's port and bit, the source line.
    pub fn describe(&self) -> String {
        let word = |option: &str| self.word(option).unwrap_or("?").trim_start_matches('\\');
        let source = self.word("-src").unwrap_or_default();
        let line = source.rsplit(':').next().unwrap_or_default();
        let line = line.split('.').next().unwrap_or_default();
        let wire = self.word("-wire").map_or(String::new(), |wire| {
            let bit = self.word("-wirebit").unwrap_or("0");
            format!(", that is {}[{bit}]", wire.trim_start_matches('\\'))
        });
        let cell = word("-cell").replace(&format!("{DESIGN}:"), "");
        format!(
            "{} {cell}.{}[{}]{wire}, {} line {line}",
            word("-mode"),
            word("-port"),
            word("-portbit"),
            self.module().trim_start_matches('\\'),
        )
    }

    fn word(&self, option: &str) -> Option<&str> {
        let mut words = self.command.split(' ');
        words.find(|&word| word == option)?;
        words.next()
    }
}

/// Runs Yosys on a script in a folder.
///
/// # Errors
/// When Yosys is missing or refuses the script.
pub fn yosys(folder: &Path, script: &str) -> Result<String> {
    fs::write(folder.join("script.ys"), script)?;
    let mut command = YOSYS.command()?;
    Ok(run(command.args(["script.ys"]).current_dir(folder))?)
}

/// Commands that read the design of a folder up to where faults are put in.
pub fn read(top: &str) -> String {
    format!("read_verilog {DESIGN}\nhierarchy -top {top}\nproc\n")
}

/// Chooses `count` faults of the design in a folder, in these of its modules.
///
/// # Errors
/// As [`yosys`], and when the modules have no cell to break.
pub fn choose(
    folder: &Path,
    top: &str,
    modules: &[&str],
    count: usize,
    seed: u64,
) -> Result<Vec<Mutation>> {
    let script = format!(
        "{}mutate -list {count} -seed {seed} -o faults.txt {}\n",
        read(top),
        modules.join(" ")
    );
    yosys(folder, &script)?;
    let text = fs::read_to_string(folder.join("faults.txt")).context("Yosys wrote no faults")?;
    let mutations: Vec<_> = text
        .lines()
        .map(|line| Mutation {
            command: line.to_owned(),
        })
        .collect();
    ensure!(
        !mutations.is_empty(),
        "{} has nothing to break",
        modules.join(", ")
    );
    Ok(mutations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_described_by_where_it_is() {
        let mutation = Mutation {
            command: r"mutate -mode inv -module line -cell $or$design.v:228$120 -port B -portbit 0 -wire receiving -wirebit 2 -src design.v:228.13-228.31".into(),
        };
        assert_eq!(
            mutation.describe(),
            "inv $or$228$120.B[0], that is receiving[2], line line 228"
        );
        assert!(
            mutation
                .command("-ctrl mutant 16 3")
                .starts_with("mutate -ctrl mutant 16 3 -mode inv -module line ")
        );
    }
}
