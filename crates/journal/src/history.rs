//! History of the games in a journal.

use std::collections::BTreeMap;

use crate::{Begun, CasualHistory, Ended, Header, InputTest, Moved, Record, VariantGames};

/// Contents of a journal.
#[derive(Clone, Debug)]
pub struct History {
    /// First line of the journal.
    pub header: Header,
    /// Games of the contest by their numbers.
    pub games: BTreeMap<u32, GameHistory>,
    /// Games of variants.
    pub variant_games: VariantGames,
    /// True if all games have been played.
    pub finished: bool,
    /// Number of times that a process reopened the journal.
    pub opened: u32,
    /// Input tests of the players, in their order.
    pub input_tests: Vec<InputTest>,
    /// Casual game of the journal.
    pub casual: Option<CasualHistory>,
}

/// Last attempt at a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameHistory {
    /// Beginning of the attempt.
    pub begun: Begun,
    /// Accepted moves.
    pub moves: Vec<Moved>,
    /// End of the attempt; `None` while it is in progress.
    pub ended: Option<Ended>,
    /// Reasons of the annulled attempts, including the last one if it was annulled.
    pub annulled: Vec<String>,
    /// True if the last attempt was annulled.
    pub is_annulled: bool,
}

impl History {
    /// Creates the history of a journal that holds only its first line.
    pub(crate) fn new(header: Header) -> Self {
        Self {
            header,
            games: BTreeMap::new(),
            variant_games: VariantGames::default(),
            finished: false,
            opened: 0,
            input_tests: Vec::new(),
            casual: None,
        }
    }

    /// Games that have ended and count, by their numbers.
    pub fn ended(&self) -> impl Iterator<Item = (&GameHistory, &Ended)> {
        let games = self.games.values();
        games.filter_map(|game| game.ended.as_ref().map(|ended| (game, ended)))
    }

    /// Copy with the results of the games, in which a game keeps the first move of each player only.
    #[must_use]
    pub fn results(&self) -> Self {
        let games = self.games.iter().map(|(&number, game)| {
            let firsts = [1, 2].map(|player| {
                let mut moves = game.moves.iter();
                moves.find(|moved| moved.player == player).cloned()
            });
            let copy = GameHistory {
                begun: game.begun.clone(),
                moves: firsts.into_iter().flatten().collect(),
                ended: game.ended.clone(),
                annulled: game.annulled.clone(),
                is_annulled: game.is_annulled,
            };
            (number, copy)
        });
        Self {
            header: self.header.clone(),
            games: games.collect(),
            variant_games: self.variant_games.results(),
            finished: self.finished,
            input_tests: self.input_tests.clone(),
            opened: self.opened,
            casual: None,
        }
    }

    /// Games in progress, or interrupted when the process stopped.
    pub fn running(&self) -> impl Iterator<Item = &GameHistory> {
        let games = self.games.values();
        games.filter(|game| game.ended.is_none() && !game.is_annulled)
    }

    /// Adds the next record.
    ///
    /// # Errors
    /// Text that states why the record cannot follow the earlier ones.
    pub(crate) fn add(&mut self, record: Record) -> Result<(), String> {
        match record {
            Record::Header(_) => Err("second header, expected one".to_owned()),
            Record::Opened(_) => {
                self.opened += 1;
                Ok(())
            }
            Record::InputTest(test) => {
                if self.input_tests.iter().any(|it| it.player == test.player) {
                    return Err(format!("second input test of {}", test.player));
                }
                self.input_tests.push(test);
                Ok(())
            }
            Record::Begun(begun) => self.begin(begun),
            Record::Moved(moved) => {
                let game = self.under_way(moved.game, moved.attempt)?;
                let next = game.moves.len() + 1;
                if moved.ply as usize != next {
                    return Err(format!("move {}, expected move {next}", moved.ply));
                }
                game.moves.push(moved);
                Ok(())
            }
            Record::Ended(ended) => {
                let game = self.under_way(ended.game, ended.attempt)?;
                game.ended = Some(ended);
                Ok(())
            }
            Record::VariantBegun(begun) => self.variant_games.begin(begun),
            Record::VariantMoved(moved) => self.variant_games.add(moved),
            Record::VariantEnded(ended) => self.variant_games.end(ended),
            Record::Annulled(annulled) if self.variant_games.get(annulled.game).is_some() => {
                self.variant_games.annul(annulled.game, annulled.attempt)
            }
            Record::Annulled(annulled) => {
                let game = self.under_way(annulled.game, annulled.attempt)?;
                game.annulled.push(annulled.reason);
                game.is_annulled = true;
                Ok(())
            }
            Record::Finished(_) => {
                self.finished = true;
                Ok(())
            }
            Record::Casual(record) => CasualHistory::add(&mut self.casual, record),
        }
    }

    fn begin(&mut self, begun: Begun) -> Result<(), String> {
        let number = begun.game;
        let before = self.games.get(&number);
        let (attempt, annulled) = match before {
            None => (1, Vec::new()),
            Some(game) if game.is_annulled => (game.begun.attempt + 1, game.annulled.clone()),
            Some(_) => return Err(format!("game {number} begins twice")),
        };
        if begun.attempt != attempt {
            let wrong = begun.attempt;
            return Err(format!(
                "game {number} begins with attempt {wrong}, expected {attempt}"
            ));
        }
        let game = GameHistory {
            begun,
            moves: Vec::new(),
            ended: None,
            annulled,
            is_annulled: false,
        };
        self.games.insert(number, game);
        Ok(())
    }

    /// Returns the game of this number if this attempt is in progress.
    fn under_way(&mut self, number: u32, attempt: u32) -> Result<&mut GameHistory, String> {
        let game = self.games.get_mut(&number);
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
