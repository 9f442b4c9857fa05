//! Running results of a match.

use crate::game::{Played, Thinking};

/// Two games from one opening: `A` moves first in the first one and second in the other.
pub type Pair = [Played; 2];

/// Returns the half points of `A` in both games of a pair.
#[must_use]
pub fn halves([first, second]: &Pair) -> [u32; 2] {
    [first.halves(), 2 - second.halves()]
}

/// Returns the margins of `A` in both games of a pair; `None` for a game that a player resigned.
#[must_use]
pub fn margins([first, second]: &Pair) -> [Option<i32>; 2] {
    [first.margin(), second.margin().map(|margin| -margin)]
}

/// Results of a match over complete pairs, from the point of view of `A`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchScore {
    /// Number of games won, drawn and lost.
    pub results: [u32; 3],
    /// Number of games that `A` and `B` resigned.
    pub resigned: [u32; 2],
    /// Half points of the sides that moved first.
    first_halves: u32,
    /// Score of each pair, from 0 to 1.
    scores: Vec<f64>,
    /// Margins of the games of each pair that were played to their end.
    margins: Vec<Vec<f64>>,
    /// Thinking time of both players.
    pub time: [Thinking; 2],
}

/// Mean with its standard error; a single sample has no error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// Mean of the samples.
    pub value: f64,
    /// Standard error of the mean.
    pub error: Option<f64>,
}

impl MatchScore {
    /// Adds a pair.
    pub fn add(&mut self, pair: &Pair) {
        let halves = halves(pair);
        for (game, played) in pair.iter().enumerate() {
            // In the second game B is the first player.
            let a = game;
            self.first_halves += played.halves();
            self.results[2 - halves[game] as usize] += 1;
            if let Some(player) = played.resigned {
                self.resigned[usize::from(player.index() != a)] += 1;
            }
            for (side, time) in self.time.iter_mut().enumerate() {
                time.add(played.time[side ^ a]);
            }
        }
        self.scores.push(f64::from(halves[0] + halves[1]) / 4.0);
        let margins = margins(pair).into_iter().flatten();
        self.margins.push(margins.map(f64::from).collect());
    }

    /// Returns the number of pairs.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.scores.len()
    }

    /// Returns the number of games.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.results.iter().sum()
    }

    /// Returns the match score, from 0 to 1, with its standard error over pairs. An error over
    /// games would be wrong, because the two games of a pair are correlated.
    #[must_use]
    pub fn score(&self) -> Option<Mean> {
        Mean::of(&self.scores)
    }

    /// Returns the mean margin in points over the games without a resignation, with its standard
    /// error over pairs, as of [`score`](Self::score).
    #[must_use]
    pub fn margin(&self) -> Option<Mean> {
        Mean::of_clusters(&self.margins)
    }

    /// Returns the score of the side that moves first: a measure of the fairness of the openings.
    #[must_use]
    pub fn first(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| f64::from(self.first_halves) / f64::from(2 * games))
    }
}

impl Mean {
    /// Computes the mean of the samples; `None` without samples.
    #[must_use]
    pub fn of(samples: &[f64]) -> Option<Self> {
        if samples.is_empty() {
            return None;
        }
        let n = samples.len() as f64;
        let value = samples.iter().sum::<f64>() / n;
        let squared: f64 = samples.iter().map(|x| (x - value).powi(2)).sum();
        let error = (samples.len() > 1).then(|| (squared / (n * (n - 1.0))).sqrt());
        Some(Self { value, error })
    }

    /// Computes the mean of all samples, and its error from the sums of the clusters, since the
    /// samples of a cluster are correlated. Empty clusters do not count; `None` without samples.
    #[must_use]
    pub fn of_clusters(clusters: &[Vec<f64>]) -> Option<Self> {
        let filled = clusters.iter().filter(|samples| !samples.is_empty());
        let filled: Vec<_> = filled.collect();
        let samples: Vec<f64> = filled.iter().copied().flatten().copied().collect();
        let Self { value, .. } = Self::of(&samples)?;
        let deviation = |samples: &[f64]| samples.iter().map(|x| x - value).sum::<f64>();
        let squared: f64 = filled
            .iter()
            .map(|samples| deviation(samples).powi(2))
            .sum();
        let clusters = filled.len() as f64;
        let error = (filled.len() > 1)
            .then(|| (squared * clusters / (clusters - 1.0)).sqrt() / samples.len() as f64);
        Some(Self { value, error })
    }
}

