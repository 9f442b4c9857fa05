//! Round robin and gauntlet, whose games are known from the beginning.

use crate::Plan;
use crate::fixtures::Round;

/// Round robin by the circle method: each player plays once per round. The rounds are repeated with
/// other openings, so an aborted tournament is balanced up to its last full cycle.
pub(crate) fn round_robin(plan: &Plan) -> Vec<Round> {
    let players = plan.players.len();
    // With an odd number of players one place of the circle is empty.
    let places = players.next_multiple_of(2);
    let mut rounds = Vec::new();
    for opening in 0..plan.pairs {
        for shift in 0..places - 1 {
            let at = |place: usize| match place {
                0 => 0,
                _ => 1 + (place - 1 + shift) % (places - 1),
            };
            let meet = (0..places / 2).map(|place| [at(place), at(places - 1 - place)]);
            let (matches, byes): (Vec<_>, Vec<_>) =
                meet.partition(|both| both.iter().all(|&player| player < players));
            let left = byes
                .into_iter()
                .flatten()
                .filter(|&player| player < players);
            rounds.push(Round {
                matches: matches.into_iter().map(sorted).collect(),
                byes: left.collect(),
                openings: opening..opening + 1,
            });
        }
    }
    rounds
}

/// The first player against all others.
pub(crate) fn gauntlet(plan: &Plan) -> Vec<Round> {
    let rounds = (0..plan.pairs).map(|opening| Round {
        matches: (1..plan.players.len())
            .map(|opponent| [0, opponent])
            .collect(),
        byes: Vec::new(),
        openings: opening..opening + 1,
    });
    rounds.collect()
}

fn sorted([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}
