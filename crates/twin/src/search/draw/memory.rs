//! Working memory of draws.

use duoforge_rules::fits::{Fits, Runs};
use duoforge_rules::{Bitboard, Duo};

use super::PlayoutMaps;
use super::anchors::Anchors;
use super::covers::Covers;

/// Maximum number of replies among which one is drawn by weight.
pub const MAX_REPLIES_FOUND: usize = 512;

/// Working memory of a draw. A new one for each draw would cost a quarter of its time.
#[derive(Clone, Debug)]
pub struct DrawMemory {
    pub(in crate::search) fits: Fits<Duo>,
    /// Runs of the allowed cells without the reply cells.
    pub(in crate::search) beside: Runs<Duo>,
    /// Reply cells, to count those of a placement.
    pub(in crate::search) covers: Covers,
    /// Anchors of legal placements.
    pub(in crate::search) legal: Anchors,
    /// Anchors of those that cover a reply cell.
    pub(in crate::search) covering: Anchors,
    /// Anchors of those that cover as many reply cells as a class demands.
    pub(in crate::search) of_class: Anchors,
    pub(in crate::search) replies: [WeightedReply; MAX_REPLIES_FOUND],
}

impl Default for DrawMemory {
    fn default() -> Self {
        Self {
            fits: Fits::EMPTY,
            beside: Runs::EMPTY,
            covers: Covers::EMPTY,
            legal: Anchors::NONE,
            covering: Anchors::NONE,
            of_class: Anchors::NONE,
            replies: [WeightedReply::default(); MAX_REPLIES_FOUND],
        }
    }
}

impl DrawMemory {
    /// Fills the runs for these maps, and returns the reply cells that the side to move may cover.
    #[inline(always)]
    pub(in crate::search) fn fill(&mut self, maps: &PlayoutMaps<Duo>) -> Bitboard<Duo> {
        self.fits.fill(&maps.allowed, &maps.corners);
        let reply_cells = maps.reply_cells & maps.allowed;
        if !reply_cells.is_empty() {
            self.beside.fill(&(maps.allowed - reply_cells));
        }
        reply_cells
    }
}

/// Placement that covers reply cells, among which one is drawn by weight.
#[derive(Clone, Copy, Debug, Default)]
pub struct WeightedReply {
    /// Sum of the weights up to this placement.
    pub total: u32,
    /// Index of the orientation.
    pub orientation: u8,
    /// Column of the anchor.
    pub x: u8,
    /// Row of the anchor.
    pub y: u8,
}
