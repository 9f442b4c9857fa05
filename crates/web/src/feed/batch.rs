//! Batches of messages for streams, each with the position after it.
//!
//! A position has as many entries as journals may change. So of consecutive snapshots only the last
//! one has a position: a client that returns in between gets them again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use duoforge_journal::now_ms;

use super::journals::Journals;
use super::{Entry, Feed, Followed, REST};

/// Records by which a stream may be behind before it gets a snapshot.
const MAX_BEHIND: u64 = 256;

/// Number of messages at which a batch ends. The records of a journal come in one batch.
const MAX_BATCH: usize = 64;

/// Time for which a change of a journal may be unnoticed.
const UNNOTICED: Duration = Duration::from_secs(10);

/// Position of a stream: number of records by journal.
pub type Position = BTreeMap<String, u64>;

/// Message of a stream. Texts that all streams share are made once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A position alone.
    Position,
    /// Snapshot of a journal: JSON object with the event and its games in progress.
    Journal(Arc<str>),
    /// Record of a journal.
    Record {
        /// Id of the journal.
        journal: String,
        /// Number of the record.
        number: u64,
        /// The record.
        entry: Entry,
        /// JSON object of the game after the last record of this message's batch.
        live: Option<Arc<str>>,
    },
    /// Journal that cannot be followed any more.
    Gone {
        /// Id of the journal.
        journal: String,
        /// Reason.
        reason: String,
    },
}

/// Message, and the position of the stream after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The message.
    pub message: Message,
    /// Text of the position, `@TIME,JOURNAL:RECORDS,...`; `None` if that of an earlier message stays.
    pub position: Option<String>,
}

/// Messages that are sent together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The messages.
    pub sent: Vec<Sent>,
    /// True if further messages are due.
    pub has_more: bool,
}

/// Reader of the feed: a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reader {
    /// Number of records that were sent of each journal.
    pub position: Position,
    /// Time in milliseconds since 1970 since which the client may have snapshots of journals that its
    /// position does not name; `None` if it has none.
    pub open_ms: Option<u64>,
    /// Journals of the stream; an empty list is all.
    pub filter: Vec<String>,
    /// Number of journals that had been found when the stream was opened.
    pub known: u64,
}

/// Messages that are due for a journal.
enum Due {
    /// Records from a number on.
    Records(u64),
    /// A snapshot.
    Snapshot,
}

impl Reader {
    /// Adds the entries of a position that a client sends, `@TIME` or `JOURNAL:RECORDS`.
    pub fn read<'a>(&mut self, entries: impl Iterator<Item = &'a str>) {
        for entry in entries {
            if let Some(time) = entry.strip_prefix('@') {
                self.open_ms = time.parse().ok();
            } else if let Some((id, records)) = entry.split_once(':')
                && let Ok(records) = records.parse()
            {
                self.position.insert(id.to_owned(), records);
            }
        }
    }

    /// Messages that are due for a journal. A journal at rest gets none if the position does not name
    /// it, except one that was found after the stream was opened, and one of which the client may have
    /// a snapshot from before its last change.
    fn due(&self, id: &str, followed: &Followed) -> Option<Due> {
        let is_named = self.filter.iter().any(|it| it == id);
        if followed.fault().is_some() || (!self.filter.is_empty() && !is_named) {
            return None;
        }
        let records = followed.records();
        let may_be_open = || {
            let open = self.open_ms.map(Duration::from_millis);
            let since =
                open.and_then(|open| UNIX_EPOCH.checked_add(open.saturating_sub(UNNOTICED)));
            since.is_some_and(|since| followed.has_changed_since(since))
        };
        match self.position.get(id) {
            Some(&from) if from == records => None,
            Some(&from) if from < records && records - from <= MAX_BEHIND => {
                Some(Due::Records(from))
            }
            None if followed.is_at_rest(REST)
                && !is_named
                && followed.found <= self.known
                && !may_be_open() =>
            {
                None
            }
            _ => Some(Due::Snapshot),
        }
    }
}

