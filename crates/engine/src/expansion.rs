//! Candidates of a new node, by the weights of the prior or by a network.

use duoforge_rules::Colour;
use duoforge_twin::search::arithmetic::MAX_VALUE;
use duoforge_twin::search::prior::{self, Candidate};
use duoforge_twin::search::{Position, SearchParameters, expand_by};

use super::network::Network;

/// Successor of a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// Side that places the next tile, with its candidates; `None` if the game is over.
    pub found: Option<(Colour, Vec<Candidate>)>,
    /// Value by the network for the side that has just moved.
    pub value: Option<u32>,
}

/// Expands the position after a move.
pub fn expand(position: &Position, p: &SearchParameters, network: Option<&Network>) -> Expansion {
    let mut value = None;
    let found = expand_by(position, |position| {
        let (candidates, of_side) = candidates(position, p, network);
        value = of_side;
        candidates
    });
    let mover = position.to_move().opponent();
    let value = found.as_ref().zip(value).map(|(&(player, _), value)| {
        if player == mover {
            value
        } else {
            MAX_VALUE - value
        }
    });
    Expansion { found, value }
}

/// Returns the candidates of the side to move, best first, and the value for it by the network.
pub fn candidates(
    position: &Position,
    p: &SearchParameters,
    network: Option<&Network>,
) -> (Vec<Candidate>, Option<u32>) {
    match network {
        None => {
            let candidates = prior::node_candidates(position, p);
            (candidates, None)
        }
        Some(network) => {
            let found = network.evaluate(position);
            let candidates = prior::top_by_scores(position, &found.scores, p.children);
            (candidates, Some(found.value))
        }
    }
}
