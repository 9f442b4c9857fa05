//! Result of a match as a table.

use std::time::Duration;

use duoforge_referee::{Seat, Seats, Tally};

use crate::output::{Style, seconds};

/// Formats the result with a row for each player. Cells and scores are those of one game, or means
/// over several games.
pub fn table(names: &Seats<String>, tally: &Tally, style: Style) -> String {
    let mean = |sum: f64| match tally.games {
        0 => "-".to_owned(),
        1 => format!("{sum}"),
        games => format!("{:.1}", sum / f64::from(games)),
    };
    let row = |seat: Seat| {
        let i = seat as usize;
        [
            seat.number().to_string(),
            names[seat].clone(),
            tally.wins[i].to_string(),
            tally.draws.to_string(),
            tally.wins[1 - i].to_string(),
            mean(tally.cells_placed[i].into()),
            mean(tally.score[i].into()),
            seconds(tally.slowest()[seat]),
        ]
    };
    let head = [
        "",
        "player",
        "won",
        "drawn",
        "lost",
        "cells",
        "score",
        "slowest reply",
    ];
    let rows = [head.map(str::to_owned), row(Seat::One), row(Seat::Two)];
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..head.len())
        .map(|column| width(column).unwrap_or(0))
        .collect();
    let mut lines: Vec<String> = rows.iter().map(|row| aligned(row, &widths)).collect();
    lines[0] = style.paint("1", &lines[0]);
    for seat in Seat::BOTH {
        let i = seat as usize;
        if tally.resets[i] > 0 {
            let time = Duration::from_micros(tally.reset_us[i]);
            let (times, total) = (tally.resets[i], seconds(time));
            lines.push(format!(
                "waited for resets of {seat}: {times} times, {total}"
            ));
        }
    }
    if tally.open > 0 {
        lines.push(format!("not decided: {}", tally.open));
    }
    lines.join("\n")
}

/// Formats a row: the first two columns are aligned left, the others right.
fn aligned(row: &[String], widths: &[usize]) -> String {
    let cells = row.iter().zip(widths).enumerate();
    let cells: Vec<String> = cells
        .map(|(column, (text, &width))| match column {
            0 | 1 => format!("{text:<width$}"),
            _ => format!("{text:>width$}"),
        })
        .collect();
    cells.join("  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_they_need() {
        let tally = Tally {
            games: 4,
            wins: [3, 1],
            cells_placed: [290, 1],
            score: [-66, -1],
            slowest_us: [1_250_000, 7],
            ..Tally::default()
        };
        let names = Seats(["pattern".to_owned(), "random:12345".to_owned()]);
        let style = Style {
            colour: false,
            unicode: true,
            terminal: false,
        };
        let expected = [
            "   player        won  drawn  lost  cells  score  slowest reply",
            "1  pattern         3      0     1   72.5  -16.5        1.250 s",
            "2  random:12345    1      0     3    0.2   -0.2           7 µs",
        ];
        assert_eq!(table(&names, &tally, style), expected.join("\n"));
    }
}
