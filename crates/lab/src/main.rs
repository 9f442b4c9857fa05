//! Runs experiments with players.

use std::fs::File;
use std::io::{BufReader, LineWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use duoforge_arena::PlayerSpec;
use duoforge_engine::Rng;
use duoforge_engine::search::Settings;
use duoforge_lab::agreement::Agreement;
use duoforge_lab::examples::{self, Plan};
use duoforge_lab::hardware::{Comparison, fixed_game, summary, table, walk};
use duoforge_lab::learn::report::report;
use duoforge_lab::matches::{Match, run};
use duoforge_lab::openings::OpeningSpec;
use duoforge_lab::regret::{Costs, Reference};
use duoforge_lab::report::{Report, record};
use duoforge_lab::shipped;
use duoforge_rules::Move;
use duoforge_sim::Backend;

/// Exit status of a program that was interrupted: 128 + the number of SIGINT.
const INTERRUPTED: u8 = 130;

/// Whether Ctrl-C was pressed.
static INTERRUPT: AtomicBool = AtomicBool::new(false);

/// Experiments with players of Blokus Duo
#[derive(Debug, Parser)]
#[command(name = "duoforge-lab", max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
enum Command {
    Match(MatchArgs),
    Games(GamesArgs),
    Learn(LearnArgs),
    Agree(AgreeArgs),
    Regret(RegretArgs),
    Hardware(HardwareArgs),
    Shipped(shipped::Args),
}

/// Measure two players against each other
///
/// Every opening is played twice, with colours swapped. Players are asked for moves directly, each
/// move is judged by the rules, and nobody has a time limit. The score's error is its standard error
/// over pairs. Random choices depend on --seed alone, and not on the number of jobs.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Players: engine, search:KEY=VALUE,..., strong:KEY=VALUE,..., random, gtp:COMMAND LINE, as in
  duoforge-lab match engine \"gtp:pentobi-gtp --level 1 --nobook --noresign --quiet\"

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
    /// What decides openings and random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at the same time, each with its own two players
    #[arg(long, value_name = "J", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Write the figures and all pairs to this file, as one JSON object
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write each game to this file as soon as it has ended, as a line of codes
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// Play games to learn from
///
/// Each game begins with some plies drawn by chance. Games are written as soon as they have ended, one
/// JSON object a line, and depend on --seed alone.
#[derive(Debug, clap::Args)]
struct GamesArgs {
    /// Player A
    a: PlayerSpec,
    /// Player B
    b: PlayerSpec,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// The most plies that are drawn; games have from none to this many, in turn
    #[arg(long, value_name = "PLIES", default_value_t = 6)]
    drawn: usize,
    /// What decides everything that is left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to be written
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Learn the weights of the search's prior from games
///
/// Tells how well they foretell what players chose, by phase of the game (under 6, 12, 18 tiles on the
/// board, and above): the bits that a choice still tells, and how often it is the best one or among the
/// best. The weights follow, as settings of a search and as Rust.
#[derive(Debug, clap::Args)]
struct LearnArgs {
    /// Files that `games` wrote
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Hold out every N-th game, to be judged by
    #[arg(long, value_name = "N", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u16).range(2..))]
    holdout: u16,
}

/// Ask searches what players chose
///
/// Tells for each search how often its most visited placement is the one that was chosen, how often the
/// tree holds that one, and how many bits its share of the visits leaves to be told: less is better.
#[derive(Debug, clap::Args)]
struct AgreeArgs {
    /// File that `games` wrote
    file: PathBuf,
    /// Settings of searches, such as sims=5000,children=32
    #[arg(required = true, value_name = "SETTINGS")]
    searches: Vec<Settings>,
    /// Ask about every N-th position only
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    step: u16,
}

/// Ask a stronger program what the choices of searches cost
///
/// For each position the program chooses, too, and tells what the position is worth after either choice; the
/// difference is the cost. A second mean limits costs to 0.12, since a few large ones drown the others; by that
/// each search is compared with the first one, position by position.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The program has to know the commands reg_genmove and move_values, as in
  duoforge-lab regret games.jsonl \"gtp:pentobi-gtp --level 7 --nobook --noresign --quiet --threads 1\" \\
    sims=40000,children=32 sims=40000,children=64 --step 20")]
struct RegretArgs {
    /// File that `games` wrote
    file: PathBuf,
    /// The program, as gtp:COMMAND LINE
    reference: PlayerSpec,
    /// Settings of searches, such as sims=5000,children=32
    #[arg(required = true, value_name = "SETTINGS")]
    searches: Vec<Settings>,
    /// Ask about every N-th position only
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    step: u16,
    /// Ask about positions up to this ply
    #[arg(long, value_name = "PLY", default_value_t = 18)]
    last: u16,
}

/// Hold the search in hardware against its twin
///
/// The emitted Verilog and the twin search the same positions with the same settings, and must agree on
/// every simulation, on the visits of all moves, and on the move. Without --games the positions are those of
/// a fixed game, and a table of clocks follows.
#[derive(Debug, clap::Args)]
struct HardwareArgs {
    /// Settings of the search, such as sims=300,lanes=4,children=32,threshold=30,nodes=511
    search: Settings,
    /// Simulator: verilator, icarus or rust
    #[arg(long, default_value_t = Backend::Verilator)]
    simulator: Backend,
    /// Search all positions of N random games instead
    #[arg(long, value_name = "N")]
    games: Option<usize>,
    /// Search every N-th position only
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    step: u16,
    /// What the games depend on
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Compare what came of the simulations, and not each one: for long searches
    #[arg(long)]
    outcome: bool,
    /// Frequency in MHz for which simulations a second are told
    #[arg(long, value_name = "MHZ", default_value_t = 50.0)]
    clock: f64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
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
                Command::Match(args) => play(&args).map(|()| true),
                Command::Games(args) => games(&args).map(|()| true),
                Command::Learn(args) => learn(&args).map(|()| true),
                Command::Agree(args) => agree(&args).map(|()| true),
                Command::Regret(args) => regret(&args).map(|()| true),
                Command::Hardware(args) => hardware(&args).map(|()| true),
                Command::Shipped(args) => shipped::run(&args),
            });
    match done {
        Ok(_) if INTERRUPT.load(Ordering::Relaxed) => ExitCode::from(INTERRUPTED),
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Plays a match and tells of it, whatever ends it.
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
    let mut written = Ok(());
    let mut report = Report::new(&what, args.openings.to_string());
    let done = run(
        &what,
        |game| {
            if let (Some(list), Ok(())) = (&mut list, &written) {
                written = writeln!(list, "{}", record(&game));
            }
            if let Some(line) = report.take(game) {
                eprintln!("{line}");
            }
        },
        || INTERRUPT.load(Ordering::Relaxed),
    );
    print!("{}", report.text());
    if let Some(path) = &args.json {
        let mut file = create(path)?;
        serde_json::to_writer_pretty(&mut file, &report.summary())?;
        writeln!(file).with_context(|| failed(path))?;
    }
    if let Some(path) = &args.record {
        written.with_context(|| failed(path))?;
    }
    Ok(done?)
}

/// Plays games and writes them.
fn games(args: &GamesArgs) -> Result<()> {
    let plan = Plan {
        players: [args.a.clone(), args.b.clone()],
        games: args.games,
        drawn: args.drawn,
        seed: args.seed,
    };
    let mut file = LineWriter::new(create(&args.out)?);
    let mut count = 0;
    let done = plan.play(
        |game| {
            count += 1;
            serde_json::to_writer(&mut file, &game)?;
            writeln!(file).with_context(|| failed(&args.out))
        },
        || INTERRUPT.load(Ordering::Relaxed),
    );
    println!("{count} of {} games in {}", args.games, args.out.display());
    done
}

/// Learns from games and tells what came of it.
fn learn(args: &LearnArgs) -> Result<()> {
    let mut games = Vec::new();
    for path in &args.files {
        games.extend(read(path)?);
    }
    print!("{}", report(&games, args.holdout.into()).1);
    Ok(())
}

/// Asks searches, one after the other.
fn agree(args: &AgreeArgs) -> Result<()> {
    let games = read(&args.file)?;
    for search in &args.searches {
        let agreement = Agreement::over(&games, search, args.step.into());
        println!("{}  {search}", agreement.line());
    }
    Ok(())
}

/// Asks a program what the choices of searches cost.
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
        let stop = || INTERRUPT.load(Ordering::Relaxed);
        let costs = Costs::over(&games, search, &mut reference, which, stop)?;
        let first = first.get_or_insert_with(|| costs.clone());
        println!("{}  {search}", costs.line(first));
    }
    Ok(())
}

