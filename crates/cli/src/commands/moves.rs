//! `duoforge moves`: legal moves of a position.

use duoforge_rules::Placement;
use serde::Serialize;

use crate::failure::Result;
use crate::output::{self, Style, Verdict};
use crate::position::Position;
use crate::text_board::by_tile;

/// List the legal moves of a position
///
/// The position is that after the given moves; without moves it is the empty board. Every legal
/// placement is listed once, by its canonical code.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Four-letter codes of the moves before the position, 0000 for a pass
    pub codes: Vec<String>,
    /// Print only the number of legal moves
    #[arg(long)]
    pub count: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Legal moves in JSON.
#[derive(Serialize)]
struct Legal {
    /// Number of the player to move; `None` after the end of the game.
    to_move: Option<u8>,
    count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<String>>,
}

/// Lists the moves. The result is negative if the given moves break the rules.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    let position = Position::read(&args.codes)?;
    if let Some(message) = position.refusal() {
        eprintln!("{message}");
        return Ok(Verdict::Bad);
    }
    let board = &position.replay.board;
    let legal: Vec<Placement> = board.legal().collect();
    if args.json {
        let codes = || legal.iter().map(ToString::to_string).collect();
        output::json(&Legal {
            to_move: (!board.is_over()).then_some(board.to_move().0 + 1),
            count: legal.len(),
            moves: (!args.count).then(codes),
        })?;
    } else if args.count {
        output::line(legal.len().to_string())?;
    } else if style.terminal {
        for line in by_tile(&legal, None, style) {
            output::line(line)?;
        }
        output::line(format!("{} legal moves", legal.len()))?;
    } else {
        for placement in legal {
            output::line(placement.to_string())?;
        }
    }
    Ok(Verdict::Good)
}
