//! Boards of all variants as text, with the diagnostics of each colour on the right.

use duoforge_rules::{Cell, Colour, Game, Move, Owner, Placement, Seat, TileSet};

use crate::output::Style;
use crate::text_board::grid;

/// Colours as numbers of escape sequences: cells, cells of the last tile, text.
const CELL: [&str; 4] = ["48;5;172", "48;5;62", "48;5;28", "48;5;124"];
const LAST: [&str; 4] = [
    "48;5;214;38;5;94",
    "48;5;105;38;5;17",
    "48;5;77;38;5;22",
    "48;5;203;38;5;52",
];
const TEXT: [&str; 4] = ["38;5;214", "38;5;105", "38;5;77", "38;5;203"];

/// Position of a game with its diagnostics.
pub struct GameView<'a> {
    /// Game that is drawn.
    pub game: &'a Game,
    /// Empty cells to mark.
    pub marked: Vec<Cell>,
}

impl GameView<'_> {
    /// Returns board and diagnostics as one text.
    pub fn text(&self, style: Style) -> String {
        let (board, panel) = (self.board(style), self.panel(style));
        let lines = (0..board.len().max(panel.len())).map(|i| {
            let left = board.get(i).map_or("", String::as_str);
            match panel.get(i).map_or("", String::as_str) {
                "" => left.to_owned(),
                // The board's lines have equal widths.
                right if left.is_empty() => {
                    let width = 2 + 2 * usize::from(self.game.size());
                    format!("{:width$}   {right}", "")
                }
                right => format!("{left}   {right}"),
            }
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn board(&self, style: Style) -> Vec<String> {
        let game = self.game;
        let last: Option<Placement> = game.plies().last().and_then(|ply| ply.mv.placement());
        let is_last = |cell: Cell| last.is_some_and(|last| last.cells().any(|it| it == cell));
        grid(game.size(), style, |cell| match game.colour_at(cell) {
            Some(colour) => mark(colour, is_last(cell), style),
            None => self.free(cell, style),
        })
    }

    /// Returns the two characters of a free cell.
    fn free(&self, cell: Cell, style: Style) -> String {
        let variant = self.game.variant();
        let is_start = |colour| variant.starts(colour).contains(cell);
        let (plain, unicode, rendition) = if self.marked.contains(&cell) {
            (" +", " +", "1")
        } else if variant.colours().any(is_start) {
            (" S", " ○", "")
        } else {
            (" .", " ·", "2")
        };
        style.paint(rendition, if style.unicode { unicode } else { plain })
    }

    fn panel(&self, style: Style) -> Vec<String> {
        let game = self.game;
        let diagnostics = game.diagnostics();
        let mut lines = vec![format!(
            "{}, ply {}",
            game.variant().name(),
            game.plies().len()
        )];
        for colour in &diagnostics.colours {
            let owner = match game.variant().owner(colour.colour) {
                Owner::Seat(seat) => format!("seat {seat}"),
                Owner::Shared => format!("shared, next seat {}", game.seat_of(colour.colour)),
            };
            let name = format!("colour {}, {owner}", colour.colour);
            let name = style.paint(TEXT[colour.colour.index()], &name);
            lines.push(format!("{} {name}", mark(colour.colour, false, style)));
            lines.push(format!(
                "   score {}, {} cells, {} void cells, mobility {}",
                colour.score,
                colour.cells_placed,
                colour.void_cells.len(),
                game.count_placements(colour.colour),
            ));
            lines.push(format!("   {}", tiles_left(colour.tiles_left)));
        }
        lines.push(format!("{} empty cells", diagnostics.empty_cells));
        if let Some(ply) = game.plies().last() {
            let code = match ply.mv {
                Move::Pass => "a pass".to_owned(),
                Move::Place(placement) => placement.to_string(),
            };
            lines.push(format!("after {code} of colour {}", ply.colour));
        }
        lines.push(turn(game));
        lines
    }
}

/// Returns the turn, or the result after the end of the game.
fn turn(game: &Game) -> String {
    match (game.to_move(), game.seat_to_move()) {
        (Some(colour), Some(seat)) => {
            let legal = game.count_legal();
            format!("colour {colour} to move, seat {seat}, {legal} legal")
        }
        _ => format!("game over: {}", result(game)),
    }
}

/// Returns the scores of the seats and the winners, as if the game ended now.
pub fn result(game: &Game) -> String {
    let result = game.result();
    let scores: Vec<_> = result
        .seats()
        .iter()
        .map(|it| it.score.to_string())
        .collect();
    let seats = result.winners();
    let names: Vec<_> = seats.iter().map(Seat::to_string).collect();
    let winners = match seats.len() {
        1 => format!("seat {} wins", names[0]),
        _ => format!("seats {} draw", names.join(", ")),
    };
    format!("{winners}, scores {}", scores.join(":"))
}

/// Returns the number of tiles and their letters.
fn tiles_left(tiles: TileSet) -> String {
    match tiles.len() {
        0 => "no tiles left".to_owned(),
        1 => format!("1 tile left: {tiles}"),
        count => format!("{count} tiles left: {tiles}"),
    }
}

/// Returns the two characters of a cell that a colour covers.
fn mark(colour: Colour, is_last: bool, style: Style) -> String {
    let index = colour.index();
    let text = match (style.unicode, style.colour) {
        (true, true) => "  ".to_owned(),
        (true, false) => ["██", "▒▒", "▓▓", "░░"][index].to_owned(),
        (false, _) => format!(" {colour}"),
    };
    style.paint(if is_last { LAST[index] } else { CELL[index] }, &text)
}
