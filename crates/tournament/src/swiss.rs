//! Swiss pairing: those meet who have about the same points and have not met.

use std::collections::HashSet;

use crate::schedule::{Round, halves};
use crate::{Plan, Results, Schedule};

/// Positions that are looked at for a pairing before repeated meetings are allowed.
const PATIENCE: u32 = 100_000;

/// The next round; none after the last one.
///
/// The players are listed by points, and by their place in the plan where these are equal. The first one
/// meets the next one whom it has not met and with whom the others can still be paired, and so on.
/// With an odd number of players the last one in the list that has not had a bye gets one, which counts
/// as a match that was won. If nobody can be paired without meeting again, meetings are repeated.
pub(crate) fn round(plan: &Plan, schedule: &Schedule, results: &Results) -> Option<Vec<Round>> {
    let number = schedule.rounds();
    if number >= plan.rounds {
        return None;
    }
    let points = halves(plan, schedule, results);
    let mut order: Vec<usize> = (0..plan.players.len()).collect();
    order.sort_by_key(|&player| std::cmp::Reverse(points[player]));
    let mut byes = Vec::new();
    if order.len() % 2 == 1 {
        let had = |player: usize| schedule.byes().iter().any(|bye| bye.player == player);
        let place = order.iter().rposition(|&player| !had(player));
        byes.push(order.remove(place.unwrap_or(order.len() - 1)));
    }
    let met: HashSet<[usize; 2]> = schedule
        .fixtures()
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

/// Pairs all players in order, without those that have met; none if there is no way, or it would take
/// too long to find one.
fn pairing(
    order: &[usize],
    met: &HashSet<[usize; 2]>,
    patience: &mut u32,
) -> Option<Vec<[usize; 2]>> {
    let Some((&first, others)) = order.split_first() else {
        return Some(Vec::new());
    };
    for (place, &rival) in others.iter().enumerate() {
        if met.contains(&[first, rival]) {
            continue;
        }
        *patience = patience.checked_sub(1)?;
        let mut rest = others.to_vec();
        rest.remove(place);
        if let Some(mut matches) = pairing(&rest, met, patience) {
            matches.insert(0, [first, rival]);
            return Some(matches);
        }
    }
    None
}
