//! State that all requests share.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::broadcast;

use crate::access::Access;
use crate::analyses::Analyses;
use crate::comparisons::Comparisons;
use crate::examinations::Examinations;
use crate::feed::Feed;
use crate::ladder::Ladders;
use crate::play::Tables;
use crate::players::Players;
use crate::stream::{Notice, Streams};
use crate::tournaments::Tournaments;

/// Release of duoforge.
pub const RELEASE: &str = env!("CARGO_PKG_VERSION");

/// State that all requests share.
pub struct App {
    /// Rules of access.
    pub access: Arc<Access>,
    /// Journals.
    pub feed: Arc<Feed>,
    /// Players.
    pub players: Arc<Players>,
    /// Casual games.
    pub tables: Tables,
    /// Tournaments that the service plays.
    pub tournaments: Tournaments,
    /// Analyses.
    pub analyses: Analyses,
    /// Comparisons with simulated hardware.
    pub comparisons: Comparisons,
    /// Examinations of devices.
    pub examinations: Examinations,
    /// Ladders.
    pub ladders: Ladders,
    /// Event streams.
    pub streams: Streams,
    /// Events that are not records.
    pub notices: broadcast::Sender<Notice>,
    /// Start of the service.
    pub started: Instant,
}
