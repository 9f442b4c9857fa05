//! Equivalence proofs: finds mutants that no test can kill.
//!
//! There are two proofs per mutant:
//!
//! 1. The module is equivalent from power-up on, for all its inputs and all outputs of the modules
//!    inside it. Yosys proves that by induction. Where it fails, ABC, which comes with Yosys, tries
//!    the same: it merges equal nodes and searches for an invariant.
//! 2. An enclosing block is equivalent from power-up on, for all inputs of the block. There an
//!    input of the module may be constant, or two values may never occur together. ABC tries each
//!    block of the part.
//!
//! In both proofs memories may return any value. In the second one the large modules that a block
//! leaves out may do so too, and their inputs are compared.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use duoforge_tools::{run_within, tail};

use crate::mutate::{DESIGN, Mutant, prepare, yosys_on};
use crate::work::fresh;

/// Time limit of Yosys for the proof of a module. Nearly all proofs that succeed take seconds.
const ALONE: Duration = Duration::from_secs(20);

/// Total time limit for the proof of a block.
const IN_CONTEXT: Duration = Duration::from_secs(90);

/// Time limit of ABC for the search for an invariant, in seconds.
const INVARIANT: u32 = 30;

/// Inputs of the equivalence proofs.
#[derive(Debug, Clone, Copy)]
pub struct Question<'q> {
    /// Directory with the design of the mutants.
    pub directory: &'q Path,
    /// Mutated modules.
    pub modules: &'q [&'q str],
    /// All modules of the design.
    pub names: &'q [&'q str],
    /// Blocks for the second proof, tried in turn.
    pub blocks: &'q [Block<'q>],
}

/// Block for an equivalence proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block<'q> {
    /// Enclosing module, or the mutated module itself.
    pub module: &'q str,
    /// Modules that stay black boxes: memories, and large modules that the block leaves out.
    pub closed: Vec<&'q str>,
}

/// Result of the proofs for a surviving mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The module is proved equivalent.
    Alone,
    /// The enclosing block is proved equivalent.
    InContext,
    /// Neither is proved.
    Open,
}

