//! Round robin of four players with given games.

use duoforge_journal::GameResult::{self, Draw, One, Two};
use duoforge_tournament::{Plan, Results, Schedule};

use super::{game, plan};

/// Match of a round robin of four: the players, and for both games the result, the ending and the
/// cells covered, of the player with the lower number first.
type Match = ([usize; 2], [(GameResult, &'static str, [u32; 2]); 2]);

const FOUR: [Match; 6] = [
    (
        [0, 1],
        [(One, "both-passed", [60, 55]), (One, "resigned", [58, 57])],
    ),
    (
        [0, 2],
        [(One, "all-placed", [61, 60]), (Two, "illegal", [50, 60])],
    ),
    (
        [0, 3],
        [(Two, "timeout", [40, 41]), (Two, "both-passed", [70, 71])],
    ),
    (
        [1, 2],
        [
            (Draw, "both-passed", [50, 50]),
            (One, "both-passed", [66, 50]),
        ],
    ),
    (
        [1, 3],
        [(One, "both-passed", [55, 50]), (One, "link-lost", [55, 50])],
    ),
    (
        [2, 3],
        [
            (Draw, "both-passed", [59, 59]),
            (Draw, "all-placed", [58, 58]),
        ],
    ),
];

/// Plan of the round robin.
pub fn four() -> Plan {
    plan("round-robin", 4, "")
}

/// The first `count` games of that round robin.
pub fn played(plan: &Plan, count: usize) -> Results {
    let mut results = Results::new();
    for fixture in Schedule::new(plan, &results).fixtures().iter().take(count) {
        let (_, games) = FOUR
            .iter()
            .find(|(both, _)| *both == fixture.players)
            .unwrap();
        let (result, ending, cells_placed) = games[1 - fixture.number as usize % 2];
        let mut outcome = game(result, cells_placed);
        outcome.ending = ending;
        results.insert(fixture.number, outcome.into());
    }
    results
}
