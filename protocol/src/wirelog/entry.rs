//! One entry of the wire log, and its two printed forms.

use std::fmt::{self, Write as _};
use std::time::Duration;

/// Which way bytes went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the host to the board: prompts.
    ToBoard,
    /// From the board to the host: answers.
    FromBoard,
}

impl Direction {
    /// The word used in JSON: `to-board` or `from-board`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::ToBoard => "to-board",
            Self::FromBoard => "from-board",
        }
    }
}

/// What happened on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireEvent {
    /// Bytes went over it.
    Chunk {
        /// Which way.
        direction: Direction,
        /// The raw bytes, at least one.
        bytes: Vec<u8>,
    },
    /// A remark: a broken link, a time limit that was exceeded.
    Note(String),
}

/// Something that happened on a line, with its time.
///
/// `Display` prints one line: seconds, simulated seconds in brackets if known, the name of the
/// line, `>` (to the board), `<` (from the board) or `!` (a remark), then the bytes with
/// everything that is not printable ASCII escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireEntry {
    /// Time since the log began, by the wall clock.
    pub wall: Duration,
    /// Simulated time, where the board is simulated.
    pub simulated: Option<Duration>,
    /// Name of the line.
    pub line: String,
    /// What happened.
    pub event: WireEvent,
}

impl WireEntry {
    /// The bytes of a chunk.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.event {
            WireEvent::Chunk { bytes, .. } => Some(bytes),
            WireEvent::Note(_) => None,
        }
    }

    /// The entry as one JSON object on one line.
    ///
    /// A chunk has `us` and `sim_us` (whole microseconds; the latter is `null` if unknown),
    /// `line`, `dir`, `text` (escaped as in `Display`) and `hex` (the raw bytes). A remark has
    /// `note` in place of the last three.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut json = format!("{{\"us\":{},\"sim_us\":", self.wall.as_micros());
        match self.simulated {
            Some(time) => json.push_str(&time.as_micros().to_string()),
            None => json.push_str("null"),
        }
        json.push_str(",\"line\":");
        push_string(&mut json, &self.line);
        match &self.event {
            WireEvent::Chunk { direction, bytes } => {
                json.push_str(",\"dir\":\"");
                json.push_str(direction.word());
                json.push_str("\",\"text\":");
                push_string(&mut json, &bytes.escape_ascii().to_string());
                json.push_str(",\"hex\":\"");
                for byte in bytes {
                    write!(json, "{byte:02x}").expect("writing to a string cannot fail");
                }
                json.push('"');
            }
            WireEvent::Note(text) => {
                json.push_str(",\"note\":");
                push_string(&mut json, text);
            }
        }
        json.push('}');
        json
    }
}

/// Appends a JSON string.
fn push_string(json: &mut String, text: &str) {
    json.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            control if u32::from(control) < 0x20 => {
                let code = u32::from(control);
                write!(json, "\\u{code:04x}").expect("writing to a string cannot fail");
            }
            character => json.push(character),
        }
    }
    json.push('"');
}

/// Seconds with microseconds, right-aligned for hours of play.
fn seconds(time: Duration) -> String {
    format!("{:>5}.{:06}", time.as_secs(), time.subsec_micros())
}

impl fmt::Display for WireEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&seconds(self.wall))?;
        if let Some(time) = self.simulated {
            write!(f, " [sim {}]", seconds(time))?;
        }
        write!(f, " {} ", self.line)?;
        match &self.event {
            WireEvent::Chunk {
                direction: Direction::ToBoard,
                bytes,
            } => {
                write!(f, "> {}", bytes.escape_ascii())
            }
            WireEvent::Chunk {
                direction: Direction::FromBoard,
                bytes,
            } => {
                write!(f, "< {}", bytes.escape_ascii())
            }
            WireEvent::Note(text) => write!(f, "! {}", text.escape_debug()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(bytes: &[u8]) -> WireEntry {
        WireEntry {
            wall: Duration::from_micros(12_345_678),
            simulated: None,
            line: "board \"1\"".into(),
            event: WireEvent::Chunk {
                direction: Direction::FromBoard,
                bytes: bytes.into(),
            },
        }
    }

    #[test]
    fn raw_bytes_survive_in_json() {
        let expected = "{\"us\":12345678,\"sim_us\":null,\"line\":\"board \\\"1\\\"\",\
                        \"dir\":\"from-board\",\"text\":\"\\\\x00\\\\n\\\\xff\\\\\\\"\",\
                        \"hex\":\"000aff22\"}";
        assert_eq!(chunk(b"\x00\n\xff\"").to_json(), expected);
    }

    #[test]
    fn every_byte_stays_on_one_line() {
        let all: Vec<u8> = (0..=255).collect();
        let entry = chunk(&all);
        for form in [entry.to_string(), entry.to_json()] {
            assert!(
                form.chars()
                    .all(|character| (' '..='~').contains(&character)),
                "{form}"
            );
        }
    }

    #[test]
    fn remarks_are_marked() {
        let event = WireEvent::Note("link lost\n".into());
        let entry = WireEntry {
            event,
            ..chunk(b"")
        };
        assert_eq!(entry.to_string(), "   12.345678 board \"1\" ! link lost\\n");
        assert!(entry.to_json().ends_with("\"note\":\"link lost\\u000a\"}"));
        assert_eq!(entry.bytes(), None);
    }
}
