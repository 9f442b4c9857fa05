//! Dependencies that are not allowed, each with the rule that forbids it.

use std::collections::{BTreeMap, BTreeSet};

use crate::arrow::{Arrow, Kind, short};
use crate::table::{ALLOWED, NEVER, OUTSIDE, has};

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
pub fn faults(arrows: &[Arrow]) -> Vec<String> {
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
