//! Wire logs.

use duoforge_links::wirelog::{Decoder, WireEntry, WireEvent};

use crate::text::accepted;

/// Entries of a wire log, one for each line, printed or as JSON: an entry with bytes is read as it
/// was printed, and the decoder takes the bytes.
pub fn wire_log(bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(bytes) else {
        return false;
    };
    let (mut decoder, mut good) = (Decoder::new(), false);
    for line in text.lines() {
        let printed = accepted(line.parse::<WireEntry>());
        if let Some(entry) = &printed
            && entry.bytes().is_some()
        {
            assert_eq!(entry.to_string().parse().as_ref(), Ok(entry));
        }
        let json = accepted(WireEntry::from_json(line));
        for entry in printed.into_iter().chain(json) {
            let again = WireEntry::from_json(&entry.to_json()).expect("what was written");
            assert_eq!(again, entry);
            if let WireEvent::Chunk { direction, bytes } = &entry.event {
                for decoded in decoder.feed(*direction, bytes, entry.wall) {
                    assert!(!decoded.to_string().is_empty());
                }
            }
            good = true;
        }
    }
    good
}
