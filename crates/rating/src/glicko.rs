use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, decay_deviation, glicko2_rating_period};

/// Glicko-2 rating of a player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Rating; 1500 for a new player.
    pub rating: f64,
    /// Rating deviation (standard deviation); 350 for a new player.
    pub deviation: f64,
    /// Volatility: expected fluctuation of the rating between events; 0.06 for a new player.
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
    /// Returns the 95 % interval by the convention of Glicko-2: two deviations on each side.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let width = 2.0 * self.deviation;
        (self.rating - width, self.rating + width)
    }
}

/// Game of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rated {
    /// Name of a player.
    pub player: String,
    /// Name of the opponent.
    pub opponent: String,
    /// Half points of the player: 0, 1 or 2. The opponent gets the remaining ones.
    pub halves: u8,
}

/// Error for a game that cannot be rated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GlickoError {
    /// More half points than one game has.
    #[error("'{player}' cannot score {halves} half points in one game")]
    Score {
        /// Name of the player.
        player: String,
        /// Number of half points.
        halves: u8,
    },
    /// A player against itself.
    #[error("'{0}' played against itself: such a game does not rate it")]
    Itself(String),
}

/// Glicko-2 ratings of players by name, over events.
///
/// Games of one event count as simultaneous: all of them are rated with the ratings before the
/// event. For a player without a game in an event, only the deviation changes: it grows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Glicko {
    ratings: BTreeMap<String, Rating>,
}

impl Glicko {
    /// System constant tau, which limits changes of volatility; Glickman recommends 0.3 to 1.2.
    pub const TAU: f64 = 0.5;

    /// Adds a player, or replaces its rating.
    pub fn set(&mut self, player: impl Into<String>, rating: Rating) {
        self.ratings.insert(player.into(), rating);
    }

    /// Returns the rating of a player, or `None` if the player is unknown.
    #[must_use]
    pub fn rating(&self, player: &str) -> Option<Rating> {
        self.ratings.get(player).copied()
    }

    /// Returns all players, highest rating first; ties by name.
    #[must_use]
    pub fn table(&self) -> Vec<(&str, Rating)> {
        let each = self.ratings.iter();
        let mut table: Vec<_> = each
            .map(|(name, &rating)| (name.as_str(), rating))
            .collect();
        table.sort_by(|(_, left), (_, right)| right.rating.total_cmp(&left.rating));
        table
    }

    /// Rates an event. Unknown players are added as new players first.
    ///
    /// # Errors
    /// [`GlickoError`]; the ratings are then unchanged.
    pub fn event(&mut self, games: &[Rated]) -> Result<(), GlickoError> {
        let mut results: BTreeMap<&str, Vec<(&str, Outcomes)>> = BTreeMap::new();
        for game in games {
            let (own, others) = outcomes(game)?;
            let mut enter = |player, opponent, outcome| {
                results.entry(player).or_default().push((opponent, outcome));
            };
            enter(&game.player, &game.opponent, own);
            enter(&game.opponent, &game.player, others);
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
                .map(|(opponent, outcome)| (old(opponent), outcome))
                .collect();
            let new = glicko2_rating_period(&old(player), &against, &config);
            self.ratings.insert(player.to_owned(), rating_of(new));
        }
        Ok(())
    }
}

fn outcomes(game: &Rated) -> Result<(Outcomes, Outcomes), GlickoError> {
    if game.player == game.opponent {
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
