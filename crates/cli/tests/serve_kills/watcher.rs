//! Browser that watches, and what it has received.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use duoforge_journal::Record;

use crate::client::{Event, Events};
use crate::hall::Hall;

/// Records by which a stream may be behind before it gets a snapshot.
const MAX_BEHIND: u64 = 256;

/// Records that a watcher has received of one journal.
#[derive(Debug, Default)]
pub struct Seen {
    /// Number of the next record.
    next: u64,
    /// Type and code by number.
    pub records: BTreeMap<u64, (String, Option<String>)>,
}

/// Browser that watches.
#[derive(Default)]
pub struct Watcher {
    pub journals: Mutex<BTreeMap<String, Seen>>,
    pub returns: AtomicU64,
    pub snapshots: AtomicU64,
}

impl Watcher {
    pub fn watch(&self, hall: &Hall) {
        let mut position = String::new();
        while !hall.closed.load(Ordering::Relaxed) {
            let Ok(mut events) = Events::open(&hall.address(), &position) else {
                thread::sleep(Duration::from_millis(5));
                continue;
            };
            self.returns.fetch_add(1, Ordering::Relaxed);
            while let Ok(event) = events.next() {
                self.take(&event);
                if let Some(id) = event.id {
                    position = id;
                }
            }
        }
    }

    fn take(&self, Event { name, data, .. }: &Event) {
        let mut journals = self.journals.lock().unwrap();
        match name.as_str() {
            "journal" => {
                let event = &data["event"];
                let (id, records) = (event["id"].as_str().unwrap(), event["records"].as_u64());
                let records = records.unwrap();
                if let Some(seen) = journals.get(id) {
                    let behind = records.saturating_sub(seen.next);
                    assert!(
                        behind > MAX_BEHIND,
                        "{id}: a snapshot {behind} records later"
                    );
                    self.snapshots.fetch_add(1, Ordering::Relaxed);
                }
                journals.entry(id.to_owned()).or_default().next = records;
            }
            "record" => {
                let (id, number) = (data["journal"].as_str().unwrap(), data["n"].as_u64());
                let seen = journals.get_mut(id).expect("a snapshot comes first");
                assert_eq!(number, Some(seen.next), "{id}: a gap or a double");
                let code = data["move"]["code"].as_str().map(str::to_owned);
                let kind = data["type"].as_str().unwrap().to_owned();
                seen.records.insert(seen.next, (kind, code));
                seen.next += 1;
            }
            "gone" => panic!("{data}"),
            _ => {}
        }
    }

    /// True if everything on the disk has been received.
    pub fn is_up_to_date(&self, disk: &BTreeMap<String, Vec<Record>>) -> bool {
        let journals = self.journals.lock().unwrap();
        let next = |id: &String| journals.get(id).map(|seen| seen.next);
        disk.iter()
            .all(|(id, records)| next(id) == Some(records.len() as u64))
    }
}
