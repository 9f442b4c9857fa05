//! Commands that measure figures within minutes.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::data::Figures;
use super::derived::SEARCHES;
use crate::workspace::cargo;

/// Figures that this module measures.
pub const NAMES: [&str; 5] = [
    "reply",
    "legal_set",
    SEARCHES[0].0,
    SEARCHES[1].0,
    SEARCHES[2].0,
];

/// Measures these figures, or all, and writes each one to the data at once.
///
/// # Errors
/// If a figure is unknown, or if a command fails or prints unexpected output.
pub fn run(root: &Path, only: &[&str]) -> Result<()> {
    for name in only {
        ensure!(
            NAMES.contains(name),
            "no command measures '{name}'; there are {}",
            NAMES.join(", ")
        );
    }
    let commit = line(
        Command::new("git").args(["rev-parse", "--short=7", "HEAD"]),
        root,
    )?;
    let date = line(Command::new("date").args(["-u", "+%F"]), root)?;
    let wanted = |name: &&str| only.is_empty() || only.contains(name);
    for name in NAMES.into_iter().filter(wanted) {
        let mut figures = Figures::load(root)?;
        let figure = figures.0.get_mut(name);
        let figure = figure.with_context(|| format!("the data has no figure {name}"))?;
        let words: Vec<&str> = figure.command.split_whitespace().collect();
        println!("{name}: {}", figure.command);
        let output = output(&words, root)?;
        let values = match name {
            "reply" => reply(&output)?,
            "legal_set" => legal_set(&output)?,
            _ => search(&output)?,
        };
        for (key, value) in values {
            println!("  {key}: {value}");
            figure.values.insert(key.to_owned(), value);
        }
        figure.date.clone_from(&date);
        figure.commit.clone_from(&commit);
        figures.save(root)?;
    }
    Ok(())
}

type Values = Vec<(&'static str, Value)>;

/// Parses the output of `duoforge sim --json`.
fn reply(output: &str) -> Result<Values> {
    let json: Value = serde_json::from_str(output).context("the campaign's JSON")?;
    ensure!(json["mismatches"] == 0, "the board differs from its twin");
    let value = |key| (key, json[key].clone());
    let longest = ("longest", json["longest_delay"].clone());
    Ok(vec![value("games"), value("plies"), longest])
}

/// Parses the output of the generator's bench, which prints one line per simulator.
fn legal_set(output: &str) -> Result<Values> {
    let cycles = output
        .split_once("the last verdict ")
        .and_then(|(_, after)| after.split(' ').next()?.parse::<u64>().ok())
        .context("the bench printed no cycles")?;
    Ok(vec![("cycles", cycles.into())])
}

/// Parses the output of `duoforge sim-search --json`.
fn search(output: &str) -> Result<Values> {
    let json: Value = serde_json::from_str(output).context("JSON of the search")?;
    let mut rows = json["searches"].as_array().context("no searches")?.clone();
    // A search without a choice runs no simulation; the rate is derived from the other values.
    rows.retain(|row| row["simulations"] != 0);
    for row in &mut rows {
        let row = row.as_object_mut().context("a search is an object")?;
        row.remove("per_second");
    }
    Ok(vec![
        ("rows", rows.into()),
        ("search", json["search"].clone()),
    ])
}

/// Runs a command of `docs/figures.json` with cargo and returns its output.
fn output(words: &[&str], root: &Path) -> Result<String> {
    let arguments = match words {
        ["cargo", arguments @ ..] => arguments.to_vec(),
        [program @ ("duoforge" | "duoforge-lab"), arguments @ ..] => {
            let run = ["run", "--quiet", "--package", *program, "--"];
            [&run, arguments].concat()
        }
        _ => anyhow::bail!("`{}` is not a command that measures", words.join(" ")),
    };
    text(Command::new(cargo()).args(arguments), root)
}

fn line(command: &mut Command, root: &Path) -> Result<String> {
    Ok(text(command, root)?.trim().to_owned())
}

fn text(command: &mut Command, root: &Path) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("{name} could not be started"))?;
    ensure!(
        output.status.success(),
        "{name} ended with {}",
        output.status
    );
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_read() {
        let campaign =
            r#"{"games": 300, "plies": 8000, "mismatches": 0, "longest_delay": 1920, "cycles": 7}"#;
        let expected = [("games", 300), ("plies", 8000), ("longest", 1920)];
        let expected: Values = expected.map(|(key, n)| (key, Value::from(n))).into();
        assert_eq!(reply(campaign).unwrap(), expected);
        assert!(reply(&campaign.replace(": 0", ": 1")).is_err());
        let bench = "running 1 test\nverilator: 9 legal sets, the last verdict 22 cycles after the request\n";
        assert_eq!(legal_set(bench).unwrap(), [("cycles", Value::from(22))]);
        assert!(legal_set("running 0 tests").is_err());
        let lab = r#"{"search": "sims=2", "searches": [{"ply": 0, "simulations": 2, "per_second": 1},
            {"ply": 30, "simulations": 0, "per_second": 0}]}"#;
        let values = search(lab).unwrap();
        assert_eq!(values[0].1.to_string(), r#"[{"ply":0,"simulations":2}]"#);
        assert_eq!(values[1].1, "sims=2");
    }
}
