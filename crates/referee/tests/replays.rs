//! Replays of lists of codes: their endings, start cells and summaries.

use duoforge_protocol::{MoveCode, StartCell};
use duoforge_referee::{BrokenCode, Ending, Replay, Seat};
use duoforge_rules::{CodeError, IllegalMove};

fn replay(codes: &[&str]) -> Replay {
    let codes: Vec<MoveCode> = codes
        .iter()
        .map(|code| code.as_bytes().try_into().unwrap())
        .collect();
    Replay::new(&codes).unwrap()
}

/// A list is replayed up to the first rejected move of either player.
#[test]
fn a_replay_ends_as_its_game_did() {
    let open = ["53e0", "a8e0", "21k7", "94j0"];
    let with = |more: &[&'static str]| [&open[..], more].concat();
    let seat = |index: usize| Seat::BOTH[index % 2];
    let used = IllegalMove::TileUsed {
        tile: duoforge_rules::Tile::from_letter(b'e').unwrap(),
    };
    let illegal = |seat, code: &[u8; 4], reason| Ending::Illegal {
        seat,
        code: *code,
        reason,
    };
    let broken = |seat, code: &[u8; 4], error| Ending::BrokenCode {
        seat,
        reason: BrokenCode::Code { code: *code, error },
    };
    let table = [
        (with(&[]), 4, Ending::Unfinished),
        (with(&["0000"]), 5, Ending::Unfinished),
        (with(&["0000", "0000"]), 6, Ending::BothPassed),
        (
            with(&["0000", "71b3", "0000", "0000"]),
            8,
            Ending::BothPassed,
        ),
        (with(&["53e0"]), 4, illegal(seat(4), b"53e0", used)),
        (with(&["61a0", "a8e0"]), 5, illegal(seat(5), b"a8e0", used)),
        (
            with(&["6xa0"]),
            4,
            broken(seat(4), b"6xa0", CodeError::Row(b'x')),
        ),
        (
            with(&["61a0", "71b9"]),
            5,
            broken(seat(5), b"71b9", CodeError::Rotation(b'9')),
        ),
        (
            with(&["0000", "0000", "61a0"]),
            6,
            illegal(seat(6), b"61a0", IllegalMove::GameOver),
        ),
        (
            vec!["0000"],
            0,
            illegal(Seat::One, b"0000", IllegalMove::PassOnFirstTurn),
        ),
    ];
    for (codes, plies, ending) in table {
        let replay = replay(&codes);
        assert_eq!(replay.plies.len(), plies, "{codes:?}");
        assert_eq!(replay.ending, ending, "{codes:?}");
        let listed: Vec<_> = replay
            .plies
            .iter()
            .map(|ply| ply.code.escape_ascii().to_string())
            .collect();
        assert_eq!(listed, codes[..plies], "{codes:?}");
    }
}

/// The first placement determines the start cell of the first player. A placement that covers
/// neither cell misses (5,5).
#[test]
fn a_replay_finds_the_start_cell_of_its_first_player() {
    for (code, start) in [
        ("53e0", StartCell::Five),
        ("a8e0", StartCell::A),
        ("11a0", StartCell::Five),
    ] {
        assert_eq!(replay(&[code]).setup.start, start, "{code}");
    }
    let missed = replay(&["11a0"]);
    assert!(matches!(
        missed.ending,
        Ending::Illegal {
            reason: IllegalMove::StartCellMissed { .. },
            ..
        }
    ));
    assert_eq!(replay(&[]).setup.start, StartCell::Five);
}

#[test]
fn a_summary_of_a_replay_names_the_move_that_is_none() {
    let json = serde_json::to_value(replay(&["53e0", "a8E0"]).summary()).unwrap();
    let fault = serde_json::json!({
        "ply": 2,
        "code": "a8E0",
        "reason": "'a8E0': 'E' is not a tile (a-u)",
    });
    assert_eq!(
        (&json["ending"], &json["fault"]),
        (&"broken-code".into(), &fault)
    );
    let json = serde_json::to_value(replay(&["53e0"]).summary()).unwrap();
    assert_eq!(
        (&json["ending"], json.get("fault")),
        (&"unfinished".into(), None)
    );
}
