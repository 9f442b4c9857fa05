//! Tuning by games: parameters of a search that win against others.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use duoforge_players::PlayerSpec;
use duoforge_shards::{Plan, Results, Shard};
use duoforge_twin::search::pairs;
use serde::{Deserialize, Serialize};

use crate::campaigns::{PairArgs, count};
use crate::files;
use crate::match_score::MatchScore;
use crate::matches::{self, Match};
use crate::output;
use crate::report::Report;
use crate::seed::derive;

mod spsa;

use spsa::{Spsa, Tuned};

/// Name of tuning in a file of results. An item is an iteration.
const CAMPAIGN: &str = "lab-tune";

/// Version of this program, as stored in files of results.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Maximum number of iterations.
const MAX_ITERATIONS: u64 = 100_000;

/// Tune parameters of a search by games of the search against itself
///
/// Each iteration of SPSA changes all keys at once by a random sign, up in A and down in B, and plays
/// A against B. The score moves each key. Changes are relative, so all keys must be positive. They
/// shrink with the number of the iteration.
///
/// FILE has a line for each iteration. The same command resumes a killed run and ends like an
/// undisturbed one; more --iterations continue it. Prints the search with the values of the last
/// iteration. An iteration takes the lines of a list of openings after those of the iteration before
/// it. Games of a search against itself mislead: confirm these values against other players.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A KEY is a key of the search; `duoforge-lab keys SEARCH` lists them. PERCENT is the size of the
first changes, as in
  duoforge-lab tune engine:sims=5000,threads=1 exploration fpu_weight=40 --results tuned.jsonl")]
pub struct Args {
    /// Search to start from, as search:KEY=VALUE,... or engine:KEY=VALUE,...
    pub search: PlayerSpec,
    /// Keys to tune, as KEY or KEY=PERCENT; PERCENT is 1 to 100 and 30 by default
    #[arg(required = true, value_name = "KEY")]
    pub keys: Vec<String>,
    /// Number of iterations
    #[arg(long, value_name = "N", default_value_t = 100)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=MAX_ITERATIONS))]
    pub iterations: u64,
    /// Number of pairs of games of an iteration
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = count())]
    pub pairs: usize,
    /// Options of the games.
    #[command(flatten)]
    pub games: PairArgs,
    /// File of the iterations
    #[arg(long, value_name = "FILE")]
    pub results: PathBuf,
}

/// Iteration in the file.
#[derive(Debug, Serialize, Deserialize)]
struct Iteration {
    /// Score of A, from 0 to 1.
    score: f64,
    /// Keys of A and B.
    a: BTreeMap<String, u64>,
    b: BTreeMap<String, u64>,
    /// Keys after the iteration.
    values: BTreeMap<String, u64>,
}

/// Runs the iterations that the file lacks and prints the search with the last values.
///
/// # Errors
/// Keys that cannot be tuned; a file of another run; a player that fails.
pub fn run(args: &Args, interrupted: impl Fn() -> bool) -> Result<()> {
    files::check_distinct(
        args.games.openings.file(),
        &[("--results", Some(&args.results))],
    )?;
    ensure!(
        args.search.repeats(),
        "{} does not repeat its games: expected a search with sims=N, and threads=1 for engine",
        args.search
    );
    let keys = args.keys.iter();
    let keys: Vec<Tuned> = keys
        .map(|text| Tuned::parse(text, &args.search))
        .collect::<Result<_>>()?;
    let mut spsa = Spsa::new(keys, args.games.seed)?;
    let plan = Plan::new(CAMPAIGN, VERSION, args.games.seed, MAX_ITERATIONS)
        .with("search", args.search.to_string())
        .with("keys", spsa.changes())
        .with("pairs", args.pairs)
        .with("openings", args.games.openings.to_string());
    let mut results = Results::open(&args.results, &plan, Shard::default())?;
    let mut games = 0;
    for (number, stored) in results.stored::<Iteration>()? {
        spsa.step(number, stored.score);
        games += 2 * args.pairs;
    }
    for number in results.missing() {
        if number >= args.iterations || interrupted() {
            break;
        }
        let [a, b] = spsa.values_of_sides(number);
        let Some(score) = play(args, number, [&a, &b], &interrupted)? else {
            break;
        };
        spsa.step(number, score);
        games += 2 * args.pairs;
        let values = spsa.values();
        let values_text = listed(&values);
        output::note(format_args!("{:4}: {score:.3}  {values_text}", number + 1));
        let iteration = Iteration {
            score,
            a,
            b,
            values,
        };
        results.add(number, &iteration)?;
    }
    output::line(format_args!("{games} games"))?;
    output::line(with_values(&args.search, &spsa.values())?)?;
    Ok(())
}

/// Plays the match of an iteration; returns the score of A, or `None` after an interrupt.
fn play(
    args: &Args,
    number: u64,
    sides: [&BTreeMap<String, u64>; 2],
    interrupted: impl Fn() -> bool,
) -> Result<Option<f64>> {
    let seed = derive(args.games.seed, &[number]);
    let [a, b] = sides.map(|values| with_values(&args.search, values));
    let openings = &args.games.openings;
    let openings = openings.round(number, args.pairs, args.games.seed, &interrupted);
    let Some(openings) = openings? else {
        return Ok(None);
    };
    let what = Match {
        players: [a?, b?],
        openings,
        seed,
        jobs: args.games.jobs.into(),
    };
    let pairs: Vec<usize> = (0..args.pairs).collect();
    let mut report = Report::new(&what, args.games.openings.to_string());
    let take = |game| drop(report.take(game));
    matches::run(&what, what.open()?, &pairs, take, interrupted)?;
    let mut score = MatchScore::default();
    let played = pairs.iter().filter_map(|&pair| report.pair(pair));
    played.for_each(|pair| score.add(pair));
    let is_whole = score.pairs() == args.pairs;
    Ok(score.score().filter(|_| is_whole).map(|mean| mean.value))
}

/// Returns a search with other values of some keys.
fn with_values(search: &PlayerSpec, values: &BTreeMap<String, u64>) -> Result<PlayerSpec> {
    let text = search.to_string();
    let (player, settings) = text.split_once(':').unwrap_or((&text, ""));
    let mut kept = Vec::new();
    for pair in pairs(settings) {
        let (key, value) = pair?;
        if !values.contains_key(key) {
            kept.push(format!("{key}={value}"));
        }
    }
    kept.push(listed(values));
    let text = format!("{player}:{}", kept.join(","));
    text.parse().with_context(|| text.clone())
}

/// Returns values as settings.
fn listed(values: &BTreeMap<String, u64>) -> String {
    let pairs = values.iter().map(|(key, value)| format!("{key}={value}"));
    pairs.collect::<Vec<_>>().join(",")
}
