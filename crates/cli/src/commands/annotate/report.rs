//! Annotation of a game: table, JSON, blksgf and curve.

use duoforge_page::{Evaluation, ReplayGame};
use duoforge_pictures::CurvePoint;
use duoforge_records::Record;
use duoforge_referee::{Replay, Seat};
use duoforge_rules::{Move, Notation, Variant};
use serde::Serialize;

use super::evaluate::Standing;
use crate::failure::Result;
use crate::output::{self, Style};
use crate::replays;

/// Annotated game; also the object in JSON.
#[derive(Serialize)]
pub struct Annotation {
    /// Names of the players, the first one first; empty if unknown.
    players: [String; 2],
    /// Keyword of the ending.
    ending: &'static str,
    /// Positions before the first move and after each move.
    positions: Vec<Row>,
    /// Ending in words.
    #[serde(skip)]
    last: String,
}

/// Annotated position.
#[derive(Serialize)]
struct Row {
    /// Number of moves before the position.
    ply: usize,
    /// Number of the player that made the last move.
    player: Option<u8>,
    #[serde(rename = "move")]
    mv: Option<String>,
    /// Winning chance of the first player; a draw counts half.
    chance: f64,
    /// Expected margin of the first player in points.
    margin: Option<f64>,
    /// True if the margin is exact.
    exact: bool,
    /// Move of the engine instead of the last move.
    better: Option<String>,
    /// Winning chance that the last move lost for its player.
    lost: Option<f64>,
    simulations: u64,
}

impl Annotation {
    /// Combines the moves of a game with the evaluations of its positions.
    pub fn new(record: &Record, standings: &[Standing], replay: &Replay) -> Self {
        let mut positions = Vec::new();
        for (ply, standing) in standings.iter().enumerate() {
            let before = ply.checked_sub(1).map(|before| &standings[before]);
            let mv = ply.checked_sub(1).map(|index| record.plies[index].mv);
            let best = before.and_then(|before| before.best);
            let gain = before.map(|before| standing.chance - before.chance);
            let first = ply % 2 == 1;
            // The endgame solver may find several best moves.
            let as_good = before.is_some_and(|before| {
                before.exact && standing.exact && before.margin == standing.margin
            });
            positions.push(Row {
                ply,
                player: mv.map(|_| if first { 1 } else { 2 }),
                mv: mv.as_ref().map(Move::to_string),
                chance: rounded(standing.chance),
                margin: standing.margin.map(rounded),
                exact: standing.exact,
                better: best
                    .filter(|&best| Some(best) != mv && !as_good)
                    .map(|best| best.to_string()),
                // A search after a move may rate it higher than the search before: nothing was
                // lost.
                lost: gain.map(|gain| rounded(if first { -gain } else { gain }.max(0.0))),
                simulations: standing.simulations,
            });
        }
        let names = |index: usize| {
            record
                .players
                .get(index)
                .map_or(String::new(), |name| name.replace(char::is_control, " "))
        };
        Self {
            players: [names(0), names(1)],
            ending: replay.ending.word(),
            positions,
            last: replay.ending.to_string(),
        }
    }

    /// Name of a player, or of the seat if unknown.
    pub fn name(&self, seat: Seat) -> String {
        match self.players[seat as usize].as_str() {
            "" => seat.to_string(),
            name => name.to_owned(),
        }
    }

    /// Returns the points of the curve.
    pub fn curve(&self) -> Vec<CurvePoint> {
        let label = |row: &Row| match &row.mv {
            Some(mv) => format!("move {}, {mv}", row.ply),
            None => "before the first move".to_owned(),
        };
        let rows = self.positions.iter();
        rows.map(|row| CurvePoint {
            chance: row.chance,
            margin: row.margin,
            label: label(row),
        })
        .collect()
    }

    /// Returns the record with values and comments.
    pub fn record(&self, mut record: Record, how: &str) -> Record {
        append(&mut record.comment, how);
        for (ply, row) in record.plies.iter_mut().zip(&self.positions[1..]) {
            if ply.mv == Move::Pass {
                continue;
            }
            ply.value = row.margin;
            append(&mut ply.comment, &self.remark(row));
        }
        record
    }

    /// Returns the replay with evaluations, better moves and the comments of the record.
    pub fn replay(&self, record: &Record, list: &Replay, how: &str) -> ReplayGame {
        let mut game = replays::of_list(list, &self.players);
        game.comment.clone_from(&record.comment);
        append(&mut game.comment, how);
        let rated = self.positions.iter().map(|row| Evaluation {
            chance: row.chance,
            margin: row.margin,
            exact: row.exact,
        });
        game.evaluations = rated.collect();
        let rows = self.positions[1..].iter().zip(&record.plies);
        for (shown, (row, ply)) in game.moves.iter_mut().zip(rows) {
            shown.better.clone_from(&row.better);
            shown.lost = row.lost;
            shown.comment.clone_from(&ply.comment);
        }
        game
    }

    fn remark(&self, row: &Row) -> String {
        let mut remark = format!("{}: {:.0} %", self.name(Seat::One), row.chance * 100.0);
        if let Some(margin) = row.margin {
            let exact = if row.exact { ", exact" } else { "" };
            remark += &format!(", margin {margin:+.1}{exact}");
        }
        // Pentobi names placements by their cells, not by codes.
        let better = row.better.as_ref().and_then(|code| code.parse().ok());
        if let Some(better) = better {
            let cells = Notation::of(&Variant::DUO).write(better);
            let lost = row.lost.unwrap_or_default() * 100.0;
            remark += &format!("; the engine would play {cells}");
            if lost >= 0.5 {
                remark += &format!(", which is {lost:.0} % better");
            }
        }
        remark
    }

    /// Prints the table.
    pub fn print(&self, style: Style) -> Result<()> {
        for seat in Seat::BOTH {
            let name = &self.players[seat as usize];
            if !name.is_empty() {
                output::line(format!("{seat}: {name}"))?;
            }
        }
        let head = columns([
            "move", "player", "code", "chance", "margin", "lost", "better",
        ]);
        output::line(style.paint("1", &head))?;
        for row in &self.positions {
            let text = row.text();
            // A move that lost a tenth of the winning chance is highlighted.
            let bad = row.lost.is_some_and(|lost| lost >= 0.1);
            output::line(style.paint(if bad { "31" } else { "" }, text.trim_end()))?;
        }
        output::line(&self.last)
    }
}

impl Row {
    fn text(&self) -> String {
        let text = |number: Option<u8>| number.map_or(String::new(), |number| number.to_string());
        let margin = self.margin.map_or(String::new(), |margin| {
            if self.exact {
                format!("={margin:+.0}")
            } else {
                format!("{margin:+.1}")
            }
        });
        let lost = self.lost.filter(|_| self.better.is_some());
        columns([
            &self.ply.to_string(),
            &text(self.player),
            self.mv.as_deref().unwrap_or_default(),
            &format!("{:.1} %", self.chance * 100.0),
            &margin,
            &lost.map_or(String::new(), |lost| format!("{:.1} %", lost * 100.0)),
            self.better.as_deref().unwrap_or_default(),
        ])
    }
}

fn columns([ply, player, code, chance, margin, lost, better]: [&str; 7]) -> String {
    format!("{ply:>4}  {player:^6}  {code:4}  {chance:>7}  {margin:>6}  {lost:>7}  {better:6}")
}

fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

fn append(comment: &mut String, remark: &str) {
    if !comment.is_empty() {
        comment.push('\n');
    }
    comment.push_str(remark);
}
