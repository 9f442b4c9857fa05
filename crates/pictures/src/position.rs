//! Pictures of positions as SVG.

use std::fmt::Write as _;

use duoforge_rules::{Bitboard, Cell, Colour, Duo, DuoBoard, Placement};

use crate::xml::{Frame, escape, put};

/// Width and height of a cell, in units of the picture.
const CELL: u32 = 30;

/// Margin to the left of the board and above it, for the coordinates.
const MARGIN: u32 = 34;

/// Height of a line below the board; each player has one line.
const LINE: u32 = 24;

/// Names of the columns and rows.
const NAMES: &[u8; 14] = b"123456789abcde";

/// Style sheet: players (`p1`, `p2`), ply numbers, coordinates and the text below the board.
const STYLE: &str = ".p1{fill:#f08a24;stroke:#8f4a05}.p2{fill:#7a5bd0;stroke:#3a2485}\
    .n{font-size:11px;fill:#fff;font-weight:bold}.c{font-size:13px;fill:#6b6459}\
    .t{font-size:14px;fill:#2d2a26}";

/// Text below the board, and the colours that the players own. Player 1 comes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    /// Colour of each player on the board.
    pub colours: [Colour; 2],
    /// Text for each player, such as name and score; an empty text is not drawn.
    pub players: [String; 2],
}

impl Default for Caption {
    /// No text; player 1 owns the first colour.
    fn default() -> Self {
        Self {
            colours: [Colour(0), Colour(1)],
            players: Default::default(),
        }
    }
}

impl Caption {
    /// Returns the number of the player that owns a colour, from 1.
    fn number(&self, colour: Colour) -> usize {
        if colour == self.colours[0] { 1 } else { 2 }
    }
}

/// Draws a position: tiles with the number of their ply, coordinates and a caption.
///
/// The picture has an opaque background, so it is readable on light and on dark pages.
#[must_use]
pub fn svg(board: &DuoBoard, caption: &Caption) -> String {
    let side = u32::from(board.variant().size) * CELL;
    let (width, height) = (
        side + MARGIN + CELL / 2,
        side + MARGIN + 2 * LINE + LINE / 2,
    );
    let frame = Frame {
        size: [width, height].map(f64::from),
        attributes: "text-anchor=\"middle\"",
        style: Some(STYLE),
        title: &format!("Blokus Duo after {} moves", board.ply()),
    };
    let mut out = String::new();
    grid(&mut out, board);
    let colours: Vec<Colour> = board.players().collect();
    for (ply, mv) in board.moves().iter().enumerate() {
        if let Some(placement) = mv.placement() {
            let player = caption.number(colours[ply % colours.len()]);
            tile(&mut out, placement, player, ply + 1);
        }
    }
    foot(&mut out, &caption.players, side);
    frame.around(&out)
}

/// Upper left corner of a cell.
fn corner(cell: Cell) -> (u32, u32) {
    (
        MARGIN + u32::from(cell.x) * CELL,
        MARGIN + u32::from(cell.y) * CELL,
    )
}

fn middle(cell: Cell) -> (u32, u32) {
    let (x, y) = corner(cell);
    (x + CELL / 2, y + CELL / 2)
}

fn grid(out: &mut String, board: &DuoBoard) {
    let size = u32::from(board.variant().size);
    let end = MARGIN + size * CELL;
    put!(
        out,
        "<path fill=\"#f1ece0\" d=\"M{MARGIN} {MARGIN}H{end}V{end}H{MARGIN}Z\"/>"
    );
    let mut lines = String::new();
    for i in 0..=size {
        let at = MARGIN + i * CELL;
        write!(lines, "M{at} {MARGIN}V{end}M{MARGIN} {at}H{end}")
            .expect("writing to a string cannot fail");
    }
    put!(out, "<path stroke=\"#d5cdbb\" d=\"{lines}\"/>");
    for (i, &name) in NAMES.iter().enumerate() {
        let name = char::from(name);
        let (at, _) = middle(Cell::new(i as u8, 0));
        put!(
            out,
            "<text class=\"c\" x=\"{at}\" y=\"{}\">{name}</text>",
            MARGIN - 10
        );
        put!(
            out,
            "<text class=\"c\" x=\"{}\" y=\"{}\">{name}</text>",
            MARGIN / 2 + 2,
            at + 5
        );
    }
    for player in board.players() {
        let (x, y) = middle(board.start(player));
        put!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"none\" stroke=\"#a79d88\" \
             stroke-width=\"2\"/>"
        );
    }
}

/// Draws a tile: its cells as one shape with an outline, and the number of its ply at its centre.
fn tile(out: &mut String, placement: Placement, player: usize, ply: usize) {
    let cells: Bitboard<Duo> = placement.cells().collect();
    let mut fill = String::new();
    let mut outline = String::new();
    for cell in cells.iter() {
        let (x, y) = corner(cell);
        let one: Bitboard<Duo> = std::iter::once(cell).collect();
        write!(fill, "M{x} {y}h{CELL}v{CELL}h-{CELL}z").expect("writing to a string cannot fail");
        // An edge is drawn where the tile has no cell beyond it. At the rim of the board the
        // shifted set is empty, so the edge is drawn too.
        let edges = [
            (one.north(), x, y, 'h'),
            (one.south(), x, y + CELL, 'h'),
            (one.west(), x, y, 'v'),
            (one.east(), x + CELL, y, 'v'),
        ];
        for (beyond, x, y, way) in edges {
            if (beyond & cells).is_empty() {
                write!(outline, "M{x} {y}{way}{CELL}").expect("writing to a string cannot fail");
            }
        }
    }
    let code = placement.code();
    let (x, y) = middle(Cell::new(code.x, code.y));
    put!(
        out,
        "<g class=\"p{player}\"><title>{ply}: {code}</title><path stroke=\"none\" d=\"{fill}\"/>\
         <path fill=\"none\" stroke-width=\"2\" stroke-linecap=\"square\" d=\"{outline}\"/></g>\
         <text class=\"n\" x=\"{x}\" y=\"{}\">{ply}</text>",
        y + 4
    );
}

fn foot(out: &mut String, players: &[String; 2], side: u32) {
    for (text, player) in players.iter().zip(1..) {
        let text = escape(text);
        let y = MARGIN + side + LINE * player - 4;
        if !text.is_empty() {
            put!(
                out,
                "<rect class=\"p{player}\" x=\"{MARGIN}\" y=\"{}\" width=\"14\" height=\"14\"/>\
                 <text class=\"t\" text-anchor=\"start\" x=\"{}\" y=\"{}\">{text}</text>",
                y - 7,
                MARGIN + 22,
                y + 5
            );
        }
    }
}