/// Journals that the text of a position names: those that may get more records.
struct Named<'a> {
    journals: &'a Journals,
    entries: BTreeMap<String, u64>,
}

impl<'a> Named<'a> {
    fn new(journals: &'a Journals, position: &Position) -> Self {
        let mut named = Self {
            journals,
            entries: BTreeMap::new(),
        };
        for (id, records) in position {
            named.set(id, *records);
        }
        named
    }

    fn set(&mut self, id: &str, records: u64) {
        let is_done = |it: &Followed| it.records() == records && it.is_at_rest(REST);
        if self.journals.followed(id).is_some_and(is_done) {
            self.entries.remove(id);
        } else {
            self.entries.insert(id.to_owned(), records);
        }
    }

    fn text(&self, open_ms: Option<u64>) -> String {
        let mut text = open_ms.map_or_else(String::new, |time| format!("@{time}"));
        for (id, records) in &self.entries {
            if !text.is_empty() {
                text.push(',');
            }
            // A text accepts everything.
            let _ = write!(text, "{id}:{records}");
        }
        text
    }
}

impl Feed {
    /// Returns messages that are due for a reader, and moves its position to their end. A journal that
    /// the position does not name, or far behind, comes as a snapshot.
    pub fn since(&self, reader: &mut Reader) -> Batch {
        let journals = self.lock();
        let mut sent = gone(&journals, &mut reader.position);
        let due = journals.all().filter_map(|(id, followed)| {
            let due = reader.due(id, followed)?;
            Some((id, followed, due))
        });
        let due: Vec<_> = due.collect();
        if due.is_empty() && sent.is_empty() {
            return Batch::default();
        }
        let mut named = Named::new(&journals, &reader.position);
        if let Some(last) = sent.last_mut() {
            last.position = Some(named.text(reader.open_ms));
        }
        let mut ended = 0;
        while ended < due.len() && sent.len() < MAX_BATCH {
            let (id, followed, due_now) = &due[ended];
            ended += 1;
            let is_snapshot_next = matches!(due.get(ended), Some((.., Due::Snapshot)));
            match due_now {
                Due::Records(from) => {
                    if ended == due.len() {
                        reader.open_ms = None;
                    }
                    for (number, message) in (*from..).zip(followed.since(id, *from)) {
                        named.set(id, number + 1);
                        let position = Some(named.text(reader.open_ms));
                        sent.push(Sent { message, position });
                    }
                }
                Due::Snapshot => {
                    let Some(text) = followed.snapshot() else {
                        continue;
                    };
                    let has_position = !is_snapshot_next || sent.len() + 1 >= MAX_BATCH;
                    if !has_position && reader.open_ms.is_none() {
                        reader.open_ms = Some(now_ms());
                        sent.push(Sent {
                            message: Message::Position,
                            position: Some(named.text(reader.open_ms)),
                        });
                    }
                    if ended == due.len() {
                        reader.open_ms = None;
                    }
                    named.set(id, followed.records());
                    sent.push(Sent {
                        message: Message::Journal(text),
                        position: has_position.then(|| named.text(reader.open_ms)),
                    });
                }
            }
            reader.position.insert((*id).to_owned(), followed.records());
        }
        let has_more = ended < due.len();
        Batch { sent, has_more }
    }
}

/// Removes the journals that are not followed any more from a position. Returns their messages.
fn gone(journals: &Journals, position: &mut Position) -> Vec<Sent> {
    let is_lost = |id: &str| journals.followed(id).is_none_or(|it| it.fault().is_some());
    let lost: Vec<String> = position.keys().filter(|id| is_lost(id)).cloned().collect();
    let messages = lost.into_iter().map(|journal| {
        position.remove(&journal);
        let fault = journals.followed(&journal).and_then(Followed::fault);
        let reason = fault.unwrap_or("the journal is not followed").to_owned();
        Sent {
            message: Message::Gone { journal, reason },
            position: None,
        }
    });
    messages.collect()
}
