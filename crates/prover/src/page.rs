//! Page `docs/proofs.md`: results, durations and numbers of refuted mutants.

use std::fmt::Write;

use crate::check::PropertyResult;
use crate::proof::Proof;

/// Returns the page about all properties. Rows of properties that were not checked are those of the
/// previous page; a property that was never checked has no row.
pub fn page(all: &[Proof], checked: &[PropertyResult], previous: &str) -> String {
    let row_of = |proof: &Proof| {
        let new = checked.iter().find(|it| it.proof.name == proof.name);
        let old = || {
            let start = format!("| [{}](", proof.name);
            let mut lines = previous.lines();
            let line = lines.find(|line| line.starts_with(&start));
            line.map(str::to_owned)
        };
        new.map(row).or_else(old)
    };
    let rows: Vec<_> = all.iter().filter_map(row_of).collect();
    let mut out = String::from(
        "# Proofs about the emitted Verilog\n\nWritten by `cargo xtask proofs --write`. A property counts \
         only if every mutant, a change that breaks it, is refuted by a counterexample. Seconds are those of \
         one machine with two cores. The test command proves the properties marked quick; \
         `cargo xtask nightly` proves all.\n\n",
    );
    writeln!(out, "{}.\n", summary(&rows)).expect("a string");
    out += "| property | result | seconds | mutants refuted | seconds | bound | |\n";
    out += "|---|---|--:|--:|--:|---|---|\n";
    for row in &rows {
        writeln!(out, "{row}").expect("a string");
    }
    for proof in all {
        let about = proof.about.trim().trim_end_matches('.');
        writeln!(out, "\n**{}**: {about}.", proof.name).expect("a string");
    }
    out
}

/// Returns the row of a checked property.
fn row(checked: &PropertyResult) -> String {
    let proof = &checked.proof;
    let verdict = if checked.is_proved() {
        "proved"
    } else {
        "FAILED"
    };
    let refuted = checked.mutants.iter().filter(|m| m.is_refuted()).count();
    let seconds = checked.mutants.iter().map(|m| m.result.time.as_secs_f64());
    format!(
        "| [{name}](../hdl/formal/{name}) | {verdict} | {:.1} | {refuted} of {} | {:.1} | {} | {} |",
        checked.time().as_secs_f64(),
        checked.mutants.len(),
        seconds.sum::<f64>(),
        proof.bound.trim(),
        if proof.quick { "quick" } else { "" },
        name = proof.name,
    )
}

/// Returns the numbers of proved properties and of refuted mutants in rows.
fn summary(rows: &[String]) -> String {
    let cell = |row: &str, index: usize| row.split(" | ").nth(index).unwrap_or_default().to_owned();
    let proved = rows.iter().filter(|row| cell(row, 1) == "proved").count();
    let mut mutants = [0, 0];
    for row in rows {
        let counts = cell(row, 3);
        let counts = counts.split(" of ").filter_map(|it| it.parse::<u32>().ok());
        for (sum, count) in mutants.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    let [refuted, all] = mutants;
    format!(
        "{proved} of {} properties proved, {refuted} of {all} mutants refuted",
        rows.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../hdl/formal");

    /// If nothing was checked, the rows remain as they are.
    #[test]
    fn rows_of_unchecked_properties_remain() {
        let all = Proof::all(ROOT.as_ref()).expect("every proof file can be read");
        let rows = |results: &str| {
            let rows = all.iter().map(|proof| {
                let name = &proof.name;
                format!("| [{name}](../hdl/formal/{name}) | {results} | none |  |\n")
            });
            rows.collect::<String>()
        };
        let text = page(&all, &[], &rows("proved | 1.0 | 2 of 3 | 4.0"));
        assert!(
            text.contains(&rows("proved | 1.0 | 2 of 3 | 4.0")),
            "{text}"
        );
        let count = all.len();
        let expected = format!(
            "\n{count} of {count} properties proved, {} of {} mutants refuted.\n",
            2 * count,
            3 * count
        );
        assert!(text.contains(&expected), "{text}");
        let text = page(&all, &[], &rows("FAILED | 1.0 | 2 of 3 | 4.0"));
        assert!(
            text.contains(&format!("\n0 of {count} properties proved")),
            "{text}"
        );
        let text = page(&all, &[], "");
        assert!(text.contains("\n0 of 0 properties proved"), "{text}");
    }
}
