use serde::Serialize;

use crate::Singles;
use crate::elo::SIDES_95;

/// Elo points per unit of the logistic scale.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Maximum number of Newton steps; fewer than twenty suffice for any real table.
const MAX_STEPS: u32 = 200;

/// Step below which the estimate has converged, on the logistic scale.
const CONVERGED: f64 = 1e-10;

/// Step below which Newton's method takes whole steps, on the logistic scale. It converges
/// quadratically there, and the improvement of the logarithm is smaller than its rounding error.
const NEAR: f64 = 1e-3;

/// Share of a Newton step below which no further improvement is possible.
const MIN_SHARE: f64 = 1e-9;

/// Games between two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Indices of the players, from 0.
    pub players: [usize; 2],
    /// Results from the point of view of the first player.
    pub games: Singles,
}

/// Rating of a player in a simultaneous estimate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct JointRating {
    /// Elo rating; 0 is the rating of the virtual opponent, close to the mean of all players.
    pub elo: f64,
    /// Lower end of the 95 % interval, in Elo.
    pub low: f64,
    /// Upper end of the 95 % interval, in Elo.
    pub high: f64,
}

/// Error for meetings that cannot be rated.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum JointError {
    /// The number of virtual draws is not positive, so that a rating may be infinite.
    #[error("{0} virtual draws are out of range: expected a finite number above 0")]
    Draws(f64),
    /// A meeting names a player that does not exist.
    #[error("player {player} does not exist: expected 0 to {last}")]
    Player {
        /// Index of the player.
        player: usize,
        /// Greatest permitted index.
        last: usize,
    },
    /// A player met itself.
    #[error("player {0} met itself: expected two players")]
    Itself(usize),
}

/// Estimates the Elo ratings of all players jointly from all their games.
///
/// The model is that of Bradley and Terry: the expected score of a player with rating a against
/// one with rating b is [`score_of_elo`](crate::score_of_elo)`(a - b)`. A draw counts as half a win
/// and half a loss. In addition, each player has drawn `draws` virtual games against an opponent
/// with rating 0. These keep the rating of a player finite that has won or lost all its games, and
/// relate players that no chain of games connects. The ratings maximise the likelihood of the real
/// and the virtual games together.
///
/// The interval follows from the curvature of the logarithm of the likelihood at its maximum. It
/// treats games as independent.
///
/// # Errors
/// [`JointError`].
pub fn joint_elo(
    players: usize,
    meetings: &[Meeting],
    draws: f64,
) -> Result<Vec<JointRating>, JointError> {
    if !(draws.is_finite() && draws > 0.0) {
        return Err(JointError::Draws(draws));
    }
    for meeting in meetings {
        let [one, two] = meeting.players;
        if let Some(player) = meeting.players.into_iter().find(|&it| it >= players) {
            let last = players.saturating_sub(1);
            return Err(JointError::Player { player, last });
        }
        if one == two {
            return Err(JointError::Itself(one));
        }
    }
    let model = Model { meetings, draws };
    let strengths = model.maximum(players);
    let errors = model.curvature(&strengths).factorised().errors();
    let ratings = strengths.iter().zip(errors).map(|(strength, error)| {
        let (elo, width) = (strength * ELO, SIDES_95 * error * ELO);
        JointRating {
            elo,
            low: elo - width,
            high: elo + width,
        }
    });
    Ok(ratings.collect())
}

/// Likelihood of games as a function of the players' strengths, which are ratings on the logistic
/// scale.
struct Model<'a> {
    meetings: &'a [Meeting],
    draws: f64,
}

