//! `duoforge show`: position as text or SVG.

use std::path::PathBuf;

use duoforge_pictures::svg;
use duoforge_protocol::MoveCode;
use duoforge_referee::{Ending, Replay, Seats};
use duoforge_rules::GameVariant;
use duoforge_view::State;

use crate::commands::replay::{caption, only_duo};
use crate::commands::state::read_game;
use crate::failure::Result;
use crate::game_files::save;
use crate::output::{self, Style, Verdict};
use crate::play::files::distinct_from;
use crate::position::Position;
use crate::text_board::View;
use crate::variant::{GameView, PlayedGame, VariantArgs};

/// Draw the position after the given moves
///
/// The moves are codes on the command line, or a game of a list or a blksgf.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Four-letter codes of the moves, 0000 for a pass
    pub codes: Vec<String>,
    /// Read the moves from a list or a blksgf instead; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "codes")]
    pub file: Option<PathBuf>,
    /// Number of the game in the file, from 1
    #[arg(long, value_name = "N", requires = "file", conflicts_with = "codes")]
    pub game: Option<usize>,
    /// Stop after this number of moves
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,
    #[command(flatten)]
    pub variant: VariantArgs,
    /// Write SVG to this file instead of printing text; - is standard output
    #[arg(long, value_name = "PATH", conflicts_with = "json")]
    pub svg: Option<PathBuf>,
    /// Print the state as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Draws the position up to a violation. The result is negative if the moves break the rules.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    distinct_from(&args.file, &args.svg)?;
    let (variant, mut codes, names) = match &args.file {
        Some(path) => {
            let (variant, game) = read_game(path, args.game, &args.variant)?;
            let names = game.names();
            (variant, game.codes, names)
        }
        None => {
            let codes = PlayedGame::parse(&args.codes)?;
            (args.variant.or_duo()?, codes, Seats::default())
        }
    };
    if variant == GameVariant::DUO && !args.json {
        return draw(args, &codes, &names, style);
    }
    if args.svg.is_some() {
        return Err(only_duo(&variant));
    }
    codes.truncate(args.ply.unwrap_or(usize::MAX));
    let PlayedGame { game, rejected, .. } = PlayedGame::new(&variant, &codes);
    if args.json {
        output::json(&State::new(&game))?;
    } else {
        let (game, marked) = (&game, Vec::new());
        output::line(GameView { game, marked }.text(style))?;
    }
    if let Some(rejected) = &rejected {
        note!("{rejected}");
    }
    Ok(Verdict::of(rejected.is_none()))
}

/// Draws a position of the contest's game, with the names of the players.
fn draw(args: &Args, codes: &[MoveCode], names: &Seats<String>, style: Style) -> Result<Verdict> {
    let position = Position::after(codes)?.at(args.ply)?;
    let replay = &position.replay;
    let refusal = position.refusal();
    match &args.svg {
        Some(path) => save(path, &svg(&replay.board, &caption(replay, names)))?,
        None => {
            let view = View {
                board: &replay.board,
                first: replay.setup.first,
                names: Seats::each(|seat| names[seat].as_str()),
                remarks: remarks(replay),
            };
            output::line(view.text(style))?;
        }
    }
    if let Some(message) = &refusal {
        note!("{message}");
    }
    Ok(Verdict::of(refusal.is_none()))
}

fn remarks(replay: &Replay) -> Vec<String> {
    let seat = replay.setup.mover(replay.plies.len());
    let turn = match &replay.ending {
        Ending::Unfinished => format!("{seat} to move, {} legal", replay.board.count_legal()),
        ending => ending.to_string(),
    };
    let last = replay.plies.last().map_or(String::new(), |ply| {
        let count = replay.plies.len();
        format!("after move {count}, {}", ply.code.escape_ascii())
    });
    vec![last, turn]
}
