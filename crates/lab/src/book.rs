//! Opening book: replies of long searches to likely first placements.
//!
//! A book holds only lines of codes. Its recipe, a file next to it, has the player and the seed.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context, Result, bail, ensure};
use duoforge_players::{Mover, PlayerSpec};
use duoforge_rules::{DuoBoard, Move};
use duoforge_twin::book::{Book, BookKey, PLIES};
use duoforge_twin::search::Position;
use duoforge_twin::search::prior::{Weights, top_candidates};
use serde::{Deserialize, Serialize};

use crate::files::{failed, resolved, with_ending};
use crate::game::codes;
use crate::output;

/// Format of a recipe.
const FORMAT: &str = "duoforge book";

/// Compute an opening book
///
/// Asks a player for a placement in the first positions of a game: on the empty board, and after
/// each sequence of likely placements of the opponent, with the placements of the book between them.
/// Images of a position are searched once. A file of an earlier run is completed, with other values
/// of --least and --plies too; a ply needs the lines of the plies before it.
///
/// FILE.recipe has the player and the seed. A file of another player or seed is refused, and so is
/// one to which another run adds replies. A file without a recipe gets one.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Players: engine:KEY=VALUE,..., search:KEY=VALUE,..., gtp:COMMAND LINE, as in
  duoforge-lab book engine:sims=2000000,memory=2048,threads=1 --out book.txt
A player with a limit in milliseconds gives another book on every machine.")]
pub struct Args {
    /// Player that is asked
    pub player: PlayerSpec,
    /// Minimum probability of the opponent's placements by the search's prior, from 0 to 1
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
/// A player that fails or makes an illegal move; a file that cannot be read or written, or that has
/// the replies of another player.
pub fn run(args: &Args, stop: impl Fn() -> bool + Sync) -> Result<()> {
    ensure!(
        args.plies <= PLIES,
        "--plies {} is too many: expected 0 to {PLIES}",
        args.plies
    );
    ensure!(
        (0.0..=1.0).contains(&args.least),
        "--least {} is out of range: expected 0 to 1",
        args.least
    );
    let path = resolved(&args.out);
    let mut players = Vec::new();
    if !args.count {
        for _ in 0..args.jobs {
            players.push(args.player.mover()?);
        }
    }
    let recipe = with_ending(&path, "recipe");
    // An invalid book is refused before a recipe is made. Another run may still change it.
    parse(&read(&path)?, &args.out)?;
    // The lock lasts until the end.
    let mut locked = (!args.count).then(|| lock(&recipe)).transpose()?;
    let mut lines = read(&path)?;
    let stored = read_recipe(&recipe, locked.as_mut())?;
    let recipe_is_due = check_recipe(args, &stored, lines.is_empty())?;
    parse(&lines, &args.out)?;
    if let Some(file) = locked.as_mut().filter(|_| recipe_is_due) {
        if !lines.is_empty() {
            output::note(format_args!(
                "{} has no recipe: its lines count as replies of {} with seed {}",
                args.out.display(),
                args.player,
                args.seed
            ));
        }
        let text = serde_json::to_string(&Recipe::of(args))? + "\n";
        file.set_len(0)
            .and_then(|()| file.write_all(text.as_bytes()))
            .with_context(|| failed(&recipe))?;
    }
    let mut printed = Ok(());
    for plies in 0..=args.plies {
        let book = parse(&lines, &args.out)?;
        let open = positions(&book, plies, args.least);
        let open: Vec<_> = open
            .into_iter()
            .filter(|board| book.reply(board).is_none())
            .collect();
        let count = open.len();
        let line = output::line(format_args!("{count} positions after {plies} placements"));
        // The book is computed even if the reader of these lines has gone.
        printed = printed.and(line);
        if args.count {
            continue;
        }
        let open = Mutex::new(open.into_iter());
        let failed = AtomicBool::new(false);
        let known = Mutex::new(&mut lines);
        let work = |player: &mut dyn Mover| -> Result<()> {
            loop {
                let next = open.lock().expect("no search panics").next();
                let ends = || stop() || failed.load(Ordering::Relaxed);
                let Some(board) = next.filter(|_| !ends()) else {
                    return Ok(());
                };
                let line = reply(player, args.seed, board)?;
                let mut known = known.lock().expect("no search panics");
                known.push(line);
                write(&path, &mut known)?;
            }
        };
        let (work, failed) = (&work, &failed);
        thread::scope(|scope| {
            let players = players.iter_mut();
            let threads: Vec<_> = players
                .map(|player| {
                    scope.spawn(move || {
                        // The other searches end with the one in progress after a failure.
                        let fail = |_: &_| failed.store(true, Ordering::Relaxed);
                        work(&mut **player).inspect_err(fail)
                    })
                })
                .collect();
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().expect("a search does not panic"))
        })?;
        if stop() {
            break;
        }
    }
    Ok(printed?)
}

/// Player and seed of the replies of a book, as one line of JSON.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Recipe {
    format: String,
    player: String,
    seed: u64,
}

impl Recipe {
    fn of(args: &Args) -> Self {
        Self {
            format: FORMAT.to_owned(),
            player: args.player.to_string(),
            seed: args.seed,
        }
    }
}

/// Opens and locks a recipe. The book itself cannot be locked, since every reply replaces its file.
fn lock(recipe: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    let file = options.read(true).append(true).create(true).open(recipe);
    let file = file.with_context(|| failed(recipe))?;
    let name = recipe.display();
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            bail!("{name} is in use: another run adds replies to this book")
        }
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("{name} cannot be locked"))
        }
    }
}

/// Returns the text of a recipe, which is empty if the file does not exist. A locked file is read
/// itself: some systems do not let a second handle read it.
fn read_recipe(recipe: &Path, locked: Option<&mut File>) -> Result<String> {
    let mut text = String::new();
    let read = match locked {
        Some(file) => file.read_to_string(&mut text),
        None => File::open(recipe).and_then(|mut file| file.read_to_string(&mut text)),
    };
    match read {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(text),
        read => read
            .map(|_| text)
            .with_context(|| format!("{} cannot be read", recipe.display())),
    }
}

/// Checks that the book may get replies of this player with this seed. Returns true if the recipe
/// is missing, or belongs to a book that is empty now.
fn check_recipe(args: &Args, text: &str, book_is_empty: bool) -> Result<bool> {
    // A killed run leaves a line without its end.
    let due = serde_json::to_string(&Recipe::of(args))?;
    if due.starts_with(text) {
        return Ok(true);
    }
    let found: Recipe = serde_json::from_str(text)
        .with_context(|| format!("{}.recipe is not the recipe of a book", args.out.display()))?;
    if book_is_empty {
        return Ok(true);
    }
    let expected = Recipe::of(args);
    ensure!(
        found == expected,
        "{} has replies of {} with seed {}, not of {} with seed {}: choose another file",
        args.out.display(),
        found.player,
        found.seed,
        expected.player,
        expected.seed
    );
    Ok(false)
}

/// Asks the player in a position and returns the line.
fn reply(player: &mut dyn Mover, seed: u64, mut board: DuoBoard) -> Result<String> {
    player.begin();
    player.seed(seed);
    let mv = player.choose(&board)?;
    let moves = codes(board.moves());
    ensure!(
        mv != Move::Pass,
        "the player passes after [{moves}]: expected a placement"
    );
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
    match fs::read_to_string(path) {
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
    let part = with_ending(path, "part");
    fs::write(&part, text)
        .and_then(|()| fs::rename(&part, path))
        .with_context(|| failed(path))
}
