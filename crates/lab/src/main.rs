//! Command-line program for experiments with players.

use std::fs::{self, File};
use std::io::{BufReader, LineWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use duoforge_lab::agreement::Agreement;
use duoforge_lab::campaigns::{self, StoredPair};
use duoforge_lab::learn::{maxn, report::report};
use duoforge_lab::matches::{Match, run};
use duoforge_lab::openings::{self, OpeningSpec};
use duoforge_lab::reference::{compare, evaluate, positions};
use duoforge_lab::regret::{Costs, Reference};
use duoforge_lab::report::{Report, record};
use duoforge_lab::training_games::{self, Plan};
use duoforge_players::PlayerSpec;
use duoforge_records::read_blksgf;
use duoforge_rules::Move;
use duoforge_shards::{Results, Shard};
use duoforge_twin::search::SearchSettings;

/// Exit status after an interrupt: 128 + the number of SIGINT.
const INTERRUPTED: u8 = 130;

/// True after Ctrl-C.
static INTERRUPT: AtomicBool = AtomicBool::new(false);

/// Experiments with players of Blokus Duo
#[derive(Debug, Parser)]
#[command(name = "duoforge-lab", max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Command to run.
#[derive(Debug, Subcommand)]
enum Command {
    Match(MatchArgs),
    Openings(openings::Args),
    Games(GamesArgs),
    Learn(LearnArgs),
    Agree(AgreeArgs),
    Regret(RegretArgs),
    Positions(positions::Args),
    Evaluate(evaluate::Args),
    Compare(compare::Args),
    Merge(MergeArgs),
}

/// Measure two players against each other
///
/// Each opening is played twice, with colours swapped. Players are asked for moves directly, every
/// move is checked against the rules, and there is no time limit. The error of the score is its
/// standard error over pairs. Random choices depend only on --seed, not on the number of jobs.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Players: pattern, search:KEY=VALUE,..., engine:KEY=VALUE,..., random, gtp:COMMAND LINE, as in
  duoforge-lab match pattern \"gtp:pentobi-gtp --level 1 --nobook --noresign --quiet\"
`duoforge players search` and `duoforge players engine` list the keys.

Exit status: 0 if the match was played to its end, 2 after a failure, 130 after Ctrl-C; what was
played till then is told in any case.")]
struct MatchArgs {
    /// Player A
    a: PlayerSpec,
    /// Player B
    b: PlayerSpec,
    /// Number of pairs of games
    #[arg(long, value_name = "N", default_value_t = 50)]
    pairs: usize,
    /// Openings: random:PLIES or list:FILE
    #[arg(long, value_name = "OPENINGS", default_value = "random:4")]
    openings: OpeningSpec,
    /// Seed of openings and random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of simultaneous games, each with its own two players
    #[arg(long, value_name = "J", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Play only part I of N of the pairs, with I from 0 to N - 1
    #[arg(long, value_name = "I/N", default_value_t)]
    shard: Shard,
    /// Write the pairs to FILE, for `merge`; a file of an earlier run is completed
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Write the results and all pairs to FILE, as one JSON object
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write each finished game to FILE at once, as a line of codes
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// Play training games
///
/// Each game starts with some random opening plies. Every finished game is written at once, as one
/// JSON object per line. The games depend only on --seed. A file of an earlier run is completed.
#[derive(Debug, clap::Args)]
struct GamesArgs {
    /// Player A
    a: PlayerSpec,
    /// Player B
    b: PlayerSpec,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// Maximum number of random opening plies; games cycle through 0 to PLIES
    #[arg(long, value_name = "PLIES", default_value_t = 6)]
    drawn: usize,
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play only part I of N of the games, with I from 0 to N - 1
    #[arg(long, value_name = "I/N", default_value_t)]
    shard: Shard,
    /// Output file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Train the weights of the search's prior on games
///
/// Prints how well the weights predict the players' choices, by phase of the game (below 6, 12 and
/// 18 tiles placed, and above): the cross-entropy in bits, and the share of choices that rank first
/// or among the top N. Then prints the weights, as search settings and as Rust source.
#[derive(Debug, clap::Args)]
struct LearnArgs {
    /// Files written by `games`; with --maxn, blksgf files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Train the prior of `maxn`, on games of variants with boards of one size. Phases end when each
    /// colour has placed 3, 6 and 9 tiles on average
    #[arg(long)]
    maxn: bool,
    /// Hold out every N-th game for evaluation
    #[arg(long, value_name = "N", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u16).range(2..))]
    holdout: u16,
}

/// Measure how often searches choose the players' moves
///
/// For each search, prints how often its best placement is the recorded one, and how often the
/// tree contains the recorded one. Also prints the cross-entropy of the visit distribution in bits
/// (lower is better).
#[derive(Debug, clap::Args)]
struct AgreeArgs {
    /// File written by `games`
    file: PathBuf,
    /// Search settings, such as sims=5000,children=32
    #[arg(required = true, value_name = "SETTINGS")]
    searches: Vec<SearchSettings>,
    /// Evaluate every N-th position only
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    step: u16,
}

/// Measure the regret of searches by the judgement of a stronger program
///
/// In each position, the program chooses a placement too, and evaluates the position after either
/// choice; the difference is the regret. A second mean limits each regret to 0.12, because a few
/// large ones dominate the variance. By that mean, each search is compared with the first one,
/// position by position.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The program has to know the commands reg_genmove and move_values, as in
  duoforge-lab regret games.jsonl \"gtp:pentobi-gtp --level 7 --nobook --noresign --quiet --threads 1\" \\
    sims=40000,children=32 sims=40000,children=64 --step 20")]
struct RegretArgs {
    /// File written by `games`
    file: PathBuf,
    /// Reference program, as gtp:COMMAND LINE
    reference: PlayerSpec,
    /// Search settings, such as sims=5000,children=32
    #[arg(required = true, value_name = "SETTINGS")]
    searches: Vec<SearchSettings>,
    /// Evaluate every N-th position only
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    step: u16,
    /// Evaluate positions up to this ply
    #[arg(long, value_name = "PLY", default_value_t = 18)]
    last: u16,
}

/// Merge the results of the shards of a campaign
///
/// Takes the files of `match --results` or of `games`, in any order, and prints their report. The
/// output equals the file of a single run, byte for byte. Files of different campaigns, versions,
/// seeds or settings are refused, as are missing items and those that occur twice.
#[derive(Debug, clap::Args)]
struct MergeArgs {
    /// Files of all shards
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the merged results to OUT
    #[arg(long, value_name = "OUT")]
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    let caught = ctrlc::set_handler(|| {
        if INTERRUPT.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
        eprintln!("\nEnding after the current moves; Ctrl-C again ends at once.");
    });
    let done =
        caught
            .context("Ctrl-C cannot be caught")
            .and_then(|()| match Cli::parse().command {
                Command::Match(args) => play(&args),
                Command::Openings(args) => openings::run(&args),
                Command::Games(args) => games(&args),
                Command::Learn(args) => learn(&args),
                Command::Agree(args) => agree(&args),
                Command::Regret(args) => regret(&args),
                Command::Positions(args) => positions::run(&args),
                Command::Evaluate(args) => evaluate::run(&args, interrupted),
                Command::Compare(args) => compare::run(&args, interrupted),
                Command::Merge(args) => merge(&args),
            });
    match done {
        Ok(()) if INTERRUPT.load(Ordering::Relaxed) => ExitCode::from(INTERRUPTED),
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn interrupted() -> bool {
    INTERRUPT.load(Ordering::Relaxed)
}

/// Plays a match and prints the report, even if the match ends early.
fn play(args: &MatchArgs) -> Result<()> {
    let what = Match {
        players: [args.a.clone(), args.b.clone()],
        openings: args.openings.openings(args.pairs, args.seed)?,
        seed: args.seed,
        jobs: args.jobs.into(),
    };
    let mut list = args
        .record
        .as_deref()
        .map(create)
        .transpose()?
        .map(LineWriter::new);
    let openings = args.openings.to_string();
    let plan = campaigns::match_plan(&what, &openings);
    let path = args.results.as_deref();
    let open = |path: &Path| Results::open(path, &plan, args.shard);
    let mut results = path.map(open).transpose()?;
    let mut report = Report::new(&what, openings);
    let stored = results
        .as_ref()
        .map(Results::stored::<StoredPair>)
        .transpose()?;
    for (pair, stored) in stored.into_iter().flatten() {
        for game in stored.games(pair as usize)? {
            report.take(game);
        }
    }
    let pairs = match &results {
        Some(results) => results.missing(),
        None => plan.items_of(args.shard).collect(),
    };
    let pairs: Vec<usize> = pairs.into_iter().map(|pair| pair as usize).collect();
    let mut written: Result<()> = Ok(());
    let done = run(
        &what,
        &pairs,
        |game| {
            let number = game.pair;
            if let (Some(list), Ok(())) = (&mut list, &written) {
                written = writeln!(list, "{}", record(&game)).context("--record");
            }
            if let Some(line) = report.take(game) {
                eprintln!("{line}");
            }
            if let (Some(results), Some(pair), Ok(())) =
                (&mut results, report.pair(number), &written)
            {
                let stored = results.add(number as u64, &StoredPair::from(pair));
                written = stored.map_err(anyhow::Error::from);
            }
        },
        interrupted,
    );
    print!("{}", report.text());
    if let Some(path) = &args.json {
        let mut file = create(path)?;
        serde_json::to_writer_pretty(&mut file, &report.summary())?;
        writeln!(file).with_context(|| failed(path))?;
    }
    written?;
    Ok(done?)
}

/// Merges the results of all shards and prints their report.
fn merge(args: &MergeArgs) -> Result<()> {
    let merged = duoforge_shards::merge(&args.files)?;
    let report = campaigns::merged_report(&merged)?;
    if let Some(path) = &args.out {
        std::fs::write(path, merged.text()).with_context(|| failed(path))?;
    }
    print!("{report}");
    Ok(())
}

/// Plays training games and writes them to a file.
fn games(args: &GamesArgs) -> Result<()> {
    let plan = Plan {
        players: [args.a.clone(), args.b.clone()],
        games: args.games,
        drawn: args.drawn,
        seed: args.seed,
    };
    let mut results = Results::open(&args.out, &campaigns::games_plan(&plan), args.shard)?;
    let games = results.missing();
    let all = campaigns::games_plan(&plan).items_of(args.shard).count();
    let mut count = all - games.len();
    let done = plan.play(
        games.into_iter().map(|game| game as usize),
        |number, game| {
            count += 1;
            Ok(results.add(number as u64, &game)?)
        },
        interrupted,
    );
    println!("{count} of {all} games in {}", args.out.display());
    done
}

/// Trains the prior on games and prints the report.
fn learn(args: &LearnArgs) -> Result<()> {
    if args.maxn {
        let mut records = Vec::new();
        for path in &args.files {
            let name = path.display();
            let text =
                fs::read_to_string(path).with_context(|| format!("{name} cannot be read"))?;
            let found = read_blksgf(&text).with_context(|| name.to_string())?;
            records.extend(found.into_iter().map(|found| found.record));
        }
        print!("{}", maxn::report(&records, args.holdout.into())?.1);
        return Ok(());
    }
    let mut games = Vec::new();
    for path in &args.files {
        games.extend(read(path)?);
    }
    print!("{}", report(&games, args.holdout.into()).1);
    Ok(())
}

/// Measures the agreement of each search.
fn agree(args: &AgreeArgs) -> Result<()> {
    let games = read(&args.file)?;
    for search in &args.searches {
        let agreement = Agreement::over(&games, search, args.step.into());
        println!("{}  {search}", agreement.line());
    }
    Ok(())
}

/// Measures the regret of each search.
fn regret(args: &RegretArgs) -> Result<()> {
    let PlayerSpec::Gtp(words) = &args.reference else {
        bail!(
            "{} tells no values; give a program as gtp:COMMAND LINE",
            args.reference
        );
    };
    let games = read(&args.file)?;
    let mut reference = Reference::start(words)?;
    let mut first = None;
    for search in &args.searches {
        let which = (args.step.into(), args.last.into());
        let costs = Costs::over(&games, search, &mut reference, which, interrupted)?;
        let first = first.get_or_insert_with(|| costs.clone());
        println!("{}  {search}", costs.line(first));
    }
    Ok(())
}

/// Reads a file of games: number of opening plies and moves of each game.
fn read(path: &Path) -> Result<Vec<(usize, Vec<Move>)>> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("{name} cannot be read"))?;
    let read = training_games::read(BufReader::new(file)).with_context(|| name.to_string())?;
    let games = read.into_iter();
    Ok(games
        .map(|(example, turns)| (example.drawn, turns))
        .collect())
}

fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| failed(path))
}

fn failed(path: &Path) -> String {
    format!("{} cannot be written", path.display())
}
