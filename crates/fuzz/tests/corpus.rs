//! Seed inputs of the fuzz targets.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use duoforge_fuzz::TARGETS;

/// Maximum length of an input, as in `crates/xtask/src/fuzz/guided.rs`.
const LONGEST: usize = 4096;

fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Returns the names of the files or directories in a directory.
fn names(path: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let names = entries.map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).collect()
}

#[test]
fn every_seed_input_passes_and_every_target_accepts_and_refuses_some() {
    for (target, check) in TARGETS {
        let corpus = directory("corpus").join(target);
        let (mut good, mut bad) = (0, 0);
        for name in names(&corpus) {
            let bytes = fs::read(corpus.join(&name)).unwrap();
            assert!(bytes.len() <= LONGEST, "{target}, {name}");
            println!("{target}, {name}");
            *(if check(&bytes) { &mut good } else { &mut bad }) += 1;
        }
        assert!(good > 1 && bad > 0, "{target}: {good} valid, {bad} invalid");
    }
}

#[test]
fn every_target_has_a_program_and_seed_inputs() {
    let targets: BTreeSet<String> = TARGETS.iter().map(|&(name, _)| name.to_owned()).collect();
    assert_eq!(targets.len(), TARGETS.len());
    assert_eq!(names(&directory("corpus")), targets);
    let programs = names(&directory("src/bin"));
    let expected = targets.iter().map(|name| format!("{name}.rs"));
    assert_eq!(programs, expected.collect());
    let manifest = fs::read_to_string(directory("Cargo.toml")).unwrap();
    for name in &targets {
        let section = format!(
            "[[bin]]\nname = \"{name}\"\npath = \"src/bin/{name}.rs\"\n\
             required-features = [\"guided\"]\ntest = false\ndoc = false\n"
        );
        assert!(manifest.contains(&section), "{name}");
        let source = fs::read_to_string(directory("src/bin").join(format!("{name}.rs"))).unwrap();
        let call = format!("duoforge_fuzz::{}(input)", name.replace('-', "_"));
        assert!(source.contains(&call), "{name}");
    }
}
