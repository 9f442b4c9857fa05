//! Results of a comparison: a row of text and a JSON object for each search.

use serde::Serialize;

use super::super::split::Split;
use super::super::table::Entry;
use super::judging::{Judged, Judgements};
use crate::game::codes;
use crate::match_score::{Mean, show};

/// Results of a comparison as one JSON object.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// Name and version of the reference engine.
    pub engine: String,
    /// Half of the positions; `None` for both halves.
    pub split: Option<Split>,
    /// Number of positions.
    pub positions: usize,
    /// Searches, in the order of the command line.
    pub searches: Vec<Summary>,
}

/// Results of one search.
#[derive(Debug, Serialize)]
pub struct Summary {
    search: String,
    /// Mean limited regret.
    limited_regret: Option<f64>,
    /// Standard error of `limited_regret` over positions.
    limited_regret_error: Option<f64>,
    /// Mean limited regret of the first search minus that of this one, over common positions.
    less: Option<f64>,
    /// Standard error of `less`.
    less_error: Option<f64>,
    /// Mean regret.
    regret: Option<f64>,
    /// Share of the positions with the reference engine's choice, from 0 to 1.
    agreement: Option<f64>,
    /// Number of choices whose regret is not from the table's values alone.
    unlisted: usize,
    /// Mean duration of a search in seconds.
    seconds: Option<f64>,
    /// Judged choices, in the order of the table.
    pub choices: Vec<ChoiceSummary>,
}

/// Choice of a search in one position.
#[derive(Debug, Serialize)]
pub struct ChoiceSummary {
    /// Codes of the moves that lead to the position.
    moves: String,
    code: String,
    regret: f64,
    limited_regret: f64,
    unlisted: bool,
    agrees: bool,
    seconds: f64,
}

impl Summary {
    /// Summarises the judgements of a search, without its choices: `first` are those of the first
    /// search.
    pub fn new(search: &str, judged: &Judgements, first: &Judgements) -> Self {
        let all: Vec<Judged> = judged.iter().copied().flatten().collect();
        let mean =
            |value: &dyn Fn(&Judged) -> f64| Mean::of(&all.iter().map(value).collect::<Vec<_>>());
        let value = |of: &dyn Fn(&Judged) -> f64| mean(of).map(|mean| mean.value);
        let pairs = judged.iter().zip(first);
        let less: Vec<f64> = pairs
            .filter_map(|(own, first)| Some((*first)?.limited() - (*own)?.limited()))
            .collect();
        let (limited, less) = (mean(&|judged| judged.limited()), Mean::of(&less));
        Self {
            search: search.to_owned(),
            limited_regret: limited.map(|mean| mean.value),
            limited_regret_error: limited.and_then(|mean| mean.error),
            less: less.map(|mean| mean.value),
            less_error: less.and_then(|mean| mean.error),
            regret: value(&|judged| judged.regret),
            agreement: value(&|judged| f64::from(u8::from(judged.agrees))),
            unlisted: all.iter().filter(|judged| judged.unlisted).count(),
            seconds: value(&|judged| judged.time.as_secs_f64()),
            choices: Vec::new(),
        }
    }

    /// Formats the row of the search.
    pub fn row(&self) -> String {
        let digits = |value: Option<f64>, digits: usize| {
            value.map_or("-".into(), |value| format!("{value:.digits$}"))
        };
        let mean = |value: Option<f64>, error| value.map(|value| Mean { value, error });
        format!(
            "| {} | {} | {} | {} | {} | {} | {} |",
            self.search,
            show(
                mean(self.limited_regret, self.limited_regret_error),
                4,
                false
            ),
            show(mean(self.less, self.less_error), 4, true),
            digits(self.regret, 4),
            digits(self.agreement, 3),
            self.unlisted,
            digits(self.seconds, 2),
        )
    }
}

impl ChoiceSummary {
    pub fn new(entry: &Entry, judged: Judged) -> Self {
        Self {
            moves: codes(entry.board.moves()),
            code: judged.placement.to_string(),
            regret: judged.regret,
            limited_regret: judged.limited(),
            unlisted: judged.unlisted,
            agrees: judged.agrees,
            seconds: judged.time.as_secs_f64(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use duoforge_rules::Code;

    use super::*;

    fn judged(regret: f64, unlisted: bool) -> Option<Judged> {
        let placement = "53e0".parse::<Code>().expect("a code").placement();
        Some(Judged {
            placement: placement.expect("a placement on the board"),
            regret,
            unlisted,
            agrees: regret == 0.0,
            time: Duration::from_millis(500),
        })
    }

    #[test]
    fn rows_compare_limited_regrets_position_by_position() {
        let first = vec![
            judged(0.5, false),
            judged(0.02, false),
            None,
            judged(-0.4, false),
        ];
        let second = vec![
            judged(0.02, false),
            judged(0.0, false),
            judged(0.1, true),
            judged(-0.02, true),
        ];
        assert_eq!(
            Summary::new("a", &first, &first).row(),
            "| a | 0.0367 +- 0.0441 | +0.0000 +- 0.0000 | 0.0400 | 0.000 | 0 | 0.50 |"
        );
        // The second search is better by 0.10, 0.02 and -0.01.
        assert_eq!(
            Summary::new("b", &second, &first).row(),
            "| b | 0.0250 +- 0.0263 | +0.0367 +- 0.0328 | 0.0250 | 0.250 | 2 | 0.50 |"
        );
    }
}
