//! Arbitrary bytes as a journal: no panic, no hang, and no more memory than the input justifies.

mod common;

use std::path::Path;

use common::bytes;
use duoforge_arbitrary::Inputs;
use duoforge_journal::scan;

/// Lines of a journal with correct checksums, whatever their contents.
fn sealed(lines: &[u8]) -> Vec<u8> {
    let mut journal = Vec::new();
    for line in lines.split_inclusive(|&byte| byte == b'\n') {
        match line.get(UNSEALED.len()..) {
            Some(rest) if line.starts_with(UNSEALED) => {
                let end = rest.len() - usize::from(rest.ends_with(b"\n"));
                let crc = format!("{:08x}", crc32fast::hash(&rest[..end]));
                journal.extend_from_slice(b"{\"crc\":\"");
                journal.extend_from_slice(crc.as_bytes());
                journal.extend_from_slice(b"\",");
                journal.extend_from_slice(rest);
            }
            _ => journal.extend_from_slice(line),
        }
    }
    journal
}

/// Placeholder for the checksum at the beginning of a line.
const UNSEALED: &[u8] = b"{\"crc\":\"--------\",";

#[test]
fn whatever_comes_as_a_journal_is_read_or_refused() {
    let good = bytes();
    let mut unsealed = good.clone();
    for start in 0..good.len() {
        if good[start..].starts_with(b"{\"crc\":\"") {
            unsealed[start..start + UNSEALED.len()].copy_from_slice(UNSEALED);
        }
    }
    assert_eq!(sealed(&unsealed), good);
    let inputs = Inputs {
        name: "journal",
        pieces: &[
            "{\"crc\":\"--------\",",
            "\"n\":",
            "\"record\":",
            "\"header\":",
            "\"begun\":",
            "\"moved\":",
            "\"ended\":",
            "\"annulled\":",
            "\"game\":",
            "\"attempt\":",
            "\"ply\":",
            "\"version\":",
            "\"result\":",
            "{",
            "}",
            "[",
            "]",
            ",",
            "\n",
            "0",
            "1",
            "2",
            "3",
            "-1",
            "4294967295",
            "1e99",
            "\"one\"",
            "null",
            "\"ü\"",
            "}}",
        ],
        // The second journal has wrong checksums, and so is torn at its first changed line.
        real: &[&unsealed, &good],
    };
    inputs.try_all(|bytes| {
        let journal = sealed(bytes);
        match scan(Path::new("any"), journal.as_slice()) {
            Ok(scan) => {
                assert!(scan.good <= journal.len() as u64);
                assert!(scan.history.ended().count() <= scan.records as usize);
                true
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                false
            }
        }
    });
}
