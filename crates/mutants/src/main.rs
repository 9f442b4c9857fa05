//! `cargo xtask mutations`: breaks the emitted Verilog and counts what the tests notice.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use duoforge_mutants::modules::{self, Module};
use duoforge_mutants::report::Report;
use duoforge_mutants::suite::Suite;
use duoforge_mutants::{Campaign, Fate};

/// Break the emitted Verilog and count what the tests notice
#[derive(Debug, Parser)]
#[command(name = "cargo xtask mutations", max_term_width = 100)]
#[command(
    after_help = "Exit status: 0 all noticeable mutants were killed; 1 some survived; \
                        2 wrong use or a failure"
)]
struct Args {
    /// Only this module; may be given more than once
    #[arg(long, value_name = "NAME", value_parser = module)]
    module: Vec<&'static Module>,
    /// Mutants of each module; without it 40 to 150 by its size
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    count: Option<u16>,
    /// Seed of the choice of faults
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Working folder
    #[arg(long, value_name = "DIR", default_value = "target/duoforge-mutants")]
    folder: PathBuf,
    /// List the modules and their tests instead
    #[arg(long)]
    list: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn module(name: &str) -> Result<&'static Module, String> {
    let names: Vec<_> = modules::ALL.iter().map(|module| module.name).collect();
    modules::named(name).ok_or_else(|| format!("the modules are {}", names.join(", ")))
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<bool> {
    let wanted: Vec<&'static Module> = match args.module.is_empty() {
        true => modules::ALL.iter().collect(),
        false => args.module.clone(),
    };
    if args.list {
        for module in wanted {
            println!("{:10} {}", module.name, module.tests.join(" "));
        }
        return Ok(true);
    }
    let campaign = Campaign {
        count: args.count.map(usize::from),
        seed: args.seed,
        folder: args.folder.clone(),
    };
    let suite = Suite::build()?;
    let mut reports = Vec::new();
    for module in wanted {
        eprintln!("{}", module.name);
        let progress = |number, fault: &duoforge_mutants::mutation::Mutation, fate| {
            let fate = match fate {
                Fate::Killed => return,
                Fate::Hung => "hung",
                Fate::Equivalent => "equivalent",
                Fate::Survived => "SURVIVED",
            };
            eprintln!("  {number:4} {fate:10} {}", fault.describe());
        };
        let report = campaign.run(&suite, module, progress);
        let report = report.with_context(|| format!("module {}", module.name))?;
        eprintln!(
            "  {} of {} noticeable mutants killed in {:.0} s",
            report.killed(),
            report.noticeable(),
            report.time.as_secs_f64()
        );
        reports.push(report);
    }
    let report = Report::new(args.seed, &reports);
    match args.json {
        true => println!("{}", serde_json::to_string_pretty(&report)?),
        false => print!("{}", report.table()),
    }
    Ok(reports
        .iter()
        .all(|report| report.count(Fate::Survived) == 0))
}
