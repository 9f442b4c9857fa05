//! Tests of the move generator against the slow rules checker, which shares no table and no
//! bitboard with it.

use duoforge_hdl::generator::legality::ORIENTATIONS;
use duoforge_rules::naive::NaiveBoard;
use duoforge_rules::{Move, Variant};
use duoforge_sim::Backend;
use duoforge_twin::Rng;

use crate::support::games::{Game, placements};
use crate::support::legal::{Generator, Legal, assemble};
use crate::support::share::share;

/// Positions of each of two tests, which run in parallel; the test command runs a share of them.
const POSITIONS: usize = 10_000;

#[test]
fn twenty_thousand_positions_first_half() {
    check(1);
}

#[test]
fn twenty_thousand_positions_second_half() {
    check(2);
}

fn check(seed: u64) {
    let mut generator = Generator::open(Backend::Verilator);
    let mut rng = Rng::new(seed);
    let placements = placements();
    let count = share(POSITIONS);
    let (mut positions, mut legal_placements) = (0, 0);
    let mut kinds = [0; 4];
    while positions < count {
        let game = Game::random(&mut rng);
        let mut naive = NaiveBoard::with_starts(&Variant::ENDLESS_DUO, &game.starts);
        let sets = legal_sets(&mut generator, &game);
        for ((board, mv), legal) in game.moves.iter().zip(&sets) {
            let mut expected: Legal = [[0; ORIENTATIONS]; 14];
            for placement in &placements {
                if naive.check(placement.code().to_bytes()).is_ok() {
                    let row = &mut expected[usize::from(placement.y)];
                    row[placement.orientation.index()] |= 1 << placement.x;
                    legal_placements += 1;
                }
            }
            assert!(*legal == expected, "seed {seed}, position\n{board}");
            let side = game.side(board.to_move()) as usize;
            kinds[2 * side + usize::from(game.start_is_a)] += 1;
            positions += 1;
            naive.play(mv.to_code_bytes()).expect("a legal move");
        }
    }
    println!(
        "{positions} positions, {legal_placements} legal placements, {kinds:?} by side and start"
    );
    assert!(kinds.iter().all(|&kind| kind > count / 10));
}

/// Returns the hardware's legal set before each move of a game.
fn legal_sets(generator: &mut Generator, game: &Game) -> Vec<Legal> {
    generator.unit.clear(game.start_is_a);
    for (board, mv) in &game.moves {
        let side = game.side(board.to_move());
        generator.stream(side);
        if let Move::Place(placement) = *mv {
            generator.unit.place(side, placement);
        }
    }
    let verdicts = generator.reports().verdicts;
    assert_eq!(verdicts.len(), 14 * game.moves.len());
    verdicts.chunks(14).map(assemble).collect()
}
