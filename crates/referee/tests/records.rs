//! Replay of games that other programs recorded.

use duoforge_referee::{Ending, Replay, Seats};
use duoforge_tests::data;

fn replay(moves: &[String]) -> Replay {
    let codes: Vec<_> = moves
        .iter()
        .map(|code| code.as_bytes().try_into().unwrap())
        .collect();
    Replay::new(&codes).unwrap()
}

#[test]
fn random_games_have_the_known_legal_counts_and_cell_counts() {
    for (index, game) in data::random_games().iter().enumerate() {
        let replay = replay(&game.moves);
        let counts: Vec<_> = replay.plies.iter().map(|ply| ply.legal).collect();
        assert_eq!(counts, game.legal_counts, "game {index}");
        assert_eq!(
            replay.cells_placed().0[..],
            game.cells_placed,
            "game {index}"
        );
        assert!(replay.ending.is_normal(), "game {index}: {}", replay.ending);
    }
}

#[test]
fn refereed_games_have_the_scores_that_the_contests_host_gave() {
    for (index, game) in data::refereed_games().iter().enumerate() {
        let replay = replay(&game.moves);
        assert_eq!(replay.plies.len(), game.moves.len(), "game {index}");
        assert_eq!(replay.score().0[..], game.score, "game {index}");
    }
}

#[test]
fn the_first_player_may_start_at_either_cell() {
    let five = Replay::new(&[*b"53e0", *b"a8e0"]).unwrap();
    let a = Replay::new(&[*b"a8e0", *b"53e0"]).unwrap();
    for replay in [five, a] {
        assert_eq!(replay.ending, Ending::Unfinished);
        assert_eq!(replay.cells_placed(), Seats([4, 4]));
    }
}

#[test]
fn a_summary_has_the_documented_form() {
    let replay = Replay::new(&[*b"53e0", *b"a8e0", *b"53e0"]).unwrap();
    let json = serde_json::to_value(replay.summary()).unwrap();
    let expected = serde_json::json!({
        "plies": [{"code": "53e0", "legal": 414}, {"code": "a8e0", "legal": 414}],
        "cells_placed": [4, 4],
        "score": [-85, -85],
        "ending": "illegal",
        "fault": {"ply": 3, "code": "53e0", "reason": "tile e has been placed before"},
    });
    assert_eq!(json, expected);
}
