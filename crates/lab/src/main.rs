//! Command-line program for experiments with players.

mod command_line;

use std::fs::{self, File};
use std::io::{BufReader, LineWriter, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use clap::Parser as _;
use command_line::{
    AgreeArgs, Cli, Command, GamesArgs, LearnArgs, MatchArgs, MergeArgs, RegretArgs,
};
use duoforge_lab::agreement::Agreement;
use duoforge_lab::book;
use duoforge_lab::campaigns::{self, StoredPair};
use duoforge_lab::learn::{maxn, report::report};
use duoforge_lab::matches::{Match, run};
use duoforge_lab::openings;
use duoforge_lab::reference::{compare, evaluate, keys, positions};
use duoforge_lab::regret::{Costs, Reference};
use duoforge_lab::report::{Report, record};
use duoforge_lab::self_play::{self, samples};
use duoforge_lab::training_games::{self, Plan};
use duoforge_lab::tune;
use duoforge_players::PlayerSpec;
use duoforge_records::read_blksgf;
use duoforge_rules::Move;
use duoforge_shards::Results;

/// Exit status after an interrupt: 128 + the number of SIGINT.
const INTERRUPTED: u8 = 130;

/// True after Ctrl-C.
static INTERRUPT: AtomicBool = AtomicBool::new(false);

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
                Command::SelfPlay(args) => self_play::run(&args, interrupted),
                Command::Samples(args) => samples::run(&args),
                Command::Learn(args) => learn(&args),
                Command::Agree(args) => agree(&args),
                Command::Regret(args) => regret(&args),
                Command::Positions(args) => positions::run(&args),
                Command::Evaluate(args) => evaluate::run(&args, interrupted),
                Command::Compare(args) => compare::run(&args, interrupted),
                Command::Keys(args) => keys::run(&args),
                Command::Book(args) => book::run(&args, interrupted),
                Command::Tune(args) => tune::run(&args, interrupted),
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
        openings: args.games.openings.openings(args.pairs, args.games.seed)?,
        seed: args.games.seed,
        jobs: args.games.jobs.into(),
    };
    let mut list = args
        .record
        .as_deref()
        .map(create)
        .transpose()?
        .map(LineWriter::new);
    let openings = args.games.openings.to_string();
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
        seed: args.file.seed,
    };
    let mut results = Results::open(
        &args.file.out,
        &campaigns::games_plan(&plan),
        args.file.shard,
    )?;
    let games = results.missing();
    let all = campaigns::games_plan(&plan)
        .items_of(args.file.shard)
        .count();
    let mut count = all - games.len();
    let done = plan.play(
        games.into_iter().map(|game| game as usize),
        |number, game| {
            count += 1;
            Ok(results.add(number as u64, &game)?)
        },
        interrupted,
    );
    println!("{count} of {all} games in {}", args.file.out.display());
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
            "{} reports no values; give a program as gtp:COMMAND LINE",
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
        .map(|(example, moves)| (example.drawn, moves))
        .collect())
}

fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| failed(path))
}

fn failed(path: &Path) -> String {
    format!("{} cannot be written", path.display())
}
