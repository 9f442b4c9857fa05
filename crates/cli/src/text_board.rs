//! Boards as text, with a panel on the right.

use std::collections::BTreeMap;

use duoforge_referee::{Seat, Seats};
use duoforge_rules::{Cell, Colour, DuoBoard, Placement, TileSet};

use crate::output::Style;

/// Names of the columns and rows.
const NAMES: &[u8; 20] = b"123456789abcdefghijk";

/// Colours by seat, as numbers of escape sequences: cells, cells of the last tile, text.
const CELL: Seats<&str> = Seats(["48;5;172", "48;5;62"]);
const LAST: Seats<&str> = Seats(["48;5;214;38;5;94", "48;5;105;38;5;17"]);
const TEXT: Seats<&str> = Seats(["38;5;214", "38;5;105"]);

/// Maximum number of codes in a line, so that it fits 80 columns.
const PER_LINE: usize = 15;

/// Position with its panel.
pub struct View<'a> {
    /// Position that is drawn.
    pub board: &'a DuoBoard,
    /// Seat that moved first.
    pub first: Seat,
    /// Names of the players.
    pub names: Seats<&'a str>,
    /// Lines at the end of the panel.
    pub remarks: Vec<String>,
}

impl View<'_> {
    /// Returns the lines of board and panel.
    pub fn lines(&self, style: Style) -> Vec<String> {
        let panel = self.panel(style);
        let board = board_lines(self.board, self.first, style);
        let rows = board.len().max(panel.len());
        (0..rows)
            .map(|i| {
                let right = panel.get(i).map_or("", String::as_str);
                let left = board.get(i).map_or("", String::as_str);
                match right {
                    "" => left.to_owned(),
                    _ => format!("{left}   {right}"),
                }
            })
            .collect()
    }

    /// Returns board and panel as one text.
    pub fn text(&self, style: Style) -> String {
        self.lines(style).join("\n")
    }

    fn panel(&self, style: Style) -> Vec<String> {
        let mut lines = vec![String::new()];
        for seat in Seat::BOTH {
            let player = Colour((seat != self.first).into());
            let board = self.board;
            let swatch = mark(seat, false, style);
            let name = style.paint(TEXT[seat], self.names[seat]);
            lines.push(format!("{swatch} {seat}  {name}"));
            let cells_placed = board.cells_placed(player);
            let score = board.score(player);
            lines.push(format!("   {cells_placed} cells, score {score}"));
            lines.push(format!(
                "   tiles left {}",
                letters(board.tiles_left(player))
            ));
            lines.push(String::new());
        }
        lines.extend(self.remarks.iter().cloned());
        lines
    }
}

/// Returns the letters of the tiles.
fn letters(tiles: TileSet) -> String {
    if tiles.is_empty() {
        return "none".to_owned();
    }
    tiles.iter().map(|tile| char::from(tile.letter())).collect()
}

/// Returns the two characters of a cell that a player covers.
fn mark(seat: Seat, last: bool, style: Style) -> String {
    let text = match (seat, style.unicode, style.colour) {
        (_, true, true) => "  ",
        (Seat::One, true, false) => "██",
        (Seat::Two, true, false) => "▒▒",
        (Seat::One, false, _) => " 1",
        (Seat::Two, false, _) => " 2",
    };
    let rendition = if last { LAST } else { CELL };
    style.paint(rendition[seat], text)
}

fn board_lines(board: &DuoBoard, first: Seat, style: Style) -> Vec<String> {
    let last: Option<Placement> = board.moves().last().and_then(|mv| mv.placement());
    grid(board.variant().size, style, |cell| {
        let owner = board
            .players()
            .find(|&player| board.cells(player).contains(cell));
        match owner {
            Some(Colour(0)) => mark(first, covers(last, cell), style),
            Some(_) => mark(first.other(), covers(last, cell), style),
            None => free(board, cell, style),
        }
    })
}

