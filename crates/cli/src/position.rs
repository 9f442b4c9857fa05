//! Positions that are given as codes.

use duoforge_arena::{Ending, Replay};
use duoforge_protocol::MoveCode;
use duoforge_records::{ListError, read_list};

use crate::failure::{Failure, Result};

/// A position given as codes on the command line.
pub struct Position {
    /// The moves as they were made.
    pub replay: Replay,
}

impl Position {
    /// Reads and makes the moves; several may stand in one argument.
    pub fn read(codes: &[String]) -> Result<Self> {
        let text = codes.join(" ");
        let games = read_list(&text).map_err(|error| Self::unreadable(&error, text.clone()))?;
        let codes: Vec<_> = games
            .iter()
            .flat_map(|game| game.codes.iter().map(|code| code.bytes))
            .collect();
        Self::after(&codes)
    }

    /// Makes the moves.
    pub fn after(codes: &[MoveCode]) -> Result<Self> {
        Ok(Self {
            replay: Replay::new(codes)?,
        })
    }

    /// The position after this number of moves, if there are more.
    pub fn at(self, ply: Option<usize>) -> Result<Self> {
        let plies = &self.replay.plies;
        match ply.and_then(|ply| plies.get(..ply).filter(|_| ply < plies.len())) {
            Some(plies) => Self::after(&plies.iter().map(|ply| ply.code).collect::<Vec<_>>()),
            None => Ok(self),
        }
    }

    fn unreadable(error: &ListError, text: String) -> Failure {
        Failure::list("moves", text, error)
    }

    /// What is wrong with the moves, if they break the rules.
    pub fn refusal(&self) -> Option<String> {
        let Replay { ending, plies, .. } = &self.replay;
        matches!(ending, Ending::Illegal { .. } | Ending::BrokenCode { .. })
            .then(|| format!("move {}: {ending}", plies.len() + 1))
    }
}