/// Searches positions in hardware and by the twin.
fn hardware(args: &HardwareArgs) -> Result<()> {
    let mut comparison = Comparison::open(args.simulator, &args.search, !args.outcome)?;
    let mut rng = Rng::new(args.seed);
    let games = (0..args.games.unwrap_or(1)).map(|_| match args.games {
        Some(_) => walk(&mut rng),
        None => fixed_game(),
    });
    let mut measured = Vec::new();
    for boards in games {
        for board in boards.iter().step_by(args.step.into()) {
            if INTERRUPT.load(Ordering::Relaxed) {
                break;
            }
            measured.push(comparison.search(board)?);
        }
    }
    if args.json {
        let summary = summary(&measured, &args.search, args.simulator, args.clock);
        println!("{}", serde_json::to_string_pretty(&summary)?);
        return Ok(());
    }
    if args.games.is_none() {
        print!(
            "{}",
            table(&measured, args.search.parameters.lanes, args.clock)
        );
    }
    println!(
        "{} searches and {} simulations are equal in {} and by the twin",
        comparison.searches, comparison.simulations, args.simulator
    );
    Ok(())
}

/// The games of a file: how many plies were drawn, and all moves.
fn read(path: &Path) -> Result<Vec<(usize, Vec<Move>)>> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("{name} cannot be read"))?;
    let read = examples::read(BufReader::new(file)).with_context(|| name.to_string())?;
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
