//! Makes mutants with Yosys, and finds those that are none.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use duoforge_tools::{catalogue::YOSYS, run, run_within, tail};
use serde::Serialize;

use crate::verilog::Design;

/// The signal that selects a mutant; 0 is the module as it was.
const SELECT: &str = "duoforge_mutant";

/// The file that holds the number of the mutant, in the folder of the designs.
pub const SELECTED: &str = "mutant";

/// The file that holds the emitted design, by which faults name their places.
pub const DESIGN: &str = "player.v";

/// How long Yosys may look for the proof that a mutant computes the same. Nearly all proofs that are
/// found take seconds.
const LIMIT: Duration = Duration::from_secs(60);

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
    let selected = folder.canonicalize()?.join(SELECTED);
    let text = apply(folder, modules, &list, &selected)?;
    Ok(Mutants { list, text })
}

/// The modules, which [`DESIGN`] in the folder holds, with all faults in them; the one whose number
/// stands in the file `selected` is chosen.
///
/// # Errors
/// When Yosys fails, and when a fault does not fit the modules.
pub fn apply(folder: &Path, modules: &[&str], list: &[Mutant], selected: &Path) -> Result<String> {
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
    Ok(text.replace(&wire, &selection(selected)))
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

/// The numbers of those mutants that no test can notice: Yosys proves by induction that from power-up
/// on they compute the same as the module, whatever its inputs are and whatever the modules inside it
/// answer. Only registers are looked into. What neither of two ways proves within a
/// minute is not counted.
///
/// # Errors
/// When Yosys fails.
pub fn equivalent(folder: &Path, modules: &[&str], mutants: &[Mutant]) -> Result<Vec<u32>> {
    let prepared = prepare(modules)
        + "proc register_*\nsetattr -mod -set keep_hierarchy 1 *\n\
           setattr -mod -unset keep_hierarchy register_*\n";
    let left = Mutex::new(mutants.iter());
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let some = || -> Result<Vec<u32>> {
        let mut same = Vec::new();
        while let Some(mutant) = next() {
            if is_equivalent(folder, &prepared, mutant)? {
                same.push(mutant.number);
            }
        }
        Ok(same)
    };
    let jobs = thread::available_parallelism().map_or(1, Into::into);
    let parts = thread::scope(|scope| {
        let jobs: Vec<_> = (0..jobs).map(|_| scope.spawn(some)).collect();
        let ends = jobs.into_iter().map(|job| job.join().expect("no panic"));
        ends.collect::<Result<Vec<_>>>()
    })?;
    let mut same = parts.concat();
    same.sort_unstable();
    Ok(same)
}

fn is_equivalent(folder: &Path, prepared: &str, mutant: &Mutant) -> Result<bool> {
    // The second way finds that nobody looks at some bits of a cell's output, but loses the registers' names, by
    // which the first one goes on from clock to clock.
    let ways = [
        ("", "equiv_induct -undef both\n"),
        ("splitcells\nopt_clean -purge\nopt -full\n", ""),
    ];
    for way in ways {
        if is_proved(folder, prepared, mutant, way)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_proved(
    folder: &Path,
    prepared: &str,
    mutant: &Mutant,
    (before, after): (&str, &str),
) -> Result<bool> {
    let Mutant { number, fault } = mutant;
    let mut words = fault.split(' ').skip_while(|word| *word != "-module");
    let module = words.nth(1).context("a fault without a module")?;
    // What stays as it was at power-up is found to be constant by `opt`.
    let script = format!(
        "{prepared}copy {module} gold\nmutate {fault}\nrename {module} gate\nflatten gold gate\n\
         expose -evert gold/c:* gate/c:*\nselect gold gate\nopt -full\n{before}select -clear\n\
         equiv_make gold gate both\nequiv_simple -undef both\n{after}equiv_status both\n"
    );
    let name = format!("same{number}");
    let mut command = yosys_on(folder, &name, &script)?;
    let log = folder.join(format!("{name}.log"));
    let Some(status) = run_within(&mut command, &log, LIMIT)? else {
        return Ok(false);
    };
    let text = fs::read_to_string(&log).with_context(|| format!("reading {}", log.display()))?;
    ensure!(
        status.success(),
        "Yosys ended with {status}: {}",
        tail(&text, 2000)
    );
    Ok(text.contains("Equivalence successfully proven!"))
}

/// The mutated modules of a part put in their places in another design.
pub fn substitute(design: &Design, source: &Design, mutated: &str) -> Option<String> {
    design.with(source, &Design::new(mutated))
}

fn yosys(folder: &Path, name: &str, script: &str) -> Result<()> {
    run(yosys_on(folder, name, script)?.arg("-q"))?;
    Ok(())
}

/// Yosys about to run a script.
fn yosys_on(folder: &Path, name: &str, script: &str) -> Result<Command> {
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

    #[test]
    fn connections_of_the_number_are_left_out() {
        let text = "  row _1_ (\n    .address(a),\n    .duoforge_mutant(m),\n    .data(d)\n  );\n";
        let end = "  row _2_ (\n    .data(d),\n    .duoforge_mutant(m)\n  );\n";
        assert_eq!(
            without_connections(&[text, end].concat()),
            "  row _1_ (\n    .address(a),\n    .data(d)\n  );\n  row _2_ (\n    .data(d)\n  );\n"
        );
    }

    const UNIT: &str = "\
module unit(clock, a, b, y);
  input clock, a, b;
  output y;
  wire p, q, never;
  leaf leaf(.d(a & b), .q(q));
  register_1 held(.d(never & b), .q(never), .clock(clock));
  register_1 last(.d(q | never), .q(p), .clock(clock));
  assign y = p ^ a;
endmodule
module leaf(d, q);
  input d;
  output q;
  assign q = ~d;
endmodule
module register_1(d, q, clock);
  input d, clock;
  output reg q;
  initial q = 1'h0;
  always @(posedge clock) q <= d;
endmodule
";

    /// One register of the unit never changes: what is fed by it alone cannot be noticed.
    #[test]
    fn only_what_differs_is_no_equivalent() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join(DESIGN), UNIT).expect("a file");
        let mutant = |number, fault: &str| Mutant {
            number,
            fault: format!("{fault} -module unit"),
        };
        let mutants = [
            mutant(1, "-mode const0 -cell held -port q -portbit 0"),
            mutant(2, "-mode const0 -cell held -port d -portbit 0"),
            mutant(3, "-mode const1 -cell held -port q -portbit 0"),
            mutant(4, "-mode inv -cell leaf -port d -portbit 0"),
            mutant(5, "-mode const0 -cell last -port q -portbit 0"),
        ];
        let same = equivalent(folder.path(), &["unit"], &mutants).expect("proofs");
        assert_eq!(same, [1, 2]);
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