/// Formats a mean, with its error if there is one.
#[must_use]
pub fn show(mean: Option<Mean>, digits: usize, signed: bool) -> String {
    let Some(Mean { value, error }) = mean else {
        return "-".to_owned();
    };
    let value = if signed {
        format!("{value:+.digits$}")
    } else {
        format!("{value:.digits$}")
    };
    match error {
        Some(error) => format!("{value} +- {error:.digits$}"),
        None => value,
    }
}

/// Returns the Elo difference that corresponds to a score; `None` for scores up to 0 and from 1,
/// where it is infinite.
#[must_use]
pub fn elo(score: f64) -> Option<f64> {
    let elo = duoforge_rating::elo_of_score(score);
    elo.is_finite().then_some(elo)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use duoforge_rules::Colour;

    use super::*;

    fn played(score: [i32; 2]) -> Played {
        let time = |moves| Thinking {
            moves,
            total: Duration::from_secs(u64::from(moves) * 2),
            slowest: Duration::from_secs(3),
        };
        Played {
            moves: Vec::new(),
            score,
            resigned: None,
            time: [time(10), time(5)],
        }
    }

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }

    #[test]
    fn results_are_those_of_a_whoever_moves_first() {
        let mut tally = MatchScore::default();
        // A wins by 4 as the first and loses by 6 as the second player.
        tally.add(&[played([-5, -9]), played([-4, -10])]);
        assert_eq!(tally.results, [1, 0, 1]);
        close(tally.score().unwrap().value, 0.5);
        close(tally.margin().unwrap().value, -1.0);
        close(tally.first().unwrap(), 1.0);
        assert_eq!((tally.time[0].moves, tally.time[1].moves), (15, 15));
        close(tally.time[0].mean(), 2.0);
        // A draw, and a game that B resigns although it leads.
        let mut given_up = played([0, -20]);
        given_up.resigned = Some(Colour(0));
        tally.add(&[played([-7, -7]), given_up]);
        assert_eq!((tally.results, tally.resigned), ([2, 1, 1], [0, 1]));
        close(tally.score().unwrap().value, 0.625);
        close(tally.margin().unwrap().value, -2.0 / 3.0);
        close(tally.first().unwrap(), 0.625);
    }

    #[test]
    fn the_error_is_that_of_the_pairs() {
        let mut tally = MatchScore::default();
        assert_eq!(tally.score(), None);
        tally.add(&[played([1, 0]), played([0, 1])]);
        assert_eq!(tally.score().unwrap().error, None);
        tally.add(&[played([0, 1]), played([1, 0])]);
        // Pairs of 1 and 0: the standard deviation is sqrt(1/2), the error of the mean 1/2.
        close(tally.score().unwrap().error.unwrap(), 0.5);
        let mut split = MatchScore::default();
        for _ in 0..3 {
            split.add(&[played([1, 0]), played([1, 0])]);
        }
        close(split.score().unwrap().error.unwrap(), 0.0);
    }

    #[test]
    fn the_error_of_the_margin_is_that_of_the_pairs_too() {
        let margin = |pairs: &[Pair]| {
            let mut tally = MatchScore::default();
            pairs.iter().for_each(|pair| tally.add(pair));
            tally.margin().unwrap()
        };
        // Equal games of a pair: the first player wins by 10 whichever player it is.
        let equal = margin(&[
            [played([10, 0]), played([10, 0])],
            [played([10, 0]), played([10, 0])],
        ]);
        close(equal.value, 0.0);
        close(equal.error.unwrap(), 0.0);
        // Mean margins of 3 and 1: the error of their mean is 1.
        let pairs = [
            [played([4, 0]), played([0, 2])],
            [played([2, 0]), played([0, 0])],
        ];
        let different = margin(&pairs);
        close(different.value, 2.0);
        close(different.error.unwrap(), 1.0);
        // A resigned game has no margin: 4 and -1 + 3 by 3 games, with the mean 2.
        let mut pairs = pairs;
        pairs[0][1].resigned = Some(Colour(0));
        pairs[1] = [played([-1, 0]), played([0, 3])];
        let three = margin(&pairs);
        close(three.value, 2.0);
        // Deviations of 2 and -2 from the mean: sqrt(8 * 2 / 1) / 3.
        close(three.error.unwrap(), 4.0 / 3.0);
    }

    #[test]
    fn elo_is_known_between_the_ends() {
        assert_eq!((elo(0.0), elo(1.0)), (None, None));
        close(elo(0.5).unwrap(), 0.0);
        close(elo(10.0 / 11.0).unwrap(), 400.0);
    }
}