impl Question<'_> {
    /// Runs the proofs for a mutant.
    ///
    /// # Errors
    /// If Yosys fails.
    pub fn ask(&self, mutant: &Mutant) -> Result<Answer> {
        if self.alone(mutant)? || self.in_block(mutant, &self.itself(mutant)?)? {
            return Ok(Answer::Alone);
        }
        if self.in_context(mutant)? {
            return Ok(Answer::InContext);
        }
        Ok(Answer::Open)
    }

    /// Returns true if the module is proved equivalent. Of the modules inside it, only registers
    /// are flattened.
    fn alone(&self, mutant: &Mutant) -> Result<bool> {
        let prepared = prepare(self.modules)
            + "proc register_*\nsetattr -mod -set keep_hierarchy 1 *\n\
               setattr -mod -unset keep_hierarchy register_*\n";
        // The second way finds unused bits of a cell's output, but loses the registers' names,
        // which the first way needs for induction.
        let ways = [
            ("", "equiv_induct -undef both\n"),
            ("splitcells\nopt_clean -purge\nopt -full\n", ""),
        ];
        for way in ways {
            if self.is_proved(&prepared, mutant, way)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_proved(
        &self,
        prepared: &str,
        mutant: &Mutant,
        (before, after): (&str, &str),
    ) -> Result<bool> {
        let Mutant { number, fault } = mutant;
        let module = module_of(mutant)?;
        // `opt` detects registers that keep their power-up value as constant.
        let script = format!(
            "{prepared}copy {module} gold\nmutate {fault}\nrename {module} gate\nflatten gold gate\n\
             expose -evert gold/c:* gate/c:*\nselect gold gate\nopt -full\n{before}select -clear\n\
             equiv_make gold gate both\nequiv_simple -undef both\n{after}equiv_status both\n"
        );
        let name = format!("same{number}");
        let mut command = yosys_on(self.directory, &name, &script)?;
        let log = self.directory.join(format!("{name}.log"));
        let Some(status) = run_within(&mut command, &log, ALONE)? else {
            return Ok(false);
        };
        let text =
            fs::read_to_string(&log).with_context(|| format!("reading {}", log.display()))?;
        ensure!(
            status.success(),
            "Yosys ended with {status}: {}",
            tail(&text, 2000)
        );
        Ok(text.contains("Equivalence successfully proven!"))
    }

    /// Returns the mutated module as a block: of the modules inside it, only registers are part of
    /// it.
    fn itself<'m>(&'m self, mutant: &'m Mutant) -> Result<Block<'m>> {
        let module = module_of(mutant)?;
        let names = self.names.iter().copied();
        let closed = names.filter(|name| *name != module && !name.starts_with("register_"));
        Ok(Block {
            module,
            closed: closed.collect(),
        })
    }

    /// Returns true if an enclosing block is proved equivalent.
    fn in_context(&self, mutant: &Mutant) -> Result<bool> {
        for block in self.blocks {
            if self.in_block(mutant, block)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns true if a block is proved equivalent.
    fn in_block(&self, mutant: &Mutant, block: &Block<'_>) -> Result<bool> {
        let directory = fresh(&self.directory.join(format!("around{}", mutant.number)))?;
        fs::copy(self.directory.join(DESIGN), directory.join(DESIGN))?;
        let mut command = yosys_on(&directory, "around", &self.script(mutant, block))?;
        let log = directory.join("around.log");
        // The exit status of Yosys is ignored: only the files that ABC leaves count.
        if run_within(&mut command, &log, IN_CONTEXT)?.is_none() {
            return Ok(false);
        }
        if !directory.join(REDUCED).is_file() {
            let text = fs::read_to_string(&log)?;
            ensure!(
                directory.join(MITER).is_file(),
                "Yosys makes nothing to compare: {}",
                tail(&text, 2000)
            );
            return Ok(false);
        }
        let reduced = fs::read(directory.join(REDUCED))?;
        let status = fs::read_to_string(directory.join(STATUS)).unwrap_or_default();
        let proved = is_never(&reduced) || status.starts_with("snl_UNSAT");
        fs::remove_dir_all(&directory)?;
        Ok(proved)
    }

    fn script(&self, mutant: &Mutant, block: &Block<'_>) -> String {
        let Block { module, closed } = block;
        let mut prepared = prepare(self.modules) + "proc -norom\n";
        if !closed.is_empty() {
            let names = closed.join(" ");
            prepared += &format!("setattr -mod -set keep_hierarchy 1 {names}\n");
        }
        let stashed = |name: &str| {
            format!(
                "hierarchy -top {module}\nflatten\nexpose -evert {module}/c:*\n\
                 rename {module} {name}\ndesign -stash {name}\n"
            )
        };
        let small = "opt_expr\nopt_merge\nopt_clean\n";
        format!(
            "{prepared}design -save base\n{}design -load base\nmutate {}\n{}\
             design -copy-from gold -as gold gold\ndesign -copy-from gate -as gate gate\n\
             miter -equiv -flatten gold gate miter\ndelete gold gate\n{small}techmap\n{small}\
             async2sync\nsetundef -undriven -zero\nsimplemap\naigmap\nopt_clean\n\
             write_aiger -zinit {MITER}\ndesign -reset\nread_verilog <<END\n\
             module any(input a, b, output y); assign y = a & b; endmodule\nEND\nsimplemap\n\
             abc -script +read_aiger,{MITER};scorr;write_aiger,{REDUCED};pdr,-T,{INVARIANT};\
             write_status,{STATUS}\n",
            stashed("gold"),
            mutant.fault,
            stashed("gate"),
        )
    }
}

/// Returns the module that a mutation changes.
fn module_of(mutant: &Mutant) -> Result<&str> {
    let words = mutant.fault.split(' ');
    let mut words = words.skip_while(|word| *word != "-module");
    words.nth(1).context("a fault without a module")
}

/// Both blocks with a comparison of their outputs, as input of ABC.
const MITER: &str = "miter.aig";

/// Miter with equal nodes merged.
const REDUCED: &str = "reduced.aig";

/// Status that ABC reports.
const STATUS: &str = "status.txt";

/// Returns true if the only output of a binary AIGER file without registers is constant 0.
fn is_never(aiger: &[u8]) -> bool {
    let mut lines = aiger.split(|&byte| byte == b'\n');
    let head = lines.next().and_then(|line| std::str::from_utf8(line).ok());
    let numbers: Vec<_> = head.unwrap_or_default().split(' ').collect();
    matches!(numbers[..], ["aig", _, _, "0", "1", "0", ..]) && lines.next() == Some(b"0")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) const UNIT: &str = "\
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

    fn whole(module: &str) -> Block<'_> {
        Block {
            module,
            closed: Vec::new(),
        }
    }

    #[test]
    fn only_a_constant_0_never_differs() {
        assert!(is_never(b"aig 69 69 0 1 0\n0\nc\n"));
        assert!(!is_never(b"aig 69 69 0 1 0\n1\nc\n"));
        assert!(!is_never(b"aig 69 69 0 1 0\n138\n"));
        assert!(!is_never(b"aig 70 69 1 1 0\n0\n0\n"));
        assert!(!is_never(b""));
    }

    /// The unit never drives a 1 into the leaf, so the leaf's behaviour for a 1 is unobservable
    /// there.
    #[test]
    fn the_block_around_a_module_knows_more_than_the_module() {
        const AROUND: &str = "\
module unit(clock, a, y);
  input clock, a;
  output y;
  wire [2:0] d, q;
  leaf leaf(.a(a), .high(q == 3'd5), .y(y));
  register_3 count(.d(d), .q(q), .clock(clock));
  assign d = q == 3'd2 ? 3'd0 : q + 3'd1;
endmodule
module leaf(a, high, y);
  input a, high;
  output y;
  assign y = a | high;
endmodule
module register_3(d, q, clock);
  input [2:0] d;
  input clock;
  output reg [2:0] q;
  initial q = 3'h0;
  always @(posedge clock) q <= d;
endmodule
";
        let directory = tempfile::tempdir().expect("a temporary directory");
        fs::write(directory.path().join(DESIGN), AROUND).expect("a file");
        let question = Question {
            directory: directory.path(),
            modules: &["leaf"],
            names: &["unit", "leaf", "register_3"],
            blocks: &[whole("unit")],
        };
        let made = crate::mutate::make(directory.path(), &["leaf"], 12, 1).expect("mutants");
        let simple = |it: &&Mutant| {
            let fault = &it.fault;
            fault.contains("-port B") && !fault.contains("-mode cnot")
        };
        let answers = made.list.iter().filter(simple);
        let answers: Vec<_> = answers
            .map(|it| (it, question.ask(it).expect("it is asked")))
            .collect();
        assert!(answers.len() > 1, "{:?}", made.list);
        for (mutant, answer) in answers {
            // `high` is always 0, so stuck at 0 is equivalent.
            let expected = if mutant.fault.contains("-mode const0") {
                Answer::InContext
            } else {
                Answer::Open
            };
            assert_eq!(answer, expected, "{mutant:?}");
        }
    }

    /// One register of the unit never changes, so logic that only it feeds is unobservable.
    #[test]
    fn only_what_differs_is_no_equivalent() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        fs::write(directory.path().join(DESIGN), UNIT).expect("a file");
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
        let question = Question {
            directory: directory.path(),
            modules: &["unit"],
            names: &["unit", "leaf", "register_1"],
            blocks: &[whole("unit")],
        };
        let alone: Vec<_> = mutants
            .iter()
            .filter(|mutant| question.alone(mutant).expect("it is asked"))
            .map(|mutant| mutant.number)
            .collect();
        assert_eq!(alone, [1, 2]);
        // ABC proves the same mutants of the unit with its leaf, and no others.
        let inside: Vec<_> = mutants
            .iter()
            .filter(|mutant| question.in_context(mutant).expect("it is asked"))
            .map(|mutant| mutant.number)
            .collect();
        assert_eq!(inside, [1, 2]);
        // So does ABC without the leaf.
        let itself: Vec<_> = mutants
            .iter()
            .filter(|mutant| {
                let block = question.itself(mutant).expect("a module");
                assert_eq!(block.closed, ["leaf"]);
                question.in_block(mutant, &block).expect("it is asked")
            })
            .map(|mutant| mutant.number)
            .collect();
        assert_eq!(itself, [1, 2]);
    }
}
