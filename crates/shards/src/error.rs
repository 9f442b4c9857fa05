//! Errors of files of results.

use std::io;
use std::path::PathBuf;

use crate::plan::FORMAT;
use crate::shard::Shard;

/// Error of writing, resuming or merging files of results.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShardError {
    /// An operation of the operating system failed.
    #[error("{} cannot be {action}: {source}", .path.display())]
    Io {
        /// File.
        path: PathBuf,
        /// Action that failed, as a participle.
        action: &'static str,
        /// Cause.
        source: io::Error,
    },
    /// A file does not begin with the header of a campaign.
    #[error("{}, line 1: not the header of a campaign's results: {reason}", .path.display())]
    Header {
        /// File.
        path: PathBuf,
        /// Fault.
        reason: String,
    },
    /// The file has another version of the format.
    #[error("{}: format {found} is not supported: expected {FORMAT}", .path.display())]
    Format {
        /// File.
        path: PathBuf,
        /// Version of the file.
        found: u32,
    },
    /// A line is not the result of an item.
    #[error("{}, line {line}: {reason}", .path.display())]
    Line {
        /// File.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// Fault.
        reason: String,
    },
    /// A file belongs to another campaign.
    #[error(
        "{} belongs to another campaign: {name} is {found}, expected {expected}", .path.display()
    )]
    Foreign {
        /// File.
        path: PathBuf,
        /// Name of the field that differs.
        name: String,
        /// Value in the file.
        found: String,
        /// Value of the campaign.
        expected: String,
    },
    /// An item occurs more than once.
    #[error("item {item} occurs in {} and in {}", .first.display(), .second.display())]
    Double {
        /// Number of the item.
        item: u64,
        /// File of the first occurrence.
        first: PathBuf,
        /// File of the second occurrence.
        second: PathBuf,
    },
    /// Items are missing.
    #[error("{missing} of {items} items are missing: {}", .places.join("; "))]
    Gaps {
        /// Number of missing items.
        missing: u64,
        /// Number of items of the campaign.
        items: u64,
        /// Missing shards, and missing items of incomplete shards.
        places: Vec<String>,
    },
    /// No file was given.
    #[error("no file to merge: expected the files of all shards")]
    Nothing,
    /// The results belong to another kind of campaign.
    #[error("campaign {found} is not {expected}: see `duoforge merge`")]
    Campaign {
        /// Kind of the results.
        found: String,
        /// Expected kind.
        expected: &'static str,
    },
    /// An item was added twice, or does not belong to the shard.
    #[error("item {item} is not due in shard {shard}")]
    NotDue {
        /// Number of the item.
        item: u64,
        /// Shard.
        shard: Shard,
    },
}

impl ShardError {
    /// Returns a function for `map_err` that creates a [`ShardError::Io`].
    pub(crate) fn io(
        path: &std::path::Path,
        action: &'static str,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            path,
            action,
            source,
        }
    }
}

/// Result whose error is a [`ShardError`].
pub type Result<T, E = ShardError> = std::result::Result<T, E>;
