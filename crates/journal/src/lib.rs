//! The journal of refereed games: an append-only file that is the truth about an event.
//!
//! One line holds one [`Record`] as a JSON object with its number and a checksum. A record is on the
//! disk before [`Journal::append`] returns. Whatever ends the process, at whatever byte, the journal
//! reads back as a prefix of what was written: a line that was cut short is found by its checksum,
//! set aside and cut off when the journal is opened again. A line that is damaged while good ones
//! follow it is no accident of that kind, and is an error that names the line.
//!
//! [`History`] is what a journal says: which games have ended and which were under way. [`Archive`]
//! is an index of journals in SQLite for queries; it holds nothing that the journals do not, and can
//! be rebuilt from them at any time.
//!
//! ```
//! use duoforge_journal::{Begun, Header, Journal, Record};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("cup.journal");
//! let journal = Journal::create(&path, Header::new("tournament", "Autumn cup", "plan"))?;
//! journal.append(&Record::Begun(Begun::new(1, 1, ["A", "B"])))?;
//! drop(journal);
//!
//! let (journal, history, torn) = Journal::open(&path)?;
//! assert_eq!((history.running().count(), torn), (1, None));
//! # drop(journal);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod archive;
mod error;
mod history;
mod line;
mod read;
mod record;
mod write;

pub use archive::{Archive, ArchivedGame, ArchivedMove, Event, GameRow, Query};
pub use error::JournalError;
pub use history::{GameHistory, History};
pub use read::{Scan, Torn, read, scan};
pub use record::{
    Begun, Ended, FORMAT, GameResult, Header, Moved, Opened, Record, Rest, VERSION, Voided, now_ms,
};
pub use write::Journal;
