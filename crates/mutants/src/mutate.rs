//! Makes mutants with Yosys, and finds those that are none.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use duoforge_tools::{catalogue::YOSYS, run};
use serde::Serialize;

use crate::verilog::Design;

/// The signal that selects a mutant; 0 is the module as it was.
const SELECT: &str = "duoforge_mutant";

/// The file that holds the number of the mutant, in the folder of the designs.
pub const SELECTED: &str = "mutant";

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
fn prepare(modules: &[&str]) -> String {
    let names = modules.join(" ");
    format!("read_verilog player.v\nproc -norom {names}\nopt_expr {names}\nopt_clean {names}\n")
}

/// Makes `count` mutants of the modules, which `player.v` in the folder holds.
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
    let mut script = prepare(modules);
    for Mutant { number, fault } in &list {
        script += &format!("mutate -ctrl {SELECT} 16 {number} {fault}\n");
    }
    script += &format!("delete -port {names} w:{SELECT} %i\n");
    script += &format!("select {names}\nwrite_verilog -noattr -selected mutated.v\n");
    yosys(folder, "make", &script)?;
    let text = without_connections(&read(folder, "mutated.v")?).replace(
        &format!("  wire [15:0] {SELECT};\n"),
        &selection(&folder.canonicalize()?.join(SELECTED)),
    );
    Ok(Mutants { list, text })
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
fn selection(file: &Path) -> String {
    let file = file.display();
    format!(
        "  reg [15:0] {SELECT};\n  integer {SELECT}_file, {SELECT}_read;\n  initial begin\n    \
         {SELECT} = 16'd0;\n    {SELECT}_file = $fopen(\"{file}\", \"r\");\n    \
         {SELECT}_read = $fscanf({SELECT}_file, \"%d\", {SELECT});\n    \
         $fclose({SELECT}_file);\n  end\n"
    )
}

/// The numbers of those mutants that compute the same as the module for all inputs and all contents
/// of its registers, by proof.
///
/// # Errors
/// When Yosys fails.
pub fn equivalent(folder: &Path, modules: &[&str], mutants: &[Mutant]) -> Result<Vec<u32>> {
    if mutants.is_empty() {
        return Ok(Vec::new());
    }
    let mut script = prepare(modules) + "design -save prepared\n";
    for Mutant { number, fault } in mutants {
        let mut names = fault.split(' ').skip_while(|word| *word != "-module");
        let module = names.nth(1).context("a fault without a module")?;
        // Instances become ports, so that what is left is combinational.
        script += &format!(
            "copy {module} gold\nmutate {fault}\nrename {module} gate\n\
             expose -evert gold/c:* gate/c:*\nmiter -equiv gold gate miter\nflatten miter\n\
             opt_clean miter\ntee -o same{number}.txt sat -timeout 60 -prove trigger 0 miter\n\
             design -load prepared\n"
        );
    }
    yosys(folder, "same", &script)?;
    let mut same = Vec::new();
    for mutant in mutants {
        let proof = read(folder, &format!("same{}.txt", mutant.number))?;
        if proof.contains("no model found: SUCCESS!") {
            same.push(mutant.number);
        }
    }
    Ok(same)
}

/// The mutated modules of a part put in their places in another design.
pub fn substitute(design: &Design, player: &Design, mutants: &Mutants) -> Option<String> {
    design.with(player, &Design::new(&mutants.text))
}

fn yosys(folder: &Path, name: &str, script: &str) -> Result<()> {
    let file = format!("{name}.ys");
    fs::write(folder.join(&file), script).with_context(|| format!("{file} cannot be written"))?;
    run(YOSYS
        .command()?
        .args(["-q", "-s", &file])
        .current_dir(folder))?;
    Ok(())
}

fn read(folder: &Path, name: &str) -> Result<String> {
    let path = folder.join(name);
    fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_of_the_number_are_left_out() {
        let text = "  row _1_ (\n    .address(a),\n    .duoforge_mutant(m),\n    .data(d)\n  );\n";
        let end = "  row _2_ (\n    .data(d),\n    .duoforge_mutant(m)\n  );\n";
        assert_eq!(
            without_connections(&[text, end].concat()),
            "  row _1_ (\n    .address(a),\n    .data(d)\n  );\n  row _2_ (\n    .data(d)\n  );\n"
        );
    }

    /// A gate with one fault that changes it and one that does not.
    #[test]
    fn only_what_differs_is_no_equivalent() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let player = "module gate_unit(a, b, y);\n  input a, b;\n  output y;\n  reg r;\n  \
                      leaf leaf(.d(a & b), .q(q));\n  wire q;\n  assign y = (q | a) & (q | ~a);\n\
                      endmodule\nmodule leaf(d, q);\n  input d;\n  output q;\nendmodule\n";
        fs::write(folder.path().join("player.v"), player).expect("a file");
        let mutants = make(folder.path(), &["gate_unit"], 200, 1).expect("mutants");
        let same = equivalent(folder.path(), &["gate_unit"], &mutants.list).expect("proofs");
        // Stuck at what it is anyway: q | a as the other operand is 0 decides nothing.
        assert!(
            !same.is_empty() && same.len() < mutants.list.len(),
            "{same:?}"
        );
        let inverted = |mutant: &&Mutant| mutant.fault.contains("-mode inv");
        for mutant in mutants.list.iter().filter(inverted) {
            assert!(!same.contains(&mutant.number), "{mutant:?}");
        }
    }
}
