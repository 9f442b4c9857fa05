//! Creates mutants with Yosys.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use duoforge_tools::{catalogue::YOSYS, run};
use serde::Serialize;

use crate::same_module::Design;

/// Signal that selects a mutant; 0 selects the original module.
const SELECT: &str = "duoforge_mutant";

/// File with the number of the mutant, in the directory in which a test runs.
pub const SELECTED: &str = "mutant";

/// File with the emitted design; the places of mutations refer to it.
pub const DESIGN: &str = "player.v";

/// Mutant of a module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mutant {
    /// Number that selects the mutant, from 1.
    pub number: u32,
    /// Arguments of Yosys' `mutate`.
    pub fault: String,
}

/// Mutants of some modules, and the text that contains all of them.
#[derive(Debug)]
pub struct Mutants {
    /// List of the mutants.
    pub list: Vec<Mutant>,
    /// Modules with all mutations.
    pub text: String,
}

/// Returns the Yosys commands that prepare the modules: registers stay modules, tables become
/// constants.
pub(crate) fn prepare(modules: &[&str]) -> String {
    let names = modules.join(" ");
    format!("read_verilog {DESIGN}\nproc -norom {names}\nopt_expr {names}\nopt_clean {names}\n")
}

/// Creates `count` mutants of these modules of [`DESIGN`] in the directory.
///
/// # Errors
/// If Yosys fails or finds no place for a mutation.
pub fn make(directory: &Path, modules: &[&str], count: u32, seed: u64) -> Result<Mutants> {
    // Yosys distributes the number among the modules by their contents. Twice the number is
    // requested, since clock ports are skipped: a mutated clock tests the simulator rather than the
    // tests.
    let names = modules.join(" ");
    let wanted = 2 * count;
    let list = format!("mutate -list {wanted} -seed {seed} -o list.txt {names}\n");
    yosys(directory, "list", &(prepare(modules) + &list))?;
    let list = read(directory, "list.txt")?;
    let faults = list.lines().filter(|line| !line.contains(" -port clock "));
    let list: Vec<_> = faults
        .take(count as usize)
        .zip(1..)
        .map(|(line, number)| Mutant {
            number,
            fault: line.trim_start_matches("mutate ").into(),
        })
        .collect();
    ensure!(
        !list.is_empty(),
        "Yosys found no place for a fault in {names}"
    );
    let text = apply(directory, modules, &list)?;
    Ok(Mutants { list, text })
}

/// Returns these modules of [`DESIGN`] in the directory with all mutations. At run time the file
/// [`SELECTED`] in the model's directory holds the number of the active mutant.
///
/// # Errors
/// If Yosys fails, or if a mutation does not fit the modules.
pub fn apply(directory: &Path, modules: &[&str], list: &[Mutant]) -> Result<String> {
    let names = modules.join(" ");
    let mut script = prepare(modules);
    for Mutant { number, fault } in list {
        script += &format!("mutate -ctrl {SELECT} 16 {number} {fault}\n");
    }
    for module in modules {
        script += &format!("delete -port {module}/w:{SELECT}\n");
    }
    script += &format!("select {names}\nwrite_verilog -noattr -selected mutated.v\n");
    yosys(directory, "make", &script)?;
    let text = without_connections(&read(directory, "mutated.v")?);
    let wire = format!("  wire [15:0] {SELECT};\n");
    Ok(text.replace(&wire, &selection()))
}

/// Removes the connections that pass the number of the mutant down the hierarchy: every module
/// reads the number itself.
fn without_connections(text: &str) -> String {
    let connection = format!(".{SELECT}(");
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        if !line.trim_start().starts_with(&connection) {
            lines.push(line);
        } else if let Some(last) = lines.last_mut()
            && !line.ends_with(',')
        {
            *last = last.trim_end_matches(',');
        }
    }
    lines.iter().flat_map(|line| [*line, "\n"]).collect()
}

/// Returns the Verilog that reads the number of the mutant at power-up.
fn selection() -> String {
    format!(
        "  reg [15:0] {SELECT};\n  integer {SELECT}_file, {SELECT}_read;\n  initial begin\n    \
         {SELECT} = 16'd0;\n    {SELECT}_file = $fopen(\"{SELECTED}\", \"r\");\n    \
         {SELECT}_read = $fscanf({SELECT}_file, \"%d\", {SELECT});\n    \
         $fclose({SELECT}_file);\n  end\n"
    )
}

/// Replaces a part's modules in another design by the mutated ones.
pub fn substitute(design: &Design, source: &Design, mutated: &str) -> Option<String> {
    design.with(source, &Design::new(mutated))
}

pub(crate) fn yosys(directory: &Path, name: &str, script: &str) -> Result<()> {
    run(yosys_on(directory, name, script)?.arg("-q"))?;
    Ok(())
}

/// Returns the command that runs a Yosys script.
pub(crate) fn yosys_on(directory: &Path, name: &str, script: &str) -> Result<Command> {
    let file = format!("{name}.ys");
    fs::write(directory.join(&file), script)
        .with_context(|| format!("{file} cannot be written"))?;
    let mut command = YOSYS.command()?;
    command.args(["-s", &file]).current_dir(directory);
    Ok(command)
}

fn read(directory: &Path, name: &str) -> Result<String> {
    let path = directory.join(name);
    fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equivalent::tests::UNIT;

    #[test]
    fn connections_of_the_number_are_left_out() {
        let text = "  row _1_ (\n    .address(a),\n    .duoforge_mutant(m),\n    .data(d)\n  );\n";
        let end = "  row _2_ (\n    .data(d),\n    .duoforge_mutant(m)\n  );\n";
        assert_eq!(
            without_connections(&[text, end].concat()),
            "  row _1_ (\n    .address(a),\n    .data(d)\n  );\n  row _2_ (\n    .data(d)\n  );\n"
        );
    }

    #[test]
    fn cycles_have_no_faults() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        fs::write(directory.path().join(DESIGN), UNIT).expect("a file");
        let mutants = make(directory.path(), &["unit"], 40, 1).expect("mutants");
        assert!(mutants.list.len() > 10, "{mutants:?}");
        assert!(
            mutants
                .list
                .iter()
                .all(|it| !it.fault.contains("-port clock"))
        );
        assert!(mutants.text.contains("$fopen") && !mutants.text.contains("input [15:0]"));
    }
}
