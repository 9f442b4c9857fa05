//! Journals.

#[path = "../../journal/tests/common/sealed.rs"]
mod sealed;

use std::path::Path;

use duoforge_journal::{JournalError, Tail, scan};

use crate::scratch;
use crate::text::accepted;

/// Journals, in which a line that begins with an unsealed checksum gets the correct one: the reader
/// of a whole journal agrees with the reader that follows one.
pub fn journal(bytes: &[u8]) -> bool {
    let journal = sealed::sealed(bytes);
    let mut tail = Tail::new(&scratch::write("journal", &journal));
    let first = tail.poll();
    let followed = first.as_ref().map_or(0, Vec::len) as u64;
    assert_eq!(tail.records(), followed);
    let scanned = scan(Path::new("any"), journal.as_slice());
    match &scanned {
        Ok(contents) => {
            assert!(contents.good <= journal.len() as u64);
            assert_eq!(
                contents.torn.is_none(),
                contents.good == journal.len() as u64
            );
            assert_eq!(contents.records, followed);
            let history = tail.history().map(|history| format!("{history:?}"));
            assert_eq!(history, Some(format!("{:?}", contents.history)));
            assert!(tail.poll().is_ok_and(|records| records.is_empty()));
        }
        Err(JournalError::NoJournal { .. } | JournalError::Version { .. }) => {
            assert_eq!(followed, 0);
        }
        Err(_) => {
            assert!(followed > 0);
            accepted(first);
            assert!(tail.poll().is_err());
        }
    }
    accepted(scanned).is_some()
}
