//! Check of the quick properties of `hdl/formal`, and of the page `docs/proofs.md`.

mod common;

use duoforge_prover::{Proof, PropertyResult, check, design, report};

#[test]
fn quick_properties_are_proved_and_their_first_mutants_refuted() {
    let quick = Proof::quick(&common::root()).expect("every proof file can be read");
    assert!(!quick.is_empty());
    let directory = tempfile::tempdir().expect("a temporary directory");
    let print = |checked: &PropertyResult| print!("{}", report::text(checked));
    let checked = check(&quick, 2, directory.path(), print).expect("what they ask for exists");
    let bad: Vec<_> = checked.iter().filter(|c| !c.is_good()).collect();
    let text: String = bad.into_iter().map(report::text).collect();
    assert!(text.is_empty(), "\n{text}");
    println!("{}", report::summary(&checked));
}

/// A mutant names the text that it replaces, which a change of the design may remove.
#[test]
fn every_mutant_of_every_property_applies_to_the_verilog_of_today() {
    for proof in Proof::all(&common::root()).expect("every proof file can be read") {
        assert!(!proof.mutants.is_empty(), "{}", proof.name);
        let sources = design::sources(&proof).unwrap_or_else(|error| panic!("{error}"));
        for mutant in &proof.mutants {
            let mutated = design::mutated(&proof, &sources, mutant);
            assert!(mutated.is_ok(), "{}: {}", proof.name, mutant.why);
        }
    }
}

#[test]
fn the_page_tells_of_every_property_and_of_none_that_failed() {
    let root = common::root();
    let page = std::fs::read_to_string(root.join("../../docs/proofs.md")).expect("docs/proofs.md");
    let all = Proof::all(&root).expect("every proof file can be read");
    for proof in &all {
        let mutants = proof.mutants.len();
        let quick = if proof.quick { "quick" } else { "" };
        let row = page.lines().find(|line| {
            line.starts_with(&format!("| [{}](", proof.name))
                && line.contains("| proved |")
                && line.contains(&format!("| {mutants} of {mutants} |"))
                && line.ends_with(&format!("| {} | {quick} |", proof.bound.trim()))
        });
        assert!(
            row.is_some(),
            "run `cargo xtask proofs --write`: {}",
            proof.name
        );
        assert!(
            page.contains(proof.about.trim().trim_end_matches('.')),
            "{}",
            proof.name
        );
    }
    assert_eq!(page.matches("](../hdl/formal/").count(), all.len());
}
