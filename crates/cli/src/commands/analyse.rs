//! `duoforge analyse`: best moves of a position.

use std::path::PathBuf;
use std::time::Duration;

use duoforge_engine::{Engine, EngineResult, EngineSettings, RankedMove};
use duoforge_referee::Ending;
use duoforge_rules::{DuoBoard, Move};
use duoforge_twin::search::Limit;
use serde::Serialize;

use crate::failure::Result;
use crate::game_files::read_one;
use crate::output::{self, Style, Verdict, grouped};
use crate::position::Position;

/// Find the best moves of a position
///
/// The position is that after the given moves; without moves it is the empty board. For each move,
/// prints the visit count, the value from 0 to 1, the share of playouts won, the mean margin in
/// points, the prior and the variation that follows. Near the end of a game the result is exact.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Four-letter codes of the moves before the position, 0000 for a pass
    pub codes: Vec<String>,
    /// Read the moves from a list or a blksgf instead; - is standard input
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "codes",
        visible_alias = "list"
    )]
    pub file: Option<PathBuf>,
    /// Number of the game in the file, from 1
    #[arg(long, value_name = "N", requires = "file", conflicts_with = "codes")]
    pub game: Option<usize>,
    /// Stop after this number of moves
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,
    /// Search time in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    pub ms: u64,
    /// Number of simulations instead of a time; repeatable with one thread
    #[arg(long, value_name = "N", conflicts_with = "ms")]
    pub sims: Option<u64>,
    /// Number of threads, 1 to 1024 [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Maximum memory of the tree in MiB, 1 to 65536
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub memory: Option<u32>,
    /// Seed of all random choices
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Number of moves to print; 0 prints all candidates
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Result in JSON.
#[derive(Serialize)]
struct Analysis {
    /// Number of moves before the position.
    ply: usize,
    /// Number of the player to move; `None` after the end of the game.
    to_move: Option<u8>,
    /// Best move; `None` after the end of the game.
    best: Option<String>,
    simulations: u64,
    nodes: usize,
    /// True if the memory was full and the tree stopped growing.
    full: bool,
    threads: usize,
    seconds: f64,
    exact: Option<Exact>,
    moves: Vec<Row>,
}

/// Result of the endgame solver in JSON.
#[derive(Serialize)]
struct Exact {
    #[serde(rename = "move")]
    mv: String,
    /// Margin in points for the player to move; a lower bound unless it is final.
    margin: i32,
    #[serde(rename = "final")]
    last: bool,
    positions: u64,
}

/// Move in JSON.
#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    mv: String,
    visits: u32,
    value: f64,
    wins: Option<f64>,
    margin: Option<f64>,
    prior: f64,
    /// Variation after the move.
    line: Vec<String>,
}

impl Row {
    fn new(line: &RankedMove) -> Self {
        let rounded = |number: f64| (number * 1e4).round() / 1e4;
        Self {
            mv: line.moves[0].to_string(),
            visits: line.visits,
            value: rounded(line.value),
            wins: line.wins.map(rounded),
            margin: line.margin.map(rounded),
            prior: rounded(line.prior),
            line: line.moves[1..].iter().map(Move::to_string).collect(),
        }
    }

    fn text(&self) -> String {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let margin = self.margin.map(|margin| format!("{margin:+.1}"));
        let text = columns([
            &self.mv,
            &grouped(self.visits.into()),
            &format!("{:.3}", self.value),
            &or_dash(self.wins.map(percent)),
            &or_dash(margin),
            &percent(self.prior),
            &self.line.join(" "),
        ]);
        text.trim_end().to_owned()
    }
}

fn columns([mv, visits, value, wins, margin, prior, line]: [&str; 7]) -> String {
    format!("{mv}  {visits:>11}  {value:>5}  {wins:>7}  {margin:>6}  {prior:>6}  {line}")
}

/// Analyses the position. The result is negative if the moves break the rules.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    let position = position(args)?.at(args.ply)?;
    if let Some(message) = position.refusal() {
        note!("{message}");
        return Ok(Verdict::Bad);
    }
    let board = &position.replay.board;
    let mut settings = EngineSettings::default();
    settings.seed = args.seed;
    settings.threads = args.threads.map_or(settings.threads, usize::from);
    settings.memory = args
        .memory
        .map_or(settings.memory, |memory| memory as usize);
    let threads = settings.threads;
    let limit = match args.sims {
        Some(sims) => Limit::Simulations(sims),
        None => Limit::Time(Duration::from_millis(args.ms)),
    };
    let found = (!board.is_over()).then(|| Engine::new(settings).analyse(board, limit));
    let top = if args.top == 0 { usize::MAX } else { args.top };
    let lines = found.iter().flat_map(|found| &found.lines);
    let rows: Vec<_> = lines.take(top).map(Row::new).collect();
    if args.json {
        output::json(&analysis(board, found.as_ref(), threads, rows))?;
        return Ok(Verdict::Good);
    }
    match found {
        Some(found) => print(&position, &found, &rows, style)?,
        None => output::line(position.replay.ending.to_string())?,
    }
    Ok(Verdict::Good)
}

fn position(args: &Args) -> Result<Position> {
    let Some(path) = &args.file else {
        return Position::read(&args.codes);
    };
    let game = read_one(path, args.game, "only one can be analysed")?;
    Position::after(&game.codes)
}

fn analysis(
    board: &DuoBoard,
    found: Option<&EngineResult>,
    threads: usize,
    moves: Vec<Row>,
) -> Analysis {
    let solved = found.and_then(|found| found.solved);
    Analysis {
        ply: board.ply(),
        to_move: found.map(|_| board.to_move().0 + 1),
        best: found.map(|found| found.mv.to_string()),
        simulations: found.map_or(0, |found| found.simulations),
        nodes: found.map_or(0, |found| found.nodes),
        full: found.is_some_and(|found| found.full),
        threads,
        seconds: found.map_or(0.0, |found| found.time.as_secs_f64()),
        exact: solved.map(|solved| Exact {
            mv: solved.mv.to_string(),
            margin: solved.margin,
            last: solved.exact,
            positions: solved.nodes,
        }),
        moves,
    }
}

fn print(position: &Position, found: &EngineResult, rows: &[Row], style: Style) -> Result<()> {
    let replay = &position.replay;
    debug_assert!(matches!(replay.ending, Ending::Unfinished));
    let seat = replay.setup.mover(replay.plies.len());
    let legal = replay.board.count_legal();
    output::line(format!("{seat} to move, {legal} legal; best {}", found.mv))?;
    let rest = if found.full { ", memory full" } else { "" };
    output::line(format!(
        "{} simulations in {:.2} s, {} nodes{rest}",
        grouped(found.simulations),
        found.time.as_secs_f64(),
        grouped(found.nodes as u64),
    ))?;
    if let Some(solved) = found.solved {
        let bound = if solved.exact { "" } else { "at least " };
        output::line(format!(
            "exact: {} leads to a margin of {bound}{:+}; {} positions",
            solved.mv,
            solved.margin,
            grouped(solved.nodes)
        ))?;
    }
    if !rows.is_empty() {
        let head = ["move", "visits", "value", "wins", "margin", "prior", "line"];
        output::line(style.paint("1", &columns(head)))?;
    }
    for row in rows {
        output::line(row.text())?;
    }
    Ok(())
}
