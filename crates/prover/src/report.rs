//! Report on checked properties, as text, page and JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::check::{PropertyResult, RunResult};
use crate::solver::job::Outcome;
use crate::trace::Trace;

/// Returns the text of a property: its result, its runs if there are several, its mutants and all
/// failures.
pub fn text(checked: &PropertyResult) -> String {
    let proof = &checked.proof;
    let verdict = if checked.is_proved() {
        "proved"
    } else {
        "FAILED"
    };
    let seconds = checked.time().as_secs_f64();
    let mut out = format!(
        "{:24} {verdict:8} {seconds:7.1} s   bound: {}\n",
        proof.name, proof.bound
    );
    let several = checked.runs.len() > 1;
    for run in &checked.runs {
        if several || run.outcome != Outcome::Proved {
            let name = if run.name.is_empty() {
                "run"
            } else {
                &run.name
            };
            line(&mut out, name, &run.outcome.to_string(), run);
        }
        if run.outcome != Outcome::Proved {
            detail(&mut out, &run.outcome);
        }
    }
    for mutant in &checked.mutants {
        let verdict = match &mutant.result.outcome {
            Outcome::Proved => "SURVIVED".into(),
            Outcome::Refuted(_) => "refuted".into(),
            other => format!("NOT REFUTED: {other}"),
        };
        line(
            &mut out,
            &format!("mutant: {}", mutant.why),
            &verdict,
            &mutant.result,
        );
        if !mutant.is_refuted() {
            detail(&mut out, &mutant.result.outcome);
        }
    }
    out
}

fn line(out: &mut String, what: &str, verdict: &str, run: &RunResult) {
    let seconds = run.time.as_secs_f64();
    writeln!(out, "  {verdict:8} {seconds:7.1} s   {what}").expect("a string");
}

/// Appends the counterexample or the error, indented.
fn detail(out: &mut String, outcome: &Outcome) {
    let text = match outcome {
        Outcome::Refuted(trace) | Outcome::Undecided(trace) => trace.to_string(),
        Outcome::Error(message) => message.clone(),
        Outcome::Proved | Outcome::OutOfTime => return,
    };
    for row in text.lines() {
        writeln!(out, "      {row}").expect("a string");
    }
}

/// Returns the summary line: numbers of proved properties and of refuted mutants.
pub fn summary(checked: &[PropertyResult]) -> String {
    let proved = checked.iter().filter(|c| c.is_proved()).count();
    let mutants = checked.iter().flat_map(|c| &c.mutants);
    let refuted = mutants.clone().filter(|m| m.is_refuted()).count();
    format!(
        "{proved} of {} properties proved, {refuted} of {} mutants refuted",
        checked.len(),
        mutants.count()
    )
}

/// Returns the results as JSON.
pub fn json(checked: &[PropertyResult]) -> Value {
    let properties = checked.iter().map(|checked| {
        let proof = &checked.proof;
        let mutants = checked.mutants.iter().map(|mutant| {
            let mut value = run_json(&mutant.result);
            value["why"] = json!(mutant.why);
            value["refuted"] = json!(mutant.is_refuted());
            value
        });
        json!({
            "property": proof.name,
            "about": proof.about,
            "bound": proof.bound,
            "quick": proof.quick,
            "proved": checked.is_proved(),
            "seconds": seconds(checked.time()),
            "runs": checked.runs.iter().map(run_json).collect::<Vec<_>>(),
            "mutants": mutants.collect::<Vec<_>>(),
        })
    });
    Value::Array(properties.collect())
}

fn run_json(run: &RunResult) -> Value {
    let mut value = json!({
        "run": run.name,
        "outcome": run.outcome.to_string(),
        "seconds": seconds(run.time),
    });
    match &run.outcome {
        Outcome::Refuted(trace) | Outcome::Undecided(trace) => value["trace"] = trace_json(trace),
        Outcome::Error(message) => value["message"] = json!(message),
        Outcome::Proved | Outcome::OutOfTime => {}
    }
    value
}

fn trace_json(trace: &Trace) -> Value {
    let signals: serde_json::Map<_, _> = trace
        .rows()
        .map(|(name, values)| (name.to_owned(), json!(values)))
        .collect();
    json!({ "clocks": trace.clocks(), "signals": signals })
}

/// Returns the seconds, rounded to three decimals for readability.
fn seconds(time: std::time::Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}
