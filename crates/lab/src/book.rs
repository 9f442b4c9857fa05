//! Opening book: replies of long searches to likely first placements.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use anyhow::{Context, Result, ensure};
use duoforge_players::{Mover, PlayerSpec};
use duoforge_rules::{DuoBoard, Move};
use duoforge_twin::book::{Book, BookKey, PLIES};
use duoforge_twin::search::Position;
use duoforge_twin::search::prior::{Weights, top_candidates};

use crate::game::codes;

/// Compute an opening book
///
/// Asks a player for a placement in the first positions of a game: on the empty board, and after
/// each sequence of likely placements of the opponent, with the placements of the book between them.
/// Images of a position are searched once. A file of an earlier run is completed, with other values
/// of --least and --plies too; a ply needs the lines of the plies before it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Players: engine:KEY=VALUE,..., search:KEY=VALUE,..., gtp:COMMAND LINE, as in
  duoforge-lab book engine:sims=2000000,memory=2048,threads=1 --out book.txt
A player with a limit in milliseconds gives another book on every machine.")]
pub struct Args {
    /// Player that is asked
    pub player: PlayerSpec,
    /// Minimum probability of the opponent's placements by the search's prior
    #[arg(long, value_name = "P", default_value_t = 0.001)]
    pub least: f64,
    /// Maximum number of placements before a reply
    #[arg(long, value_name = "N", default_value_t = PLIES)]
    pub plies: usize,
    /// Number of simultaneous searches
    #[arg(long, value_name = "J", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// Seed of the player in every position
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Print the number of positions that are left, and search none
    #[arg(long)]
    pub count: bool,
    /// File of the book
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Computes the book, until `stop` returns true.
///
/// # Errors
/// A player that fails or makes an illegal move; a file that cannot be read or written.
pub fn run(args: &Args, stop: impl Fn() -> bool + Sync) -> Result<()> {
    ensure!(
        args.plies <= PLIES,
        "--plies {} is too many: expected 0 to {PLIES}",
        args.plies
    );
    let mut lines = read(&args.out)?;
    for plies in 0..=args.plies {
        let book = parse(&lines, &args.out)?;
        let open = positions(&book, plies, args.least);
        let open: Vec<_> = open
            .into_iter()
            .filter(|board| book.reply(board).is_none())
            .collect();
        println!("{} positions after {plies} placements", open.len());
        if args.count {
            continue;
        }
        let open = Mutex::new(open.into_iter());
        let known = Mutex::new(&mut lines);
        let work = || -> Result<()> {
            let mut player = args.player.mover()?;
            loop {
                let next = open.lock().expect("no search panics").next();
                let Some(board) = next.filter(|_| !stop()) else {
                    return Ok(());
                };
                let line = reply(&mut *player, args.seed, board)?;
                let mut known = known.lock().expect("no search panics");
                known.push(line);
                write(&args.out, &mut known)?;
            }
        };
        thread::scope(|scope| {
            let threads: Vec<_> = (0..args.jobs).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().expect("a search does not panic"))
        })?;
        if stop() {
            break;
        }
    }
    Ok(())
}

/// Asks the player in a position and returns the line.
fn reply(player: &mut dyn Mover, seed: u64, mut board: DuoBoard) -> Result<String> {
    player.begin();
    player.seed(seed);
    let mv = player.choose(&board)?;
    let moves = codes(board.moves());
    board
        .play(mv)
        .with_context(|| format!("the move {mv} is illegal after [{moves}]"))?;
    player.end();
    Ok(codes(board.moves()))
}

/// Returns the positions after `plies` placements that the opponent reaches with a probability of at
/// least `least`, with the replies of the book; of images, the first one.
fn positions(book: &Book, plies: usize, least: f64) -> Vec<DuoBoard> {
    let weights = Weights::default();
    let mut positions = vec![(DuoBoard::duo(), 1.0)];
    for ply in 0..plies {
        let theirs = (plies - ply) % 2 == 1;
        let mut next = Vec::new();
        for (board, probability) in positions {
            if !theirs {
                next.extend(book.reply(&board).map(|reply| (board, reply, probability)));
                continue;
            }
            for candidate in top_candidates(&Position::new(&board), &weights, usize::MAX) {
                let probability = probability * f64::from(candidate.prior) / f64::from(1 << 16);
                if probability >= least {
                    next.push((board.clone(), candidate.placement, probability));
                }
            }
        }
        let played = next.into_iter().map(|(mut board, placement, probability)| {
            board.play(Move::Place(placement)).expect("it is legal");
            (board, probability)
        });
        positions = played.collect();
    }
    let mut known = std::collections::HashSet::new();
    let boards = positions.into_iter().map(|(board, _)| board);
    boards
        .filter(|board| {
            let key = BookKey::of(board).expect("a short game of Duo");
            known.insert(key.least_image())
        })
        .collect()
}

/// Returns the lines of a book; none if the file does not exist.
fn read(path: &Path) -> Result<Vec<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
    }
}

fn parse(lines: &[String], path: &Path) -> Result<Book> {
    Book::parse(&lines.join("\n")).with_context(|| path.display().to_string())
}

/// Writes the lines in order, shorter ones first. The file is replaced as a whole.
fn write(path: &Path, lines: &mut [String]) -> Result<()> {
    lines.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    let mut text = String::new();
    for line in lines {
        writeln!(text, "{line}").expect("a string");
    }
    let part = path.with_extension("part");
    std::fs::write(&part, text)
        .and_then(|()| std::fs::rename(&part, path))
        .with_context(|| format!("{} cannot be written", path.display()))
}
