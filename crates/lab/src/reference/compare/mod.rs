//! Comparison of searches on a reference table.

mod judging;
mod summaries;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use duoforge_players::PlayerSpec;

use super::spec::SearchSpec;
use super::split::Split;
use super::table::{Entry, Table};
use crate::campaigns::count;
use crate::files;
use crate::output;
use judging::{Judgements, Session};
use summaries::{ChoiceSummary, Comparison, Summary};

/// Compare searches on a reference table
///
/// Each search chooses a placement in every position. The regret is the value of the reference
/// engine's choice minus the value of the chosen placement, both from the table. The limited regret
/// lies between -0.03 and 0.12, since a few large values dominate the variance. Each search is
/// compared with the first one, position by position; errors are standard errors over positions.
///
/// The table's values of placements with fewer than --min-visits visits are not reliable. For such
/// placements, and for those that are not listed, the regret is the difference between two separate
/// searches by the reference engine: of the position after its own choice, and of the position
/// after the placement. A supplement keeps these values; --reference adds the missing ones. Without
/// them, the placement has the lowest listed value of its position. The column `unlisted` counts
/// these choices.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Searches: KEY=VALUE,... for the twin of the search player, or a player, such as engine:level=7 or
gtp:COMMAND LINE. For example
  duoforge-lab compare table.jsonl sims=40000 sims=40000,value_count_cap=64")]
pub struct Args {
    /// Table, written by `evaluate`
    pub table: PathBuf,
    /// Searches to compare
    #[arg(required = true, value_name = "SEARCH")]
    pub searches: Vec<SearchSpec>,
    /// Further file of the same table, such as that of another shard; repeatable
    #[arg(long, value_name = "FILE")]
    pub more: Vec<PathBuf>,
    /// Half of the positions
    #[arg(long, value_name = "HALF", default_value = "training")]
    pub split: Split,
    /// Use all positions, of both halves
    #[arg(long, conflicts_with = "split")]
    pub all: bool,
    /// Number of positions [default: all of the half]
    #[arg(long, value_name = "N", value_parser = count())]
    pub count: Option<usize>,
    /// Number of simultaneous searches
    #[arg(long, value_name = "J", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// Seed from which the players' seeds are derived; the twin has its own key
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Minimum visit count of a placement whose value is taken from the table
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub min_visits: u32,
    /// Supplement: file of values by separate searches
    #[arg(long, value_name = "FILE")]
    pub supplement: Option<PathBuf>,
    /// Engine that adds missing values to the supplement, as gtp:COMMAND LINE
    #[arg(long, value_name = "ENGINE", requires = "supplement")]
    pub reference: Option<PlayerSpec>,
    /// File of choices: choices in it are not searched again, and new ones are appended. Delete it
    /// after a change of the code
    #[arg(long, value_name = "FILE")]
    pub choices: Option<PathBuf>,
    /// Write the results and all choices to FILE, as one JSON object
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// Compares the searches and prints a row for each, until `stop` returns true.
///
/// # Errors
/// As for [`rows`]; a file of `--json` that cannot be written.
pub fn run(args: &Args, stop: impl Fn() -> bool + Sync) -> Result<()> {
    let supplement = args.supplement.as_deref();
    let is_output = args.reference.is_some();
    let inputs = std::iter::once(&args.table).chain(&args.more);
    files::check_distinct(
        inputs
            .map(PathBuf::as_path)
            .chain(supplement.filter(|_| !is_output)),
        &[
            ("--supplement", supplement.filter(|_| is_output)),
            ("--choices", args.choices.as_deref()),
            ("--json", args.json.as_deref()),
        ],
    )?;
    args.json.as_deref().map_or(Ok(()), files::check_writable)?;
    let mut printed = Ok(());
    let is_kept = args.json.is_some() || args.choices.is_some() || is_output;
    let comparison = compare(args, stop, |line| match output::line(line) {
        // The files are still written.
        Err(error) if is_kept => {
            printed = std::mem::replace(&mut printed, Ok(())).and(Err(error));
            Ok(())
        }
        done => Ok(done?),
    })?;
    if let Some(path) = &args.json {
        files::write(path, &(serde_json::to_string(&comparison)? + "\n"))?;
    }
    Ok(printed?)
}

/// Compares the searches and returns a row for each, until `stop` returns true.
///
/// # Errors
/// A table that cannot be read or has no position of the half; a player or an engine that fails.
pub fn rows(args: &Args, stop: impl Fn() -> bool + Sync) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    compare(args, stop, |line| {
        lines.push(line);
        Ok(())
    })?;
    lines.drain(..HEAD);
    Ok(lines)
}

/// Number of lines before the row of the first search.
const HEAD: usize = 3;

fn compare(
    args: &Args,
    stop: impl Fn() -> bool + Sync,
    mut print: impl FnMut(String) -> Result<()>,
) -> Result<Comparison> {
    let paths: Vec<_> = std::iter::once(&args.table)
        .chain(&args.more)
        .cloned()
        .collect();
    let table = Table::read(&paths)?;
    let wanted = |entry: &&Entry| args.all || entry.split == args.split;
    let entries: Vec<&Entry> = table.entries.iter().filter(wanted).collect();
    let entries = &entries[..args.count.unwrap_or(entries.len()).min(entries.len())];
    ensure!(
        !entries.is_empty(),
        "the table has no position of this half"
    );
    let mut session = Session::new(args, entries)?;
    let columns = "search | limited regret | less than the first by | regret | agreement | unlisted \
                   | s each";
    print(format!(
        "{} positions of {}",
        entries.len(),
        table.recipe.engine
    ))?;
    print(format!("| {columns} |"))?;
    print("|---|--:|--:|--:|--:|--:|--:|".to_owned())?;
    let mut first: Option<Judgements> = None;
    let mut searches = Vec::new();
    for search in &args.searches {
        let judged = session.judge(search, &stop)?;
        let first = first.get_or_insert_with(|| judged.clone());
        let mut summary = Summary::new(&search.to_string(), &judged, first);
        print(summary.row())?;
        let choices = entries.iter().zip(&judged);
        summary.choices = choices
            .filter_map(|(entry, judged)| Some(ChoiceSummary::new(entry, (*judged)?)))
            .collect();
        searches.push(summary);
        if stop() {
            break;
        }
    }
    Ok(Comparison {
        engine: table.recipe.engine,
        split: (!args.all).then_some(args.split),
        positions: entries.len(),
        searches,
    })
}
