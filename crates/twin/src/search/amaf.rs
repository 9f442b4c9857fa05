//! AMAF table: placements of one MCTS simulation, looked up by placement.

use duoforge_rules::{Colour, Orientation, Placement};

/// Number of anchors on the board for each orientation in the index of a placement.
const ANCHORS: usize = 14 * 14;

/// AMAF table: for each placement of a simulation, its side and its ply.
///
/// A placement occurs at most once in a game, whichever side plays it. Entries are removed one by
/// one, so the table is never cleared as a whole. An entry is 0, or `2 * (ply + 1)` plus the index
/// of the side: the small table stays in the cache.
#[derive(Clone, Debug)]
pub struct AmafTable(Vec<u16>);

impl Default for AmafTable {
    fn default() -> Self {
        Self(vec![0; Orientation::COUNT * ANCHORS])
    }
}

impl AmafTable {
    /// Records a placement.
    pub fn set(&mut self, placement: Placement, player: Colour, ply: u32) {
        self.0[number(placement)] = 2 * (ply as u16 + 1) + player.index() as u16;
    }

    /// Returns the ply at which `player` played the placement, or `None` if it did not.
    pub fn get(&self, placement: Placement, player: Colour) -> Option<u32> {
        let entry = self.0[number(placement)];
        let ply = (entry >> 1).checked_sub(1)?;
        (entry & 1 == player.index() as u16).then_some(ply.into())
    }

    /// Records all placements of a simulation, in order.
    pub fn set_all(&mut self, moves: &[(Colour, Placement)]) {
        for (ply, &(player, placement)) in moves.iter().enumerate() {
            self.set(placement, player, ply as u32);
        }
    }

    /// Removes all placements of a simulation.
    pub fn clear_all(&mut self, moves: &[(Colour, Placement)]) {
        for &(_, placement) in moves {
            self.clear(placement);
        }
    }

    /// Removes a placement.
    pub fn clear(&mut self, placement: Placement) {
        self.0[number(placement)] = 0;
    }
}

/// Returns a unique index for a placement.
fn number(placement: Placement) -> usize {
    let Placement { orientation, x, y } = placement;
    orientation.index() * ANCHORS + usize::from(y) * 14 + usize::from(x)
}
