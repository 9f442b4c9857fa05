//! `duoforge replay`: adjudication of recorded games.

use std::path::PathBuf;

use duoforge_pictures::{Caption, svg};
use duoforge_referee::{Replay, Seat, Seats};

use crate::failure::Result;
use crate::game_files::{one, read, save, several};
use crate::output::{self, Verdict};

/// Replay recorded games and adjudicate them
///
/// A list contains four-letter codes separated by blanks, one game per line; # begins a comment.
/// The other format is blksgf, the format of Pentobi. The first move may cover either start cell.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// List or blksgf; - is standard input
    pub file: PathBuf,
    /// Number of the only game to replay, from 1
    #[arg(long, value_name = "N")]
    pub game: Option<usize>,
    /// Also print every move, with the number of legal placements before it
    #[arg(long)]
    pub plies: bool,
    /// Print one JSON object per game
    #[arg(long)]
    pub json: bool,
    /// Write the last position of the game as SVG to this file; needs --game if there are several
    /// games
    #[arg(long, value_name = "PATH")]
    pub svg: Option<PathBuf>,
}

/// Replays the games. The result is negative if a game breaks the rules.
pub fn run(args: &Args) -> Result<Verdict> {
    let mut games = read(&args.file)?;
    let mut number = 1;
    if let Some(wanted) = args.game {
        games = vec![one(games, wanted, &args.file)?];
        number = wanted;
    }
    if args.svg.is_some() && games.len() != 1 {
        return Err(several(games.len(), &args.file, "a picture shows only one"));
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
        "game {number} (line {line}): {} moves, cells {}:{}, score {}:{}, {}",
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

/// Returns the caption of a replayed game, with the names of the players if known.
pub fn caption(replay: &Replay, names: &Seats<String>) -> Caption {
    let (squares, score) = (replay.squares(), replay.score());
    let name = |seat: Seat| match names[seat].as_str() {
        "" => seat.to_string(),
        name => name.to_owned(),
    };
    let text = |seat| {
        let name = name(seat);
        format!("{name}: {} cells, score {}", squares[seat], score[seat])
    };
    Caption {
        players: Seat::BOTH.map(text),
        ..Caption::default()
    }
}
