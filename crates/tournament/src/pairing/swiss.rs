//! Swiss pairing: players with similar points that have not met.

use std::collections::HashSet;

use crate::fixtures::{Fixtures, Round, halves};
use crate::{Plan, Results};

/// Number of positions tried for a pairing before repeated meetings are permitted.
const PATIENCE: u32 = 100_000;

/// Next round; `None` after the last one.
///
/// The players are listed by points, then by their place in the plan. The first player meets the
/// next one that it has not met, if the others can still be paired, and so on.
///
/// With an odd number of players, the last one in the list without an earlier bye gets one. A bye
/// counts as a won match. If no pairing without repeated meetings exists, meetings are repeated.
pub(crate) fn round(plan: &Plan, fixtures: &Fixtures, results: &Results) -> Option<Vec<Round>> {
    if fixtures.rounds >= plan.rounds {
        return None;
    }
    let points = halves(plan, fixtures, results);
    let mut order: Vec<usize> = (0..plan.players.len()).collect();
    order.sort_by_key(|&player| std::cmp::Reverse(points[player]));
    let mut byes = Vec::new();
    if order.len() % 2 == 1 {
        let had = |player: usize| fixtures.byes.iter().any(|bye| bye.player == player);
        let place = order.iter().rposition(|&player| !had(player));
        byes.push(order.remove(place.unwrap_or(order.len() - 1)));
    }
    let met: HashSet<[usize; 2]> = fixtures
        .games
        .iter()
        .flat_map(|game| [game.players, [game.players[1], game.players[0]]])
        .collect();
    let mut patience = PATIENCE;
    let matches = pairing(&order, &met, &mut patience)
        .or_else(|| pairing(&order, &HashSet::new(), &mut 1_000))
        .unwrap_or_default();
    Some(vec![Round {
        matches,
        byes,
        openings: 0..plan.pairs,
    }])
}

/// Pairs all players in order, except those that have met; `None` if there is no pairing, or the
/// search exceeds its limit.
fn pairing(
    order: &[usize],
    met: &HashSet<[usize; 2]>,
    patience: &mut u32,
) -> Option<Vec<[usize; 2]>> {
    let Some((&first, others)) = order.split_first() else {
        return Some(Vec::new());
    };
    for (place, &opponent) in others.iter().enumerate() {
        if met.contains(&[first, opponent]) {
            continue;
        }
        *patience = patience.checked_sub(1)?;
        let mut rest = others.to_vec();
        rest.remove(place);
        if let Some(mut matches) = pairing(&rest, met, patience) {
            matches.insert(0, [first, opponent]);
            return Some(matches);
        }
    }
    None
}
