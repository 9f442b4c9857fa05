//! Substitutes for emitted designs, used to measure whether the tests detect a changed design.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use duoforge_hdl::design::Design;

use crate::error::{Result, SimError};

/// Environment variable that names the directory of substitutes. A design with the fingerprint F is
/// replaced by `F.v` in that directory. If `F.v` is missing, the emitted Verilog is written to
/// `F.emitted.v` and used.
pub const VARIABLE: &str = "DUOFORGE_SUBSTITUTES";

/// Returns the design, or its substitute if the directory holds one.
pub(crate) fn substituted(design: Design) -> Result<Design> {
    match std::env::var_os(VARIABLE) {
        Some(directory) => substituted_from(Path::new(&directory), design),
        None => Ok(design),
    }
}

fn substituted_from(directory: &Path, design: Design) -> Result<Design> {
    let mut hasher = DefaultHasher::new();
    design.hash(&mut hasher);
    let fingerprint = format!("{}-{:016x}", design.top, hasher.finish());
    let substitute = directory.join(format!("{fingerprint}.v"));
    if substitute.is_file() {
        let verilog =
            fs::read_to_string(&substitute).map_err(SimError::io("reading", substitute))?;
        return Ok(Design { verilog, ..design });
    }
    let emitted = directory.join(format!("{fingerprint}.emitted.v"));
    fs::write(&emitted, &design.verilog).map_err(SimError::io("writing", emitted))?;
    Ok(design)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_substitute_stands_in_for_its_design_only() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let design = |verilog: &str| Design {
            top: "t".into(),
            verilog: verilog.into(),
            ports: Vec::new(),
        };
        let through = |verilog: &str| {
            let design = substituted_from(directory.path(), design(verilog));
            design.expect("it is read").verilog
        };
        assert_eq!(through("one"), "one");
        let files: Vec<_> = fs::read_dir(directory.path())
            .expect("the directory")
            .map(|entry| entry.expect("a file").path())
            .collect();
        let [emitted] = &files[..] else {
            panic!("{files:?}");
        };
        assert_eq!(fs::read_to_string(emitted).expect("a file"), "one");
        let name = emitted
            .to_str()
            .expect("a name")
            .replace(".emitted.v", ".v");
        fs::write(name, "changed").expect("it is written");
        assert_eq!(through("one"), "changed");
        assert_eq!(through("two"), "two");
    }
}
