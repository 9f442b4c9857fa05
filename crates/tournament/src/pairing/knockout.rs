//! Knockout: the loser of a match is eliminated.

use crate::fixtures::{Fixtures, Round};
use crate::{Fixture, Plan, Results};

/// Next round; `None` when one player is left.
///
/// Empty places fill the bracket up to the next power of two. The players listed first therefore
/// have byes and meet each other as late as possible.
pub(crate) fn round(plan: &Plan, fixtures: &Fixtures, results: &Results) -> Option<Vec<Round>> {
    let places = places(plan, fixtures, results);
    if places.len() == 1 {
        return None;
    }
    let mut round = Round {
        matches: Vec::new(),
        byes: Vec::new(),
        openings: 0..plan.pairs,
    };
    for both in places.chunks(2) {
        match *both {
            [Some(one), Some(two)] => round.matches.push([one.min(two), one.max(two)]),
            [one, two] => round.byes.extend(one.or(two)),
            _ => unreachable!("a bracket's size is a power of two"),
        }
    }
    Some(vec![round])
}

/// Winner of the tournament; `None` while matches are open.
pub(crate) fn champion(plan: &Plan, fixtures: &Fixtures, results: &Results) -> Option<usize> {
    match places(plan, fixtures, results)[..] {
        [champion] if fixtures.all_played(results) => champion,
        _ => None,
    }
}

/// Players left in the places of the bracket after all rounds so far.
fn places(plan: &Plan, fixtures: &Fixtures, results: &Results) -> Vec<Option<usize>> {
    let players = plan.players.len();
    let mut places: Vec<Option<usize>> = bracket(players.next_power_of_two())
        .into_iter()
        .map(|place| (place < players).then_some(place))
        .collect();
    for number in 1..=fixtures.rounds {
        places = places
            .chunks(2)
            .map(|both| match *both {
                [Some(one), Some(two)] => Some(winner(fixtures, results, number, [one, two])),
                [one, two] => one.or(two),
                _ => unreachable!("a bracket's size is a power of two"),
            })
            .collect();
    }
    places
}

/// Winner of a match by points, then by covered cells, then by the order of the list.
fn winner(fixtures: &Fixtures, results: &Results, round: u32, both: [usize; 2]) -> usize {
    let [one, two] = [both[0].min(both[1]), both[0].max(both[1])];
    let of_match = |game: &&Fixture| game.round == round && game.players == [one, two];
    let mut lead = (0_i64, 0_i64);
    for game in fixtures.games.iter().filter(of_match) {
        let Some(played) = results.get(&game.number) else {
            continue;
        };
        let [first, second] = played.halves().unwrap_or_default();
        lead.0 += i64::from(first) - i64::from(second);
        lead.1 += i64::from(played.cells_placed[0]) - i64::from(played.cells_placed[1]);
    }
    if lead < (0, 0) { two } else { one }
}

/// Order of places in a bracket in which the first two meet in the last round, if both win. For
/// eight places it is 0 7 3 4 1 6 2 5.
fn bracket(size: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < size {
        let sum = order.len() * 2 - 1;
        order = order
            .iter()
            .flat_map(|&place| [place, sum - place])
            .collect();
    }
    order
}

#[cfg(test)]
mod tests {
    use super::bracket;

    #[test]
    fn the_first_two_are_in_different_halves() {
        assert_eq!(bracket(1), [0]);
        assert_eq!(bracket(2), [0, 1]);
        assert_eq!(bracket(8), [0, 7, 3, 4, 1, 6, 2, 5]);
    }
}
