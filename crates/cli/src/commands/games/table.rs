//! Tables of games for people.

use super::played::Played;
use crate::commands::variant_games::VariantRow;
use crate::failure::Result;
use crate::output::{self, Style};

/// Prints games of the contest.
pub fn print(games: &[Played<'_>], style: Style) -> Result<()> {
    let several = games
        .iter()
        .any(|played| played.event.id != games[0].event.id);
    let mut table = vec![
        [
            "game", "round", "player 1", "player 2", "result", "score", "moves", "ending",
        ]
        .map(str::to_owned),
    ];
    table.extend(games.iter().map(|played| {
        let Played { event, game, ended } = played;
        let number = if several {
            format!("{} {}", event.event, ended.game)
        } else {
            ended.game.to_string()
        };
        // The player that moved first is marked; it may be player 2.
        let name = |player: usize| {
            let mark = if usize::from(game.begun.first) == player + 1 {
                "*"
            } else {
                ""
            };
            format!("{}{mark}", played.players()[player])
        };
        [
            number,
            game.begun.round.to_string(),
            name(0),
            name(1),
            ended.result.text().to_owned(),
            format!("{}:{}", ended.score[0], ended.score[1]),
            ended.plies.to_string(),
            ended.ending.clone(),
        ]
    }));
    print_table(&table, &[1, 5, 6], style)
}

/// Prints games of variants.
pub fn print_variants(rows: &[VariantRow<'_>], style: Style) -> Result<()> {
    let several = rows.iter().any(|row| row.id() != rows[0].id());
    let mut table = vec![VariantRow::HEAD.map(str::to_owned)];
    table.extend(rows.iter().map(|row| row.cells(several)));
    print_table(&table, &[3, 4, 5], style)
}

/// Prints a table whose first row is the head; the columns `right` are aligned right.
fn print_table<const N: usize>(table: &[[String; N]], right: &[usize], style: Style) -> Result<()> {
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..N).map(|column| width(column).unwrap_or(0)).collect();
    for (index, row) in table.iter().enumerate() {
        let cells = row.iter().zip(&widths).enumerate();
        let cells: Vec<_> = cells
            .map(|(column, (text, &width))| {
                if right.contains(&column) {
                    format!("{text:>width$}")
                } else {
                    format!("{text:width$}")
                }
            })
            .collect();
        let line = cells.join("  ");
        output::line(style.paint(if index == 0 { "1" } else { "" }, line.trim_end()))?;
    }
    Ok(())
}
