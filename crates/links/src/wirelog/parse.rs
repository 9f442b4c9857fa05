//! Parser of the printed form of an entry.

use std::str::FromStr;
use std::time::Duration;

use super::{Direction, WireEntry, WireEvent};

/// Signs of the printed form, and the direction of the bytes; a remark has none.
const SIGNS: [(&str, Option<Direction>); 3] = [
    (" > ", Some(Direction::ToBoard)),
    (" < ", Some(Direction::FromBoard)),
    (" ! ", None),
];

/// Fault of a line that is not an entry of a wire log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireEntryError {
    /// The line does not begin with seconds and six decimal places, or the time exceeds 64 bits in
    /// microseconds.
    #[error("no time: expected seconds with six decimal places")]
    Time,
    /// The line has no sign.
    #[error("no sign: expected >, < or ! after the name of the connection")]
    Sign,
    /// The bytes contain an escape that does not exist.
    #[error("invalid escape: expected \\t, \\r, \\n, \\', \\\", \\\\ or \\xNN")]
    Escape,
}

/// Parses the printed form. The text of a remark stays escaped.
impl FromStr for WireEntry {
    type Err = WireEntryError;

    fn from_str(text: &str) -> Result<Self, WireEntryError> {
        let (wall, rest) = time(text)?;
        let (simulated, rest) = match rest.strip_prefix(" [sim ") {
            Some(rest) => {
                let (time, rest) = time(rest)?;
                let rest = rest.strip_prefix(']').ok_or(WireEntryError::Time)?;
                (Some(time), rest)
            }
            None => (None, rest),
        };
        let rest = rest.strip_prefix(' ').ok_or(WireEntryError::Time)?;
        let found = SIGNS.iter().filter_map(|(sign, direction)| {
            let place = rest.find(sign)?;
            Some((place, *direction))
        });
        let (place, direction) = found
            .min_by_key(|(place, _)| *place)
            .ok_or(WireEntryError::Sign)?;
        let text = &rest[place + 3..];
        let event = match direction {
            Some(direction) => WireEvent::Chunk {
                direction,
                bytes: bytes(text)?,
            },
            None => WireEvent::Note(text.to_owned()),
        };
        Ok(Self {
            wall,
            simulated,
            line: rest[..place].to_owned(),
            event,
        })
    }
}

/// Parses right-aligned seconds with six decimal places; returns the rest too.
fn time(text: &str) -> Result<(Duration, &str), WireEntryError> {
    let text = text.trim_start_matches(' ');
    let (seconds, rest) = text.split_once('.').ok_or(WireEntryError::Time)?;
    let (micros, rest) = rest.split_at_checked(6).ok_or(WireEntryError::Time)?;
    let number = |digits: &str| {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse::<u64>().ok()).flatten()
    };
    let (Some(seconds), Some(micros)) = (number(seconds), number(micros)) else {
        return Err(WireEntryError::Time);
    };
    // The JSON form has a whole number of microseconds.
    let time = seconds.checked_mul(1_000_000);
    let time = time.and_then(|time| time.checked_add(micros));
    let time = time.ok_or(WireEntryError::Time)?;
    Ok((Duration::from_micros(time), rest))
}

/// Bytes of escaped ASCII.
fn bytes(text: &str) -> Result<Vec<u8>, WireEntryError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next() {
                Some(b't') => b'\t',
                Some(b'r') => b'\r',
                Some(b'n') => b'\n',
                Some(own @ (b'\'' | b'"' | b'\\')) => own,
                Some(b'x') => {
                    let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                    let (high, low) = (digit(rest.next()), digit(rest.next()));
                    let (high, low) = high.zip(low).ok_or(WireEntryError::Escape)?;
                    u8::try_from(high << 4 | low).expect("two hexadecimal digits")
                }
                _ => return Err(WireEntryError::Escape),
            },
            byte => byte,
        });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A printed chunk parses to itself.
        #[test]
        fn printed_chunks_are_parsed(
            wall in 0..1_000_000_000_000_u64,
            simulated in proptest::option::of(0..1_000_000_000_000_u64),
            to_board: bool,
            bytes in prop::collection::vec(any::<u8>(), 1..20),
            line in "[a-z0-9]{1,8}",
        ) {
            let entry = WireEntry {
                wall: Duration::from_micros(wall),
                simulated: simulated.map(Duration::from_micros),
                line,
                event: WireEvent::Chunk {
                    direction: if to_board { Direction::ToBoard } else { Direction::FromBoard },
                    bytes,
                },
            };
            prop_assert_eq!(entry.to_string().parse(), Ok(entry));
        }

        /// Arbitrary lines are parsed or refused.
        #[test]
        fn arbitrary_lines_do_not_panic(text in "[ 0-9.\\[\\]sim<>!\\\\xé]{0,40}") {
            let _ = text.parse::<WireEntry>();
        }
    }

    #[test]
    fn the_longest_time_has_both_forms() {
        let text = "18446744073709.551615 [sim 18446744073709.551615] 1 > 0";
        let entry: WireEntry = text.parse().unwrap();
        assert_eq!(entry.to_string(), text);
        assert_eq!(WireEntry::from_json(&entry.to_json()).unwrap(), entry);
    }

    #[test]
    fn remarks_and_faults_are_told_apart() {
        let note = "   12.345678 board 1 ! link lost\\n";
        let entry: WireEntry = note.parse().unwrap();
        assert_eq!(entry.line, "board 1");
        assert_eq!(entry.event, WireEvent::Note("link lost\\n".to_owned()));
        for (text, fault) in [
            ("# line 1: player 1", WireEntryError::Time),
            ("    1.5 1 > 0", WireEntryError::Time),
            ("    1.000001 [sim 2.000000 1 > 0", WireEntryError::Time),
            ("18446744073709.551616 1 > 0", WireEntryError::Time),
            ("99999999999999999999.000000 1 > 0", WireEntryError::Time),
            ("    1.000001 1 0", WireEntryError::Sign),
            ("    1.000001 1 > \\q", WireEntryError::Escape),
            ("    1.000001 1 > \\x0", WireEntryError::Escape),
        ] {
            assert_eq!(text.parse::<WireEntry>(), Err(fault), "{text}");
        }
    }
}
