//! Proof runner of `hdl/formal`: `cargo xtask proofs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use duoforge_prover::campaign::{self, CampaignError, StoredTask};
use duoforge_prover::page::page;
use duoforge_prover::task::Task;
use duoforge_prover::{Proof, ProofError, PropertyResult, check, report};
use duoforge_shards::{Results, Shard};

/// Proves the properties of hdl/formal about the emitted Verilog and refutes their mutants.
///
/// Exit status: 0 if every property is proved and every mutant refuted; 1 if not; 2 usage error or
/// failure. A shard exits with 0 once all its results are in the file; `--merge` judges them.
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
    #[arg(long, value_name = "DIRECTORY")]
    keep: Option<PathBuf>,
    /// Number of concurrent engines
    #[arg(long, value_name = "NUMBER", default_value_t = 2)]
    jobs: usize,
    /// Run part I of N of the campaign, with I from 0 to N - 1; an item is a property on the design,
    /// or one mutant
    #[arg(long, value_name = "I/N", requires = "results", default_value_t)]
    shard: Shard,
    /// Write each result to FILE, without times; a file of an earlier run is completed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "write", "json"])]
    results: Option<PathBuf>,
    /// Merge the files of all shards and print their report; repeatable
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "write", "json", "only", "quick", "results"])]
    merge: Vec<PathBuf>,
    /// Write the merged results to OUT
    #[arg(long, value_name = "OUT", requires = "merge")]
    out: Option<PathBuf>,
    /// Directory of the properties
    #[arg(long, value_name = "DIRECTORY", default_value = ROOT)]
    root: PathBuf,
}

/// Failure of the command.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Proof(#[from] ProofError),
    #[error(transparent)]
    Campaign(#[from] CampaignError),
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

fn run(arguments: &Arguments) -> Result<u8, Failure> {
    if !arguments.merge.is_empty() {
        return merge(arguments);
    }
    let proofs = chosen(arguments)?;
    if arguments.list {
        list(&proofs, arguments.json);
        return Ok(0);
    }
    let scratch;
    let directory = match &arguments.keep {
        Some(directory) => directory.as_path(),
        None => {
            scratch = tempfile::tempdir().map_err(|source| ProofError::Io {
                path: std::env::temp_dir(),
                source,
            })?;
            scratch.path()
        }
    };
    if let Some(path) = &arguments.results {
        return shard(arguments, &proofs, directory, path);
    }
    let checked = check(&proofs, arguments.jobs, directory, |checked| {
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

/// Runs the items of a shard that its file of results lacks.
fn shard(
    arguments: &Arguments,
    proofs: &[Proof],
    directory: &Path,
    path: &Path,
) -> Result<u8, Failure> {
    let tasks = Task::all(proofs, directory)?;
    let plan = campaign::plan(&tasks);
    let all = plan.items_of(arguments.shard).count();
    let mut results = Results::open(path, &plan, arguments.shard).map_err(CampaignError::from)?;
    campaign::run(tasks, &mut results, arguments.jobs, |stored| {
        let StoredTask {
            property, outcome, ..
        } = stored;
        println!("{property}: {outcome}: {}", stored.subject());
    })?;
    drop(results);
    println!("{all} results in {}", path.display());
    Ok(0)
}

/// Merges the files of all shards. Returns 1 if a result is bad.
fn merge(arguments: &Arguments) -> Result<u8, Failure> {
    let merged = duoforge_shards::merge(&arguments.merge).map_err(CampaignError::from)?;
    let (report, is_good) = campaign::merged_report(&merged).map_err(CampaignError::from)?;
    if let Some(path) = &arguments.out {
        fs::write(path, merged.text()).map_err(|source| ProofError::Io {
            path: path.clone(),
            source,
        })?;
    }
    println!("{report}");
    Ok(u8::from(!is_good))
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
