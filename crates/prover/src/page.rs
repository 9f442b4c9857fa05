//! Page `docs/proofs.md`: results, durations and numbers of refuted mutants.

use std::fmt::Write;

use crate::check::PropertyResult;
use crate::proof::Proof;

/// Number of cells at the beginning of a row that hold the name and the results of a property.
const RESULTS: usize = 5;

/// Returns the page about all properties. The results of properties that were not checked are those
/// of the previous page, with the present texts; a property that was never checked has no row.
pub fn page(all: &[Proof], checked: &[PropertyResult], previous: &str) -> String {
    let row_of = |proof: &Proof| {
        let new = checked.iter().find(|it| it.proof.name == proof.name);
        let old = || {
            let start = format!("| [{}](", proof.name);
            let mut lines = previous.lines();
            let line = lines.find(|line| line.starts_with(&start))?;
            let cells: Vec<_> = line.split(" | ").take(RESULTS).collect();
            Some(with_texts(proof, &cells.join(" | ")))
        };
        new.map(row).or_else(old)
    };
    let rows: Vec<_> = all.iter().filter_map(row_of).collect();
    let mut out = String::from(
        "# Proofs about the emitted Verilog\n\nWritten by `cargo xtask proofs --write`. A property counts \
         only if every mutant, a change that breaks it, is refuted by a counterexample. Seconds are those of \
         one machine with two cores. The test command proves the properties marked quick \
         and refutes the first mutant of each; `cargo xtask nightly` checks all.\n\n",
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
    let results = format!(
        "| [{name}](../hdl/formal/{name}) | {verdict} | {:.1} | {refuted} of {} | {:.1}",
        checked.time().as_secs_f64(),
        checked.mutants.len(),
        seconds.sum::<f64>(),
        name = proof.name,
    );
    with_texts(proof, &results)
}

/// Completes a row of results by the texts of its property.
fn with_texts(proof: &Proof, results: &str) -> String {
    let quick = if proof.quick { "quick" } else { "" };
    format!("{results} | {} | {quick} |", proof.bound.trim())
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

    /// If nothing was checked, the results remain, and the texts are those of the proof files.
    #[test]
    fn rows_of_unchecked_properties_remain() {
        let all = Proof::all(ROOT.as_ref()).expect("every proof file can be read");
        let rows = |results: &str, bound: Option<&str>| {
            let rows = all.iter().map(|proof| {
                let name = &proof.name;
                let bound = bound.unwrap_or(&proof.bound);
                let quick = if proof.quick { "quick" } else { "" };
                format!("| [{name}](../hdl/formal/{name}) | {results} | {bound} | {quick} |\n")
            });
            rows.collect::<String>()
        };
        let results = "proved | 1.0 | 2 of 3 | 4.0";
        let text = page(&all, &[], &rows(results, Some("an old bound")));
        assert!(text.contains(&rows(results, None)), "{text}");
        assert!(!text.contains("an old bound"), "{text}");
        let rows = |results: &str| rows(results, None);
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
    #[test]
    fn the_committed_page_has_the_texts_of_the_proof_files() {
        let all = Proof::all(ROOT.as_ref()).expect("every proof file can be read");
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/proofs.md");
        let committed = std::fs::read_to_string(path).expect("the page");
        let message = "run `cargo xtask proofs --write` for the changed property";
        assert!(page(&all, &[], &committed) == committed, "{message}");
    }
}
