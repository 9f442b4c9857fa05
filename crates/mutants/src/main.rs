//! Measures the share of mutants of the emitted Verilog that the hardware tests kill.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use duoforge_mutants::campaign::{Campaign, Plan};
use duoforge_mutants::faults;
use duoforge_mutants::modules;
use duoforge_mutants::part::Part;
use duoforge_mutants::report::{DATA, PartReport, Report};
use duoforge_mutants::shards;
use duoforge_mutants::suite::Verdict;
use duoforge_mutants::work::in_parallel;
use duoforge_shards::{Results, Shard};
use duoforge_tools::catalogue::YOSYS;

/// Page that `--write` writes in addition to [`DATA`].
const PAGE: &str = "docs/mutations.md";

/// Count the mutants of the emitted Verilog that the hardware tests kill
///
/// The exit status is 1 if a mutant survives that is neither proved equivalent nor explained by a
/// reason in docs/mutations.json. With --named, it is 1 if a mutant of crates/mutants/faults.toml
/// survives.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask mutations")]
struct Args {
    /// Measure only this part; may be given more than once
    #[arg(long, value_name = "PART", value_parser = part)]
    module: Vec<&'static Part>,
    /// List the parts whose Verilog has changed since they were measured; with --write, measure
    /// them
    #[arg(long)]
    stale: bool,
    /// Mark these parts as outdated in docs/mutations.json and docs/mutations.md; measure nothing
    #[arg(long, requires = "stale", conflicts_with_all = ["write", "module"])]
    mark: bool,
    /// Number of mutants per part [default: by the part's size]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    count: Option<u32>,
    /// Seed that selects the mutants
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of parts at a time, or of mutants if there is one part
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=64))]
    jobs: u8,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Write the parts to docs/mutations.json and docs/mutations.md
    #[arg(long)]
    write: bool,
    /// Restore the former reasons in docs/mutations.json after a review; measure nothing
    #[arg(long, conflicts_with_all = ["stale", "named", "count"])]
    confirm: bool,
    /// Test the survivors in docs/mutations.json again, with the tests and the proofs of today
    #[arg(long, conflicts_with_all = ["stale", "confirm", "named", "count", "seed"])]
    survivors: bool,
    /// Test the hand-written mutants of crates/mutants/faults.toml instead
    #[arg(long, conflicts_with_all = ["stale", "count", "json", "write", "module"])]
    named: bool,
    /// Measure part I of N of the campaign, with I from 0 to N - 1; an item is a part
    #[arg(long, value_name = "I/N", requires = "results", default_value_t)]
    shard: Shard,
    /// Write each row to FILE, without its time; a file of an earlier run is completed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["write", "stale", "survivors", "named", "confirm"])]
    results: Option<PathBuf>,
    /// Merge the files of all shards and print their rows; with --write, put them into
    /// docs/mutations.json and docs/mutations.md. Repeatable
    #[arg(long, value_name = "FILE", conflicts_with_all = ["results", "stale", "survivors", "named", "confirm", "count", "module", "verbose"])]
    merge: Vec<PathBuf>,
    /// Write the merged results to OUT
    #[arg(long, value_name = "OUT", requires = "merge")]
    out: Option<PathBuf>,
    /// Print each mutant on standard error
    #[arg(long)]
    verbose: bool,
}

fn part(name: &str) -> Result<&'static Part, String> {
    modules::named(name).ok_or_else(|| {
        let names: Vec<_> = modules::parts().map(|part| part.name).collect();
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
    let mut report = Report::read(&root)?;
    let wanted = |part: &&Part| args.module.is_empty() || args.module.contains(part);
    let mut parts: Vec<_> = modules::parts().filter(wanted).collect();
    if args.confirm {
        let confirmed = report.confirm(|name| parts.iter().any(|part| part.name == name));
        println!("{confirmed} reasons confirmed");
        write(&root, &report)?;
        return Ok(true);
    }
    if !args.merge.is_empty() {
        return merge(args, &root, report);
    }
    let campaign = Campaign::new(&root)?;
    if args.named {
        return named(&root, &campaign, args.jobs.into());
    }
    if args.stale {
        let stale = campaign.stale(&report)?;
        parts.retain(|part| stale.contains(part));
        if args.mark {
            report.outdated = parts.iter().map(|part| part.name.to_owned()).collect();
            write(&root, &report)?;
        }
        if !args.write {
            parts.iter().for_each(|part| println!("{}", part.name));
            return Ok(parts.is_empty());
        }
    }
    if args.survivors {
        parts.retain(|part| {
            let row = report.part(part.name);
            row.is_some_and(|row| !row.survivors.is_empty())
                && !report.outdated.iter().any(|it| it == part.name)
        });
    }
    let mut file = None;
    if let Some(path) = &args.results {
        let plan = shards::plan(&parts, args.count, args.seed, &version());
        let results = Results::open(path, &plan, args.shard)?;
        let missing = results.missing();
        let items: Vec<_> = missing
            .iter()
            .map(|&item| (item, parts[item as usize]))
            .collect();
        parts = items.iter().map(|(_, part)| *part).collect();
        file = Some(ShardFile { results, items });
    }
    let mut rows = Rows { report, file };
    let done = measure(args, &root, &campaign, &mut rows, parts)?;
    show(args, rows.report, |part| done.contains(&part.part))
}

/// File of a shard, and its missing items.
struct ShardFile {
    results: Results,
    items: Vec<(u64, &'static Part)>,
}

impl ShardFile {
    fn add(&mut self, row: &PartReport) -> Result<()> {
        let item = self.items.iter().find(|(_, part)| part.name == row.part);
        let &(item, _) = item.context("the part is not in the shard")?;
        Ok(self.results.add(item, &shards::stored(row)?)?)
    }
}

/// Rows that a campaign replaces and adds.
struct Rows {
    report: Report,
    /// File of the shard, if the campaign is divided.
    file: Option<ShardFile>,
}

impl Rows {
    fn take(&mut self, row: PartReport) -> Result<()> {
        if let Some(file) = &mut self.file {
            file.add(&row)?;
        }
        self.report.take(row);
        Ok(())
    }
}

/// Merges the rows of all shards.
fn merge(args: &Args, root: &Path, mut report: Report) -> Result<bool> {
    let merged = duoforge_shards::merge(&args.merge)?;
    let rows = shards::rows(&merged)?;
    let names: Vec<_> = rows.iter().map(|row| row.part.clone()).collect();
    rows.into_iter().for_each(|row| report.take(row));
    if let Some(path) = &args.out {
        let written = fs::write(path, merged.text());
        written.with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if args.write {
        write(root, &report)?;
    }
    show(args, report, |part| names.contains(&part.part))
}

/// Prints the rows that were measured. Returns false if one has a survivor without a reason.
fn show(args: &Args, report: Report, is_shown: impl Fn(&PartReport) -> bool) -> Result<bool> {
    let mut shown = Report {
        yosys: version(),
        ..report
    };
    shown.parts.retain(is_shown);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&shown)?);
    } else {
        print!("{}", shown.page());
    }
    let mut survivors = shown.parts.iter().flat_map(|part| &part.survivors);
    Ok(survivors.all(|survivor| survivor.reason.is_some()))
}

