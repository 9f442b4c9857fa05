//! Pictures of positions of every variant as SVG.

use std::fmt::Write as _;

use duoforge_rules::{Cell, CellSet, Game, Placement};

use crate::xml::{Frame, escape, put};

/// Width and height of a cell, in units of the picture.
const CELL: u32 = 30;

/// Margin to the left of the board and above it, for the coordinates.
const MARGIN: u32 = 34;

/// Height of a line below the board; each seat has one line.
const LINE: u32 = 24;

/// Names of the columns and rows.
const NAMES: &[u8; 20] = b"123456789abcdefghijk";

/// Style sheet: colours (`p1` to `p4`), ply numbers, coordinates and the text below the board.
const STYLE: &str = ".p1{fill:#f08a24;stroke:#8f4a05}.p2{fill:#7a5bd0;stroke:#3a2485}\
    .p3{fill:#2f9e66;stroke:#0f4f30}.p4{fill:#c9395b;stroke:#6d1229}\
    .n{font-size:11px;fill:#fff;font-weight:bold}.c{font-size:13px;fill:#6b6459}\
    .t{font-size:14px;fill:#2d2a26}";

/// Draws a position of any variant: tiles with the number of their ply, coordinates, start cells,
/// and a line with the name and the score of each seat.
///
/// The picture has an opaque background, so it is readable on light and on dark pages.
#[must_use]
pub fn game_svg(game: &Game, names: &[String]) -> String {
    let side = u32::from(game.size()) * CELL;
    let lines = game.variant().seat_count() as u32;
    let (width, height) = (
        side + MARGIN + CELL / 2,
        side + MARGIN + lines * LINE + LINE / 2,
    );
    let frame = Frame {
        size: [width, height].map(f64::from),
        attributes: "text-anchor=\"middle\"",
        style: Some(STYLE),
        title: &format!(
            "{} after {} moves",
            game.variant().name(),
            game.plies().len()
        ),
    };
    let mut out = String::new();
    grid(&mut out, game);
    for (played, number) in game.plies().iter().zip(1..) {
        if let Some(placement) = played.mv.placement() {
            tile(
                &mut out,
                game.size(),
                placement,
                played.colour.0 + 1,
                number,
            );
        }
    }
    foot(&mut out, game, names, side);
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

fn grid(out: &mut String, game: &Game) {
    let size = u32::from(game.size());
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
    for (i, &name) in NAMES.iter().enumerate().take(size as usize) {
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
    for colour in game.colours() {
        for &start in game.variant().starts(colour).as_slice() {
            let (x, y) = middle(start);
            put!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"none\" stroke=\"#a79d88\" \
                 stroke-width=\"2\"/>"
            );
        }
    }
}

/// Draws a tile: its cells as one shape with an outline, and the number of its ply at its centre.
fn tile(out: &mut String, size: u8, placement: Placement, colour: u8, ply: usize) {
    let mut cells = CellSet::new(size);
    placement.cells().for_each(|cell| cells.insert(cell));
    let covers = |x: Option<u8>, y: Option<u8>| match (x, y) {
        (Some(x), Some(y)) => cells.contains(Cell::new(x, y)),
        _ => false,
    };
    let mut fill = String::new();
    let mut outline = String::new();
    for cell in cells.iter() {
        let (x, y) = corner(cell);
        write!(fill, "M{x} {y}h{CELL}v{CELL}h-{CELL}z").expect("writing to a string cannot fail");
        // An edge is drawn where the tile has no cell beyond it.
        let edges = [
            (covers(Some(cell.x), cell.y.checked_sub(1)), x, y, 'h'),
            (
                covers(Some(cell.x), cell.y.checked_add(1)),
                x,
                y + CELL,
                'h',
            ),
            (covers(cell.x.checked_sub(1), Some(cell.y)), x, y, 'v'),
            (
                covers(cell.x.checked_add(1), Some(cell.y)),
                x + CELL,
                y,
                'v',
            ),
        ];
        for (is_covered, x, y, way) in edges {
            if !is_covered {
                write!(outline, "M{x} {y}{way}{CELL}").expect("writing to a string cannot fail");
            }
        }
    }
    let code = placement.code();
    let (x, y) = middle(Cell::new(code.x, code.y));
    put!(
        out,
        "<g class=\"p{colour}\"><title>{ply}: {code}</title><path stroke=\"none\" d=\"{fill}\"/>\
         <path fill=\"none\" stroke-width=\"2\" stroke-linecap=\"square\" d=\"{outline}\"/></g>\
         <text class=\"n\" x=\"{x}\" y=\"{}\">{ply}</text>",
        y + 4
    );
}

fn foot(out: &mut String, game: &Game, names: &[String], side: u32) {
    for (seat, line) in game.seats().zip(1..) {
        let y = MARGIN + side + LINE * line - 4;
        let name = names.get(seat.index()).map_or("", String::as_str);
        let text = escape(&format!("{name} {}", game.seat_score(seat)));
        for (colour, place) in game.variant().colours_of(seat).zip(0..) {
            put!(
                out,
                "<rect class=\"p{}\" x=\"{}\" y=\"{}\" width=\"14\" height=\"14\"/>",
                colour.0 + 1,
                MARGIN + 18 * place,
                y - 7
            );
        }
        put!(
            out,
            "<text class=\"t\" text-anchor=\"start\" x=\"{}\" y=\"{}\">{}</text>",
            MARGIN + 40,
            y + 5,
            text.trim()
        );
    }
}

#[cfg(test)]
mod tests {
    use duoforge_rules::GameVariant;

    use super::*;

    #[test]
    fn every_variant_is_drawn_with_its_tiles_and_seats() {
        for variant in GameVariant::BUILT_IN {
            let mut game = Game::new(&variant);
            for _ in 0..variant.colour_count() {
                let placement = game.legal()[0];
                game.play(placement.into()).unwrap();
            }
            let names = vec!["A & B".to_owned(); variant.seat_count()];
            let picture = game_svg(&game, &names);
            assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
            let count = |part: &str| picture.matches(part).count();
            assert_eq!(count("<g class=\"p"), variant.colour_count());
            assert_eq!(
                count("A &amp; B -"),
                names.len() * usize::from(has_minus(&game))
            );
            assert_eq!(count("class=\"c\""), 2 * usize::from(variant.size()));
        }
    }

    /// True if scores are negative after one move of each colour.
    fn has_minus(game: &Game) -> bool {
        game.seats().all(|seat| game.seat_score(seat) < 0)
    }
}
