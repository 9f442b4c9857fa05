//! Which faults nobody can notice.

use std::fs;

use anyhow::Result;

use crate::design::Opened;
use crate::mutation::{self, DESIGN, Mutation};

/// Whether the module with the fault equals the module without it, in every state and for every
/// input: all its registers, and all modules inside it, are cut out and their ports compared. What
/// holds in states only that are never reached is not found here.
///
/// # Errors
/// As [`mutation::yosys`]; a difference is none.
pub fn is_equivalent(design: &Opened, fault: &Mutation) -> Result<bool> {
    let folder = design.emitted.with_extension("work");
    fs::create_dir_all(&folder)?;
    fs::copy(&design.emitted, folder.join(DESIGN))?;
    let module = fault.module();
    // Registers are modules too, so that what is left is combinational.
    let script = format!(
        "{read}copy {module} gold\ncopy {module} gate\n{fault}\nexpose -evert gold gate\n\
         miter -equiv -make_outputs gold gate miter\nflatten miter\n\
         sat -verify -prove trigger 0 miter\n",
        read = mutation::read(&design.top),
        fault = fault
            .command("")
            .replacen(&format!("-module {module} "), "-module gate ", 1),
    );
    match mutation::yosys(&folder, &script) {
        Ok(_) => Ok(true),
        Err(error) if format!("{error:#}").contains("Called with -verify and proof did fail!") => {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}
