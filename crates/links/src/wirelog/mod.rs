//! Wire log: raw bytes of all prompts and replies with times in microseconds.
//!
//! A [`WireLog`] is a handle that can be cloned. A match gives clones to the [`LoggedLink`]s of
//! both devices and gets one list in the order of time.
//!
//! Every entry is also a `tracing` event of level trace with this module's path as its target.
//!
//! ```
//! use std::time::Instant;
//! use duoforge_links::wirelog::{Direction, WireLog};
//!
//! let log = WireLog::new();
//! log.chunk("A", Direction::ToBoard, b"25", Instant::now(), None);
//! log.chunk("A", Direction::FromBoard, b"53e0\r\n", Instant::now(), None);
//! assert_eq!(log.entries().len(), 2);
//! println!("{log}"); // "   0.000012 A < 53e0\r\n" and the like
//! ```

mod decode;
mod entry;
mod json;
mod logged;
mod parse;

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

pub use decode::{Decoded, Decoder};
pub use entry::{Direction, WireEntry, WireEvent};
pub use json::WireJsonError;
pub use logged::{Endpoint, LoggedLink};
pub use parse::WireEntryError;

/// Shared list of the traffic on one or more connections.
#[derive(Clone, Debug)]
pub struct WireLog {
    origin: Instant,
    started: SystemTime,
    entries: Arc<Mutex<Vec<WireEntry>>>,
}

impl Default for WireLog {
    fn default() -> Self {
        Self::new()
    }
}

impl WireLog {
    /// Creates an empty log whose time begins now.
    #[must_use]
    pub fn new() -> Self {
        Self {
            origin: Instant::now(),
            started: SystemTime::now(),
            entries: Arc::default(),
        }
    }

    /// Instant from which the times of the entries count.
    #[must_use]
    pub const fn origin(&self) -> Instant {
        self.origin
    }

    /// Date and time of day of the [`origin`](Self::origin).
    #[must_use]
    pub const fn started(&self) -> SystemTime {
        self.started
    }

    /// Adds bytes of the connection `line`. `at` is the wall clock when the last byte was sent or
    /// received, `simulated` the same in simulated time. Empty chunks are omitted.
    pub fn chunk(
        &self,
        line: &str,
        direction: Direction,
        bytes: &[u8],
        at: Instant,
        simulated: Option<Duration>,
    ) {
        if !bytes.is_empty() {
            let event = WireEvent::Chunk {
                direction,
                bytes: bytes.to_vec(),
            };
            self.push(line, event, at, simulated);
        }
    }

    /// Adds a remark, such as the result of a game, with the current time.
    pub fn note(&self, line: &str, text: impl Into<String>) {
        self.push(line, WireEvent::Note(text.into()), Instant::now(), None);
    }

    fn push(&self, line: &str, event: WireEvent, at: Instant, simulated: Option<Duration>) {
        let entry = WireEntry {
            wall: at.saturating_duration_since(self.origin),
            simulated,
            line: line.to_owned(),
            event,
        };
        tracing::trace!("{entry}");
        let mut entries = self.lock();
        // Two threads may arrive here in another order than their bytes. The log keeps the order of
        // time, and the order of arrival for equal times.
        let place = entries.partition_point(|other| other.wall <= entry.wall);
        entries.insert(place, entry);
    }

    /// A panic while the list was locked leaves it complete except for one entry, so it stays
    /// usable.
    fn lock(&self) -> MutexGuard<'_, Vec<WireEntry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a copy of all entries, in the order of time.
    #[must_use]
    pub fn entries(&self) -> Vec<WireEntry> {
        self.lock().clone()
    }

    /// Removes and returns all entries; the origin of the times stays the same.
    #[must_use]
    pub fn take(&self) -> Vec<WireEntry> {
        std::mem::take(&mut *self.lock())
    }

    /// Writes one JSON object per line, as [`WireEntry::to_json`] formats it.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        self.entries()
            .iter()
            .try_for_each(|entry| writeln!(out, "{}", entry.to_json()))
    }
}

/// Prints one line per entry.
impl fmt::Display for WireLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries()
            .iter()
            .try_for_each(|entry| writeln!(f, "{entry}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_in_the_order_of_time() {
        let log = WireLog::new();
        let at = |micros| log.origin() + Duration::from_micros(micros);
        log.chunk("A", Direction::ToBoard, b"25", at(10), None);
        log.chunk("B", Direction::FromBoard, b"1BB", at(30), None);
        log.chunk("A", Direction::FromBoard, b"53e0", at(20), None);
        log.chunk("A", Direction::FromBoard, b"\n", at(20), None);
        log.chunk("A", Direction::FromBoard, b"", at(25), None);
        let times: Vec<_> = log
            .entries()
            .iter()
            .map(|entry| entry.wall.as_micros())
            .collect();
        assert_eq!(times, [10, 20, 20, 30]);
        assert_eq!(log.entries()[2].bytes(), Some(&b"\n"[..]));
    }

    #[test]
    fn clones_share_one_list() {
        let log = WireLog::new();
        log.clone().note("A", "no handshake");
        assert_eq!(log.take().len(), 1);
        assert!(log.entries().is_empty());
    }

    #[test]
    fn both_forms_have_one_line_an_entry() {
        let log = WireLog::new();
        let at = log.origin() + Duration::from_micros(1_000_002);
        log.chunk(
            "A",
            Direction::ToBoard,
            b"25",
            at,
            Some(Duration::from_nanos(1_500)),
        );
        assert_eq!(log.to_string(), "    1.000002 [sim     0.000001] A > 25\n");
        let mut json = Vec::new();
        log.write_json(&mut json).unwrap();
        let expected = "{\"us\":1000002,\"sim_us\":1,\"line\":\"A\",\"dir\":\"to-board\",\
                        \"text\":\"25\",\"hex\":\"3235\"}\n";
        assert_eq!(String::from_utf8(json).unwrap(), expected);
    }
}
