//! Arbitrary bytes as a journal: no panic, no hang, and no more memory than the input justifies.

mod common;
#[path = "common/sealed.rs"]
mod sealed;

use std::path::Path;

use common::bytes;
use duoforge_arbitrary::Inputs;
use duoforge_journal::scan;
use sealed::{UNSEALED, sealed};

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
