//! Tests of search players with the opening book against their twins, in the first moves of a game.

use std::time::Duration;

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::search::searcher::ClockedSearchConfig;
use duoforge_rules::{Cell, DuoBoard, Move, Variant};
use duoforge_sim::Backend;
use duoforge_twin::Rng;
use duoforge_twin::book::{Book, PLIES};

use super::pair::{Pair, prompt};
use super::settings;

#[test]
fn a_board_with_a_book_plays_like_its_twin() {
    openings(Backend::Verilator, 60);
}

/// Start cells (5,5) and (10,10).
const STARTS: [Cell; 2] = [Cell::new(4, 4), Cell::new(9, 9)];

/// Plays the first moves of games. The opponent follows the book at times.
fn openings(backend: Backend, games: usize) {
    let parameters = PlayerParameters {
        baud: 5_000_000,
        deadline_cycles: u32::MAX,
        reply_limit_cycles: u32::MAX,
        ..PlayerParameters::contest(50_000_000)
    };
    let book = Book::built_in();
    let settings = ClockedSearchConfig {
        ponder: true,
        book: Some(book),
        ..settings(2, 20)
    };
    let mut pair = Pair::open_in(backend, &parameters, &settings);
    let mut rng = Rng::new(57);
    let [mut of_book, mut searched] = [0; 2];
    for _ in 0..games {
        pair.exchange(b"0");
        // The playouts in flight end before the next prompt.
        pair.board
            .idle(Duration::from_micros(200))
            .expect("it runs");
        let is_a = rng.below(2) as usize;
        let mut request = [b"25", b"2A"][is_a].to_vec();
        if rng.below(2) == 1 {
            let starts = [STARTS[1 - is_a], STARTS[is_a]];
            let board = DuoBoard::with_starts(&Variant::ENDLESS_DUO, &starts);
            request[0] = b'3';
            request.extend(opponent(&board, book, &mut rng).to_code_bytes());
        }
        for _ in 0..4 {
            pair.exchange(&request);
            let decision = pair.twin.decision().expect("a request");
            let choice = decision.choice.map(|choice| choice.placement);
            match book.reply(&decision.position) {
                Some(placement) => {
                    of_book += 1;
                    assert_eq!(choice, Some(placement));
                    let status = pair.board.status().expect("it runs");
                    assert_eq!((status.simulations, status.pondered), (0, 0));
                }
                None => searched += 1,
            }
            request = prompt(opponent(pair.twin.board(), book, &mut rng));
        }
    }
    println!("{of_book} from the book, {searched} searched");
    assert!(of_book > games / 2 && searched > games);
}

/// Returns a move of the opponent: mostly one after which the book has a reply, if there is one.
fn opponent(board: &DuoBoard, book: &Book, rng: &mut Rng) -> Move {
    let after = |placement| {
        let mut after = board.clone();
        after.play(Move::Place(placement)).expect("it is legal");
        book.reply(&after).is_some()
    };
    let known: Vec<_> = match board.ply() <= PLIES && rng.below(4) > 0 {
        true => board
            .legal()
            .filter(|&placement| after(placement))
            .collect(),
        false => Vec::new(),
    };
    let moves = match known.is_empty() {
        true => board.legal().collect(),
        false => known,
    };
    if moves.is_empty() || rng.below(12) == 0 {
        return Move::Pass;
    }
    Move::Place(moves[rng.below(moves.len() as u32) as usize])
}
