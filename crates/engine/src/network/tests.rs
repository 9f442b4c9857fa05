//! Tests of the network that ships, against outputs that the program which trained it computed.

use duoforge_rules::{Colour, DuoBoard};
use duoforge_twin::search::prior;
use serde::Deserialize;

use super::*;

/// Outputs for a position, by `outputs` of crates/lab/training/network.py.
#[derive(Deserialize)]
struct Expected {
    moves: String,
    cells: Vec<f32>,
    tiles: Vec<f32>,
    value: f32,
}

fn expected() -> impl Iterator<Item = (Position, Expected)> {
    include_str!("outputs.jsonl").lines().map(|line| {
        let expected: Expected = serde_json::from_str(line).expect("outputs");
        let mut board = DuoBoard::duo();
        for code in expected.moves.split_whitespace() {
            board.play(code.parse().expect("a code")).expect("legal");
        }
        (Position::new(&board), expected)
    })
}

#[test]
fn outputs_are_those_of_the_program_that_trained_the_network() {
    let near = |own: f32, other: f32| (own - other).abs() < 0.002;
    let mut count = 0;
    for (position, expected) in expected() {
        let own = Network::shipped().outputs(&Input::new(&position));
        let cells = own.cells.as_flattened();
        assert_eq!((cells.len(), own.tiles.len()), (expected.cells.len(), 21));
        let pairs = cells.iter().zip(&expected.cells);
        let mut pairs = pairs.chain(own.tiles.iter().zip(&expected.tiles));
        assert!(pairs.all(|(&own, &other)| near(own, other)));
        assert!(near(own.value, expected.value));
        count += 1;
    }
    assert_eq!(count, 3);
}

/// The score of a placement is the sum over its cells, edges, corners and its tile, whatever is at
/// the border.
#[test]
fn priors_are_shares_of_the_sums_of_scores() {
    for (position, expected) in expected() {
        let network = Network::shipped();
        let found = prior::top_by_scores(&position, &network.evaluate(&position).scores, 4_096);
        let score = |candidate: &prior::Candidate| {
            let cells: Vec<_> = candidate.placement.cells().collect();
            let is_covered = |x: i32, y: i32| {
                cells
                    .iter()
                    .any(|cell| (i32::from(cell.x), i32::from(cell.y)) == (x, y))
            };
            let mut sum = expected.tiles[candidate.placement.tile().index()];
            for (i, scores) in expected.cells.chunks_exact(3).enumerate() {
                let (x, y) = ((i % 14) as i32, (i / 14) as i32);
                let touches = |steps: [(i32, i32); 4]| {
                    steps.iter().any(|(dx, dy)| is_covered(x + dx, y + dy))
                };
                sum += match () {
                    () if is_covered(x, y) => scores[0],
                    () if touches([(1, 0), (-1, 0), (0, 1), (0, -1)]) => scores[1],
                    () if touches([(1, 1), (1, -1), (-1, 1), (-1, -1)]) => scores[2],
                    () => 0.0,
                };
            }
            f64::from(sum)
        };
        let best = score(&found[0]);
        for candidate in &found[..found.len().min(60)] {
            let gap = (best - score(candidate)) / std::f64::consts::LN_2 * 16.0;
            // Each of up to 28 terms is rounded.
            let difference = gap - f64::from(candidate.score_gap);
            assert!(
                candidate.score_gap == 255 || difference.abs() < 14.0,
                "{difference}"
            );
        }
    }
}

#[test]
fn values_are_the_shares_of_their_odds() {
    assert_eq!(value(0), MAX_VALUE - MAX_VALUE / 2);
    for odds in [-200, -48, -16, -1, 1, 16, 40, 120] {
        let expected = 65_535.0 / (1.0 + (-f64::from(odds) / 16.0).exp2());
        let difference = f64::from(value(odds)) - expected;
        assert!(difference.abs() < 40.0, "{odds}: {difference}");
    }
    assert_eq!((value(i16::MAX), value(i16::MIN)), (MAX_VALUE, 0));
}

/// The side to move and its opponent have separate inputs.
#[test]
fn inputs_belong_to_the_side_to_move() {
    let mut board = DuoBoard::duo();
    board.play("53e0".parse().expect("a code")).expect("legal");
    let mut position = Position::new(&board);
    let of = |position: &Position| Input::new(position);
    let second = of(&position);
    position.set_to_move(Colour(0));
    let first = of(&position);
    assert_eq!(first.planes[0], second.planes[0]);
    for (own, other) in [(1, 2), (3, 4), (5, 6)] {
        assert_eq!(first.planes[own], second.planes[other]);
        assert_ne!(first.planes[own], second.planes[own]);
    }
    let left = |input: &Input| {
        let tiles = input.globals[..42].chunks_exact(21);
        tiles.map(|it| it.iter().sum::<f32>()).collect::<Vec<_>>()
    };
    assert_eq!(
        (left(&first), left(&second)),
        (vec![20.0, 21.0], vec![21.0, 20.0])
    );
    assert_eq!(first.globals[42..], [1.0 / 30.0, 1.0]);
}

#[test]
fn files_of_another_size_are_refused() {
    let bytes = include_bytes!("weights.bin");
    let fault = |bytes: &[u8]| Network::read(bytes).expect_err("a fault").to_string();
    let expected = "a network of 3 layers has 39016 bytes, not";
    assert_eq!(fault(&bytes[..39_012]), format!("{expected} 39012"));
    assert_eq!(
        fault(&[&bytes[..], &[0; 4]].concat()),
        format!("{expected} 39020")
    );
    assert_eq!(
        fault(&bytes[..39_013]),
        "a network has whole numbers of 4 bytes, not 39013 bytes"
    );
    assert_eq!(
        fault(&[]),
        "a network has whole numbers of 4 bytes, not 0 bytes"
    );
    for layers in [0_u32, 17] {
        let bytes = [&layers.to_le_bytes()[..], &bytes[4..]].concat();
        assert_eq!(
            fault(&bytes),
            format!("a network has 1 to 16 layers, not {layers}")
        );
    }
}
