//! Cells of the tables of a report, the same in all output formats.

use crate::{Cell, Report, Standing};

impl Report {
    /// Progress of the tournament in words.
    pub(super) fn state(&self) -> String {
        let state = if self.finished {
            "finished"
        } else {
            "in progress"
        };
        format!(
            "{}, {} of {} games, {state}",
            self.format, self.games, self.planned
        )
    }

    /// State of the sequential test in words.
    pub(super) fn test(&self) -> Option<String> {
        let sprt = self.sprt?;
        let verdict = match sprt.verdict {
            duoforge_rating::Verdict::Stronger => "stronger",
            duoforge_rating::Verdict::NotStronger => "not stronger",
            duoforge_rating::Verdict::Undecided => "not decided",
        };
        let (llr, lower, upper) = (sprt.llr, sprt.lower, sprt.upper);
        Some(format!(
            "SPRT: {verdict}, LLR {llr:.2} in {lower:.2} to {upper:.2}"
        ))
    }
}

/// Column names of the standings; the tie-break's name is that of the report.
pub(super) fn heads(report: &Report) -> Vec<String> {
    let names = ["", "player", "points", "games", "won", "drawn", "lost"];
    let mut heads: Vec<String> = names.map(str::to_owned).to_vec();
    heads.push(report.tie_break.to_owned());
    heads.extend(["cells", "violations", "Elo", "Glicko-2"].map(str::to_owned));
    heads
}

/// Cells of a row of the standings.
pub(super) fn row(standing: &Standing) -> Vec<String> {
    vec![
        standing.place.to_string(),
        standing.name.clone(),
        points(standing.points),
        standing.games.to_string(),
        standing.won.to_string(),
        standing.drawn.to_string(),
        standing.lost.to_string(),
        format!("{:.1}", standing.tie_break),
        format!("{:+}", standing.cells_placed),
        standing.violations.to_string(),
        elo(&standing.elo),
        format!("{:.0} ±{:.0}", standing.rating, 2.0 * standing.deviation),
    ]
}

/// Crosstable: a header, and a row for each player. Columns are named by the players' ranks.
pub(super) fn cross(report: &Report) -> Vec<Vec<String>> {
    let names = report.standings.iter().map(|player| player.name.clone());
    crosstable(&names.collect::<Vec<_>>(), &report.cross)
}

/// Crosstable of players with these names, of which the best one is the first.
pub(super) fn crosstable(names: &[String], results: &[Vec<Option<Cell>>]) -> Vec<Vec<String>> {
    let mut head = vec![String::new(), "player".to_owned()];
    head.extend((1..=names.len()).map(|place| place.to_string()));
    let mut rows = vec![head];
    for (place, (name, results)) in names.iter().zip(results).enumerate() {
        let mut row = vec![(place + 1).to_string(), name.clone()];
        row.extend(
            results
                .iter()
                .enumerate()
                .map(|(opponent, cell)| match cell {
                    _ if opponent == place => "·".to_owned(),
                    Some(cell) => {
                        let lost = f64::from(cell.games()) - cell.points();
                        format!("{}-{}", points(cell.points()), points(lost))
                    }
                    None => String::new(),
                }),
        );
        rows.push(row);
    }
    rows
}

/// Formats points, with a half as a fraction.
pub(super) fn points(points: f64) -> String {
    let whole = points.trunc();
    match (whole == points, whole == 0.0) {
        (true, _) => format!("{whole}"),
        (false, true) => "½".to_owned(),
        (false, false) => format!("{whole}½"),
    }
}

/// Formats an Elo difference with its interval.
pub(super) fn elo(estimate: &duoforge_rating::Estimate) -> String {
    interval([estimate.elo, estimate.low, estimate.high])
}

/// Formats a number of Elo points with the lower and the upper end of its interval.
pub(super) fn interval(numbers: [f64; 3]) -> String {
    let number = |value: f64| {
        if value == f64::INFINITY {
            "∞".to_owned()
        } else if value == f64::NEG_INFINITY {
            "-∞".to_owned()
        } else {
            format!("{value:+.0}")
        }
    };
    let [elo, low, high] = numbers.map(number);
    format!("{elo} [{low}, {high}]")
}
