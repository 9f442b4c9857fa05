//! Parser of entries as JSON objects.

use std::time::Duration;

use serde::Deserialize;

use super::{Direction, WireEntry, WireEvent};

/// Fault of a text that is not an entry as a JSON object.
#[derive(Debug, thiserror::Error)]
pub enum WireJsonError {
    /// The text is not a JSON object with the fields of an entry.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The object has neither bytes nor a remark.
    #[error("expected `hex` with `dir`, or `note`")]
    Content,
    /// The bytes are not hexadecimal.
    #[error("invalid `hex`: expected pairs of hexadecimal digits")]
    Hex,
}

/// Fields of an entry.
#[derive(Deserialize)]
struct Fields {
    us: u64,
    #[serde(default)]
    sim_us: Option<u64>,
    line: String,
    dir: Option<String>,
    hex: Option<String>,
    note: Option<String>,
}

impl WireEntry {
    /// Parses an entry as [`to_json`](Self::to_json) formats it. Other fields are ignored.
    ///
    /// # Errors
    /// [`WireJsonError`].
    pub fn from_json(text: &str) -> Result<Self, WireJsonError> {
        let fields: Fields = serde_json::from_str(text)?;
        let chunk = |direction, hex: String| {
            let bytes = bytes(&hex).ok_or(WireJsonError::Hex)?;
            Ok(WireEvent::Chunk { direction, bytes })
        };
        let event = match (fields.dir.as_deref(), fields.hex, fields.note) {
            (Some("to-board"), Some(hex), _) => chunk(Direction::ToBoard, hex),
            (Some("from-board"), Some(hex), _) => chunk(Direction::FromBoard, hex),
            (None, None, Some(note)) => Ok(WireEvent::Note(note)),
            _ => Err(WireJsonError::Content),
        };
        Ok(Self {
            wall: Duration::from_micros(fields.us),
            simulated: fields.sim_us.map(Duration::from_micros),
            line: fields.line,
            event: event?,
        })
    }
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let pairs = hex.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            let digits = pair.len() == 2 && pair.iter().all(u8::is_ascii_hexdigit);
            let pair = std::str::from_utf8(pair).ok().filter(|_| digits)?;
            u8::from_str_radix(pair, 16).ok()
        })
        .collect()
}
