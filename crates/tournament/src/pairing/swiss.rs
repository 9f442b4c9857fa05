//! Swiss pairing: players with similar points that have not met.

use std::collections::HashSet;

use crate::fixtures::{Fixtures, RecordedPlayers, Round, halves};
use crate::{Plan, Results};

/// Number of positions tried for a pairing before repeated meetings are permitted.
const PATIENCE: u32 = 100_000;

/// Number of positions tried for each number of repeated meetings before one more is permitted. It
/// exceeds the number of matches of a round.
const PATIENCE_REPEATED: u32 = 10_000;

/// Next round; `None` after the last one.
///
/// The players are listed by points, then by their place in the plan. The first player meets the
/// next one that it has not met, if the others can still be paired, and so on.
///
/// With an odd number of players, the last one in the list without an earlier bye gets one. A bye
/// counts as a won match. If no pairing without repeated meetings exists, as few meetings as
/// possible are repeated.
///
/// Earlier versions of this program paired such a round by points alone. A round of which a journal
/// records a game in that pairing, but not in the present one, keeps it.
pub(crate) fn round(
    plan: &Plan,
    fixtures: &Fixtures,
    results: &Results,
    recorded: &RecordedPlayers,
) -> Option<Vec<Round>> {
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
    let round = |matches| Round {
        matches,
        byes: byes.clone(),
        openings: 0..plan.pairs,
    };
    if let Some(matches) = pairing(&order, &met, 0, &mut { PATIENCE }) {
        return Some(vec![round(matches)]);
    }
    // With as many repeated meetings as matches, the first pairing tried is permitted.
    let mut repeats = 1..=order.len() / 2;
    let fewest = repeats.find_map(|most| pairing(&order, &met, most, &mut { PATIENCE_REPEATED }));
    let fewest = round(fewest.unwrap_or_default());
    let by_points = round(
        order
            .chunks_exact(2)
            .map(|pair| [pair[0], pair[1]])
            .collect(),
    );
    let is_earlier = !fixtures.agrees(&fewest, recorded) && fixtures.agrees(&by_points, recorded);
    Some(vec![if is_earlier { by_points } else { fewest }])
}

/// Pairs all players in order, with at most `repeats` pairs that have met; `None` if there is no
/// such pairing, or the search exceeds its limit.
fn pairing(
    order: &[usize],
    met: &HashSet<[usize; 2]>,
    repeats: usize,
    patience: &mut u32,
) -> Option<Vec<[usize; 2]>> {
    let Some((&first, others)) = order.split_first() else {
        return Some(Vec::new());
    };
    for (place, &opponent) in others.iter().enumerate() {
        let is_repeated = usize::from(met.contains(&[first, opponent]));
        let Some(repeats) = repeats.checked_sub(is_repeated) else {
            continue;
        };
        *patience = patience.checked_sub(1)?;
        let mut rest = others.to_vec();
        rest.remove(place);
        if let Some(mut matches) = pairing(&rest, met, repeats, patience) {
            matches.insert(0, [first, opponent]);
            return Some(matches);
        }
    }
    None
}
