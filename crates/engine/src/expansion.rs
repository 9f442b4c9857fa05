//! Candidates of a new node.

use duoforge_rules::Colour;
use duoforge_twin::search::prior::{self, Candidate};
use duoforge_twin::search::{Position, SearchParameters};

use super::network::Network;

/// Candidates of a new node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// Side to place a tile.
    pub player: Colour,
    /// Candidates of this side, best first.
    pub candidates: Vec<Candidate>,
    /// Value for this side by the network.
    pub value: Option<u32>,
}

/// Returns the candidates of the next side with a legal placement; `None` if the game is over. A
/// network replaces the weights of the prior.
pub fn expand(
    position: &Position,
    p: &SearchParameters,
    network: Option<&Network>,
) -> Option<Expansion> {
    let player = position.to_move();
    [player, player.opponent()].into_iter().find_map(|player| {
        let mut position = *position;
        position.set_to_move(player);
        let found = candidates(&position, p, network);
        (!found.candidates.is_empty()).then_some(found)
    })
}

/// Returns the candidates of the side to move.
pub fn candidates(
    position: &Position,
    p: &SearchParameters,
    network: Option<&Network>,
) -> Expansion {
    let (candidates, value) = match network {
        None => {
            let candidates = prior::top_candidates(position, &p.weights, p.children);
            (candidates, None)
        }
        Some(network) => {
            let found = network.evaluate(position);
            let candidates = prior::top_by_scores(position, &found.scores, p.children);
            (candidates, Some(found.value))
        }
    };
    Expansion {
        player: position.to_move(),
        candidates,
        value,
    }
}
