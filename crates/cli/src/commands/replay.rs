//! `duoforge replay`: recorded games, judged by the contest's rules.

use std::path::PathBuf;

use duoforge_arena::{Replay, Seat, Seats};
use duoforge_pictures::{Caption, svg};

use crate::failure::Result;
use crate::game_files::{one, read, save, several};
use crate::output::{self, Verdict};

/// Replay recorded games and judge them
///
/// A list holds four-letter codes separated by blanks, one game a line; # begins a comment. A blksgf, as
/// Pentobi writes it, is read as well. The first move may be on either start cell.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A list or a blksgf; - is standard input
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
        let replay = Replay::new(&game.codes)?;
        good &= !replay.ending.is_violation();
        if args.json {
            output::json(&replay.summary())?;
        } else {
            print(&replay, number, game.line, args.plies)?;
        }
        if let Some(path) = &args.svg {
            save(path, &svg(&replay.board, &caption(&replay, &game.names())))?;
        }
    }
    Ok(Verdict::of(good))
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

/// What a picture of a replayed game says below the board, with the players' names if they are known.
pub fn caption(replay: &Replay, names: &Seats<String>) -> Caption {
    let (squares, score) = (replay.squares(), replay.score());
    let name = |seat: Seat| match names[seat].as_str() {
        "" => seat.to_string(),
        name => name.to_owned(),
    };
    let text = |seat| {
        let name = name(seat);
        format!("{name}: {} squares, score {}", squares[seat], score[seat])
    };
    Caption {
        players: Seat::BOTH.map(text),
        ..Caption::default()
    }
}
