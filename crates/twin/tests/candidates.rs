//! Candidates of the search against the counts of their features.

use duoforge_rules::{DuoBoard, Move, Tile};
use duoforge_twin::search::Position;
use duoforge_twin::search::prior::{self, FEATURES, PHASES, Weights};

/// The scores of the search are those of the counted features, also with extreme weights.
#[test]
fn candidates_are_ranked_by_their_features() {
    let mut extreme = Weights::default();
    let mut index = 0;
    for phase in 0..PHASES {
        let (tiles, kinds) = (&mut extreme.tiles[phase], &mut extreme.kinds[phase]);
        for weight in tiles.iter_mut().chain(kinds) {
            *weight = [127, -128, 127][index % 3];
            index += 1;
        }
    }
    let all = [i8::MIN, i8::MAX].map(|weight| Weights {
        tiles: [[weight; Tile::COUNT]; PHASES],
        kinds: [[weight; FEATURES]; PHASES],
    });
    let mut board = DuoBoard::duo();
    let mut positions = Vec::new();
    while !board.is_over() {
        positions.push(Position::new(&board));
        let legal: Vec<_> = board.legal().collect();
        let middle = legal.get(legal.len() / 2);
        let mv = middle.map_or(Move::Pass, |&placement| Move::Place(placement));
        board.play(mv).expect("legal");
    }
    assert!(positions.len() > 20);
    for weights in [Weights::default(), extreme].iter().chain(&all) {
        for position in &positions {
            let phase = prior::phase(position);
            let counted = prior::count_features(position).into_iter();
            let mut expected: Vec<_> = counted
                .map(|(placement, counts)| {
                    let score = weights.score(phase, placement.tile(), &counts);
                    (placement, score)
                })
                .collect();
            expected.sort_by_key(|&(p, score)| (std::cmp::Reverse(score), p.y, p.x, p.orientation));
            for keep in [usize::MAX, 32, 1] {
                expected.truncate(keep);
                let found = prior::top_candidates(position, weights, keep);
                assert_eq!(found, prior::with_priors(&expected));
            }
        }
    }
}
