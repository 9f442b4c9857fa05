//! Evaluation of positions by the reference engine.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use duoforge_players::PlayerSpec;
use duoforge_shards::Shard;

use super::engine::ReferenceEngine;
use super::lines::Appender;
use super::positions;
use super::table::{Line, Recipe};
use crate::files;
use crate::output;

/// Evaluate positions with a reference engine
///
/// In each position, the engine searches once. The values of all placements with at least
/// --min-visits visits become one line of the table. A line is written as soon as its search has
/// ended, so the command can be stopped at any time: the same command continues the table. A table
/// that was made with other settings is refused. The files of several shards form one table, side
/// by side or concatenated.
///
/// The value of a placement with few visits is less reliable than that of the engine's choice.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The engine has to support the commands reg_genmove, move_values and set_random_seed, as in
  duoforge-lab evaluate positions.jsonl --out table.jsonl \\
    \"gtp:pentobi-gtp --level 8 --nobook --noresign --quiet --threads 1\"")]
pub struct Args {
    /// File written by `positions`
    pub positions: PathBuf,
    /// Reference engine, as gtp:COMMAND LINE
    pub engine: PlayerSpec,
    /// Table to write or to continue
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Minimum visit count of a listed placement
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub min_visits: u32,
    /// Seed from which the seed of each search is derived
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Evaluate only part I of N of the positions, with I from 0 to N - 1
    #[arg(long, value_name = "I/N", default_value_t)]
    pub shard: Shard,
    /// End after this number of positions
    #[arg(long, value_name = "N")]
    pub count: Option<usize>,
}

/// Returns the command line of a player that is a GTP program.
///
/// # Errors
/// Any other player.
pub fn command_line(engine: &PlayerSpec) -> Result<&[String]> {
    let PlayerSpec::Gtp(words) = engine else {
        bail!("{engine} reports no values: give a program as gtp:COMMAND LINE");
    };
    Ok(words)
}

/// Evaluates the positions that the table lacks, until `stop` returns true.
///
/// # Errors
/// Files that cannot be read or written; a table with another recipe; a failure of the engine.
pub fn run(args: &Args, stop: impl Fn() -> bool) -> Result<()> {
    files::check_distinct([args.positions.as_path()], &[("--out", Some(&args.out))])?;
    let words = command_line(&args.engine)?;
    let (_, positions) = positions::read(&args.positions)?;
    let mut engine = ReferenceEngine::start(words, args.seed)?;
    let recipe = Recipe::new(engine.name(), words, args.seed, args.min_visits);
    let (mut table, lines) = Appender::open::<Recipe, Line>(&args.out, &recipe)?;
    let mut known: HashSet<_> = lines.into_iter().map(|line| line.position.moves).collect();
    let shard: Vec<_> = (0..)
        .zip(&positions)
        .filter(|(index, _)| args.shard.contains(*index))
        .map(|(_, position)| position)
        .collect();
    let listed = shard
        .iter()
        .filter(|position| known.contains(&position.moves))
        .count();
    ensure!(
        listed == known.len(),
        "{} has {} positions that are not in shard {} of {}",
        args.out.display(),
        known.len() - listed,
        args.shard,
        args.positions.display()
    );
    let start = Instant::now();
    let mut count = 0;
    for position in &shard {
        if stop() || Some(count) == args.count {
            break;
        }
        if known.contains(&position.moves) {
            continue;
        }
        let board = position.board();
        let board = board.with_context(|| args.positions.display().to_string())?;
        let root_moves = engine
            .search(&board)
            .with_context(|| format!("in the position [{}]", position.moves))?;
        table.push(&Line::new(&board, &root_moves, args.min_visits))?;
        known.insert(position.moves.clone());
        count += 1;
        output::note(format_args!(
            "{:>5} of {} positions, {:.1} s each",
            known.len(),
            shard.len(),
            start.elapsed().as_secs_f64() / count as f64
        ));
    }
    output::line(format_args!(
        "{} of {} positions in {}",
        known.len(),
        shard.len(),
        args.out.display()
    ))?;
    Ok(())
}
