//! Difference between matches, pair by pair.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use duoforge_shards::{Merged, Plan, gather};

use crate::campaigns::{MATCH, StoredPair, setting};
use crate::match_score::{MatchScore, Mean, Pair, halves, margins, show};
use crate::output;

/// Compare matches pair by pair
///
/// Takes files of `match --results`, also of unfinished matches. The files of all shards of a match
/// count as one. All matches must have the same openings, seed and player B. Each match is compared
/// with that of the first file: a difference is the mean over the pairs that both have, with its
/// standard error. `first` and `second` are the scores of A with the first and the second move.
/// Pairs with a resignation have no difference of margins.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
For example, after two matches against the same B:
  duoforge-lab difference without-book.jsonl with-book-0.jsonl with-book-1.jsonl")]
pub struct Args {
    /// Files of results
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Results of a match.
#[derive(Debug)]
struct Results {
    /// Name of player A.
    name: String,
    pairs: BTreeMap<u64, Pair>,
}

/// Runs the command.
///
/// # Errors
/// A file that cannot be read, holds no match, or holds a match that cannot be compared.
pub fn run(args: &Args) -> Result<()> {
    let matches = gather(&args.files)?;
    let first = matches[0].plan();
    for merged in &matches {
        check(merged.plan(), first)?;
    }
    let matches: Vec<_> = matches.iter().map(Results::of).collect::<Result<_>>()?;
    Ok(output::text(&table(&matches))?)
}

/// Checks that a match can be compared with the first one.
fn check(plan: &Plan, first: &Plan) -> Result<()> {
    let campaign = &plan.campaign;
    ensure!(
        campaign == MATCH,
        "campaign {campaign} is not {MATCH}: give files of `match --results`"
    );
    let name = setting(plan, "a")?;
    ensure!(
        plan.seed == first.seed,
        "the match of {name} has seed {}, expected {}, that of the first file",
        plan.seed,
        first.seed
    );
    for (key, what) in [("openings", "openings"), ("b", "player B")] {
        let (found, expected) = (setting(plan, key)?, setting(first, key)?);
        ensure!(
            found == expected,
            "the match of {name} has {what} {found}, expected {expected}, as in the first file"
        );
    }
    Ok(())
}

impl Results {
    fn of(merged: &Merged) -> Result<Self> {
        let name = setting(merged.plan(), "a")?.to_owned();
        let mut pairs = BTreeMap::new();
        for (number, stored) in merged.results::<StoredPair>()? {
            let games = stored.games(number as usize);
            let games = games.with_context(|| format!("match of {name}"))?;
            pairs.insert(number, games.map(|game| game.played));
        }
        Ok(Self { name, pairs })
    }
}

/// Formats the table of all matches.
fn table(matches: &[Results]) -> String {
    let mut text = "\
| A | pairs | score | margin | first | second | common pairs | score difference | margin difference |
|---|--:|--:|--:|--:|--:|--:|--:|--:|
"
    .to_owned();
    for results in matches {
        text += &row(results, &matches[0]);
        text.push('\n');
    }
    text
}

/// Formats the row of a match.
fn row(results: &Results, first: &Results) -> String {
    let mut score = MatchScore::default();
    results.pairs.values().for_each(|pair| score.add(pair));
    let common: Vec<_> = results
        .pairs
        .iter()
        .filter_map(|(number, pair)| Some((pair, first.pairs.get(number)?)))
        .collect();
    let difference = |value: &dyn Fn(&Pair) -> Option<f64>| {
        let differences = common
            .iter()
            .filter_map(|(own, other)| Some(value(own)? - value(other)?));
        Mean::of(&differences.collect::<Vec<_>>())
    };
    let by_move = |game: usize| {
        let scores: Vec<_> = results
            .pairs
            .values()
            .map(|pair| game_scores(pair)[game])
            .collect();
        Mean::of(&scores).map(|mean| Mean {
            error: None,
            ..mean
        })
    };
    let pair_score = |pair: &Pair| Some(game_scores(pair).iter().sum::<f64>() / 2.0);
    format!(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
        results.name,
        results.pairs.len(),
        show(score.score(), 3, false),
        show(score.margin(), 1, true),
        show(by_move(0), 3, false),
        show(by_move(1), 3, false),
        common.len(),
        show(difference(&pair_score), 3, true),
        show(difference(&pair_margin), 1, true),
    )
}

/// Returns the score of A in each game of a pair, from 0 to 1.
fn game_scores(pair: &Pair) -> [f64; 2] {
    halves(pair).map(|halves| f64::from(halves) / 2.0)
}

/// Returns the mean margin of A in a pair; `None` if a player resigned.
fn pair_margin(pair: &Pair) -> Option<f64> {
    let [first, second] = margins(pair);
    Some(f64::from(first? + second?) / 2.0)
}

#[cfg(test)]
mod tests {
    use duoforge_rules::Colour;

