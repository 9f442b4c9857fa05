//! What was played in one simulation, to be looked up by placement.

use duoforge_rules::{Orientation, Placement, Player};

/// Anchors that a number of a placement allows for each orientation.
const ANCHORS: usize = 14 * 14;

/// For each placement who made it, and at which ply of the simulation.
///
/// A placement is made once in a game at most, whoever makes it. Marks are taken back one by one, so
/// that the table never has to be emptied.
#[derive(Clone, Debug)]
pub struct Marks(Vec<Option<(Player, u32)>>);

impl Default for Marks {
    fn default() -> Self {
        Self(vec![None; Orientation::COUNT * ANCHORS])
    }
}

impl Marks {
    /// Marks a placement.
    pub fn set(&mut self, placement: Placement, player: Player, ply: u32) {
        self.0[number(placement)] = Some((player, ply));
    }

    /// The ply at which this player made the placement.
    pub fn get(&self, placement: Placement, player: Player) -> Option<u32> {
        let mark = self.0[number(placement)].filter(|mark| mark.0 == player);
        mark.map(|(_, ply)| ply)
    }

    /// Marks all placements of a simulation, in their order.
    pub fn set_all(&mut self, moves: &[(Player, Placement)]) {
        for (ply, &(player, placement)) in moves.iter().enumerate() {
            self.set(placement, player, ply as u32);
        }
    }

    /// Takes the marks of a simulation back.
    pub fn clear_all(&mut self, moves: &[(Player, Placement)]) {
        for &(_, placement) in moves {
            self.clear(placement);
        }
    }

    /// Takes a mark back.
    pub fn clear(&mut self, placement: Placement) {
        self.0[number(placement)] = None;
    }
}

/// A number of a placement's own.
fn number(placement: Placement) -> usize {
    let Placement { orientation, x, y } = placement;
    orientation.index() * ANCHORS + usize::from(y) * 14 + usize::from(x)
}
