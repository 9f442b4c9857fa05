//! `duoforge sim-search`: the search in hardware, compared with its twin.

use std::fmt::Write as _;

use duoforge_rules::DuoBoard;
use duoforge_shards::Plan;
use duoforge_sim::Backend;
use duoforge_sim::search::{Comparison, ComparisonError, Cycles, Measured, fixed_game, walk};
use duoforge_twin::Rng;
use duoforge_twin::search::SearchSettings;
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Result};
use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::output::{self, Verdict};
use crate::shards::{ShardArgs, VERSION};

/// Kind of the campaign in a file of results.
pub const CAMPAIGN: &str = "sim-search";

/// Check the search in hardware against its twin
///
/// The emitted Verilog and the twin search the same positions with the same settings. They must
/// agree on every simulation, on the visit counts of all moves, and on the chosen move. Without
/// --games, the positions are those of a fixed game, and a table of cycle counts follows. The first
/// difference ends the comparison, with exit status 1.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Search settings, such as sims=300,lanes=4,children=32,expand_threshold=30,nodes=511;
    /// `duoforge players sim` lists the keys
    #[arg(value_name = "SETTINGS")]
    pub search: SearchSettings,
    /// Simulator: verilator, icarus or rust
    #[arg(long, value_name = "BACKEND", default_value_t = Backend::Verilator)]
    pub simulator: Backend,
    /// Search all positions of N random games instead of the fixed game
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub games: Option<u32>,
    /// Search every N-th position only
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub step: u16,
    /// Seed of the random games
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Compare only the results, not each simulation: for long searches
    #[arg(long)]
    pub outcome: bool,
    /// Nodes in block RAM, a power of two; the others are in a memory that answers after random
    /// times, as long as an SDRAM's on average
    #[arg(long, value_name = "N")]
    pub lines: Option<usize>,
    /// Clock frequency in MHz for the simulations per second
    #[arg(long, value_name = "MHZ", default_value_t = 50.0)]
    pub clock: f64,
    #[command(flatten)]
    pub shards: ShardArgs,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Compares hardware and twin on positions of games.
pub fn run(args: &Args) -> Result<Verdict> {
    let interrupt = Interrupt::catch(Some(
        "The current search is run to its end. Ctrl-C again stops at once.",
    ))?;
    let boards = positions(args);
    let plan = Plan::new(CAMPAIGN, VERSION, args.seed, boards.len() as u64)
        .with("search", args.search.to_string())
        .with("simulator", args.simulator.name())
        .with("games", args.games)
        .with("step", args.step)
        .with("outcome", args.outcome)
        .with("lines", args.lines);
    let mut results = args.shards.open(&plan)?;
    let stored = results
        .as_ref()
        .map(|results| results.stored::<StoredSearch>());
    let stored = stored.transpose()?.unwrap_or_default();
    let mut measured: Vec<_> = stored
        .into_iter()
        .map(|(_, search)| search.into())
        .collect();
    let mut comparison = Comparison::open(args.simulator, &args.search, args.lines, !args.outcome)?;
    for item in args.shards.items(&plan, results.as_ref()) {
        if interrupt.is_set() {
            break;
        }
        let search = match comparison.search(&boards[item as usize]) {
            Ok(search) => search,
            Err(error) => return ended_by(error),
        };
        if let Some(results) = &mut results {
            results.add(item, &StoredSearch::from(&search))?;
        }
        measured.push(search);
    }
    if args.json {
        output::json(&summary(
            &measured,
            &args.search,
            args.simulator,
            args.clock,
        ))?;
    } else {
        print(args, &measured)?;
    }
    if interrupt.is_set() {
        duoforge_process::exit(INTERRUPTED);
    }
    Ok(Verdict::Good)
}

/// Result of a campaign that an error ends: a difference is a negative result, which is reported.
fn ended_by(error: ComparisonError) -> Result<Verdict> {
    let is_difference = matches!(error, ComparisonError::Different { .. });
    let failure = Failure::from(error);
    if !is_difference {
        return Err(failure);
    }
    note!("{:?}", miette::Report::new(failure));
    Ok(Verdict::Bad)
}

/// Returns all positions of the campaign in order.
fn positions(args: &Args) -> Vec<DuoBoard> {
    let mut rng = Rng::new(args.seed);
    let games = (0..args.games.unwrap_or(1)).map(|_| match args.games {
        Some(_) => walk(&mut rng),
        None => fixed_game(),
    });
    let step = args.step.into();
    games
        .flat_map(|boards| boards.into_iter().step_by(step))
        .collect()
}

fn print(args: &Args, measured: &[Measured]) -> Result<()> {
    if args.games.is_none() {
        let text = table(measured, args.search.parameters.lanes, args.clock);
        output::line(text.trim_end())?;
    }
    output::line(equal(
        measured.iter().map(|search| search.simulations),
        args.simulator.name(),
    ))
}

/// Formats the result of searches with these numbers of simulations.
pub fn equal(simulations: impl Iterator<Item = u64>, simulator: &str) -> String {
    let (searches, simulations) = simulations.fold((0, 0), |(searches, all), simulations| {
        (searches + 1, all + simulations)
    });
    format!(
        "{searches} searches and {simulations} simulations are equal in {simulator} and by the twin"
    )
}

/// Search in a file of results, without its cycle counts: they depend on the searches before it.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoredSearch {
    ply: usize,
    /// Number of MCTS simulations.
    pub simulations: u64,
}

