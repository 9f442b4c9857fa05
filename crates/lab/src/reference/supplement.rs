//! Supplement of a table: values of single placements by separate searches.

use std::collections::HashMap;
use std::path::Path;

use anyhow::Result;
use duoforge_rules::{DuoBoard, Placement};
use serde::{Deserialize, Serialize};

use super::engine::ReferenceEngine;
use super::lines::{self, Appender};
use super::table::Recipe;
use crate::game::codes;

/// Value of a placement, as a line of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    /// Codes of the moves that lead to the position.
    moves: String,
    /// Code of the placement.
    code: String,
    /// Value for the side that plays the placement; `None` if the opponent cannot reply.
    value: Option<f64>,
}

/// Values of single placements, with the engine that adds missing ones.
#[derive(Debug)]
pub struct Supplement {
    known: HashMap<(String, String), Option<f64>>,
    engine: Option<(ReferenceEngine, Appender)>,
}

impl Supplement {
    /// Opens a supplement. Without an engine, the file is only read.
    ///
    /// # Errors
    /// A file that is invalid or was made by another engine; an engine that cannot be started.
    pub fn open(path: &Path, engine: Option<&[String]>, seed: u64) -> Result<Self> {
        let (engine, lines) = match engine {
            None => (None, lines::read::<Recipe, Line>(path)?.1),
            Some(words) => {
                let engine = ReferenceEngine::start(words, seed)?;
                let recipe = Recipe::new(engine.name(), words, seed, 0);
                let (file, lines) = Appender::open(path, &recipe)?;
                (Some((engine, file)), lines)
            }
        };
        let known = lines.into_iter();
        Ok(Self {
            known: known
                .map(|line| ((line.moves, line.code), line.value))
                .collect(),
            engine,
        })
    }

    /// Returns the value of a placement for the side that plays it: 1 minus the value of the
    /// opponent's best reply. Returns `None` if the opponent has no legal placement, or if the
    /// value is missing and there is no engine.
    ///
    /// # Errors
    /// A failure of the engine or of the file.
    pub fn value(&mut self, board: &DuoBoard, placement: Placement) -> Result<Option<f64>> {
        let id = (codes(board.moves()), placement.to_string());
        if let Some(&value) = self.known.get(&id) {
            return Ok(value);
        }
        let Some((engine, file)) = &mut self.engine else {
            return Ok(None);
        };
        let value = engine.value_after(board, placement)?;
        let value = value.map(|value| (value * 1e4).round() / 1e4);
        file.push(&Line {
            moves: id.0.clone(),
            code: id.1.clone(),
            value,
        })?;
        self.known.insert(id, value);
        Ok(value)
    }
}
