//! Setups of the games of a match: first player and start cells.

use clap::ValueEnum;
use duoforge_protocol::StartCell;
use duoforge_referee::{Seat, Setup};

/// Player that moves first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum First {
    /// Player 1
    #[default]
    #[value(name = "1")]
    One,
    /// Player 2
    #[value(name = "2")]
    Two,
    /// Player 1 in the first game, then alternately
    Alternate,
}

/// Start cell of player 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Start {
    /// (5,5)
    #[default]
    #[value(name = "5")]
    Five,
    /// (a,a)
    A,
    /// (5,5) in the first game, then alternately
    Alternate,
}

/// Returns the setups of the games. If both settings alternate, four games cover all four cases.
pub fn setups(games: u32, first: First, start: Start) -> impl Iterator<Item = Setup> {
    let start_period = if first == First::Alternate { 2 } else { 1 };
    (0..games).map(move |game| {
        let second_first = match first {
            First::One => false,
            First::Two => true,
            First::Alternate => game % 2 == 1,
        };
        let from_a = match start {
            Start::Five => false,
            Start::A => true,
            Start::Alternate => game / start_period % 2 == 1,
        };
        Setup {
            first: if second_first { Seat::Two } else { Seat::One },
            start: if from_a {
                StartCell::A
            } else {
                StartCell::Five
            },
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn four_alternating_games_have_all_four_cases() {
        let cases: HashSet<Setup> = setups(4, First::Alternate, Start::Alternate).collect();
        assert_eq!(cases.len(), 4);
        let fixed: HashSet<Setup> = setups(4, First::One, Start::Five).collect();
        assert_eq!(fixed, HashSet::from([Setup::default()]));
        let starts: Vec<_> = setups(3, First::Two, Start::Alternate).collect();
        assert_eq!(starts[1].start, StartCell::A);
        assert_eq!(starts[1].first, Seat::Two);
    }
}
