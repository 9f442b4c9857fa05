//! Command-line program for experiments with players.

mod command_line;

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{LineWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail, ensure};
use clap::Parser as _;
use command_line::{
    AgreeArgs, Cli, Command, GamesArgs, LearnArgs, MatchArgs, MergeArgs, RegretArgs,
};
use duoforge_lab::agreement::Agreement;
use duoforge_lab::book;
use duoforge_lab::campaigns::{self, StoredPair};
use duoforge_lab::difference;
use duoforge_lab::distil;
use duoforge_lab::files;
use duoforge_lab::learn::maxn::{self, NamedRecord};
use duoforge_lab::learn::report::report;
use duoforge_lab::matches::{self, Game, Match};
use duoforge_lab::openings;
use duoforge_lab::output;
use duoforge_lab::reference::{compare, evaluate, keys, positions};
use duoforge_lab::regret::{Costs, Reference};
use duoforge_lab::report::{Report, record};
use duoforge_lab::self_play::{self, samples};
use duoforge_lab::training_games::{Plan, read_file};
use duoforge_lab::tune;
use duoforge_players::PlayerSpec;
use duoforge_records::read_blksgf;
use duoforge_shards::Results;

/// Exit status after an interrupt: 128 + the number of SIGINT.
const INTERRUPTED: u8 = 130;

/// True after Ctrl-C.
static INTERRUPT: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) if interrupted() => ExitCode::from(INTERRUPTED),
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_closed(&error) && interrupted() => ExitCode::from(INTERRUPTED),
        Err(error) if output::is_closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::note(format_args!("error: {}", output::message(&error)));
            ExitCode::from(2)
        }
    }
}

/// Runs a command.
fn run(command: Command) -> Result<()> {
    // The other commands keep nothing before their end, so Ctrl-C ends them at once.
    let keeps = !matches!(
        command,
        Command::Samples(_)
            | Command::Distil(_)
            | Command::Learn(_)
            | Command::Positions(_)
            | Command::Keys(_)
            | Command::Difference(_)
            | Command::Merge(_)
    );
    let caught = ctrlc::set_handler(move || {
        if INTERRUPT.swap(true, Ordering::Relaxed) || !keeps {
            duoforge_process::exit(INTERRUPTED.into());
        }
        output::note("\nEnding after the current moves; Ctrl-C again ends at once.");
    });
    caught.context("Ctrl-C cannot be caught")?;
    match command {
        Command::Match(args) => play(&args),
        Command::Difference(args) => difference::run(&args),
        Command::Openings(args) => openings::run(&args, interrupted),
        Command::Games(args) => games(&args),
        Command::SelfPlay(args) => self_play::run(&args, interrupted),
        Command::Samples(args) => samples::run(&args),
        Command::Distil(args) => distil::run(&args),
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
    }
}

fn interrupted() -> bool {
    INTERRUPT.load(Ordering::Relaxed)
}

