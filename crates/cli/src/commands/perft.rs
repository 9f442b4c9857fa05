//! `duoforge perft`: number of sequences of placements, and the speed of counting them.

use std::time::{Duration, Instant};

use clap::ValueEnum;
use duoforge_rules::{Board, Classic, DuoBoard, Size, Variant, perft};
use serde::Serialize;

use crate::failure::Result;
use crate::output::{self, Verdict, grouped};

/// Count the sequences of placements from the empty board
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Number of placements in a sequence, from 0 to 84
    #[arg(value_parser = depth)]
    pub depth: u32,
    /// Game variant
    #[arg(long, value_enum, default_value_t)]
    pub variant: Game,
    /// Print one JSON object for the last depth
    #[arg(long)]
    pub json: bool,
}

/// Game variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Game {
    /// Two players on 14x14 cells
    #[default]
    Duo,
    /// Four players on 20x20 cells
    Classic,
}

/// Result of one depth in JSON.
#[derive(Serialize)]
struct Count {
    variant: &'static str,
    depth: u32,
    moves: u64,
    seconds: f64,
    moves_per_second: f64,
}

/// Maximum depth: in the variant with four players all tiles are placed after 84 placements.
const MAX_DEPTH: u32 = 84;

/// Parses a depth.
fn depth(text: &str) -> std::result::Result<u32, String> {
    let depth = text.parse::<u32>().ok().filter(|depth| *depth <= MAX_DEPTH);
    depth.ok_or_else(|| format!("expected an integer from 0 to {MAX_DEPTH}"))
}

/// Counts the sequences.
pub fn run(args: &Args) -> Result<Verdict> {
    if args.json {
        output::json(&count(args.variant, args.depth))?;
        return Ok(Verdict::Good);
    }
    output::line(format!(
        "{:>5}  {:>18}  {:>10}  {:>14}",
        "depth", "moves", "seconds", "moves/s"
    ))?;
    for depth in args.depth.min(1)..=args.depth {
        let count = count(args.variant, depth);
        let rate = grouped(count.moves_per_second as u64);
        let (moves, seconds) = (grouped(count.moves), count.seconds);
        output::line(format!(
            "{depth:>5}  {moves:>18}  {seconds:>10.3}  {rate:>14}"
        ))?;
    }
    Ok(Verdict::Good)
}

fn count(game: Game, depth: u32) -> Count {
    let (variant, moves, time) = match game {
        Game::Duo => timed(&mut DuoBoard::duo(), depth),
        Game::Classic => timed(&mut Board::<Classic>::new(&Variant::CLASSIC), depth),
    };
    // The clock may be too coarse for small depths.
    let seconds = time.as_secs_f64().max(1e-9);
    Count {
        variant,
        depth,
        moves,
        seconds,
        moves_per_second: moves as f64 / seconds,
    }
}

fn timed<S: Size>(board: &mut Board<S>, depth: u32) -> (&'static str, u64, Duration) {
    let begin = Instant::now();
    let moves = perft(board, depth);
    (board.variant().name, moves, begin.elapsed())
}
