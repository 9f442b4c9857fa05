//! Journal of refereed games: an append-only file, the only persistent state of an event.
//!
//! A line holds one [`Record`] as a JSON object with its number and a checksum. A record is on the
//! disk before [`Journal::append`] returns. If the process stops at any byte, the journal reads
//! back as a prefix of the written records. The checksum detects an incomplete last line. Reopening
//! the journal moves that line to a separate file. A damaged line before intact ones has another
//! cause, and is an error that names the line.
//!
//! [`History`] is the content of a journal: finished games and games in progress, those of the
//! contest apart from [those of variants](VariantGames), which may have one to four seats. A
//! [`Tail`] follows a journal while another process writes it.
//!
//! ```
//! use duoforge_journal::{Begun, Header, Journal, Kind, Record};
//!
//! let directory = tempfile::tempdir()?;
//! let path = directory.path().join("cup.journal");
//! let journal = Journal::create(&path, Header::new(Kind::Tournament, "Autumn cup", "plan"))?;
//! journal.append(&Record::Begun(Begun::new(1, 1, ["A", "B"])))?;
//! drop(journal);
//!
//! let (journal, history, torn) = Journal::open(&path)?;
//! assert_eq!((history.running().count(), torn), (1, None));
//! # drop(journal);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod casual;
mod checked_line;
mod error;
mod history;
mod read;
mod record;
mod tail;
mod variant;
mod write;

pub use casual::{
    CasualBegun, CasualEnded, CasualHistory, CasualMoved, CasualRecord, CasualSeat, CasualUndone,
};
pub use error::JournalError;
pub use history::{GameHistory, History};
pub use read::{JournalContents, Torn, read, scan};
pub use record::{
    Annulled, Begun, Ended, FORMAT, Finished, GameResult, Header, InputTest, Kind, Moved,
    OLDEST_VERSION, Record, Reopened, VERSION, now_ms,
};
pub use tail::Tail;
pub use variant::{
    SeatEnded, VariantBegun, VariantEnded, VariantGames, VariantHistory, VariantMoved,
};
pub use write::Journal;

/// The examples of the crate's README, which the documentation tests compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