/// Returns the lines of a board of `size` columns with the names of columns and rows. `text`
/// returns the two characters of a cell.
pub fn grid(size: u8, style: Style, text: impl Fn(Cell) -> String) -> Vec<String> {
    let names = || NAMES.iter().take(size.into()).zip(0..);
    let axis: String = names()
        .map(|(&name, _)| format!(" {}", char::from(name)))
        .collect();
    let mut lines = vec![style.paint("2", &format!("  {axis}"))];
    for (&name, y) in names() {
        let mut line = style.paint("2", &format!(" {}", char::from(name)));
        for x in 0..size {
            line.push_str(&text(Cell::new(x, y)));
        }
        lines.push(line);
    }
    lines
}

fn covers(placement: Option<Placement>, cell: Cell) -> bool {
    placement.is_some_and(|placement| placement.cells().any(|covered| covered == cell))
}

/// Returns the two characters of a free cell.
fn free(board: &DuoBoard, cell: Cell, style: Style) -> String {
    let start = board.players().any(|player| board.start(player) == cell);
    let text = match (start, style.unicode) {
        (true, true) => " ○",
        (true, false) => " S",
        (false, true) => " ·",
        (false, false) => " .",
    };
    style.paint(if start { "" } else { "2" }, text)
}

/// Returns the canonical codes of placements as lines, grouped by tile; with `only`, those of the
/// tile with that letter.
pub fn by_tile(legal: &[Placement], only: Option<char>, style: Style) -> Vec<String> {
    let mut tiles: BTreeMap<char, Vec<String>> = BTreeMap::new();
    for placement in legal {
        let letter = char::from(placement.tile().letter());
        if only.is_none_or(|only| only == letter) {
            tiles.entry(letter).or_default().push(placement.to_string());
        }
    }
    let mut lines = Vec::new();
    for (letter, codes) in tiles {
        let mut head = style.paint("1", &letter.to_string());
        for codes in codes.chunks(PER_LINE) {
            lines.push(format!("{head} {}", codes.join(" ")));
            head = " ".to_owned();
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style {
        colour: false,
        unicode: false,
        terminal: false,
    };

    /// Example of the protocol's specification, Fig. 6.
    #[test]
    fn figure_6_is_drawn() {
        let mut board = DuoBoard::duo();
        for code in ["53e0", "a8e0", "21k7", "94j0", "61a0", "71b3"] {
            board.play(code.parse().unwrap()).unwrap();
        }
        let lines = board_lines(&board, Seat::One, PLAIN);
        let expected = [
            "   1 2 3 4 5 6 7 8 9 a b c d e",
            " 1 1 1 1 1 . 1 2 2 . . . . . .",
            " 2 1 . . . 1 . . . 2 . . . . .",
            " 3 . . . . 1 . . . 2 . . . . .",
            " 4 . . . . 1 . . . 2 . . . . .",
            " 5 . . . . 1 . . . 2 . . . . .",
            " 6 . . . . . . . . 2 . . . . .",
            " 7 . . . . . . . . . 2 . . . .",
            " 8 . . . . . . . . . 2 . . . .",
            " 9 . . . . . . . . . 2 . . . .",
            " a . . . . . . . . . 2 . . . .",
        ];
        assert_eq!(lines[..11], expected);
    }

    /// If player 2 moves first, the first colour of the board is that of player 2.
    #[test]
    fn marks_belong_to_seats() {
        let mut board = DuoBoard::duo();
        board.play("55a0".parse().unwrap()).unwrap();
        let row = &board_lines(&board, Seat::Two, PLAIN)[5];
        assert!(row.starts_with(" 5 . . . . 2 ."), "{row}");
    }

    #[test]
    fn the_last_tile_is_brighter() {
        let mut board = DuoBoard::duo();
        for code in ["55a0", "aaa0"] {
            board.play(code.parse().unwrap()).unwrap();
        }
        let style = Style {
            colour: true,
            unicode: true,
            terminal: true,
        };
        let lines = board_lines(&board, Seat::One, style);
        assert!(lines[5].contains(CELL[Seat::One]));
        assert!(lines[10].contains(LAST[Seat::Two]));
    }
}
