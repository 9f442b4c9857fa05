//! Verilog of a property: emitted, generated and handwritten.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::proof::{Mutant, Proof, ProofError};
use crate::{blocks, generated, packed};

/// Verilog file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Name of the file.
    pub name: String,
    /// Text of the file.
    pub text: String,
}

/// Returns all files of a property's proof, with the design as emitted.
///
/// # Errors
/// [`ProofError`] if a block, a generated file or a source does not exist.
pub fn sources(proof: &Proof) -> Result<Vec<Source>, ProofError> {
    let mut sources = Vec::new();
    for block in &proof.blocks {
        let modules = blocks::modules(block).ok_or_else(|| {
            let known: Vec<_> = blocks::names().collect();
            let known = known.join(", ");
            proof.content_error(format!("no block is called '{block}'; there are {known}"))
        })?;
        let modules = modules.map_err(|error| proof.content_error(error.to_string()))?;
        sources.extend(modules.into_iter().map(|module| Source {
            name: format!("{}.v", module.name),
            text: module.text,
        }));
    }
    inside(proof, &mut sources)?;
    for name in &proof.generated {
        let text = generated::text(name)
            .or_else(|| packed::text(name))
            .ok_or_else(|| proof.content_error(format!("no generated file is called '{name}'")))?;
        sources.push(Source {
            name: format!("{name}.sv"),
            text,
        });
    }
    for name in &proof.sources {
        let path = proof.directory.join(name);
        let text = fs::read_to_string(&path).map_err(|source| ProofError::Io { path, source })?;
        // One that several properties read lies in the directory of the first.
        let name = Path::new(name).file_name().unwrap_or(name.as_ref());
        sources.push(Source {
            name: name.to_string_lossy().into_owned(),
            text,
        });
    }
    Ok(sources)
}

/// Removes the modules that occur only inside opaque modules.
fn inside(proof: &Proof, sources: &mut Vec<Source>) -> Result<(), ProofError> {
    if proof.opaque.is_empty() {
        return Ok(());
    }
    let name = |source: &Source| source.name.trim_end_matches(".v").to_owned();
    let all: BTreeMap<_, _> = (sources.iter())
        .map(|source| (name(source), source.text.clone()))
        .collect();
    if let Some(opaque) = proof.opaque.iter().find(|name| !all.contains_key(*name)) {
        return Err(proof.content_error(format!("no module is called '{opaque}'")));
    }
    let mut wanted = proof.blocks.clone();
    let mut next = 0;
    while let Some(module) = wanted.get(next).cloned() {
        next += 1;
        if !proof.opaque.contains(&module) {
            let kinds = (all[&module].lines()).filter_map(|line| line.split_whitespace().next());
            let found = kinds.filter(|kind| all.contains_key(*kind));
            let new: BTreeSet<_> = found.map(str::to_owned).collect();
            wanted.extend(
                new.into_iter()
                    .filter(|name| !wanted.contains(name))
                    .collect::<Vec<_>>(),
            );
        }
    }
    sources.retain(|source| wanted.contains(&name(source)));
    Ok(())
}

/// Returns the files with the change of a mutant.
///
/// # Errors
/// [`ProofError`] if the module does not exist, the text does not occur exactly once in it, or the
/// replacement is equal to it.
pub fn mutated(
    proof: &Proof,
    sources: &[Source],
    mutant: &Mutant,
) -> Result<Vec<Source>, ProofError> {
    let fault = |what: String| proof.content_error(format!("mutant '{}': {what}", mutant.why));
    let file = format!("{}.v", mutant.module);
    let mut sources = sources.to_vec();
    let source = sources
        .iter_mut()
        .find(|source| source.name == file)
        .ok_or_else(|| fault(format!("no module is called '{}'", mutant.module)))?;
    match source.text.matches(&mutant.find).count() {
        1 if mutant.find != mutant.replace => {}
        1 => return Err(fault("it changes nothing".into())),
        count => {
            let (find, module) = (&mutant.find, &mutant.module);
            return Err(fault(format!("'{find}' occurs {count} times in {module}")));
        }
    }
    source.text = source.text.replacen(&mutant.find, &mutant.replace, 1);
    Ok(sources)
}

/// Writes the files to a directory.
///
/// # Errors
/// [`ProofError::Io`] if a file cannot be written.
pub fn write(sources: &[Source], directory: &Path) -> Result<(), ProofError> {
    for source in sources {
        let path = directory.join(&source.name);
        fs::write(&path, &source.text).map_err(|source| ProofError::Io { path, source })?;
    }
    Ok(())
}