    use super::*;
    use crate::game::{Played, Thinking};

    fn played(score: [i32; 2]) -> Played {
        Played {
            moves: Vec::new(),
            score,
            resigned: None,
            time: [Thinking::default(); 2],
        }
    }

    fn results(name: &str, pairs: &[(u64, [[i32; 2]; 2])]) -> Results {
        Results {
            name: name.to_owned(),
            pairs: pairs
                .iter()
                .map(|(number, scores)| (*number, scores.map(played)))
                .collect(),
        }
    }

    #[test]
    fn a_match_is_compared_over_the_pairs_that_both_have() {
        // Margins of A: -4 and -6; 2 and 4; 3 and -3.
        let first = results(
            "old",
            &[
                (0, [[0, 4], [6, 0]]),
                (1, [[2, 0], [0, 4]]),
                (2, [[3, 0], [3, 0]]),
            ],
        );
        // Margins of A: 4 and -8; 2 and 4; 1 and 1, a pair that the first match lacks.
        let second = results(
            "new",
            &[
                (0, [[4, 0], [8, 0]]),
                (1, [[2, 0], [0, 4]]),
                (5, [[1, 0], [0, 1]]),
            ],
        );
        assert_eq!(
            row(&first, &first),
            "| old | 3 | 0.500 +- 0.289 | -0.7 +- 2.3 | 0.667 | 0.333 \
             | 3 | +0.000 +- 0.000 | +0.0 +- 0.0 |"
        );
        // Differences of scores 0.5 and 0, and of margins 3 and 0.
        assert_eq!(
            row(&second, &first),
            "| new | 3 | 0.833 +- 0.167 | +0.7 +- 1.5 | 1.000 | 0.667 \
             | 2 | +0.250 +- 0.250 | +1.5 +- 1.5 |"
        );
    }

    #[test]
    fn a_pair_with_a_resignation_has_no_difference_of_margins() {
        let first = results("old", &[(0, [[1, 0], [1, 0]]), (1, [[1, 0], [1, 0]])]);
        let mut second = results("new", &[(0, [[3, 0], [1, 0]]), (1, [[9, 0], [1, 0]])]);
        second.pairs.get_mut(&1).unwrap()[1].resigned = Some(Colour(0));
        // A wins the game that B resigns: one pair more by 0.5, and one margin more by 1.
        let row = row(&second, &first);
        assert!(row.ends_with("| 2 | +0.250 +- 0.250 | +1.0 |"), "{row}");
    }

    #[test]
    fn matches_without_common_pairs_have_no_difference() {
        let first = results("old", &[(0, [[1, 0], [1, 0]])]);
        let second = results("new", &[(1, [[1, 0], [1, 0]])]);
        let row = row(&second, &first);
        assert!(row.ends_with("| 0 | - | - |"), "{row}");
    }

    #[test]
    fn only_matches_with_one_opponent_are_compared() {
        let plan = |seed, b: &str, openings: &str| {
            Plan::new(MATCH, "1", seed, 4)
                .with("a", "pattern")
                .with("b", b)
                .with("openings", openings)
        };
        let first = plan(1, "random", "empty");
        assert!(check(&first, &first).is_ok());
        let fault = |plan: &Plan| check(plan, &first).unwrap_err().to_string();
        assert_eq!(
            fault(&plan(2, "random", "empty")),
            "the match of pattern has seed 2, expected 1, that of the first file"
        );
        assert_eq!(
            fault(&plan(1, "pattern", "empty")),
            "the match of pattern has player B pattern, expected random, as in the first file"
        );
        assert_eq!(
            fault(&plan(1, "random", "random:4")),
            "the match of pattern has openings random:4, expected empty, as in the first file"
        );
        let games = Plan::new("lab-games", "1", 1, 4);
        assert_eq!(
            fault(&games),
            "campaign lab-games is not lab-match: give files of `match --results`"
        );
    }
}
