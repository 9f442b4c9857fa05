//! `duoforge state`: state of a position of any variant.

use std::path::{Path, PathBuf};

use duoforge_protocol::MoveCode;
use duoforge_rules::{Cell, Code, Game, GameVariant, Placement, Tile};
use duoforge_view::{CellHints, Hints, State, TileHints};

use crate::failure::{Failure, Result};
use crate::game_files::{StoredGame, one, several};
use crate::output::{self, Style, Verdict};
use crate::text_board::by_tile;
use crate::variant::{GameView, PlayedGame, VariantArgs, read_games};

/// Print the state of a position: board, scores, mobility, void cells, legal moves
///
/// The position is that after the given moves; without moves it is the empty board. With --json,
/// the state is one JSON object; with --hints as well, the hints are that object.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Four-letter codes of the moves, 0000 for a pass; or a list or blksgf, whose name contains a
    /// dot or a slash; - is standard input
    #[arg(value_name = "CODES|FILE")]
    pub moves: Vec<String>,
    #[command(flatten)]
    pub variant: VariantArgs,
    /// Number of the game in the file, from 1
    #[arg(long, value_name = "N")]
    pub game: Option<usize>,
    /// Stop after this number of moves
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,
    /// Tiles and placements that cover a cell, such as 5a, or cells and placements of a tile, a to
    /// u, for the colour to move
    #[arg(long, value_name = "CELL|TILE", value_parser = hint)]
    pub hints: Option<Hint>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Cell or tile to give hints for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Tiles for a cell.
    Cell(Cell),
    /// Cells for a tile.
    Tile(Tile),
}

/// Parses a cell in the contest's coordinates, or the letter of a tile.
fn hint(text: &str) -> std::result::Result<Hint, String> {
    let error = || {
        "expected a column and a row (1 to 9, then a to k), such as 5a, or a tile, a to u"
            .to_owned()
    };
    if let &[letter] = text.as_bytes() {
        return Tile::from_letter(letter).map(Hint::Tile).ok_or_else(error);
    }
    // The code of the single cell names the cell.
    let code: Code = format!("{text}a0").parse().map_err(|_| error())?;
    Ok(Hint::Cell(Cell::new(code.x, code.y)))
}

/// Prints the state. The result is negative if the moves break the rules.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    let (variant, mut codes) = position(args)?;
    codes.truncate(args.ply.unwrap_or(usize::MAX));
    let played = PlayedGame::new(&variant, &codes);
    if let Some(rejected) = &played.rejected {
        note!("{rejected}");
        return Ok(Verdict::Bad);
    }
    let game = &played.game;
    let Some(hint) = args.hints else {
        if args.json {
            output::json(&State::new(game))?;
        } else {
            print(game, Vec::new(), style)?;
        }
        return Ok(Verdict::Good);
    };
    let Some(hints) = hints(game, hint)? else {
        note!("the game is over, so there are no hints: --ply N goes back");
        return Ok(Verdict::Bad);
    };
    if args.json {
        output::json(&hints)?;
    } else {
        print_hints(game, &hints, style)?;
    }
    Ok(Verdict::Good)
}

/// Returns the variant and the moves of the command line or of the file that it names.
fn position(args: &Args) -> Result<(GameVariant, Vec<MoveCode>)> {
    let Some(path) = file(&args.moves) else {
        if args.game.is_some() {
            let message = "--game needs a file of games";
            return Err(Failure::new("duoforge::usage", message));
        }
        return Ok((args.variant.or_duo()?, PlayedGame::parse(&args.moves)?));
    };
    let (variant, game) = read_game(&path, args.game, &args.variant)?;
    Ok((variant, game.codes))
}

/// Reads one game of a file, and its variant: game `number`, or the only one.
pub fn read_game(
    path: &Path,
    number: Option<usize>,
    variant: &VariantArgs,
) -> Result<(GameVariant, StoredGame)> {
    let games = read_games(path, variant.load()?.as_ref())?;
    if number.is_none() && games.len() > 1 {
        return Err(several(games.len(), path, "a position belongs to one"));
    }
    one(games, number.unwrap_or(1), path)
}

/// Returns the file that the only argument names, if it names one.
fn file(moves: &[String]) -> Option<PathBuf> {
    let [word] = moves else {
        return None;
    };
    let is_file = word == "-" || word.contains(['.', '/', '\\']);
    is_file.then(|| PathBuf::from(word))
}

/// Returns the hints for the colour to move, or `None` after the end of the game.
fn hints(game: &Game, hint: Hint) -> Result<Option<Hints>> {
    let hints = |colour| match hint {
        Hint::Cell(cell) => Hints::Cell(CellHints::new(game, colour, cell)),
        Hint::Tile(tile) => Hints::Tile(TileHints::new(game, colour, tile)),
    };
    let last = game.size() - 1;
    match hint {
        Hint::Cell(cell) if cell.x > last || cell.y > last => {
            let corner = Cell::new(last, last);
            let message = format!("cell {cell} is not on the board: expected 11 to {corner}");
            Err(Failure::new("duoforge::usage", message))
        }
        _ => Ok(game.to_move().map(hints)),
    }
}

/// Prints board and diagnostics.
fn print(game: &Game, marked: Vec<Cell>, style: Style) -> Result<()> {
    output::line(GameView { game, marked }.text(style))
}

/// Prints the board with the cells that the hints concern, and the placements by tile.
fn print_hints(game: &Game, hints: &Hints, style: Style) -> Result<()> {
    let cell = |&[x, y]: &[u8; 2]| Cell::new(x, y);
    let plural = |count: u32| if count == 1 { "" } else { "s" };
    let (marked, legal, head) = match hints {
        Hints::Cell(hints) => {
            let tiles = match hints.tiles.as_str() {
                "" => "no tile".to_owned(),
                tiles => format!("tiles {tiles}"),
            };
            let head = format!("cell {}: {tiles}", cell(&hints.cell));
            (vec![cell(&hints.cell)], &hints.placements, head)
        }
        Hints::Tile(hints) => {
            let cells: Vec<Cell> = hints.cells.iter().map(cell).collect();
            let count = cells.len() as u32;
            let head = format!("tile {}: {count} cell{}", hints.tile, plural(count));
            (cells, &hints.placements, head)
        }
    };
    print(game, marked, style)?;
    let count = legal.count;
    output::line(format!("{head}, {count} placement{}", plural(count)))?;
    let space = game.actions();
    let moves = legal.actions.iter().filter_map(|&action| space.mv(action));
    let placements: Vec<Placement> = moves.filter_map(|mv| mv.placement()).collect();
    for line in by_tile(&placements, None, style) {
        output::line(line)?;
    }
    Ok(())
}
