//! `duoforge replay`: games from lists, judged by the contest's rules.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use duoforge_arena::{Caption, ListedGame, Replay, Seat, Seats, read_list, svg};

use crate::failure::{Failure, Result};
use crate::output::{self, Verdict};

/// Replay games from a list and judge them
///
/// A list holds four-letter codes separated by blanks, one game a line; # begins a comment. The
/// first move may be on either start cell.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The list; - is standard input
    pub file: PathBuf,
    /// Only this game, counted from 1
    #[arg(long, value_name = "N")]
    pub game: Option<usize>,
    /// Also print every move, with the number of legal ones
    #[arg(long)]
    pub plies: bool,
    /// Print one JSON object a game
    #[arg(long)]
    pub json: bool,
    /// Draw the last position of the game as SVG; needs --game if there are several
    #[arg(long, value_name = "PATH")]
    pub svg: Option<PathBuf>,
}

/// Replays them. The result is negative if a game breaks the rules.
pub fn run(args: &Args) -> Result<Verdict> {
    let mut games = read(&args.file)?;
    let mut number = 1;
    if let Some(wanted) = args.game {
        games = vec![one(games, wanted, &args.file)?];
        number = wanted;
    }
    if args.svg.is_some() && games.len() != 1 {
        return Err(several(games.len(), &args.file, "a picture shows one"));
    }
    let mut good = true;
    for (game, number) in games.iter().zip(number..) {
        let codes: Vec<_> = game.codes.iter().map(|code| code.bytes).collect();
        let replay = Replay::new(&codes)?;
        good &= !replay.ending.is_violation();
        if args.json {
            output::json(&replay.summary())?;
        } else {
            print(&replay, number, game.line, args.plies)?;
        }
        if let Some(path) = &args.svg {
            save(path, &svg(&replay.board, &caption(&replay)))?;
        }
    }
    Ok(Verdict::of(good))
}

/// Reads the games of a list; `-` is standard input.
pub fn read(path: &Path) -> Result<Vec<ListedGame>> {
    let mut text = String::new();
    let read = if path == Path::new("-") {
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    let text = read.map_err(|error| Failure::file("read", path, &error))?;
    match read_list(&text) {
        Ok(games) => Ok(games),
        Err(error) => Err(Failure::list(&path.to_string_lossy(), text, &error)),
    }
}

/// The game of this number, counted from 1.
pub fn one(mut games: Vec<ListedGame>, number: usize, path: &Path) -> Result<ListedGame> {
    let (name, total) = (path.display(), games.len());
    if number == 0 || number > total {
        let message = format!("{name} has no game {number}, as it holds {total}");
        return Err(Failure::new("duoforge::usage", message));
    }
    Ok(games.swap_remove(number - 1))
}

/// One game has to be chosen.
pub fn several(total: usize, path: &Path, reason: &str) -> Failure {
    let message = format!("{} holds {total} games, and {reason}", path.display());
    Failure::new("duoforge::usage", message).help("choose one with --game N")
}

fn print(replay: &Replay, number: usize, line: usize, plies: bool) -> Result<()> {
    let (squares, score) = (replay.squares(), replay.score());
    output::line(format!(
        "game {number} (line {line}): {} moves, squares {}:{}, score {}:{}, {}",
        replay.plies.len(),
        squares[Seat::One],
        squares[Seat::Two],
        score[Seat::One],
        score[Seat::Two],
        replay.ending,
    ))?;
    if plies {
        for (ply, number) in replay.plies.iter().zip(1..) {
            let code = ply.code.escape_ascii();
            output::line(format!("{number:>6}  {code}  {:>5} legal", ply.legal))?;
        }
    }
    Ok(())
}

/// What a picture of a replayed game says below the board.
pub fn caption(replay: &Replay) -> Caption {
    let (squares, score) = (replay.squares(), replay.score());
    let text = |seat| format!("{seat}: {} squares, score {}", squares[seat], score[seat]);
    Caption {
        first: Some(Seat::One),
        players: Seats::each(text),
    }
}

/// Writes a picture; `-` is standard output.
pub fn save(path: &Path, picture: &str) -> Result<()> {
    if path == Path::new("-") {
        io::Write::write_all(&mut io::stdout().lock(), picture.as_bytes())?;
        return Ok(());
    }
    fs::write(path, picture).map_err(|error| Failure::file("written", path, &error))
}
