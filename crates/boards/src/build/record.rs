//! What is known of a build: the content of `build.json`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use duoforge_protocol::BuildId;
use serde::{Deserialize, Serialize};

use super::BuildError;
use super::id;
use super::nextpnr::{Clock, Utilisation};
use super::path::WorstPath;
use super::stages::Stage;

/// The record's file in the build's folder.
pub const RECORD: &str = "build.json";

/// What is known of a build that came to its end.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
pub struct Record {
    /// The board.
    pub board: String,
    /// Its maker's name for it.
    pub title: String,
    /// What of duoforge is on it.
    pub configuration: String,
    /// What the bitstream is told by; the board reports it.
    #[serde(with = "id")]
    pub id: BuildId,
    /// The team code.
    pub team: String,
    /// The seed of placement.
    pub seed: u32,
    /// The tools' versions by name.
    pub tools: BTreeMap<String, String>,
    /// Seconds that each stage took.
    pub stages: Vec<Time>,
    /// How much of the chip is used.
    pub utilisation: Utilisation,
    /// The clocks.
    pub clocks: Vec<Clock>,
    /// The slowest path between registers.
    pub worst_path: Option<WorstPath>,
    /// The bitstream's file; none where a clock was not reached.
    pub bitstream: Option<String>,
}

/// How long a stage took.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
pub struct Time {
    /// The stage.
    pub stage: Stage,
    /// Seconds.
    pub seconds: f64,
}

impl Record {
    /// Whether every clock is reached.
    pub fn timing_is_met(&self) -> bool {
        self.clocks.iter().all(Clock::is_met)
    }

    /// Reads the record of a build's folder.
    ///
    /// # Errors
    /// [`BuildError::File`] if there is none, [`BuildError::Report`] if it is not readable.
    pub fn read(folder: &Path) -> Result<Self, BuildError> {
        json(&folder.join(RECORD))
    }
}

/// A figure cut to thousandths: more would be noise, and would not survive being written and read.
pub(super) fn thousandths(figure: f64) -> f64 {
    (figure * 1000.0).floor() / 1000.0
}

/// Reads a file of JSON.
pub(super) fn json<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T, BuildError> {
    let text = fs::read_to_string(path).map_err(file("read", path))?;
    serde_json::from_str(&text).map_err(|error| BuildError::Report {
        path: path.into(),
        reason: error.to_string(),
    })
}

/// The failure to read or write a file.
pub(crate) fn file(
    action: &'static str,
    path: impl Into<PathBuf>,
) -> impl FnOnce(std::io::Error) -> BuildError {
    let path = path.into();
    move |source| BuildError::File {
        action,
        path,
        source,
    }
}