/// Measures parts, several at a time and the longest first. Returns the names of the measured
/// parts.
fn measure(
    args: &Args,
    root: &Path,
    campaign: &Campaign,
    rows: &mut Rows,
    mut parts: Vec<&'static Part>,
) -> Result<Vec<String>> {
    let before = rows.report.clone();
    let seconds = |part: &Part| before.part(part.name).map_or(f64::MAX, |it| it.seconds);
    parts.sort_by(|a, b| seconds(b).total_cmp(&seconds(a)));
    let jobs = usize::from(args.jobs);
    let (at_a_time, each) = if parts.len() > 1 {
        (jobs, 1)
    } else {
        (1, jobs)
    };
    let shared = Mutex::new(rows);
    let results = in_parallel(at_a_time, &parts, |_, part| -> Result<String> {
        let again = before.part(part.name).filter(|_| args.survivors);
        let plan = Plan {
            part,
            count: args.count.unwrap_or(part.count),
            seed: again.map_or(args.seed, |row| row.seed),
            jobs: each,
            again,
        };
        let done = campaign.run(plan, |mutant, what| {
            if args.verbose {
                eprintln!("{} {}: {what}: {}", part.name, mutant.number, mutant.fault);
            }
        });
        let done = done.with_context(|| part.name).inspect_err(|error| {
            eprintln!("{error:#}");
        })?;
        eprintln!("{}", line(&done));
        let mut rows = shared.lock().unwrap_or_else(PoisonError::into_inner);
        rows.take(done)?;
        if args.write {
            write(root, &rows.report)?;
        }
        Ok(part.name.to_owned())
    });
    let (done, failed): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    if !failed.is_empty() {
        bail!("{} parts could not be measured", failed.len());
    }
    Ok(done.into_iter().flatten().collect())
}

fn line(part: &PartReport) -> String {
    format!(
        "{}: {} of {} killed, {} proved equivalent, {} of these in context, {} survived, {} s",
        part.part,
        part.killed(),
        part.mutants,
        part.proved(),
        part.in_context,
        part.survivors.len(),
        part.seconds
    )
}

/// Tests the hand-written mutants and prints the test that kills each of them.
fn named(root: &Path, campaign: &Campaign, jobs: usize) -> Result<bool> {
    let faults = faults::read(root)?;
    let killers = in_parallel(jobs, &faults, |_, fault| fault.killer(campaign));
    println!("| fault | noticed by |\n|---|---|");
    let mut good = !faults.is_empty();
    for (fault, killer) in faults.iter().zip(killers) {
        let what = match killer {
            Ok(Some((test, Verdict::Hung))) => format!("`{test}`, which hangs"),
            Ok(Some((test, _))) => format!("`{test}`"),
            Ok(None) => {
                good = false;
                "**nothing**".to_owned()
            }
            Err(error) => {
                good = false;
                format!("**not tried**: {error:#}")
            }
        };
        println!("| {}: {} | {what} |", fault.name, fault.why);
    }
    Ok(good)
}

fn write(root: &Path, report: &Report) -> Result<()> {
    let order = |name: &str| modules::parts().position(|part| part.name == name);
    let mut report = report.clone();
    report.parts.sort_by_key(|part| order(&part.part));
    report.yosys = version();
    let data = root.join(DATA);
    if let Some(directory) = data.parent() {
        fs::create_dir_all(directory)?;
    }
    fs::write(data, serde_json::to_string_pretty(&report)? + "\n")?;
    fs::write(root.join(PAGE), report.page())?;
    Ok(())
}

fn version() -> String {
    YOSYS.pinned().unwrap_or("of unknown version").into()
}

/// Returns the repository that contains the current directory.
fn root() -> Result<PathBuf> {
    let current = std::env::current_dir()?;
    let mut directories = current.ancestors();
    let root = directories.find(|directory| directory.join("tests/tests/hardware").is_dir());
    ensure!(
        root.is_some(),
        "this is not the repository, whose tests are needed"
    );
    Ok(root.map(Path::to_owned).unwrap_or_default())
}
