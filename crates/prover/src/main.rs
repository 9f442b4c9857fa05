//! Proof runner of `hdl/formal`: `cargo xtask proofs`.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use duoforge_prover::page::page;
use duoforge_prover::{Proof, ProofError, PropertyResult, check, report};

/// Proves the properties of hdl/formal about the emitted Verilog and refutes their mutants.
///
/// Exit status: 0 if every property is proved and every mutant refuted; 1 if not; 2 usage error or
/// failure.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask proofs", bin_name = "cargo xtask proofs")]
struct Arguments {
    /// List the properties without proving them
    #[arg(long)]
    list: bool,
    /// Check what the test command checks: the quick properties, each with its first mutant
    #[arg(long, conflicts_with = "write")]
    quick: bool,
    /// Check only this property; repeatable
    #[arg(long, value_name = "PROPERTY")]
    only: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write the rows of the checked properties to docs/proofs.md
    #[arg(long, conflicts_with_all = ["list", "root"])]
    write: bool,
    /// Keep the Verilog, scripts, logs and waveforms of every run in this directory
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Number of concurrent engines
    #[arg(long, value_name = "NUMBER", default_value_t = 2)]
    jobs: usize,
    /// Directory of the properties
    #[arg(long, value_name = "FOLDER", default_value = ROOT)]
    root: PathBuf,
}

/// Directory of the repository's properties.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../hdl/formal");

/// Path of the page that `--write` writes.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/proofs.md");

fn main() -> ExitCode {
    if let Err(error) = duoforge_tools::end_all_on_interrupt() {
        eprintln!("error: Ctrl-C cannot be caught: {error}");
        return ExitCode::from(2);
    }
    match run(&Arguments::parse()) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<u8, ProofError> {
    let proofs = chosen(arguments)?;
    if arguments.list {
        list(&proofs, arguments.json);
        return Ok(0);
    }
    let scratch;
    let folder = match &arguments.keep {
        Some(folder) => folder.as_path(),
        None => {
            scratch = tempfile::tempdir().map_err(|source| ProofError::Io {
                path: std::env::temp_dir(),
                source,
            })?;
            scratch.path()
        }
    };
    let checked = check(&proofs, arguments.jobs, folder, |checked| {
        if !arguments.json {
            print!("{}", report::text(checked));
        }
    })?;
    if arguments.write {
        let path = PathBuf::from(PAGE);
        let previous = fs::read_to_string(&path).unwrap_or_default();
        let all = Proof::all(&arguments.root)?;
        fs::write(&path, page(&all, &checked, &previous))
            .map_err(|source| ProofError::Io { path, source })?;
    }
    if arguments.json {
        println!("{:#}", report::json(&checked));
    } else {
        println!("{}", report::summary(&checked));
    }
    Ok(if checked.iter().all(PropertyResult::is_good) {
        0
    } else if checked.iter().any(PropertyResult::has_error) {
        2
    } else {
        1
    })
}

/// Returns the properties that the options select.
fn chosen(arguments: &Arguments) -> Result<Vec<Proof>, ProofError> {
    let all = if arguments.quick {
        Proof::quick(&arguments.root)?
    } else {
        Proof::all(&arguments.root)?
    };
    if let Some(name) = arguments
        .only
        .iter()
        .find(|name| !all.iter().any(|proof| proof.name == **name))
    {
        let known: Vec<_> = all.iter().map(|proof| proof.name.as_str()).collect();
        return Err(ProofError::Content {
            property: name.clone(),
            message: format!("there is no such property; there are {}", known.join(", ")),
        });
    }
    let wanted = |proof: &Proof| arguments.only.is_empty() || arguments.only.contains(&proof.name);
    Ok(all.into_iter().filter(wanted).collect())
}

fn list(proofs: &[Proof], json: bool) {
    if json {
        let proofs = proofs.iter().map(|proof| {
            serde_json::json!({
                "property": proof.name,
                "about": proof.about,
                "bound": proof.bound,
                "quick": proof.quick,
            })
        });
        println!("{:#}", serde_json::Value::Array(proofs.collect()));
        return;
    }
    for proof in proofs {
        let quick = if proof.quick { "quick" } else { "" };
        println!("{:24} {quick:5}  {}", proof.name, proof.about);
    }
}
