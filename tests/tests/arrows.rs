//! Dependencies between the crates of the workspace: the direct ones that are allowed, and those
//! that no chain of crates may form.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// Allowed dependencies of each crate on crates of the workspace, without the prefix `duoforge-`;
/// the program is `cli`. The table does not limit dev-dependencies: rule 6 does.
const ALLOWED: &[(&str, &str)] = &[
    ("rules", ""),
    ("protocol", ""),
    ("process", ""),
    ("journal", ""),
    ("rating", ""),
    ("arbitrary", ""),
    ("shards", ""),
    ("twin", "rules protocol"),
    ("engine", "rules twin"),
    ("maxn", "rules twin"),
    ("gtp", "rules process"),
    ("records", "rules"),
    ("pictures", "rules"),
    ("view", "rules"),
    ("page", "rules view"),
    ("bots", "rules process view"),
    ("links", "protocol process"),
    ("tools", "process"),
    ("referee", "rules protocol links"),
    ("conform", "rules protocol process view twin links referee"),
    (
        "players",
        "rules protocol links twin engine maxn gtp bots referee",
    ),
    ("lab", "rules twin gtp records rating players shards maxn"),
    (
        "tournament",
        "rules protocol journal rating pictures page twin referee players",
    ),
    (
        "web",
        "rules protocol view journal records pictures page links twin engine maxn referee conform \
         players tournament",
    ),
    ("hdl", "rules protocol twin"),
    ("sim", "rules protocol twin hdl links process tools"),
    ("targets", "protocol hdl tools"),
    ("prover", "rules twin hdl tools"),
    ("mutants", "tools"),
    ("python", "rules view records pictures twin engine maxn"),
    ("xtask", "tools shards"),
    ("tests", "rules"),
    ("benches", ""),
    (
        "cli",
        "rules protocol process journal rating twin engine gtp records pictures links tools \
         view page bots referee conform players tournament web hdl sim targets shards",
    ),
];

/// Forbidden dependencies over any number of crates, rules 1 to 4: rule, dependent crates,
/// dependencies. `*` stands for every crate.
const NEVER: &[(u8, &str, &str)] = &[
    (
        1,
        "referee players conform tournament lab journal rating records pictures view page web python",
        "hdl sim targets prover mutants",
    ),
    (2, "referee", "twin engine maxn gtp bots players"),
    (2, "conform", "players engine maxn gtp bots"),
    (
        3,
        "hdl sim targets prover mutants",
        "referee players conform tournament journal records engine maxn gtp",
    ),
    (3, "hdl targets prover", "links"),
    (4, "protocol rules", "*"),
    (4, "records", "gtp"),
    (4, "twin", "engine maxn links"),
    (4, "*", "cli lab xtask benches python"),
];

/// Rule 5: outside packages by prefix, the crates that may depend on them, and those that may do so
/// in their tests alone.
const OUTSIDE: &[(&str, &str, &str)] = &[
    ("rust-hdl", "hdl prover", "tests"),
    ("serialport", "links", ""),
    ("quick-junit", "cli", ""),
];

/// True if the list holds the word, or is `*`.
fn has(list: &str, word: &str) -> bool {
    list == "*" || list.split_whitespace().any(|other| other == word)
}

/// Kind of a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Dependency of the crate itself or of its build script.
    Normal,
    /// Dependency of tests, examples and benchmarks.
    Dev,
}

/// Dependency of one package on another.
struct Arrow {
    package: String,
    kind: Kind,
    dependency: String,
}

impl Arrow {
    fn new(package: &str, kind: Kind, dependency: &str) -> Self {
        Self {
            package: package.to_owned(),
            kind,
            dependency: dependency.to_owned(),
        }
    }

    /// Returns both crates if the dependency is a crate of the workspace too.
    fn inside(&self) -> Option<(&str, &str)> {
        Some((short(&self.package)?, short(&self.dependency)?))
    }
}

/// Returns the short name of a crate of the workspace; `None` for any other package.
fn short(package: &str) -> Option<&str> {
    match package {
        "duoforge" => Some("cli"),
        _ => package.strip_prefix("duoforge-"),
    }
}

/// Dependencies of each crate.
type Graph<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// Returns every crate that `from` reaches, with the chain of crates from `from` to it.
fn reached<'a>(graph: &Graph<'a>, from: &'a str) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut chains = BTreeMap::new();
    let mut open = vec![vec![from]];
    while let Some(chain) = open.pop() {
        let last = chain[chain.len() - 1];
        for &next in graph.get(last).into_iter().flatten() {
            if !chains.contains_key(next) {
                let longer = [&chain[..], &[next]].concat();
                chains.insert(next, longer.clone());
                open.push(longer);
            }
        }
    }
    chains
}