/// Plays a match and prints the report, even if the match ends early.
fn play(args: &MatchArgs) -> Result<()> {
    let [results, json, list] = [&args.results, &args.json, &args.record].map(|it| it.as_deref());
    files::check_distinct(
        args.games.openings.file(),
        &[("--results", results), ("--json", json), ("--record", list)],
    )?;
    let mut what = Match {
        players: [args.a.clone(), args.b.clone()],
        openings: Vec::new(),
        seed: args.games.seed,
        jobs: args.games.jobs.into(),
    };
    // The players are opened before files are written and before the search for openings.
    let players = what.open()?;
    for path in [json, list].into_iter().flatten() {
        files::check_writable(path)?;
    }
    let openings = &args.games.openings;
    let Some(openings) = openings.openings(args.pairs, args.games.seed, interrupted)? else {
        return Ok(());
    };
    what.openings = openings;
    let plan = campaigns::match_plan(&what, &args.games.openings);
    let open = |path: &Path| Results::open(path, &plan, args.shard);
    let mut results = results.map(open).transpose()?;
    let mut report = Report::new(&what, args.games.openings.to_string());
    let create = |path| anyhow::Ok((LineWriter::new(files::create(path)?), path));
    let mut list = list.map(create).transpose()?;
    let stored = results
        .as_ref()
        .map(Results::stored::<StoredPair>)
        .transpose()?;
    for (pair, stored) in stored.into_iter().flatten() {
        for game in stored.games(pair as usize)? {
            add_record(&mut list, &game)?;
            report.take(game);
        }
    }
    let pairs = match &results {
        Some(results) => results.missing(),
        None => plan.items_of(args.shard).collect(),
    };
    let pairs: Vec<usize> = pairs.into_iter().map(|pair| pair as usize).collect();
    let mut written: Result<()> = Ok(());
    let failed = Cell::new(false);
    let done = matches::run(
        &what,
        players,
        &pairs,
        |game| {
            let number = game.pair;
            if written.is_ok() {
                written = add_record(&mut list, &game);
            }
            if let Some(line) = report.take(game) {
                output::note(line);
            }
            if let (Some(results), Some(pair), Ok(())) =
                (&mut results, report.pair(number), &written)
            {
                let stored = results.add(number as u64, &StoredPair::from(pair));
                written = stored.map_err(anyhow::Error::from);
            }
            failed.set(written.is_err());
        },
        || failed.get() || interrupted(),
    );
    let text = serde_json::to_string_pretty(&report.summary())? + "\n";
    let stored = json.map_or(Ok(()), |path| files::write(path, &text));
    let printed = output::text(&report.text());
    written?;
    done?;
    stored?;
    Ok(printed?)
}

/// Adds a game to the file of `--record`, if there is one.
fn add_record(list: &mut Option<(LineWriter<File>, &Path)>, game: &Game) -> Result<()> {
    let Some((file, path)) = list else {
        return Ok(());
    };
    writeln!(file, "{}", record(game)).with_context(|| files::failed(path))
}

/// Merges the results of all shards and prints their report.
fn merge(args: &MergeArgs) -> Result<()> {
    let inputs = args.files.iter().map(PathBuf::as_path);
    files::check_distinct(inputs, &[("--out", args.out.as_deref())])?;
    let merged = duoforge_shards::merge(&args.files)?;
    let report = campaigns::merged_report(&merged)?;
    if let Some(path) = &args.out {
        files::write(path, &merged.text())?;
    }
    Ok(output::text(&report)?)
}

/// Plays training games and writes them to a file.
fn games(args: &GamesArgs) -> Result<()> {
    let plan = Plan {
        players: [args.a.clone(), args.b.clone()],
        games: args.games,
        drawn: args.drawn,
        seed: args.file.seed,
    };
    let players = plan.open()?;
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
    let done = plan.play_with(
        players,
        games.into_iter().map(|game| game as usize),
        |number, game| {
            count += 1;
            Ok(results.add(number as u64, &game)?)
        },
        interrupted,
    );
    let name = args.file.out.display();
    let printed = output::line(format_args!("{count} of {all} games in {name}"));
    done?;
    Ok(printed?)
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
            let named = found
                .into_iter()
                .enumerate()
                .map(|(index, found)| NamedRecord {
                    name: format!("{name}, game {}", index + 1),
                    record: found.record,
                });
            records.extend(named);
        }
        let (_, report) = maxn::report(&records, args.holdout.into())?;
        return Ok(output::text(&report)?);
    }
    let mut games = Vec::new();
    for path in &args.files {
        games.extend(read_file(path)?);
    }
    ensure!(!games.is_empty(), "the files hold no game");
    let (_, report) = report(&games, args.holdout.into());
    Ok(output::text(&report)?)
}

/// Measures the agreement of each search.
fn agree(args: &AgreeArgs) -> Result<()> {
    let games = read_file(&args.file)?;
    for search in &args.searches {
        let agreement = Agreement::over(&games, search, args.step.into(), interrupted);
        output::line(format_args!("{}  {search}", agreement.line()))?;
        if interrupted() {
            break;
        }
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
    let games = read_file(&args.file)?;
    let mut reference = Reference::start(words)?;
    let mut first = None;
    for search in &args.searches {
        let which = (args.step.into(), args.last.into());
        let costs = Costs::over(&games, search, &mut reference, which, interrupted)?;
        let first = first.get_or_insert_with(|| costs.clone());
        output::line(format_args!("{}  {search}", costs.line(first)))?;
        if interrupted() {
            break;
        }
    }
    Ok(())
}
