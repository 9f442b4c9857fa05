//! Journals of a feed by path and by id, and their search on the disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::Followed;

/// Number of messages that are kept until the operator gets them. Further ones are counted.
const MAX_NOTICES: usize = 64;

/// Journals that have been found.
#[derive(Debug, Default)]
pub(super) struct Journals {
    pub(super) by_path: BTreeMap<PathBuf, Followed>,
    /// Paths by id. Of several journals with one id, one of the service's games has it, otherwise the
    /// first one.
    pub(super) by_id: BTreeMap<String, PathBuf>,
    /// Number of journals that have been found.
    pub(super) found: u64,
    pub(super) listed: Option<Instant>,
    pub(super) polled: Option<Instant>,
    /// Messages to the operator about faults.
    notices: Vec<String>,
    /// Number of messages that were not kept.
    omitted: usize,
}

impl Journals {
    /// Reads what is new in the journals that are selected; true if anything was.
    pub(super) fn poll(&mut self, selects: impl Fn(&Followed) -> bool) -> bool {
        let mut changed = false;
        for followed in self.by_path.values_mut().filter(|it| selects(it)) {
            changed |= followed.poll();
            self.notices.extend(followed.notice.take());
        }
        if changed {
            self.omitted += self.notices.len().saturating_sub(MAX_NOTICES);
            self.notices.truncate(MAX_NOTICES);
            self.by_path.retain(|_, followed| !followed.is_deleted);
            self.name();
        }
        changed
    }

    /// Adds a message to the operator, unless too many wait.
    pub(super) fn note(&mut self, message: String) {
        self.notices.push(message);
        self.omitted += self.notices.len().saturating_sub(MAX_NOTICES);
        self.notices.truncate(MAX_NOTICES);
    }

    /// Takes the messages since the last call. If there were too many, the last one states the number
    /// of those that were left out.
    pub(super) fn take_notices(&mut self) -> Vec<String> {
        let mut notices = std::mem::take(&mut self.notices);
        let omitted = std::mem::take(&mut self.omitted);
        if omitted > 0 {
            notices.push(format!("further faults of journals: {omitted}"));
        }
        notices
    }

    /// Finds the journal of each id.
    fn name(&mut self) {
        let Self { by_path, by_id, .. } = self;
        by_id.retain(|id, path| by_path.get(path).and_then(Followed::id) == Some(id));
        for (path, followed) in &mut self.by_path {
            let Some(id) = followed.id() else {
                continue;
            };
            let is_preferred = match self.by_id.get(id) {
                None => true,
                Some(known) => followed.is_own && known.parent() != path.parent(),
            };
            if is_preferred {
                self.by_id.insert(id.to_owned(), path.clone());
                self.found += 1;
                followed.found = self.found;
            }
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &Followed)> {
        let ids = self.by_id.iter();
        ids.filter_map(|(id, path)| Some((id.as_str(), self.by_path.get(path)?)))
    }

    pub(super) fn followed(&self, id: &str) -> Option<&Followed> {
        self.by_path.get(self.by_id.get(id)?)
    }
}

/// Journals of a source: the file itself, or the regular files of a directory with the extension
/// `.journal`. Links are not followed out of the directory.
pub(super) fn listed(source: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(source) else {
        return if source.exists() && !source.is_dir() {
            vec![source.to_owned()]
        } else {
            Vec::new()
        };
    };
    let files = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|it| it.is_file()));
    let mut paths: Vec<_> = files
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|it| it == "journal"))
        .collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::Feed;

    #[test]
    fn further_faults_than_are_kept_are_counted() {
        let directory = tempfile::tempdir().unwrap();
        let source = directory.path().to_owned();
        for number in 0..70 {
            fs::write(source.join(format!("{number:02}.journal")), "hello\n").unwrap();
        }
        let feed = Feed::new(vec![source.clone()], source.join("games"));
        feed.poll();
        let notices = feed.take_notices();
        assert_eq!(notices.len(), 65);
        assert!(notices[63].contains("63.journal"), "{}", notices[63]);
        assert_eq!(notices[64], "further faults of journals: 6");
        assert!(feed.take_notices().is_empty());
    }
}