impl Model<'_> {
    /// Points of both players of a meeting.
    fn points(meeting: &Meeting) -> [f64; 2] {
        let [lost, drawn, won] = meeting.games.0.map(|games| games as f64);
        [won + drawn / 2.0, lost + drawn / 2.0]
    }

    /// Logarithm of the likelihood.
    fn log(&self, strengths: &[f64]) -> f64 {
        let meetings = self.meetings.iter().map(|meeting| {
            let [one, two] = meeting.players;
            let lead = strengths[one] - strengths[two];
            let [won, lost] = Self::points(meeting);
            won * log_score(lead) + lost * log_score(-lead)
        });
        let virtual_games = strengths
            .iter()
            .map(|&lead| self.draws / 2.0 * (log_score(lead) + log_score(-lead)));
        meetings.sum::<f64>() + virtual_games.sum::<f64>()
    }

    /// Derivative of the logarithm by each strength: points scored minus points expected.
    fn gradient(&self, strengths: &[f64]) -> Vec<f64> {
        let virtual_games = strengths
            .iter()
            .map(|&lead| self.draws * (0.5 - score(lead)));
        let mut gradient: Vec<f64> = virtual_games.collect();
        for meeting in self.meetings {
            let [one, two] = meeting.players;
            let [won, lost] = Self::points(meeting);
            let excess = won - (won + lost) * score(strengths[one] - strengths[two]);
            gradient[one] += excess;
            gradient[two] -= excess;
        }
        gradient
    }

    /// Negative second derivatives of the logarithm: a positive definite matrix.
    fn curvature(&self, strengths: &[f64]) -> Symmetric {
        let mut rows: Vec<Vec<f64>> = (1..=strengths.len()).map(|len| vec![0.0; len]).collect();
        let bend = |lead: f64| score(lead) * score(-lead);
        for (player, &strength) in strengths.iter().enumerate() {
            rows[player][player] = self.draws * bend(strength);
        }
        for meeting in self.meetings {
            let [one, two] = meeting.players;
            let games = meeting.games.0.iter().sum::<u64>() as f64;
            let bend = games * bend(strengths[one] - strengths[two]);
            rows[one][one] += bend;
            rows[two][two] += bend;
            rows[one.max(two)][one.min(two)] -= bend;
        }
        Symmetric(rows)
    }

    /// Strengths of the maximum likelihood, by Newton's method. The logarithm is strictly concave,
    /// so the maximum is unique, and a step that is shortened often enough increases the logarithm.
    fn maximum(&self, players: usize) -> Vec<f64> {
        let mut strengths = vec![0.0; players];
        let mut log = self.log(&strengths);
        for _ in 0..MAX_STEPS {
            let factor = self.curvature(&strengths).factorised();
            let step = factor.solution(self.gradient(&strengths));
            let size = step.iter().fold(0.0, |most: f64, by| most.max(by.abs()));
            let mut share = 1.0;
            loop {
                let moved = strengths.iter().zip(&step);
                let next: Vec<f64> = moved.map(|(from, by)| from + share * by).collect();
                let better = self.log(&next);
                if better >= log || size < NEAR {
                    (strengths, log) = (next, better);
                    break;
                }
                share /= 2.0;
                if share < MIN_SHARE {
                    // Rounding hides any further improvement.
                    return strengths;
                }
            }
            if size < CONVERGED {
                break;
            }
        }
        strengths
    }
}

/// Expected score in points per game, for a lead on the logistic scale.
fn score(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead).exp())
}

/// Logarithm of [`score`], accurate for large negative leads too.
fn log_score(lead: f64) -> f64 {
    if lead < 0.0 {
        lead - lead.exp().ln_1p()
    } else {
        -(-lead).exp().ln_1p()
    }
}

/// Lower triangle of a symmetric matrix, by rows.
struct Symmetric(Vec<Vec<f64>>);

/// Lower triangle of a Cholesky factor, by rows: the matrix is the factor times its transpose.
struct Factor(Vec<Vec<f64>>);

impl Symmetric {
    /// Returns the Cholesky factor. The matrix must be positive definite.
    fn factorised(self) -> Factor {
        let mut rows = self.0;
        for row in 0..rows.len() {
            for column in 0..=row {
                let left = &rows[row][..column];
                let above = &rows[column][..column];
                let known: f64 = left.iter().zip(above).map(|(a, b)| a * b).sum();
                let rest = rows[row][column] - known;
                rows[row][column] = if row == column {
                    // Rounding may make a tiny pivot negative.
                    rest.max(f64::MIN_POSITIVE).sqrt()
                } else {
                    rest / rows[column][column]
                };
            }
        }
        Factor(rows)
    }
}

impl Factor {
    /// Solves the factor alone for a right side that is zero before index `from`.
    fn forward(&self, mut side: Vec<f64>, from: usize) -> Vec<f64> {
        for (row, entries) in self.0.iter().enumerate().skip(from) {
            let known: f64 = (from..row)
                .map(|column| entries[column] * side[column])
                .sum();
            side[row] = (side[row] - known) / entries[row];
        }
        side
    }

    /// Solves the matrix for a right side.
    fn solution(&self, side: Vec<f64>) -> Vec<f64> {
        let mut side = self.forward(side, 0);
        for row in (0..side.len()).rev() {
            side[row] /= self.0[row][row];
            let value = side[row];
            for (column, entry) in self.0[row][..row].iter().enumerate() {
                side[column] -= entry * value;
            }
        }
        side
    }

    /// Square roots of the diagonal of the inverse matrix: the standard errors of the strengths.
    fn errors(&self) -> Vec<f64> {
        let players = self.0.len();
        let error = |player: usize| {
            let mut unit = vec![0.0; players];
            unit[player] = 1.0;
            let column = self.forward(unit, player);
            column.iter().map(|entry| entry * entry).sum::<f64>().sqrt()
        };
        (0..players).map(error).collect()
    }
}