/// Returns the first rule of [`NEVER`] that forbids `from` to depend on `to`.
fn never(from: &str, to: &str) -> Option<u8> {
    let rule = NEVER
        .iter()
        .find(|(_, froms, tos)| from != to && has(froms, from) && has(tos, to));
    rule.map(|&(number, ..)| number)
}

/// True for the dev-dependencies that rule 6 permits although they do not lead down.
fn is_free(from: &str, to: &str) -> bool {
    matches!(from, "tests" | "benches")
        || matches!(to, "arbitrary" | "tests")
        || matches!((from, to), ("conform", "players") | ("cli", "lab"))
}

/// Returns a message for each dependency that is not allowed, with both its ends.
fn faults(arrows: &[Arrow]) -> Vec<String> {
    let allowed: Graph<'_> = ALLOWED
        .iter()
        .map(|&(from, to)| (from, to.split_whitespace().collect()))
        .collect();
    let mut found = Graph::new();
    let mut faults = Vec::new();
    for arrow in arrows.iter().filter(|arrow| arrow.kind == Kind::Normal) {
        if let Some((from, to)) = arrow.inside() {
            found.entry(from).or_default().insert(to);
            if !allowed.get(from).is_some_and(|below| below.contains(to)) {
                faults.push(format!("{from} -> {to} is not in the table"));
            }
        }
    }
    for &from in found.keys() {
        for (to, chain) in reached(&found, from) {
            if let Some(rule) = never(from, to) {
                let chain = chain.join(" -> ");
                faults.push(format!("rule {rule}: {from} -> {to}, by {chain}"));
            }
        }
    }
    faults.extend(arrows.iter().filter_map(outside));
    for arrow in arrows.iter().filter(|arrow| arrow.kind == Kind::Dev) {
        if let Some((from, to)) = arrow.inside()
            && !is_free(from, to)
        {
            faults.extend(upward(&allowed, from, to));
        }
    }
    faults
}

/// Checks rule 5: returns a message if the arrow leads to an outside package of other crates.
fn outside(arrow: &Arrow) -> Option<String> {
    let (from, to) = (short(&arrow.package)?, &arrow.dependency);
    let (_, normal, dev) = OUTSIDE.iter().find(|(prefix, ..)| to.starts_with(prefix))?;
    let permitted = has(normal, from) || arrow.kind == Kind::Dev && has(dev, from);
    (!permitted).then(|| format!("rule 5: {from} -> {to}"))
}

/// Checks rule 6: returns messages if a dev-dependency leads up, or to what rules 1 to 4 forbid.
fn upward(allowed: &Graph<'_>, from: &str, to: &str) -> Vec<String> {
    let below = reached(allowed, to);
    let mut faults = Vec::new();
    // A crate may name itself, to turn on a feature in its tests.
    if from != to && below.contains_key(from) {
        faults.push(format!("rule 6: {from} -> {to} (dev) leads up"));
    }
    for target in below.keys().copied().chain([to]) {
        if let Some(rule) = never(from, target) {
            faults.push(format!(
                "rule 6: {from} -> {to} (dev) leads to {target}, against rule {rule}"
            ));
        }
    }
    faults
}

/// Reads the dependencies of all packages of the workspace.
fn arrows_of_workspace() -> Vec<Arrow> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args("metadata --format-version 1 --offline --no-deps".split(' '))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo metadata: {errors}");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let list = |value: &Value, key: &str| value[key].as_array().expect("a list").clone();
    let name = |value: &Value| value["name"].as_str().expect("a name").to_owned();
    let packages = list(&metadata, "packages");
    let of_package = |package: &Value| {
        let dependencies = list(package, "dependencies");
        let package = name(package);
        let arrows = dependencies.iter().map(move |dependency| {
            let kind = match dependency["kind"].as_str() {
                Some("dev") => Kind::Dev,
                _ => Kind::Normal,
            };
            Arrow::new(&package, kind, &name(dependency))
        });
        arrows.collect::<Vec<_>>()
    };
    packages.iter().flat_map(of_package).collect()
}

/// Returns all arrows of the table.
fn arrows_of_table() -> Vec<Arrow> {
    let full = |short: &str| match short {
        "cli" => "duoforge".to_owned(),
        _ => format!("duoforge-{short}"),
    };
    let of_crate = |&(from, to): &(&str, &str)| {
        let arrows = to
            .split_whitespace()
            .map(|to| Arrow::new(&full(from), Kind::Normal, &full(to)));
        arrows.collect::<Vec<_>>()
    };
    ALLOWED.iter().flat_map(of_crate).collect()
}

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
