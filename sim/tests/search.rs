//! The whole search against its twin: every simulation, the root's children and what is played.

use duoforge_engine::Rng;
use duoforge_engine::search::Parameters;
use duoforge_hdl::search::searcher::Settings;
use duoforge_rules::{Cell, DuoBoard, Move, Variant};
use duoforge_sim::Backend;
use duoforge_sim::search::{SearchUnit, compare, set_up, twin};

/// The rules as the board keeps them: it goes on for as long as it is asked.
static ENDLESS: Variant = Variant {
    name: "duo without an end",
    may_pass_first_turn: true,
    ends_when_all_placed: false,
    ends_when_all_pass: false,
    ..Variant::DUO
};

fn settings(lanes: usize, simulations: u32) -> Settings {
    Settings {
        parameters: Parameters {
            lanes,
            children: 32,
            threshold: 6,
            nodes: 63,
            ..Parameters::default()
        },
        seed: 5,
        simulations,
        clocks: u32::MAX,
    }
}

/// The positions of a game of random moves, some of them passes, until nobody can place anything.
fn positions(rng: &mut Rng) -> Vec<DuoBoard> {
    let mut starts = [Cell::new(4, 4), Cell::new(9, 9)];
    if rng.below(2) == 1 {
        starts.reverse();
    }
    let mut board = DuoBoard::with_starts(&ENDLESS, &starts);
    let mut boards = Vec::new();
    let mut stuck = 0;
    while stuck < 2 {
        boards.push(board.clone());
        let count = board.count_legal();
        stuck = if count == 0 { stuck + 1 } else { 0 };
        let turn = if count == 0 || rng.below(24) == 0 {
            Move::Pass
        } else {
            let pick = rng.below(count) as usize;
            Move::Place(board.legal().nth(pick).expect("one of them"))
        };
        board.play(turn).expect("a legal move");
    }
    boards
}

/// Searches in one of `share` positions of random games.
fn games(backend: Backend, settings: &Settings, count: usize, share: usize) {
    let mut unit = SearchUnit::open(backend, settings, true).expect("the model can be built");
    let mut rng = Rng::new(41);
    let mut flights = 0;
    for number in 0..count {
        let boards = positions(&mut rng);
        for board in boards.iter().skip(number % share).step_by(share) {
            set_up(&mut unit, board).expect("it runs");
            let heard = unit.think(board.to_move(), None).expect("it runs");
            let (found, told) = twin(settings, board, settings.simulations.into());
            flights += told.len();
            if let Err(divergence) = compare(&found, &told, &heard) {
                panic!("game {number}, ply {}: {divergence}", board.ply());
            }
        }
    }
    assert!(flights > 0, "nothing was compared");
}

#[test]
fn verilator_with_one_lane() {
    games(Backend::Verilator, &settings(1, 100), 4, 3);
}

#[test]
fn verilator_with_two_lanes() {
    games(Backend::Verilator, &settings(2, 200), 4, 3);
}
