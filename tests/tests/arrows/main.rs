//! Dependencies between the crates of the workspace: the direct ones that are allowed, and those
//! that no chain of crates may form.

mod arrow;
mod faults;
mod table;

use std::collections::BTreeSet;

use arrow::{Arrow, Kind, arrows_of_table, arrows_of_workspace};
use faults::faults;
use table::{ALLOWED, NEVER, OUTSIDE};

#[test]
fn crates_depend_only_on_those_below_them() {
    let arrows = arrows_of_workspace();
    let packages: BTreeSet<&str> = arrows.iter().map(|arrow| &*arrow.package).collect();
    assert!(packages.len() > 15, "{packages:?}");
    let faults = faults(&arrows);
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn the_table_obeys_the_rules() {
    assert_eq!(faults(&arrows_of_table()), [""; 0]);
    let known: BTreeSet<&str> = ALLOWED.iter().map(|&(name, _)| name).collect();
    assert_eq!(known.len(), ALLOWED.len());
    let in_rules = NEVER.iter().flat_map(|&(_, from, to)| [from, to]);
    let in_table = ALLOWED.iter().map(|&(_, to)| to);
    let in_outside = OUTSIDE.iter().flat_map(|&(_, normal, dev)| [normal, dev]);
    for list in in_rules.chain(in_table).chain(in_outside) {
        let unknown = list
            .split_whitespace()
            .find(|name| *name != "*" && !known.contains(name));
        assert_eq!(unknown, None);
    }
}

#[test]
fn every_rule_names_both_ends_of_a_forbidden_arrow() {
    let with = |package: &str, kind, dependency: &str| {
        let mut arrows = arrows_of_table();
        arrows.push(Arrow::new(package, kind, dependency));
        faults(&arrows)
    };
    let normal = |package: &str, dependency: &str| with(package, Kind::Normal, dependency);
    let dev = |package: &str, dependency: &str| with(package, Kind::Dev, dependency);
    let holds = |faults: &[String], text: &str| {
        let found = faults.iter().any(|fault| fault.starts_with(text));
        assert!(found, "{text}: {faults:?}");
    };
    for (package, dependency, fault) in [
        ("rating", "hdl", "rating -> hdl is not in the table"),
        ("new", "rules", "new -> rules is not in the table"),
        (
            "players",
            "sim",
            "rule 1: players -> sim, by players -> sim",
        ),
        // Over several crates.
        (
            "players",
            "sim",
            "rule 1: tournament -> hdl, by tournament ->",
        ),
        ("pictures", "targets", "rule 1: pictures -> targets"),
        ("referee", "twin", "rule 2: referee -> twin"),
        (
            "links",
            "gtp",
            "rule 2: referee -> gtp, by referee -> links -> gtp",
        ),
        ("conform", "players", "rule 2: conform -> players"),
        ("sim", "journal", "rule 3: sim -> journal"),
        ("mutants", "engine", "rule 3: mutants -> engine"),
        (
            "hdl",
            "links",
            "rule 3: prover -> links, by prover -> hdl -> links",
        ),
        ("protocol", "rules", "rule 4: protocol -> rules"),
        ("rules", "arbitrary", "rule 4: rules -> arbitrary"),
        ("records", "gtp", "rule 4: records -> gtp"),
        ("twin", "links", "rule 4: twin -> links"),
        ("twin", "engine", "rule 4: twin -> engine"),
        ("tests", "lab", "rule 4: tests -> lab"),
        ("arbitrary", "xtask", "rule 4: arbitrary -> xtask"),
    ] {
        let (package, dependency) = (
            format!("duoforge-{package}"),
            format!("duoforge-{dependency}"),
        );
        holds(&normal(&package, &dependency), fault);
    }
    holds(&normal("duoforge-lab", "duoforge"), "rule 4: lab -> cli");
    for (package, dependency, fault) in [
        (
            "duoforge-sim",
            "rust-hdl-core",
            "rule 5: sim -> rust-hdl-core",
        ),
        ("duoforge-tests", "rust-hdl", "rule 5: tests -> rust-hdl"),
        (
            "duoforge-protocol",
            "serialport",
            "rule 5: protocol -> serialport",
        ),
        (
            "duoforge-conform",
            "quick-junit",
            "rule 5: conform -> quick-junit",
        ),
    ] {
        assert_eq!(normal(package, dependency), [fault]);
    }
    assert_eq!(
        dev("duoforge-sim", "rust-hdl-core"),
        ["rule 5: sim -> rust-hdl-core"]
    );
    holds(
        &dev("duoforge-twin", "duoforge-hdl"),
        "rule 6: twin -> hdl (dev) leads up",
    );
    holds(
        &dev("duoforge-journal", "duoforge-targets"),
        "rule 6: journal -> targets (dev) leads to hdl, against rule 1",
    );
}

#[test]
fn what_the_rules_permit_is_no_fault() {
    for (package, kind, dependency) in [
        ("duoforge-hdl", Kind::Normal, "rust-hdl-core"),
        ("duoforge-tests", Kind::Dev, "rust-hdl-core"),
        ("duoforge-rules", Kind::Normal, "thiserror"),
        ("duoforge-protocol", Kind::Dev, "duoforge-arbitrary"),
        ("duoforge-rules", Kind::Dev, "duoforge-rules"),
        ("duoforge-referee", Kind::Dev, "duoforge-tests"),
        ("duoforge-conform", Kind::Dev, "duoforge-players"),
        ("duoforge", Kind::Dev, "duoforge-lab"),
        ("duoforge-mutants", Kind::Dev, "duoforge-targets"),
        ("duoforge-tests", Kind::Dev, "duoforge-lab"),
    ] {
        let mut arrows = arrows_of_table();
        arrows.push(Arrow::new(package, kind, dependency));
        assert_eq!(faults(&arrows), [""; 0], "{package} -> {dependency}");
    }
}
