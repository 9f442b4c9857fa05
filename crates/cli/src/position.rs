//! Positions given as codes.

use duoforge_protocol::MoveCode;
use duoforge_records::{ListError, read_list};
use duoforge_referee::{Ending, Replay};

use crate::failure::{Failure, Result};

/// Position given as codes.
pub struct Position {
    /// Replay of the moves.
    pub replay: Replay,
}

impl Position {
    /// Parses and plays the moves; an argument may contain several codes.
    pub fn read(codes: &[String]) -> Result<Self> {
        let text = codes.join(" ");
        let games = read_list(&text).map_err(|error| Self::unreadable(&error, text.clone()))?;
        let codes: Vec<_> = games
            .iter()
            .flat_map(|game| game.codes.iter().map(|code| code.bytes))
            .collect();
        Self::after(&codes)
    }

    /// Plays the moves.
    pub fn after(codes: &[MoveCode]) -> Result<Self> {
        Ok(Self {
            replay: Replay::new(codes)?,
        })
    }

    /// Returns the position after `ply` moves, or the last one if there are no more moves.
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

    /// Returns the violation that ends the moves, if any.
    pub fn refusal(&self) -> Option<String> {
        let Replay { ending, plies, .. } = &self.replay;
        matches!(ending, Ending::Illegal { .. } | Ending::BrokenCode { .. })
            .then(|| format!("move {}: {ending}", plies.len() + 1))
    }
}
