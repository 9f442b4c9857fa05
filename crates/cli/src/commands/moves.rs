//! `duoforge moves`: legal moves of a position.

use duoforge_rules::Placement;
use duoforge_view::{Legal, ToMove, Version};
use serde::Serialize;

use crate::failure::Result;
use crate::output::{self, Style, Verdict};
use crate::text_board::by_tile;
use crate::variant::{PlayedGame, VariantArgs};

/// List the legal moves of a position
///
/// The position is that after the given moves; without moves it is the empty board. Every legal
/// placement is listed once, by its canonical code.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Four-letter codes of the moves before the position, 0000 for a pass
    pub codes: Vec<String>,
    #[command(flatten)]
    pub variant: VariantArgs,
    /// Print only the number of legal placements
    #[arg(long)]
    pub count: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Legal moves in JSON: the fields of a state that concern them.
#[derive(Serialize)]
struct LegalMoves<'a> {
    version: Version,
    variant: &'a str,
    ply: usize,
    to_move: Option<ToMove>,
    legal: Listed,
}

/// Legal moves, or their number alone.
#[derive(Serialize)]
#[serde(untagged)]
enum Listed {
    All(Legal),
    Count { count: usize },
}

/// Lists the moves. The result is negative if the given moves break the rules.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    let codes = PlayedGame::parse(&args.codes)?;
    let played = PlayedGame::new(&args.variant.or_duo()?, &codes);
    if let Some(rejected) = &played.rejected {
        note!("{rejected}");
        return Ok(Verdict::Bad);
    }
    let game = &played.game;
    let legal: Vec<Placement> = game.legal();
    if args.json {
        let count = legal.len();
        output::json(&LegalMoves {
            version: Version,
            variant: game.variant().name(),
            ply: game.plies().len(),
            to_move: ToMove::new(game),
            legal: if args.count {
                Listed::Count { count }
            } else {
                Listed::All(Legal::new(game))
            },
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
