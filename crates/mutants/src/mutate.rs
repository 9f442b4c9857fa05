//! Makes mutants with Yosys.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use duoforge_tools::{catalogue::YOSYS, run};
use serde::Serialize;

use crate::verilog::Design;

/// The signal that selects a mutant; 0 is the module as it was.
const SELECT: &str = "duoforge_mutant";

/// The file that holds the number of the mutant, in the folder in which a test runs.
pub const SELECTED: &str = "mutant";

/// The file that holds the emitted design, by which faults name their places.
pub const DESIGN: &str = "player.v";

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mutant {
    /// The number that selects it, from 1.
    pub number: u32,
    /// What Yosys was asked to do.
    pub fault: String,
}

/// Mutants of some modules, and the text that holds them all.
#[derive(Debug)]
pub struct Mutants {
    /// Each of them.
    pub list: Vec<Mutant>,
    /// The modules with all faults in them.
    pub text: String,
}

/// What is done before: registers stay the modules that they are, tables become constants.
pub(crate) fn prepare(modules: &[&str]) -> String {
    let names = modules.join(" ");
    format!("read_verilog {DESIGN}\nproc -norom {names}\nopt_expr {names}\nopt_clean {names}\n")
}

/// Makes `count` mutants of the modules, which [`DESIGN`] in the folder holds.
///
/// # Errors
/// When Yosys fails or finds fewer places for faults.
pub fn make(folder: &Path, modules: &[&str], count: u32, seed: u64) -> Result<Mutants> {
    // Yosys shares the number out among the modules by what they hold. Twice as many, since clocks
    // are left out: a fault in a clock tells of the simulator rather than of the tests.
    let names = modules.join(" ");
    let wanted = 2 * count;
    let list = format!("mutate -list {wanted} -seed {seed} -o list.txt {names}\n");
    yosys(folder, "list", &(prepare(modules) + &list))?;
    let list = read(folder, "list.txt")?;
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
    let text = apply(folder, modules, &list)?;
    Ok(Mutants { list, text })
}

/// The modules, which [`DESIGN`] in the folder holds, with all faults in them; the one whose number
/// the file [`SELECTED`] holds, in the folder in which the model runs, is chosen.
///
/// # Errors
/// When Yosys fails, and when a fault does not fit the modules.
pub fn apply(folder: &Path, modules: &[&str], list: &[Mutant]) -> Result<String> {
    let names = modules.join(" ");
    let mut script = prepare(modules);
    for Mutant { number, fault } in list {
        script += &format!("mutate -ctrl {SELECT} 16 {number} {fault}\n");
    }
    for module in modules {
        script += &format!("delete -port {module}/w:{SELECT}\n");
    }
    script += &format!("select {names}\nwrite_verilog -noattr -selected mutated.v\n");
    yosys(folder, "make", &script)?;
    let text = without_connections(&read(folder, "mutated.v")?);
    let wire = format!("  wire [15:0] {SELECT};\n");
    Ok(text.replace(&wire, &selection()))
}

/// The text less the connections by which Yosys hands the number of the mutant down: every module
/// reads it itself.
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

/// Reads the number of the mutant at power-up.
fn selection() -> String {
    format!(
        "  reg [15:0] {SELECT};\n  integer {SELECT}_file, {SELECT}_read;\n  initial begin\n    \
         {SELECT} = 16'd0;\n    {SELECT}_file = $fopen(\"{SELECTED}\", \"r\");\n    \
         {SELECT}_read = $fscanf({SELECT}_file, \"%d\", {SELECT});\n    \
         $fclose({SELECT}_file);\n  end\n"
    )
}

/// The mutated modules of a part put in their places in another design.
pub fn substitute(design: &Design, source: &Design, mutated: &str) -> Option<String> {
    design.with(source, &Design::new(mutated))
}

pub(crate) fn yosys(folder: &Path, name: &str, script: &str) -> Result<()> {
    run(yosys_on(folder, name, script)?.arg("-q"))?;
    Ok(())
}

/// Yosys about to run a script.
pub(crate) fn yosys_on(folder: &Path, name: &str, script: &str) -> Result<Command> {
    let file = format!("{name}.ys");
    fs::write(folder.join(&file), script).with_context(|| format!("{file} cannot be written"))?;
    let mut command = YOSYS.command()?;
    command.args(["-s", &file]).current_dir(folder);
    Ok(command)
}

fn read(folder: &Path, name: &str) -> Result<String> {
    let path = folder.join(name);
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
    fn clocks_have_no_faults() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join(DESIGN), UNIT).expect("a file");
        let mutants = make(folder.path(), &["unit"], 40, 1).expect("mutants");
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
