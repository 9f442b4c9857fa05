//! `duoforge merge`: joins the results of the shards of a campaign.

use std::fs;
use std::path::PathBuf;

use duoforge_shards::{Merged, Plan, merge};
use serde::Serialize;

use super::{sim, sim_search, sim_shipped};
use crate::failure::{Failure, Result};
use crate::output::{self, Verdict, grouped};
use crate::play::files::distinct;

/// Merge the results of the shards of a campaign
///
/// Takes the files that --results of sim, sim-search and sim-shipped wrote, in any order. The
/// output equals the file of a single run of the whole campaign, byte for byte. Files of different
/// campaigns, versions, seeds or settings are refused, as are missing items and those that occur
/// twice. `duoforge-lab merge` merges the campaigns of duoforge-lab.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit status: 0 if all results are good, 1 if there is a mismatch, 2 if the files cannot be merged")]
pub struct Args {
    /// Files of all shards
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write the merged results to OUT
    #[arg(long, value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Merged campaign in JSON.
#[derive(Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    plan: &'a Plan,
    files: usize,
    /// False if there is a mismatch.
    good: bool,
}

/// Merges files.
pub fn run(args: &Args) -> Result<Verdict> {
    if let Some(out) = &args.out {
        let inputs = args.files.iter();
        inputs
            .map(|file| [file.as_path(), out])
            .try_for_each(|pair| distinct(&pair))?;
    }
    let merged = merge(&args.files)?;
    let report = report(&merged)?;
    if let Some(path) = &args.out {
        fs::write(path, merged.text()).map_err(|error| Failure::file("written", path, &error))?;
    }
    let plan = merged.plan();
    let (verdict, text) = report;
    if args.json {
        output::json(&Summary {
            plan,
            files: args.files.len(),
            good: verdict == Verdict::Good,
        })?;
    } else {
        let files = args.files.len();
        output::line(format!(
            "{} of {files} files, seed {}",
            plan.campaign, plan.seed
        ))?;
        output::line(text)?;
    }
    Ok(verdict)
}

/// Returns the verdict and the text about merged results.
fn report(merged: &Merged) -> Result<(Verdict, String)> {
    let plan = merged.plan();
    let setting = |name: &str| plan.settings.get(name).and_then(|value| value.as_str());
    match plan.campaign.as_str() {
        sim::CAMPAIGN => {
            let games = merged.results::<sim::StoredGame>()?;
            let sum =
                |of: fn(&sim::StoredGame) -> u64| games.iter().map(|(_, game)| of(game)).sum();
            let (plies, legal_sets, cycles): (u64, u64, u64) = (
                sum(|game| game.plies),
                sum(|game| game.legal_sets),
                sum(|game| game.cycles),
            );
            let failed: Vec<_> = games
                .iter()
                .filter(|(_, game)| game.mismatch.is_some())
                .collect();
            let mut text = format!(
                "{}: {} games, {} plies and {} legal sets compared, {} cycles, {} mismatches",
                setting("backend").unwrap_or("-"),
                games.len(),
                grouped(plies),
                grouped(legal_sets),
                grouped(cycles),
                failed.len(),
            );
            for (_, game) in &failed {
                text += &format!("\nmismatch in the game with seed {}", game.seed);
            }
            Ok((Verdict::of(failed.is_empty()), text))
        }
        sim_search::CAMPAIGN => {
            let searches = merged.results::<sim_search::StoredSearch>()?;
            let simulations = searches.iter().map(|(_, search)| search.simulations);
            let text = sim_search::equal(simulations, setting("simulator").unwrap_or("-"));
            Ok((Verdict::Good, text))
        }
        sim_shipped::CAMPAIGN => {
            let players = merged.results::<sim_shipped::StoredMoves>()?;
            let players: Vec<_> = players.into_iter().map(|(_, player)| player).collect();
            Ok(sim_shipped::table(&players))
        }
        other => {
            let message = format!("campaign {other} is not one of sim, sim-search, sim-shipped");
            Err(Failure::new("duoforge::usage", message)
                .help("`duoforge-lab merge` merges the campaigns of duoforge-lab"))
        }
    }
}
