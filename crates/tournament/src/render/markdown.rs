//! Report as tables in Markdown.

use super::cells::{cross, elo, heads, row};
use crate::Report;

pub(super) fn render(report: &Report) -> String {
    let mut rows = vec![heads(report)];
    rows.extend(report.standings.iter().map(row));
    let mut text = format!("# {}\n\n{}.\n\n", plain(&report.event), report.state());
    text += &table(&rows);
    text += "\n## Crosstable\n\n";
    text += &table(&cross(report));
    if !report.pairings.is_empty() {
        let heads = ["player", "against", "pairs 0, ½, 1, 1½, 2", "Elo"];
        let mut rows = vec![heads.map(str::to_owned).to_vec()];
        rows.extend(report.pairings.iter().map(|pairing| {
            let [one, two] = pairing.players.clone();
            let pairs: Vec<_> = pairing.pairs.0.iter().map(u64::to_string).collect();
            vec![one, two, pairs.join(", "), elo(&pairing.elo)]
        }));
        text += "\n## Pairs of games\n\n";
        text += &table(&rows);
    }
    if let Some(test) = report.test() {
        text += &format!("\n{test}\n");
    }
    for player in &report.excluded {
        text += &format!("\n{}\n", plain(&player.line()));
    }
    text + &format!("\nFingerprint `{}`.\n", report.fingerprint)
}

/// Formats rows as a table, of which the first one is the head.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| plain(cell)).collect();
        text += &format!("| {} |\n", cells.join(" | "));
        if number == 0 {
            let lines = (0..row.len()).map(|column| if column < 2 { "---" } else { "--:" });
            text += &format!("|{}|\n", lines.collect::<Vec<_>>().join("|"));
        }
    }
    text
}

/// Escapes the special characters of Markdown.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for character in text.chars() {
        if "\\`*_[]<>|#".contains(character) {
            plain.push('\\');
        }
        plain.push(character);
    }
    plain
}
