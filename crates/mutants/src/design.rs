//! One text with all faults of a module in it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::mutation::{self, DESIGN, Mutation};

/// Bits of the number that chooses a fault; 0 is the design as it was emitted.
const WIDTH: u32 = 16;

/// A design that the tests opened.
#[derive(Debug, Clone)]
pub struct Opened {
    /// Its emitted Verilog.
    pub emitted: PathBuf,
    /// Name of its top module.
    pub top: String,
}

impl Opened {
    /// Whether one of the modules is in it.
    pub fn has(&self, modules: &[&str]) -> Result<bool> {
        let text = fs::read_to_string(&self.emitted)?;
        Ok(modules
            .iter()
            .any(|module| text.contains(&format!("module {module}("))))
    }
}

/// The designs that the tests have left in a folder of substitutes, in the order of their names.
///
/// # Errors
/// When the folder cannot be read.
pub fn opened(folder: &Path) -> Result<Vec<Opened>> {
    let mut designs = Vec::new();
    for entry in fs::read_dir(folder)? {
        let emitted = entry?.path();
        let name = emitted.file_name().unwrap_or_default().to_string_lossy();
        let Some(fingerprint) = name.strip_suffix(".emitted.v") else {
            continue;
        };
        let (top, _) = fingerprint
            .rsplit_once('-')
            .context("a design without a fingerprint")?;
        designs.push(Opened {
            top: top.to_owned(),
            emitted,
        });
    }
    designs.sort_by(|a, b| a.emitted.cmp(&b.emitted));
    Ok(designs)
}

/// Writes the substitute of a design: its modules with all faults, chosen by the number in the
/// file `chooser`.
///
/// # Errors
/// As [`mutation::yosys`], and when a fault does not fit the design.
pub fn write_substitute(design: &Opened, faults: &[Mutation], chooser: &Path) -> Result<()> {
    let folder = design.emitted.with_extension("work");
    fs::create_dir_all(&folder)?;
    let emitted = fs::read_to_string(&design.emitted)?;
    fs::write(folder.join(DESIGN), &emitted)?;
    let mut modules: Vec<&str> = faults.iter().map(Mutation::module).collect();
    modules.sort_unstable();
    modules.dedup();
    let mut script = mutation::read(&design.top);
    for (i, fault) in faults.iter().enumerate() {
        let number = i + 1;
        script += &fault.command(&format!("-ctrl mutant {WIDTH} {number}"));
        script += "\n";
    }
    for module in &modules {
        script += &format!("select {module}\nwrite_verilog -noattr -selected {module}.mutants.v\n");
    }
    mutation::yosys(&folder, &script)?;
    let mut text = emitted;
    for module in modules {
        let broken = fs::read_to_string(folder.join(format!("{module}.mutants.v")))?;
        text = exchange(&text, module, &with_chooser(&broken, chooser)?)?;
    }
    let substitute = design.emitted.to_string_lossy().replace(".emitted.v", ".v");
    Ok(fs::write(substitute, text)?)
}

/// The text with another module in the place of that name.
fn exchange(text: &str, module: &str, other: &str) -> Result<String> {
    let start = text
        .find(&format!("module {module}("))
        .with_context(|| format!("the design has no module {module}"))?;
    let length = text[start..]
        .find("\nendmodule")
        .context("a module without an end")?;
    let end = start + length + "\nendmodule".len();
    Ok(format!(
        "{}{}{}",
        &text[..start],
        other.trim(),
        &text[end..]
    ))
}

/// The module with its input `mutant` read from a file when the model starts.
fn with_chooser(module: &str, chooser: &Path) -> Result<String> {
    let start = module.find("module ").context("Yosys wrote no module")?;
    let (header, body) = module[start..]
        .split_once(");")
        .context("a module without ports")?;
    let ports = header
        .strip_suffix(", mutant")
        .or_else(|| header.strip_suffix("mutant"));
    let ports = ports.context("the chooser is not the last port")?;
    let input = format!("  input [{}:0] mutant;\n", WIDTH - 1);
    ensure!(body.contains(&input), "the chooser is no input");
    let file = chooser.display();
    let memory = format!(
        "  reg [{0}:0] chosen [0:0];\n  initial $readmemh(\"{file}\", chosen);\n",
        WIDTH - 1
    );
    let body = body.replace(&input, &memory);
    let wire = format!("  wire [{}:0] mutant;\n", WIDTH - 1);
    ensure!(body.contains(&wire), "the chooser is no wire");
    let assigned = format!("{wire}  assign mutant = chosen[0];\n");
    Ok(format!("{ports});{}", body.replace(&wire, &assigned)))
}

/// Chooses a fault, or none by 0.
///
/// # Errors
/// When the file cannot be written.
pub fn choose(chooser: &Path, number: usize) -> Result<()> {
    Ok(fs::write(chooser, format!("{number:x}\n"))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chooser_is_read_from_a_file() {
        let module = "/* Generated */\nmodule m(a, mutant);\n  input a;\n  input [15:0] mutant;\n  \
                      wire [15:0] mutant;\nendmodule\n";
        let changed = with_chooser(module, Path::new("/x/y.hex")).expect("it fits");
        assert_eq!(
            changed,
            "module m(a);\n  input a;\n  reg [15:0] chosen [0:0];\n  initial \
             $readmemh(\"/x/y.hex\", chosen);\n  wire [15:0] mutant;\n  assign mutant = \
             chosen[0];\nendmodule\n"
        );
        assert!(with_chooser("module m(a);\nendmodule\n", Path::new("/x")).is_err());
    }

    #[test]
    fn one_module_is_exchanged() {
        let text =
            "module a(x);\nendmodule\nmodule b(x);\n  old\nendmodule\nmodule c();\nendmodule";
        let changed = exchange(text, "b", "new\n").expect("it is there");
        assert_eq!(
            changed,
            "module a(x);\nendmodule\nnew\nmodule c();\nendmodule"
        );
        assert!(exchange(text, "d", "").is_err());
    }
}
