//! Encoding of a line: a JSON object that begins with the checksum of the rest of the line.

use serde::{Deserialize, Serialize};

use crate::Record;

/// Maximum length of a line in bytes, including the newline. It bounds the memory for a file that
/// is not a journal, and exceeds the end of a game with four logs of a mebibyte, of which each byte
/// takes up to six in JSON.
pub const LONGEST: usize = 32 << 20;

/// Text before and after the eight digits of the checksum. The checksum comes first, so that it
/// covers all other bytes literally, independent of any JSON parser.
pub const BEFORE: &[u8] = br#"{"crc":""#;
const AFTER: &[u8] = br#"","#;
const DIGITS: usize = 8;

/// Line to write: number of a record, from 0, and the record.
#[derive(Serialize)]
struct Outgoing<'a> {
    n: u64,
    record: &'a Record,
}

/// Line that was read: number and record.
#[derive(Deserialize)]
struct Incoming {
    n: u64,
    record: Record,
}

/// Encodes a record as a line, including the newline.
pub fn encode(number: u64, record: &Record) -> Vec<u8> {
    let body = Outgoing { n: number, record };
    let body = serde_json::to_vec(&body).expect("records are made of texts and numbers");
    // The body's opening brace is dropped, since `BEFORE` contains one.
    let rest = &body[1..];
    let crc = crc32fast::hash(rest);
    let mut line = Vec::with_capacity(rest.len() + 20);
    line.extend_from_slice(BEFORE);
    line.extend_from_slice(format!("{crc:0DIGITS$x}").as_bytes());
    line.extend_from_slice(AFTER);
    line.extend_from_slice(rest);
    line.push(b'\n');
    line
}

/// Decodes a line without its newline: the number and the record.
///
/// # Errors
/// Text that describes the fault of the line.
pub fn decode(line: &[u8]) -> Result<(u64, Record), String> {
    let rest = line.strip_prefix(BEFORE).ok_or("no checksum")?;
    let (digits, rest) = rest
        .split_at_checked(DIGITS)
        .ok_or("the line is cut off in its checksum")?;
    let rest = rest.strip_prefix(AFTER).ok_or("no checksum")?;
    let digits = std::str::from_utf8(digits).map_err(|_| "no checksum")?;
    let crc = u32::from_str_radix(digits, 16).map_err(|_| "no checksum")?;
    if crc32fast::hash(rest) != crc {
        return Err("checksum mismatch".to_owned());
    }
    let mut body = Vec::with_capacity(rest.len() + 1);
    body.push(b'{');
    body.extend_from_slice(rest);
    let body: Incoming =
        serde_json::from_slice(&body).map_err(|error| format!("invalid record: {error}"))?;
    Ok((body.n, body.record))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Annulled;

    fn record() -> Record {
        Record::Annulled(Annulled {
            game: 7,
            attempt: 2,
            reason: "a \"reason\"\nof two lines, with µ".to_owned(),
        })
    }

    #[test]
    fn a_line_is_one_json_object_with_its_checksum() {
        let line = encode(3, &record());
        assert_eq!(line.iter().filter(|&&byte| byte == b'\n').count(), 1);
        let value: serde_json::Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(value["n"], 3);
        assert_eq!(value["record"]["type"], "annulled");
        assert_eq!(decode(&line[..line.len() - 1]), Ok((3, record())));
    }

    #[test]
    fn every_changed_bit_and_every_cut_is_noticed() {
        let line = encode(3, &record());
        let line = &line[..line.len() - 1];
        for at in 0..line.len() {
            assert!(decode(&line[..at]).is_err(), "cut at {at}");
            for bit in 0..8 {
                let mut changed = line.to_vec();
                changed[at] ^= 1 << bit;
                // Upper-case digits of the checksum denote the same number.
                let same = (8..16).contains(&at) && bit == 5 && line[at].is_ascii_alphabetic();
                assert_eq!(decode(&changed).is_ok(), same, "bit {bit} of byte {at}");
            }
        }
    }
}
