//! Proven values of the tree search against the endgame solver, which shares only the rules with
//! it.

use duoforge_engine::endgame::{Budget, mobility, solve};
use duoforge_rules::{DuoBoard, Move};
use duoforge_twin::Rng;
use duoforge_twin::search::{Search, SearchParameters};

/// Returns a position near the end of a random game, with a mobility of both sides of at most
/// `most`.
fn near_the_end(rng: &mut Rng, most: u32) -> DuoBoard {
    let mut board = DuoBoard::duo();
    while !board.is_over() && (board.moves().len() < 2 || mobility(&board) > most) {
        let legal: Vec<_> = board.legal().collect();
        let mv = match legal.len() {
            0 => Move::Pass,
            len => Move::Place(legal[rng.next_u32() as usize % len]),
        };
        board.play(mv).expect("legal");
    }
    board
}

#[test]
fn solved_searches_agree_with_exact_play() {
    let mut rng = Rng::new(3);
    let (mut count, mut longest) = (0, 0);
    for children in [300, 32, 6] {
        let parameters = SearchParameters {
            children,
            expand_threshold: 2,
            lanes: 4,
            ..SearchParameters::default()
        };
        let mut search = Search::new(parameters.clone(), 5);
        for _ in 0..60 {
            let board = near_the_end(&mut rng, 12);
            let found = search.run(&board, |done| done < 20_000);
            if !found.solved {
                continue;
            }
            let effort = Budget {
                nodes: 1 << 22,
                deadline: None,
            };
            let solved = solve(&board, false, effort).expect("there is a choice");
            let exact = |margin| parameters.value(margin);
            if solved.exact {
                assert_eq!(found.lines[0].value, exact(solved.margin), "{board:?}");
            } else {
                assert!(found.lines[0].value >= exact(solved.margin), "{board:?}");
            }
            count += 1;
            longest = longest.max(found.simulations);
        }
    }
    println!("{count} of 180 settled, after at most {longest} simulations");
    assert!(count > 40, "{count} of 180");
}
