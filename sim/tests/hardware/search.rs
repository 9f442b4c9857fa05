//! The whole search against its twin: every simulation, the root's children and what is played.

use duoforge_engine::search::Search;
use duoforge_engine::strong::endgame::choices;
use duoforge_engine::{Chooser, Rng, Twin, search};
use duoforge_hdl::player::Parameters;
use duoforge_hdl::search::searcher::Settings;
use duoforge_protocol::TeamCode;
use duoforge_rules::{DuoBoard, Move};
use duoforge_sim::board::SimBoard;
use duoforge_sim::search::{SearchUnit, compare, set_up, twin};
use duoforge_sim::uart::LineWave;
use duoforge_sim::{Backend, Options};

use crate::support::games::Game;

fn settings(lanes: usize, simulations: u32) -> Settings {
    Settings {
        parameters: search::Parameters {
            lanes,
            children: 32,
            threshold: 6,
            nodes: 63,
            ..search::Parameters::default()
        },
        seed: 5,
        simulations,
        clocks: u32::MAX,
    }
}

/// Searches in one of `share` positions of random games.
fn games(backend: Backend, settings: &Settings, count: usize, share: usize) {
    let mut unit = SearchUnit::open(backend, settings, true).expect("the model can be built");
    let mut rng = Rng::new(41);
    let mut flights = 0;
    for number in 0..count {
        let game = Game::random(&mut rng);
        for (board, _) in game.turns.iter().skip(number % share).step_by(share) {
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

/// A board that searches and its twin, and what they are sent.
struct Pair {
    board: SimBoard,
    twin: Twin,
}

impl Pair {
    fn open(settings: &Settings) -> Self {
        let parameters = Parameters {
            clock_hz: 1_843_200,
            guard: u32::MAX,
            limit: u32::MAX,
            ..Parameters::contest(1_843_200)
        };
        let options = Options::default();
        let board = SimBoard::open_search(Backend::Verilator, &parameters, settings, &options);
        let search = Search::new(settings.parameters.clone(), settings.seed);
        let team = TeamCode::new(parameters.team).expect("two letters");
        Self {
            board: board.expect("the model can be built"),
            twin: Twin::new(
                team,
                Chooser::Search(Box::new(search), settings.simulations.into()),
            ),
        }
    }

    /// What both answer.
    fn exchange(&mut self, bytes: &[u8]) -> Vec<u8> {
        let answer = self.board.exchange(bytes).expect("it runs").bytes;
        let status = self.board.status().expect("it runs");
        // A search that ended by time is repeated from its number of simulations.
        self.twin.set_simulations(status.simulations.into());
        let frames = bytes.iter().filter_map(|&byte| self.twin.receive(byte));
        let expected: Vec<u8> = frames.flat_map(|frame| frame.as_bytes().to_vec()).collect();
        assert_eq!(answer, expected, "to {:?}", String::from_utf8_lossy(bytes));
        answer
    }

    /// Plays a game against a rival of random moves; returns the simulations of all moves.
    fn game(&mut self, rng: &mut Rng) -> Vec<u64> {
        self.exchange(b"0");
        let mut simulations = Vec::new();
        let mut board = None;
        let mut stuck = 0;
        while stuck < 2 {
            let answer = match &board {
                None => self.exchange(b"25"),
                Some(_) if rng.below(30) == 0 => self.exchange(b"40000"),
                Some(board) => self.exchange(&reply(board, rng)),
            };
            stuck = if answer == b"0000" { stuck + 1 } else { 0 };
            simulations.push(self.twin.thought().expect("a request").simulations);
            board = Some(self.twin.board().clone());
        }
        simulations
    }
}

/// A request with a random move.
fn reply(board: &DuoBoard, rng: &mut Rng) -> Vec<u8> {
    let count = board.count_legal();
    let turn = match count {
        0 => Move::Pass,
        _ => Move::Place(board.legal().nth(rng.below(count) as usize).expect("one")),
    };
    [b"4".as_slice(), &turn.to_code_bytes()].concat()
}

#[test]
fn boards_that_search_play_whole_games_like_their_twins() {
    let mut pair = Pair::open(&settings(2, 60));
    let mut rng = Rng::new(3);
    for _ in 0..3 {
        let simulations = pair.game(&mut rng);
        assert!(simulations.contains(&60) && simulations.contains(&0));
    }
}

#[test]
fn a_search_that_ends_by_time_is_repeated_from_its_number_of_simulations() {
    let settings = Settings {
        clocks: 9_000,
        ..settings(2, 4_000)
    };
    let mut pair = Pair::open(&settings);
    let simulations = pair.game(&mut Rng::new(4));
    let some = |&&n: &&u64| (5..4_000).contains(&n);
    assert!(
        simulations.iter().filter(some).count() > 5,
        "{simulations:?}"
    );
}

#[test]
fn a_search_that_is_overtaken_gives_no_answer() {
    let mut pair = Pair::open(&settings(2, 100_000));
    pair.board.exchange(b"0").expect("it runs");
    // The second greeting comes while the board thinks, long before the search would end.
    let answer = pair.board.exchange(b"250").expect("it runs");
    assert_eq!(answer.bytes, b"1DF");
    let status = pair.board.status().expect("it runs");
    assert!(!status.playing && status.simulations < 1_000, "{status:?}");
}

#[test]
fn a_board_that_searches_can_be_reset_at_any_time() {
    let mut pair = Pair::open(&settings(2, 60));
    // From power-up on, as while a clock is not stable yet.
    pair.board.reset().expect("it runs");
    pair.exchange(b"0");
    pair.exchange(b"25");
    let mut rng = Rng::new(6);
    for clocks in [100, 1_000, 3_000] {
        let request = reply(pair.twin.board(), &mut rng);
        let mut wave = LineWave::new(pair.board.divisor() as f64);
        wave.bytes(&request);
        pair.board.play(&wave).expect("it runs");
        pair.board.simulator().step(clocks).expect("it runs");
        pair.board.reset().expect("it runs");
        pair.board.rest().expect("it runs");
        // A reset lasts until the playouts under way are over.
        pair.board.simulator().step(1_500).expect("it runs");
        // The board has forgotten the game, and plays the next one like any other.
        let answer = pair.board.exchange(&request).expect("it runs");
        assert_eq!(answer.bytes, b"0000", "after {clocks} clocks");
        pair.exchange(b"0");
        pair.exchange(b"25");
    }
}

#[test]
fn verilator_with_one_lane() {
    games(Backend::Verilator, &settings(1, 100), 4, 3);
}

#[test]
fn verilator_with_two_lanes() {
    games(Backend::Verilator, &settings(2, 200), 4, 3);
}

#[test]
fn endings_are_proved_alike() {
    let settings = Settings {
        parameters: search::Parameters {
            nodes: 255,
            threshold: 3,
            rest: 16,
            ..settings(2, 0).parameters
        },
        ..settings(2, 1_500)
    };
    let mut unit = SearchUnit::open(Backend::Verilator, &settings, true).expect("it can be built");
    let mut rng = Rng::new(43);
    let (mut settled, mut proving) = (0, 0);
    for number in 0..6 {
        let game = Game::random(&mut rng);
        for (board, _) in game.turns.iter().filter(|(board, _)| choices(board) <= 30) {
            if board.count_legal() < 2 {
                continue;
            }
            set_up(&mut unit, board).expect("it runs");
            let heard = unit.think(board.to_move(), None).expect("it runs");
            let (found, told) = twin(&settings, board, settings.simulations.into());
            settled += u32::from(found.settled);
            let steps = told.iter().flat_map(|flight| &flight.path);
            proving += steps.filter(|step| step.better.is_some()).count();
            if let Err(divergence) = compare(&found, &told, &heard) {
                panic!("game {number}, ply {}: {divergence}", board.ply());
            }
        }
    }
    println!("{settled} searches settled, {proving} steps to prove");
    assert!(settled > 3 && proving > 100, "{settled}, {proving}");
}
