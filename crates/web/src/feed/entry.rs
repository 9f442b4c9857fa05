//! Records of journals as streams send them.

use duoforge_journal::{CasualRecord, Record};
use serde::Serialize;
use utoipa::ToSchema;

use super::shown::refereed_move;
use super::{casual, variant};
use crate::dto::MoveView;

/// Type of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// The journal begins.
    Header,
    /// A process reopened the journal.
    Opened,
    /// The input of a player was tested.
    Tested,
    /// A game begins.
    Begun,
    /// A move was accepted.
    Moved,
    /// Moves were taken back.
    Undone,
    /// A game has ended.
    Ended,
    /// An attempt at a game was annulled.
    Annulled,
    /// All games have been played.
    Finished,
}

/// Record of a journal as a stream sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Type of the record.
    pub kind: EntryKind,
    /// Number of the game.
    pub game: Option<u32>,
    /// The move, if it is one.
    pub played: Option<MoveView>,
}

/// Describes a record.
pub fn entry(record: &Record) -> Entry {
    let (kind, game) = match record {
        Record::Header(_) => (EntryKind::Header, None),
        Record::Opened(_) => (EntryKind::Opened, None),
        Record::InputTest(_) => (EntryKind::Tested, None),
        Record::Begun(begun) => (EntryKind::Begun, Some(begun.game)),
        Record::Moved(moved) => (EntryKind::Moved, Some(moved.game)),
        Record::Ended(ended) => (EntryKind::Ended, Some(ended.game)),
        Record::VariantBegun(begun) => (EntryKind::Begun, Some(begun.game)),
        Record::VariantMoved(moved) => (EntryKind::Moved, Some(moved.game)),
        Record::VariantEnded(ended) => (EntryKind::Ended, Some(ended.game)),
        Record::Annulled(annulled) => (EntryKind::Annulled, Some(annulled.game)),
        Record::Finished(_) => (EntryKind::Finished, None),
        Record::Casual(CasualRecord::Begun(_)) => (EntryKind::Begun, Some(1)),
        Record::Casual(CasualRecord::Moved(_)) => (EntryKind::Moved, Some(1)),
        Record::Casual(CasualRecord::Undone(_)) => (EntryKind::Undone, Some(1)),
        Record::Casual(CasualRecord::Ended(_)) => (EntryKind::Ended, Some(1)),
    };
    let played = match record {
        Record::Moved(moved) => Some(refereed_move(moved)),
        Record::VariantMoved(moved) => Some(variant::played(moved)),
        Record::Casual(CasualRecord::Moved(moved)) => Some(casual::played(moved)),
        _ => None,
    };
    Entry { kind, game, played }
}
