//! List of the games of a match, for `duoforge replay`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use duoforge_journal::{Ended, GameHistory, VariantEnded, VariantHistory};
use duoforge_referee::Game;
use duoforge_referee::variant::VariantGame;

use crate::failure::{Failure, Result};

/// List that is written game by game; it is complete up to the last finished game.
#[derive(Debug)]
pub struct GameList {
    path: PathBuf,
    out: BufWriter<File>,
    games: u32,
}

/// Finished game in a list.
#[derive(Debug, PartialEq, Eq)]
pub struct ListedGame {
    /// Names of the players, and of a variant.
    heading: String,
    /// Ending in a sentence.
    ending: String,
    /// Moves as codes, separated by blanks.
    codes: String,
}

impl GameList {
    /// Creates the list of a match. A list that exists is replaced.
    ///
    /// # Errors
    /// `duoforge::file`.
    pub fn create(path: &Path) -> Result<Self> {
        let file = File::create(path).map_err(|error| Failure::file("written", path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            out: BufWriter::new(file),
            games: 0,
        })
    }

    /// Creates the list of a match that continues, and writes the earlier games of its journal to
    /// it. A device or a pipe does not receive them again.
    ///
    /// # Errors
    /// `duoforge::file`.
    pub fn continued(path: &Path, earlier: &[ListedGame]) -> Result<Self> {
        let mut list = Self::create(path)?;
        let has_content = list.out.get_ref().metadata().is_ok_and(|it| it.is_file());
        for game in earlier {
            list.games += 1;
            if has_content {
                list.write(game).map_err(|error| list.failed(&error))?;
            }
        }
        list.out.flush().map_err(|error| list.failed(&error))?;
        Ok(list)
    }

    /// Adds a game.
    ///
    /// # Errors
    /// `duoforge::file`.
    pub fn add(&mut self, game: &ListedGame) -> Result<()> {
        self.games += 1;
        let written = self.write(game).and_then(|()| self.out.flush());
        written.map_err(|error| self.failed(&error))
    }

    fn write(&mut self, game: &ListedGame) -> io::Result<()> {
        // A comment of the list is one line.
        let [heading, ending] = [&game.heading, &game.ending]
            .map(|text| text.replace('\r', "\\r").replace('\n', "\\n"));
        let (number, codes) = (self.games, &game.codes);
        writeln!(self.out, "# game {number}: {heading}; {ending}\n{codes}")
    }

    fn failed(&self, error: &io::Error) -> Failure {
        Failure::file("written", &self.path, error)
    }
}

impl From<&Game> for ListedGame {
    fn from(game: &Game) -> Self {
        let first = &game.names[game.setup.first];
        let second = &game.names[game.setup.first.other()];
        Self {
            heading: format!("{first} against {second}"),
            ending: game.ending.to_string(),
            codes: game.codes(),
        }
    }
}

impl From<(&GameHistory, &Ended)> for ListedGame {
    fn from((game, ended): (&GameHistory, &Ended)) -> Self {
        let [one, two] = &game.begun.players;
        let (first, second) = if game.begun.first == 2 {
            (two, one)
        } else {
            (one, two)
        };
        Self {
            heading: format!("{first} against {second}"),
            ending: ended.detail.clone(),
            codes: joined(game.moves.iter().map(|moved| &moved.code)),
        }
    }
}

impl From<&VariantGame> for ListedGame {
    fn from(game: &VariantGame) -> Self {
        let names: Vec<_> = game.seats.iter().map(|seat| seat.name.as_str()).collect();
        Self {
            heading: variant_heading(game.game.variant().name(), &names),
            ending: game.to_string(),
            codes: game.codes(),
        }
    }
}

impl From<(&VariantHistory, &VariantEnded)> for ListedGame {
    fn from((game, ended): (&VariantHistory, &VariantEnded)) -> Self {
        let names: Vec<_> = game.begun.players.iter().map(String::as_str).collect();
        Self {
            heading: variant_heading(&game.begun.variant, &names),
            ending: ended.detail.clone(),
            codes: joined(game.moves.iter().map(|moved| &moved.code)),
        }
    }
}

fn variant_heading(variant: &str, names: &[&str]) -> String {
    format!("{variant}, {}", names.join(" against "))
}

fn joined<'a>(codes: impl Iterator<Item = &'a String>) -> String {
    let codes: Vec<_> = codes.map(String::as_str).collect();
    codes.join(" ")
}