impl From<&Measured> for StoredSearch {
    fn from(measured: &Measured) -> Self {
        Self {
            ply: measured.ply,
            simulations: measured.simulations,
        }
    }
}

impl From<StoredSearch> for Measured {
    fn from(search: StoredSearch) -> Self {
        Self {
            ply: search.ply,
            simulations: search.simulations,
            cycles: Cycles::default(),
        }
    }
}

impl From<ComparisonError> for Failure {
    fn from(error: ComparisonError) -> Self {
        let message = error.to_string();
        match error {
            ComparisonError::Sim(error) => error.into(),
            ComparisonError::Different { .. } => Self::new("duoforge::sim::different", message)
                .help("hardware and twin disagree; please report it with these settings"),
            ComparisonError::NoSimulations => Self::new("duoforge::usage", message),
            ComparisonError::Unsupported(_) => Self::new("duoforge::usage", message)
                .help("`duoforge players sim` lists the ranges of the hardware"),
        }
    }
}

/// JSON summary: settings, and each compared search with its cycle counts.
#[derive(Debug, Serialize)]
struct Summary {
    /// Settings of the search.
    search: String,
    /// Simulator.
    simulator: &'static str,
    /// Clock frequency in hertz for which `per_second` is computed.
    clock_hz: u64,
    /// Compared searches, in order.
    searches: Vec<Row>,
}

/// JSON form of a search. All cycle counts are sums over the whole search.
#[derive(Debug, Serialize)]
struct Row {
    ply: usize,
    simulations: u64,
    cycles: u64,
    /// Busy cycles of the tree.
    tree: u64,
    /// Busy cycles of the expander.
    expander: u64,
    /// Busy cycles of the playout cores, summed over the cores.
    cores: u64,
    /// Simulations per second, rounded down.
    per_second: u64,
}

/// Summarises searches, with simulations per second at a clock frequency in megahertz.
fn summary(
    measured: &[Measured],
    settings: &SearchSettings,
    simulator: Backend,
    megahertz: f64,
) -> Summary {
    let clock_hz = (megahertz * 1e6) as u64;
    let row = |measured: &Measured| Row {
        ply: measured.ply,
        simulations: measured.simulations,
        cycles: measured.cycles.whole,
        tree: measured.cycles.tree,
        expander: measured.cycles.expander,
        cores: measured.cycles.lanes,
        per_second: measured.per_second(clock_hz),
    };
    Summary {
        search: settings.to_string(),
        simulator: simulator.name(),
        clock_hz,
        searches: measured.iter().map(row).collect(),
    }
}

/// Formats a table of cycle counts, with simulations per second at a clock frequency in megahertz.
fn table(measured: &[Measured], lanes: usize, megahertz: f64) -> String {
    let mut text = String::from(
        "| ply | simulations | cycles each | tree | expander | cores | a second |\n\
         |--:|--:|--:|--:|--:|--:|--:|\n",
    );
    // Searches of an earlier run have no cycle counts.
    let measured = measured.iter().filter(|row| row.cycles.whole > 0);
    for row in measured.filter(|row| row.simulations > 0) {
        let whole = row.cycles.whole as f64;
        let share = |cycles: u64| format!("{:.0} %", 100.0 * cycles as f64 / whole);
        let each = whole / row.simulations as f64;
        let _ = writeln!(
            text,
            "| {} | {} | {each:.0} | {} | {} | {} | {} |",
            row.ply,
            row.simulations,
            share(row.cycles.tree),
            share(row.cycles.expander),
            share(row.cycles.lanes / lanes as u64),
            row.per_second((megahertz * 1e6) as u64),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use duoforge_sim::search::Divergence;

    use super::*;

    fn measured() -> Measured {
        Measured {
            ply: 4,
            simulations: 2_000,
            cycles: Cycles {
                whole: 496_204,
                tree: 200_000,
                expander: 10_000,
                lanes: 1_500_000,
            },
        }
    }

    #[test]
    fn rates_are_rounded_down_in_the_table_and_in_json_alike() {
        let settings: SearchSettings = "sims=2000,lanes=4".parse().unwrap();
        let summary = summary(&[measured()], &settings, Backend::Verilator, 50.0);
        let json = serde_json::to_value(summary).unwrap();
        assert_eq!(json["clock_hz"], 50_000_000);
        assert_eq!(json["simulator"], "verilator");
        assert_eq!(json["searches"][0]["cycles"], 496_204);
        assert_eq!(json["searches"][0]["per_second"], 201_530);
        let table = table(&[measured()], 4, 50.0);
        let row = "| 4 | 2000 | 248 | 40 % | 2 % | 76 % | 201530 |";
        assert!(table.contains(row), "{table}");
    }

    #[test]
    fn a_difference_is_a_negative_result_and_not_a_failure() {
        let different = ComparisonError::Different {
            position: "after 53e0".to_owned(),
            difference: Box::new(Divergence::Simulations(5, 4)),
        };
        assert_eq!(ended_by(different).unwrap(), Verdict::Bad);
        assert!(ended_by(ComparisonError::NoSimulations).is_err());
    }

    #[test]
    fn a_search_without_clocks_has_no_rate() {
        let none = Measured {
            simulations: 0,
            cycles: Cycles::default(),
            ..measured()
        };
        assert_eq!(none.per_second(50_000_000), 0);
    }
}
