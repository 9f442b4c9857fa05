//! Crosstable as a picture.

use duoforge_pictures::xml::{Frame, escape};

use super::cells::{cross, elo, points};
use crate::Report;

/// Height of a row.
const ROW: usize = 28;

/// Width of a column of the crosstable.
const COLUMN: usize = 58;

/// Approximate width of a character in names.
const LETTER: usize = 9;

/// Margin at the left and right.
const MARGIN: usize = 16;

/// Width of an Elo difference with its interval.
const ELO: usize = 170;

pub(super) fn render(report: &Report) -> String {
    let players = report.standings.len();
    let names = report
        .standings
        .iter()
        .map(|standing| standing.name.chars().count());
    let name = names.max().unwrap_or(0).clamp(6, 40) * LETTER;
    let grid = MARGIN + 30 + name;
    let total = grid + players * COLUMN;
    let width = total + COLUMN + ELO + MARGIN;
    let height = (players + 3) * ROW + MARGIN;
    let frame = Frame {
        size: [width as f64, height as f64],
        attributes: "font-size=\"14\" fill=\"#2d2a26\"",
        style: None,
        title: &report.event,
    };
    let mut out = String::new();
    let mut text = |x: usize, y: usize, anchor: &str, rest: &str, text: &str| {
        out += &format!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\"{rest}>{}</text>\n",
            escape(text)
        );
    };
    text(
        MARGIN,
        ROW,
        "start",
        " font-weight=\"bold\" font-size=\"17\"",
        &report.event,
    );
    text(
        width - MARGIN,
        ROW,
        "end",
        " fill=\"#6b6459\"",
        &report.state(),
    );
    let line = |row: usize| (row + 2) * ROW;
    let middle = |column: usize| grid + column * COLUMN + COLUMN / 2;
    let grey = " fill=\"#6b6459\"";
    text(total + COLUMN / 2, line(0), "middle", grey, "points");
    text(width - MARGIN, line(0), "end", grey, "Elo");
    for (number, row) in cross(report).iter().enumerate() {
        let y = line(number);
        for (column, cell) in row.iter().enumerate() {
            match column {
                0 => text(MARGIN + 20, y, "end", grey, cell),
                1 if number > 0 => text(MARGIN + 30, y, "start", "", cell),
                1 => {}
                _ => text(
                    middle(column - 2),
                    y,
                    "middle",
                    if number > 0 { "" } else { grey },
                    cell,
                ),
            }
        }
    }
    for (number, standing) in report.standings.iter().enumerate() {
        let y = line(number + 1);
        let bold = " font-weight=\"bold\"";
        text(
            total + COLUMN / 2,
            y,
            "middle",
            bold,
            &points(standing.points),
        );
        text(width - MARGIN, y, "end", "", &elo(&standing.elo));
    }
    for row in 0..=players {
        let y = line(row) + 9;
        let (from, to) = (MARGIN, width - MARGIN);
        out += &format!("<path stroke=\"#d5cdbb\" d=\"M{from} {y}H{to}\"/>\n");
    }
    frame.around(&out)
}
