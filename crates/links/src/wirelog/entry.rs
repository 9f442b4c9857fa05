//! Entry of the wire log, and its two printed forms.

use std::fmt::{self, Write as _};
use std::time::Duration;

/// Direction in which bytes travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the host to the device: host codes.
    ToBoard,
    /// From the device to the host: replies.
    FromBoard,
}

impl Direction {
    /// Word used in JSON: `to-board` or `from-board`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::ToBoard => "to-board",
            Self::FromBoard => "from-board",
        }
    }
}

/// Event on a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireEvent {
    /// Bytes were sent.
    Chunk {
        /// Direction of the bytes.
        direction: Direction,
        /// Raw bytes, at least one.
        bytes: Vec<u8>,
    },
    /// Remark, such as a broken link or an exceeded time limit.
    Note(String),
}

/// Event on a connection with its time.
///
/// `Display` prints one line: seconds, simulated seconds in brackets if known, the name of the
/// connection, a sign and the text. The sign is `>` for bytes to the device, `<` for bytes from the
/// device and `!` for a remark. Bytes outside printable ASCII are escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireEntry {
    /// Wall clock time since the log began.
    pub wall: Duration,
    /// Simulated time, if the device is simulated.
    pub simulated: Option<Duration>,
    /// Name of the connection.
    pub line: String,
    /// Event that is logged.
    pub event: WireEvent,
}

impl WireEntry {
    /// Returns the bytes of a chunk; `None` for a remark.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.event {
            WireEvent::Chunk { bytes, .. } => Some(bytes),
            WireEvent::Note(_) => None,
        }
    }

    /// Returns the entry as one JSON object on one line.
    ///
    /// A chunk has `us` and `sim_us` (whole microseconds; the latter is `null` if unknown), `line`,
    /// `dir`, `text` (escaped as in `Display`) and `hex` (the raw bytes). A remark has `note`
    /// instead of the last three.
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

/// Formats seconds with microseconds, right-aligned for hours of play.
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
