//! Figures in documents: measured by commands, stored as data, and written into the documents.
//!
//! `docs/figures.json` holds the measured figures with the command, the date and the commit of each
//! measurement. Other figures are derived from these, from the targets' report, from the proofs and
//! from sources (`derived`). In a document, a figure is enclosed in the markers `<!--fig:NAME-->`
//! and `<!--/fig-->` (`documents`). Numbers with a unit outside the markers must be in a list of
//! constants (`loose`).

mod data;
mod derived;
mod documents;
#[cfg(test)]
mod loose;
mod measure;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use data::Figures;

/// Documents that contain figures.
pub const DOCUMENTS: [&str; 11] = [
    "README.md",
    "ARCHITECTURE.md",
    "docs/formats.md",
    "docs/guide.md",
    "docs/hardware.md",
    "docs/measuring.md",
    "docs/performance.md",
    "docs/protocol.md",
    "docs/search.md",
    "docs/service.md",
    "docs/verification.md",
];

/// Measures the figures that take minutes, and writes the data and the documents.
///
/// # Errors
/// If a command fails, a document names an unknown figure, or a file cannot be written.
pub fn run(root: &Path, options: &[&str]) -> Result<()> {
    let mut only = Vec::new();
    let mut measured = true;
    let mut rest = options;
    while let [option, tail @ ..] = rest {
        rest = match (*option, tail) {
            ("--only", [name, tail @ ..]) => {
                only.push(*name);
                tail
            }
            ("--pages", tail) => {
                measured = false;
                tail
            }
            ("--list", []) => return list(root),
            (other, _) => bail!("`figures` takes --only FIGURE, --pages and --list, not '{other}'"),
        };
    }
    if measured {
        measure::run(root, &only)?;
    }
    write(root)
}

/// Prints every figure of the data with its command.
fn list(root: &Path) -> Result<()> {
    for (name, figure) in &Figures::load(root)?.0 {
        let (date, command) = (&figure.date, &figure.command);
        let by_hand = if figure.by_hand { ", by hand" } else { "" };
        println!("{name}: {}\n    {command} ({date}{by_hand})", figure.about);
    }
    Ok(())
}

/// Writes all figures into the documents.
fn write(root: &Path) -> Result<()> {
    let texts = texts(root)?;
    for name in DOCUMENTS {
        let path = root.join(name);
        let old = read(&path)?;
        let new = documents::filled(&old, &texts).with_context(|| name.to_owned())?;
        if new != old {
            fs::write(&path, new).with_context(|| format!("{name} could not be written"))?;
            println!("{name}: written");
        }
    }
    Ok(())
}

/// Returns all figures by name, as documents show them.
fn texts(root: &Path) -> Result<BTreeMap<String, String>> {
    let figures = Figures::load(root)?;
    let mut texts = figures.texts();
    for (name, text) in derived::texts(root, &figures)? {
        ensure!(
            texts.insert(name.clone(), text).is_none(),
            "the figure {name} is both measured and derived"
        );
    }
    Ok(texts)
}

/// Returns the names of all figures of a document, for tests of other tables.
#[cfg(test)]
pub fn names_of(document: &str) -> Vec<String> {
    documents::names(document).expect("sound markers")
}

/// Returns the group of a figure: its name up to the last dot.
#[cfg(test)]
pub fn group(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(group, _)| group)
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{} could not be read", path.display()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    use super::*;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    #[test]
    fn documents_state_the_figures_of_the_data() {
        let texts = texts(&root()).unwrap();
        for name in DOCUMENTS {
            let document = read(&root().join(name)).unwrap();
            let expected = documents::filled(&document, &texts).unwrap();
            let lines = document.lines().zip(expected.lines());
            let differing: Vec<_> = lines.filter(|(old, new)| old != new).collect();
            assert!(
                document == expected,
                "`cargo xtask figures --pages` writes {name} anew: {differing:#?}"
            );
        }
    }

    #[test]
    fn every_measured_figure_is_stated_somewhere() {
        let stated: BTreeSet<String> = DOCUMENTS
            .iter()
            .map(|name| read(&root().join(name)).unwrap())
            .flat_map(|text| documents::names(&text).unwrap())
            .map(|name| name.split('.').next().unwrap().to_owned())
            .collect();
        let figures = Figures::load(&root()).unwrap();
        let unused: Vec<_> = figures
            .0
            .keys()
            .filter(|name| !stated.contains(*name))
            .collect();
        assert!(unused.is_empty(), "no document states {unused:?}");
    }

    #[test]
    fn every_figure_names_command_date_and_commit() {
        for (name, figure) in &Figures::load(&root()).unwrap().0 {
            assert!(!figure.about.is_empty(), "{name}");
            assert!(!figure.command.is_empty(), "{name}");
            assert_eq!(figure.date.split('-').count(), 3, "{name}");
            assert!(
                figure.commit.len() >= 7 && figure.commit.chars().all(|it| it.is_ascii_hexdigit()),
                "{name}"
            );
            assert!(!figure.values.is_empty(), "{name}");
            let measured = measure::NAMES.contains(&name.as_str());
            assert_eq!(measured, !figure.by_hand, "{name}");
        }
    }

    #[test]
    fn numbers_with_a_unit_are_marked_or_constants() {
        let mut loose = Vec::new();
        for name in loose::DOCUMENTS {
            let document = read(&root().join(name)).unwrap();
            let found = loose::find(name, &document).into_iter();
            loose.extend(found.map(|phrase| format!("{name}: {phrase}")));
        }
        assert_eq!(loose, [""; 0], "mark these, or add constants");
    }
}
