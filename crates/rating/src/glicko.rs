use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, decay_deviation, glicko2_rating_period};

/// A player's Glicko-2 rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The rating, 1500 for a newcomer.
    pub rating: f64,
    /// Its standard deviation, 350 for a newcomer.
    pub deviation: f64,
    /// How much the rating is expected to change from event to event, 0.06 for a newcomer.
    pub volatility: f64,
}

impl Default for Rating {
    fn default() -> Self {
        Self {
            rating: 1500.0,
            deviation: 350.0,
            volatility: 0.06,
        }
    }
}

impl Rating {
    /// The 95 % interval as Glicko-2 gives it: two deviations on each side.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let width = 2.0 * self.deviation;
        (self.rating - width, self.rating + width)
    }
}

/// One game of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rated {
    /// Name of a player.
    pub player: String,
    /// Name of its rival.
    pub rival: String,
    /// Half points of the player: 0, 1 or 2. The rival has the others.
    pub halves: u8,
}

/// A game that cannot be rated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GlickoError {
    /// One game cannot score that.
    #[error("'{player}' cannot score {halves} half points in one game")]
    Score {
        /// Who is said to have scored them.
        player: String,
        /// The half points.
        halves: u8,
    },
    /// A player against itself.
    #[error("'{0}' played against itself, which says nothing about its strength")]
    Itself(String),
}

/// Ratings of players by name, over events.
///
/// Games of one event count as played at once: all of them are rated with the ratings before it. Whoever
/// does not play in an event becomes less certain, and nothing else.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Glicko {
    ratings: BTreeMap<String, Rating>,
}

impl Glicko {
    /// How quickly volatility may change; Glickman advises 0.3 to 1.2.
    pub const TAU: f64 = 0.5;

    /// Enters a player, or changes its rating.
    pub fn set(&mut self, player: impl Into<String>, rating: Rating) {
        self.ratings.insert(player.into(), rating);
    }

    /// A player's rating, if it is known.
    #[must_use]
    pub fn rating(&self, player: &str) -> Option<Rating> {
        self.ratings.get(player).copied()
    }

    /// All players, the best one first; equal ratings by name.
    #[must_use]
    pub fn table(&self) -> Vec<(&str, Rating)> {
        let each = self.ratings.iter();
        let mut table: Vec<_> = each
            .map(|(name, &rating)| (name.as_str(), rating))
            .collect();
        table.sort_by(|(_, left), (_, right)| right.rating.total_cmp(&left.rating));
        table
    }

    /// Rates an event. Players who are new are entered as newcomers first.
    ///
    /// # Errors
    /// [`GlickoError`]; then nothing has changed.
    pub fn event(&mut self, games: &[Rated]) -> Result<(), GlickoError> {
        let mut results: BTreeMap<&str, Vec<(&str, Outcomes)>> = BTreeMap::new();
        for game in games {
            let (own, others) = outcomes(game)?;
            let mut enter = |player, rival, outcome| {
                results.entry(player).or_default().push((rival, outcome));
            };
            enter(&game.player, &game.rival, own);
            enter(&game.rival, &game.player, others);
        }
        let before = self.ratings.clone();
        let old = |player: &str| glicko(before.get(player).copied().unwrap_or_default());
        let config = Glicko2Config {
            tau: Self::TAU,
            ..Glicko2Config::new()
        };
        for (player, rating) in &mut self.ratings {
            if !results.contains_key(player.as_str()) {
                *rating = rating_of(decay_deviation(&glicko(*rating)));
            }
        }
        for (player, games) in results {
            let against: Vec<_> = games
                .into_iter()
                .map(|(rival, outcome)| (old(rival), outcome))
                .collect();
            let new = glicko2_rating_period(&old(player), &against, &config);
            self.ratings.insert(player.to_owned(), rating_of(new));
        }
        Ok(())
    }
}

fn outcomes(game: &Rated) -> Result<(Outcomes, Outcomes), GlickoError> {
    if game.player == game.rival {
        return Err(GlickoError::Itself(game.player.clone()));
    }
    match game.halves {
        0 => Ok((Outcomes::LOSS, Outcomes::WIN)),
        1 => Ok((Outcomes::DRAW, Outcomes::DRAW)),
        2 => Ok((Outcomes::WIN, Outcomes::LOSS)),
        halves => Err(GlickoError::Score {
            player: game.player.clone(),
            halves,
        }),
    }
}

fn glicko(rating: Rating) -> Glicko2Rating {
    Glicko2Rating {
        rating: rating.rating,
        deviation: rating.deviation,
        volatility: rating.volatility,
    }
}

fn rating_of(rating: Glicko2Rating) -> Rating {
    Rating {
        rating: rating.rating,
        deviation: rating.deviation,
        volatility: rating.volatility,
    }
}
