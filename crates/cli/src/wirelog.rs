//! Parser of wire logs.

use std::time::Duration;

use duoforge_links::wirelog::{Direction, WireEntry, WireEvent};
use serde::Deserialize;

/// Content of a line of a wire log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Logged {
    /// Beginning of the game with this number.
    Game(u64),
    /// Event of a link other than bytes.
    Remark {
        line: String,
        at: Duration,
        text: String,
    },
    /// Bytes on a link.
    Bytes {
        line: String,
        at: Duration,
        direction: Direction,
        bytes: Vec<u8>,
    },
}

/// Line before each game.
#[derive(Deserialize)]
struct Header {
    game: u64,
}

/// Parses a line.
///
/// # Errors
/// Message that describes the fault of the line.
pub fn read(text: &str) -> Result<Logged, String> {
    if let Ok(header) = serde_json::from_str::<Header>(text) {
        return Ok(Logged::Game(header.game));
    }
    let entry = WireEntry::from_json(text).map_err(|error| error.to_string())?;
    let (line, at) = (entry.line, entry.simulated.unwrap_or(entry.wall));
    Ok(match entry.event {
        WireEvent::Note(text) => Logged::Remark { line, at, text },
        WireEvent::Chunk { direction, bytes } => Logged::Bytes {
            line,
            at,
            direction,
            bytes,
        },
    })
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use duoforge_arbitrary::Inputs;
    use duoforge_links::wirelog::{Decoder, WireLog};

    use super::*;

    const LINES: [&str; 4] = [
        r#"{"game":1}"#,
        r#"{"us":5,"line":"board 1","dir":"to-board","hex":"30"}"#,
        r#"{"us":12,"sim_us":7,"line":"board 1","dir":"from-board","hex":"314141"}"#,
        r#"{"us":99,"line":"board 2","note":"it has gone"}"#,
    ];

    #[test]
    fn the_lines_of_a_wire_log_are_read() {
        let log = WireLog::new();
        log.chunk("a", Direction::ToBoard, b"2A", Instant::now(), None);
        log.note("a", "half of it");
        let [sent, note] = &log.entries()[..] else {
            panic!("two entries");
        };
        let read = |text: String| read(&text).unwrap();
        let Logged::Bytes {
            direction, bytes, ..
        } = read(sent.to_json())
        else {
            panic!("bytes");
        };
        assert_eq!((direction, &bytes[..]), (Direction::ToBoard, &b"2A"[..]));
        let Logged::Remark { line, text, .. } = read(note.to_json()) else {
            panic!("a remark");
        };
        assert_eq!((&line[..], &text[..]), ("a", "half of it"));
    }

    #[test]
    fn arbitrary_wire_logs_are_read_or_refused() {
        let inputs = Inputs {
            name: "wire log",
            pieces: &[
                "{",
                "}",
                "\"us\":",
                "\"sim_us\":",
                "\"line\":",
                "\"dir\":",
                "\"hex\":",
                "\"note\":",
                "\"game\":",
                "\"to-board\"",
                "\"from-board\"",
                "\"30\"",
                "\"3\"",
                "\"ü\"",
                "1",
                "-1",
                "1e99",
                ",",
                "\"\"",
                "null",
                "[",
                "]",
            ],
            real: &LINES.map(str::as_bytes),
        };
        let mut decoder = Decoder::new();
        inputs.try_texts(|text| {
            if let Logged::Bytes {
                direction,
                bytes,
                at,
                ..
            } = read(text)?
            {
                assert!(2 * bytes.len() <= text.len());
                for decoded in decoder.feed(direction, &bytes, at) {
                    assert!(!decoded.to_string().is_empty());
                }
            }
            Ok::<_, String>(())
        });
    }
}
