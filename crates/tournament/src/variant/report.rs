//! Standings of a tournament of a variant.

use duoforge_journal::{History, SeatEnded};
use serde::Serialize;

use super::VariantPlan;
use super::plan::numbered;
use crate::excluded::Excluded;

/// Standings of a tournament of a variant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantReport {
    /// Name of the event.
    pub event: String,
    /// Name of the variant.
    pub variant: String,
    /// True if all games have been played.
    pub finished: bool,
    /// Number of finished games.
    pub games: u32,
    /// Number of games of the plan.
    pub planned: u64,
    /// Players, the best one first.
    pub standings: Vec<VariantStanding>,
    /// Players that failed the input test before their first game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<Excluded>,
}

/// Standing of a player.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct VariantStanding {
    /// Place, from 1.
    pub place: u32,
    /// Name of the player.
    pub name: String,
    /// Points: in each game one for each seat with a worse place, half for each with the same one.
    pub points: f64,
    /// Number of games.
    pub games: u32,
    /// First places; a place that `n` seats share counts `1/n`.
    pub firsts: f64,
    /// Entry `i`: number of games in place `i + 1`.
    pub places: Vec<u32>,
    /// Sum of the scores.
    pub score: i64,
    /// Sum of the covered cells.
    pub cells_placed: u64,
    /// Number of games in which the player broke a rule.
    pub violations: u32,
}

impl VariantReport {
    /// Creates the standings after the finished games of a journal.
    #[must_use]
    pub fn new(plan: &VariantPlan, history: &History) -> Self {
        let fixtures = plan.fixtures();
        let standing = |entry: &crate::PlanEntry| VariantStanding {
            name: entry.name.clone(),
            places: vec![0; plan.variant.seat_count()],
            ..VariantStanding::default()
        };
        let mut standings: Vec<_> = plan.players.iter().map(standing).collect();
        let mut games = 0;
        for (game, ended) in history.variant_games.ended() {
            let Some(fixture) = numbered(&fixtures, game.begun.game) else {
                continue;
            };
            games += 1;
            for (seat, &player) in ended.seats.iter().zip(&fixture.seats) {
                standings[player].add(seat, &ended.seats);
            }
        }
        // Points for each game, since an unfinished tournament has unequal numbers of games.
        let rate = |standing: &VariantStanding| standing.points / f64::from(standing.games.max(1));
        standings.sort_by(|a, b| {
            let key = |it: &VariantStanding| (rate(it), it.firsts, it.score as f64);
            let (a, b) = (key(a), key(b));
            let order = b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1));
            order.then(b.2.total_cmp(&a.2))
        });
        for i in 0..standings.len() {
            let shares = i > 0 && {
                let (a, b) = (&standings[i - 1], &standings[i]);
                (rate(a), a.firsts, a.score) == (rate(b), b.firsts, b.score)
            };
            standings[i].place = if shares {
                standings[i - 1].place
            } else {
                i as u32 + 1
            };
        }
        Self {
            event: plan.event.clone(),
            variant: plan.variant.name().to_owned(),
            finished: u64::from(games) == plan.game_count(),
            games,
            planned: plan.game_count(),
            standings,
            excluded: Excluded::of(history),
        }
    }

    /// Returns the standings as one JSON object, with a final newline.
    ///
    /// # Panics
    /// Never: a report is made of texts and numbers.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("a report is made of texts and numbers") + "\n"
    }

    /// Returns the standings as aligned columns, with a final newline.
    #[must_use]
    pub fn text(&self) -> String {
        let rows = self.rows();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
        let widths: Vec<_> = (0..rows[0].len())
            .map(|column| width(column).unwrap_or(0))
            .collect();
        let mut text = format!("{}\n\n", self.heading());
        for row in &rows {
            let cells = row.iter().zip(&widths).enumerate();
            let cells: Vec<_> = cells
                .map(|(column, (text, &width))| match column {
                    1 => format!("{text:<width$}"),
                    _ => format!("{text:>width$}"),
                })
                .collect();
            text += cells.join("  ").trim_end();
            text.push('\n');
        }
        for player in &self.excluded {
            text += &format!("\n{}\n", player.line());
        }
        text
    }

    /// Returns the standings as a table in Markdown, with a final newline.
    #[must_use]
    pub fn markdown(&self) -> String {
        let rows = self.rows();
        let line = |row: &[String]| {
            let cells: Vec<_> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut text = format!("# {}\n\n{}", self.heading(), line(&rows[0]));
        text += &format!("|{}\n", "---|".repeat(rows[0].len()));
        rows[1..].iter().for_each(|row| text += &line(row));
        for player in &self.excluded {
            text += &format!("\n{}\n", player.line().replace('|', "\\|"));
        }
        text
    }

    fn heading(&self) -> String {
        let Self {
            event,
            variant,
            games,
            planned,
            ..
        } = self;
        format!("{event}: {variant}, {games} of {planned} games")
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let seats = self.standings.first().map_or(0, |it| it.places.len());
        let mut head: Vec<String> = ["", "player", "points", "games", "firsts"]
            .map(str::to_owned)
            .into();
        head.extend((1..=seats).map(|place| format!("place {place}")));
        head.extend(["mean score", "mean cells", "violations"].map(str::to_owned));
        let row = |it: &VariantStanding| {
            let mean = |sum: f64| format!("{:.1}", sum / f64::from(it.games.max(1)));
            let mut row = vec![
                it.place.to_string(),
                it.name.clone(),
                it.points.to_string(),
                it.games.to_string(),
                format!("{:.2}", it.firsts),
            ];
            row.extend(it.places.iter().map(u32::to_string));
            row.push(mean(it.score as f64));
            row.push(mean(it.cells_placed as f64));
            row.push(it.violations.to_string());
            row
        };
        let mut rows = vec![head];
        rows.extend(self.standings.iter().map(row));
        rows
    }
}

impl VariantStanding {
    fn add(&mut self, seat: &SeatEnded, all: &[SeatEnded]) {
        let with = |place: u8| all.iter().filter(|other| other.place == place).count();
        let worse = all.iter().filter(|other| other.place > seat.place).count();
        self.points += worse as f64 + (with(seat.place) - 1) as f64 / 2.0;
        if seat.place == 1 {
            self.firsts += 1.0 / with(1) as f64;
        }
        self.games += 1;
        self.places[usize::from(seat.place) - 1] += 1;
        self.score += i64::from(seat.score);
        self.cells_placed += u64::from(seat.cells);
        let fault = seat.fault.as_deref();
        self.violations += u32::from(fault.is_some_and(|word| word != "resigned"));
    }
}
