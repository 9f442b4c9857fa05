//! Games with malformed or illegal moves of the opponent. The device treats them as a pass, sets
//! its flags and continues as its twin does.

use std::collections::BTreeMap;

use duoforge_rules::{Code, IllegalMove, Move, Rotation, Tile};
use duoforge_sim::Backend;
use duoforge_sim::campaign::Lockstep;
use duoforge_twin::{OpponentMove, Rng};

use super::{equal, open, parameters};

const GAMES: u64 = 40;

/// Kinds of moves that an opponent can send, in the order of selection.
const KINDS: [&str; 9] = [
    "legal",
    "tile used",
    "occupied",
    "off board",
    "edge contact",
    "no corner contact",
    "start cell missed",
    "broken",
    "pass",
];

#[test]
fn every_reason_in_games() {
    let parameters = parameters();
    let mut board = open(Backend::Verilator, &parameters);
    let mut rng = Rng::new(21);
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..GAMES {
        let mut pair = Lockstep::new(&mut board, &parameters);
        equal(&pair.ask(0, b"0").expect("it runs"));
        let letter = [b'5', b'A'][rng.below(2) as usize];
        if rng.below(2) == 0 {
            equal(&pair.ask(0, &[b'2', letter]).expect("it runs"));
        } else {
            // The opponent moves first, with a move that is illegal, malformed or a pass.
            let code = [b"11a0", b"0000", b"zzzz", b"33u0"][rng.below(4) as usize];
            equal(
                &pair
                    .ask(0, &[&[b'3', letter], &code[..]].concat())
                    .expect("it runs"),
            );
        }
        for ply in 1..24 {
            let options = options(&pair);
            // Legal moves have three times the weight of other kinds; otherwise the board would
            // stay empty.
            let kind = KINDS[(rng.below(11).saturating_sub(2)) as usize];
            let Some(codes) = options.get(kind) else {
                continue;
            };
            let code = codes[rng.below(codes.len() as u32) as usize];
            *seen.entry(kind).or_default() += 1;
            let checked = pair.ask(ply, &[b"4", &code[..]].concat()).expect("it runs");
            equal(&checked);
            let flags = pair.twin.flags();
            let decision = checked.decision.expect("a request");
            match (kind, decision.opponent) {
                ("legal", OpponentMove::Placed(_)) | ("pass", OpponentMove::Passed) => {}
                ("broken", OpponentMove::Passed) => assert!(flags.broken),
                (_, OpponentMove::Illegal(_)) => assert!(flags.illegal),
                // A placement beyond the left or upper edge is indistinguishable from a malformed
                // code.
                ("off board", OpponentMove::Passed) => assert!(flags.broken),
                (kind, opponent) => panic!("{kind} became {opponent:?}"),
            }
        }
    }
    println!("{seen:?}");
    assert!(
        KINDS.iter().all(|kind| seen.get(kind) > Some(&20)),
        "{seen:?}"
    );
}

/// Returns the codes that the opponent can send now, by kind.
fn options(pair: &Lockstep<'_>) -> BTreeMap<&'static str, Vec<[u8; 4]>> {
    let mut options: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for tile in Tile::ALL {
        for rotation in Rotation::ALL {
            for (x, y) in (0..14).flat_map(|y| (0..14).map(move |x| (x, y))) {
                let code = Code {
                    x,
                    y,
                    tile,
                    rotation,
                };
                let placement = code.placement().map(Move::Place);
                let kind = placement.map_or("off board", |mv| {
                    pair.twin.board().check(mv).map_or_else(name, |()| "legal")
                });
                options.entry(kind).or_default().push(code.to_bytes());
            }
        }
    }
    options.insert("pass", vec![*b"0000"]);
    // A wrong letter in every position: a coordinate that exists only on a larger board, upper
    // case, the neighbours of the valid range, and a letter with its highest bit set.
    let mut broken = vec![
        *b"\0\0\0\0",
        *b"\xff\xff\xff\xff",
        *b"53E0",
        *b"A8E0",
        *b"0001",
    ];
    let wrong: [&[u8]; 4] = [b"0fgkA:/\xb1", b"0fgkE`\xb1", b"`vwAEU0\xe1", b"89/ap\xb0"];
    for (place, wrong) in wrong.into_iter().enumerate() {
        for &byte in wrong {
            let mut code = *b"57u0";
            code[place] = byte;
            broken.push(code);
        }
    }
    options.insert("broken", broken);
    options
}

fn name(reason: IllegalMove) -> &'static str {
    match reason {
        IllegalMove::TileUsed { .. } => "tile used",
        IllegalMove::Occupied { .. } => "occupied",
        IllegalMove::OffBoard => "off board",
        IllegalMove::EdgeContact { .. } => "edge contact",
        IllegalMove::NoCornerContact => "no corner contact",
        IllegalMove::StartCellMissed { .. } => "start cell missed",
        other => panic!("{other} cannot be a placement's fault here"),
    }
}
