//! Report as text for terminals.

use super::cells::{cross, elo, heads, row};
use crate::Report;

pub(super) fn render(report: &Report) -> String {
    let mut rows = vec![heads(report)];
    rows.extend(report.standings.iter().map(row));
    let mut text = format!("{}: {}\n\n", report.event, report.state());
    text += &aligned(&rows);
    text.push('\n');
    text += &aligned(&cross(report));
    if !report.pairings.is_empty() {
        text.push('\n');
        let mut rows = vec![
            ["", "", "pairs 0 ½ 1 1½ 2", "Elo"]
                .map(str::to_owned)
                .to_vec(),
        ];
        rows.extend(report.pairings.iter().map(|pairing| {
            let [one, two] = pairing.players.clone();
            let pairs: Vec<_> = pairing.pairs.0.iter().map(u64::to_string).collect();
            vec![one, two, pairs.join(" "), elo(&pairing.elo)]
        }));
        text += &aligned(&rows);
    }
    if let Some(test) = report.test() {
        text += &format!("\n{test}\n");
    }
    for player in &report.excluded {
        text += &format!("\n{}\n", player.line());
    }
    text + &format!("\nfingerprint {}\n", report.fingerprint)
}

/// Formats rows with the first two columns aligned left and the others right.
pub(super) fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate();
        let cells: Vec<String> = cells
            .map(|(column, (cell, &width))| match column {
                0 | 1 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            })
            .collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}
