//! Measures how many small faults in the emitted Verilog the hardware's tests notice.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use duoforge_mutants::campaign::{Campaign, Plan};
use duoforge_mutants::modules::{PARTS, Part};
use duoforge_mutants::report::Report;
use duoforge_tools::catalogue::YOSYS;

/// Where `--write` puts what came of it.
const DOCS: &str = "docs";
const DATA: &str = "docs/mutations.json";
const PAGE: &str = "docs/mutations.md";

/// Count how many small faults in the emitted Verilog the hardware's tests notice
///
/// The result is negative if a mutant survives that is not proved equivalent and has no reason in
/// docs/mutations.json.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask mutations")]
struct Args {
    /// Only this part; may be given more than once
    #[arg(long, value_name = "PART", value_parser = part)]
    module: Vec<&'static Part>,
    /// Mutants of each part [default: by its size]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    count: Option<u32>,
    /// What decides which mutants
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Put the parts into docs/mutations.json and docs/mutations.md
    #[arg(long)]
    write: bool,
    /// Tell of each mutant on standard error
    #[arg(long)]
    verbose: bool,
}

fn part(name: &str) -> Result<&'static Part, String> {
    Part::named(name).ok_or_else(|| {
        let names: Vec<_> = PARTS.iter().map(|part| part.name).collect();
        format!("the parts are {}", names.join(", "))
    })
}

fn main() -> ExitCode {
    if let Err(error) = duoforge_tools::end_all_on_interrupt() {
        eprintln!("error: Ctrl-C cannot be caught: {error}");
        return ExitCode::from(2);
    }
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<bool> {
    let root = root()?;
    let mut report = read(&root)?;
    let mut campaign = Campaign::new(&root)?;
    let wanted = |part: &&Part| args.module.is_empty() || args.module.contains(part);
    let mut parts = Vec::new();
    for part in PARTS.iter().filter(wanted) {
        let plan = Plan {
            part,
            count: args.count.unwrap_or(part.count),
            seed: args.seed,
        };
        let done = campaign.run(plan, |mutant, what| {
            if args.verbose {
                eprintln!("{} {}: {what}: {}", part.name, mutant.number, mutant.fault);
            }
        })?;
        eprintln!(
            "{}: {} of {} killed, {} equivalent, {} survived, {} s",
            done.part,
            done.killed(),
            done.mutants,
            done.equivalent,
            done.survivors.len(),
            done.seconds
        );
        parts.push(done.clone());
        report.take(vec![done]);
        if args.write {
            write(&root, &report)?;
        }
    }
    let mut shown = read(&root)?;
    let names: Vec<_> = parts.iter().map(|part| part.part.clone()).collect();
    shown.take(parts);
    shown.parts.retain(|part| names.contains(&part.part));
    shown.yosys = version();
    if args.json {
        println!("{}", serde_json::to_string_pretty(&shown)?);
    } else {
        print!("{}", shown.page());
    }
    let mut survivors = shown.parts.iter().flat_map(|part| &part.survivors);
    Ok(survivors.all(|survivor| survivor.reason.is_some()))
}

fn read(root: &Path) -> Result<Report> {
    let path = root.join(DATA);
    if !path.is_file() {
        return Ok(Report::default());
    }
    let text = fs::read_to_string(&path)?;
    serde_json::from_str(&text).with_context(|| format!("{DATA} cannot be read"))
}

fn write(root: &Path, report: &Report) -> Result<()> {
    let order = |name: &str| PARTS.iter().position(|part| part.name == name);
    let mut report = report.clone();
    report.parts.sort_by_key(|part| order(&part.part));
    report.yosys = version();
    fs::create_dir_all(root.join(DOCS))?;
    fs::write(
        root.join(DATA),
        serde_json::to_string_pretty(&report)? + "\n",
    )?;
    fs::write(root.join(PAGE), report.page())?;
    Ok(())
}

fn version() -> String {
    YOSYS.pinned().unwrap_or("of unknown version").into()
}

/// The repository around this folder.
fn root() -> Result<PathBuf> {
    let current = std::env::current_dir()?;
    let mut folders = current.ancestors();
    let root = folders.find(|folder| folder.join("sim/tests/hardware").is_dir());
    ensure!(
        root.is_some(),
        "this is not the repository, whose tests are needed"
    );
    Ok(root.map(Path::to_owned).unwrap_or_default())
}
