//! Records of games of variants, for one to four seats. Colours and seats are numbered from 0.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::now_ms;

/// Beginning of a game of a variant. Lists are in the order of seats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantBegun {
    /// Number of the game in the event, from 1.
    pub game: u32,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// Name of the variant.
    pub variant: String,
    /// Definition of a custom variant as TOML; absent for a built-in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// Names of the players.
    pub players: Vec<String>,
    /// Version of each player, as declared or as its settings determine it; empty if none is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<Option<String>>,
    /// Time in milliseconds since 1970.
    pub at_ms: u64,
}

impl VariantBegun {
    /// Creates the beginning of a game of a built-in variant.
    #[must_use]
    pub fn new(game: u32, attempt: u32, variant: &str, players: &[&str]) -> Self {
        Self {
            game,
            attempt,
            variant: variant.to_owned(),
            definition: None,
            players: players.iter().map(|&name| name.to_owned()).collect(),
            versions: Vec::new(),
            at_ms: now_ms(),
        }
    }
}

/// Accepted move of a game of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantMoved {
    /// Number of the game.
    pub game: u32,
    /// Number of the attempt.
    pub attempt: u32,
    /// Number of the move, from 1.
    pub ply: u32,
    /// Number of the seat that decided, from 0.
    pub seat: u8,
    /// Number of the colour, from 0.
    pub colour: u8,
    /// Canonical code.
    pub code: String,
    /// Number of legal placements before the move.
    pub legal: u32,
    /// Time of the reply in microseconds, without host stalls.
    pub us: u64,
    /// Maximum host latency during the wait, in microseconds.
    pub host_us: u64,
    /// True if the referee entered the move for a seat that forfeited it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forfeit: bool,
    /// Text that the player added to the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// Lines that the player wrote to its log before the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
}

/// End of a game of a variant that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantEnded {
    /// Number of the game.
    pub game: u32,
    /// Number of the attempt.
    pub attempt: u32,
    /// Keyword of the ending: `finished`, or that of the first fault, such as `timeout`.
    pub ending: String,
    /// Ending in a sentence.
    pub detail: String,
    /// Results in the order of seats.
    pub seats: Vec<SeatEnded>,
    /// Number of moves.
    pub plies: u32,
    /// Time in milliseconds since 1970.
    pub at_ms: u64,
}

/// Result of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatEnded {
    /// Score in points.
    pub score: i32,
    /// Place, from 1 for the best. Seats may share a place.
    pub place: u8,
    /// Number of cells that the seat's colours cover.
    pub cells: u32,
    /// Keyword of the seat's violation or resignation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Lines that the player wrote to its log after its last accepted move, with the exit status of
    /// a program in another process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
}

/// Last attempt at a game of a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantHistory {
    /// Beginning of the attempt.
    pub begun: VariantBegun,
    /// Accepted moves.
    pub moves: Vec<VariantMoved>,
    /// End of the attempt; `None` while it is in progress.
    pub ended: Option<VariantEnded>,
    /// True if the last attempt was annulled.
    pub is_annulled: bool,
}

/// Games of variants by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariantGames(pub(crate) BTreeMap<u32, VariantHistory>);

impl VariantGames {
    /// Iterates over the last attempts at all games, by their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &VariantHistory> {
        self.0.values()
    }

    /// Copy in which a game keeps the first own move of each seat only.
    pub(crate) fn results(&self) -> Self {
        let games = self.0.iter().map(|(&number, game)| {
            let firsts = (0..game.begun.players.len()).filter_map(|seat| {
                let of = |moved: &&VariantMoved| usize::from(moved.seat) == seat && !moved.forfeit;
                game.moves.iter().find(of).cloned()
            });
            let copy = VariantHistory {
                begun: game.begun.clone(),
                moves: firsts.collect(),
                ended: game.ended.clone(),
                is_annulled: game.is_annulled,
            };
            (number, copy)
        });
        Self(games.collect())
    }

    /// Returns the last attempt at a game.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&VariantHistory> {
        self.0.get(&number)
    }

    /// Games that have ended and count, by their numbers.
    pub fn ended(&self) -> impl Iterator<Item = (&VariantHistory, &VariantEnded)> {
        self.iter()
            .filter_map(|game| game.ended.as_ref().map(|ended| (game, ended)))
    }

    /// Games in progress, or interrupted when the process stopped.
    pub fn running(&self) -> impl Iterator<Item = &VariantHistory> {
        self.iter()
            .filter(|game| game.ended.is_none() && !game.is_annulled)
    }

    pub(crate) fn begin(&mut self, begun: VariantBegun) -> Result<(), String> {
        let number = begun.game;
        let (versions, players) = (begun.versions.len(), begun.players.len());
        if versions != 0 && versions != players {
            return Err(format!(
                "versions of {versions} players, expected {players}"
            ));
        }
        let attempt = match self.0.get(&number) {
            None => 1,
            Some(game) if game.is_annulled => game.begun.attempt + 1,
            Some(_) => return Err(format!("game {number} begins twice")),
        };
        if begun.attempt != attempt {
            let wrong = begun.attempt;
            return Err(format!(
                "game {number} begins with attempt {wrong}, expected {attempt}"
            ));
        }
        let game = VariantHistory {
            begun,
            moves: Vec::new(),
            ended: None,
            is_annulled: false,
        };
        self.0.insert(number, game);
        Ok(())
    }

    pub(crate) fn add(&mut self, moved: VariantMoved) -> Result<(), String> {
        let game = self.in_progress(moved.game, moved.attempt)?;
        let next = game.moves.len() + 1;
        if moved.ply as usize != next {
            return Err(format!("move {}, expected move {next}", moved.ply));
        }
        let seats = game.begun.players.len();
        if usize::from(moved.seat) >= seats {
            return Err(format!("seat {}, expected 0 to {}", moved.seat, seats - 1));
        }
        game.moves.push(moved);
        Ok(())
    }

    pub(crate) fn end(&mut self, ended: VariantEnded) -> Result<(), String> {
        let game = self.in_progress(ended.game, ended.attempt)?;
        let (found, expected) = (ended.seats.len(), game.begun.players.len());
        if found != expected {
            return Err(format!("results of {found} seats, expected {expected}"));
        }
        game.ended = Some(ended);
        Ok(())
    }

    pub(crate) fn annul(&mut self, number: u32, attempt: u32) -> Result<(), String> {
        self.in_progress(number, attempt)?.is_annulled = true;
        Ok(())
    }

    /// Returns the game of this number if this attempt is in progress.
    fn in_progress(&mut self, number: u32, attempt: u32) -> Result<&mut VariantHistory, String> {
        let game = self.0.get_mut(&number);
        let game = game.ok_or_else(|| format!("game {number} has not begun"))?;
        if game.ended.is_some() {
            Err(format!("game {number} has already ended"))
        } else if game.is_annulled || game.begun.attempt != attempt {
            Err(format!(
                "attempt {attempt} at game {number} is not in progress"
            ))
        } else {
            Ok(game)
        }
    }
}
