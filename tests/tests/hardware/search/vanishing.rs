//! Tests of search players whose SDRAM vanishes during a game, after its self-test: the pins read as
//! all ones, so the search computes with nodes that it never wrote. Each reply is still legal.

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::search::searcher::ClockedSearchConfig;
use duoforge_rules::{DuoBoard, Move, Variant};
use duoforge_sim::device::SimDevice;
use duoforge_sim::uart::LineWave;
use duoforge_sim::{Backend, Options};
use duoforge_twin::Rng;

use super::pair::reply;
use super::sdram::{POWER_UP, four_lanes};
use crate::support::share::share;

/// Games; the test command plays a share of them.
const GAMES: usize = 10;

/// Cycles in which the search of a prompt ends without a fault.
const SEARCH: u32 = 40_000;

/// Reply limit in cycles.
const LIMIT: u32 = 80_000;

/// Returns parameters of a device that sends a pass if its search never ends.
fn parameters() -> PlayerParameters {
    PlayerParameters {
        baud: 5_000_000,
        deadline_cycles: 60_000,
        reply_limit_cycles: LIMIT,
        ..PlayerParameters::contest(50_000_000)
    }
}

/// Games with an SDRAM that comes and goes.
struct Games {
    device: SimDevice,
    rng: Rng,
    /// Replies with a placement after the SDRAM has vanished for the first time in its game.
    placements: usize,
    /// Passes with a legal placement on the board.
    passes: usize,
}

impl Games {
    fn open(settings: &ClockedSearchConfig) -> Self {
        let (backend, options) = (Backend::Verilator, Options::default());
        let device = SimDevice::open_search(backend, &parameters(), settings, &options);
        let mut games = Self {
            device: device.expect("the model can be built"),
            rng: Rng::new(51),
            placements: 0,
            passes: 0,
        };
        games.device.simulator().step(POWER_UP).expect("it runs");
        games
    }

    /// Sends a prompt; the SDRAM vanishes or returns at a random time of the search.
    fn exchange(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut wave = LineWave::new(self.device.divisor() as f64);
        wave.bytes(bytes);
        self.device.play(&wave).expect("it runs");
        let (delay, absent) = (self.rng.below(SEARCH), self.rng.below(2));
        let sim = self.device.simulator();
        let port = sim.port("absent").expect("an input of the chip");
        sim.step(delay.into()).expect("it runs");
        sim.poke(port, absent.into()).expect("it runs");
        let mut received = self.device.drain().expect("it runs");
        if received.is_empty() {
            // The search of the prompt before has not ended: this one waits for the reply limit.
            self.device.simulator().step(LIMIT.into()).expect("it runs");
            received = self.device.drain().expect("it runs");
        }
        received.iter().map(|received| received.byte).collect()
    }

    fn play(&mut self) {
        assert_eq!(self.exchange(b"0"), b"1DF", "the reply to 0");
        let mut board = DuoBoard::new(&Variant::ENDLESS_DUO);
        let mut request = b"25".to_vec();
        loop {
            let bytes = self.exchange(&request);
            let code = bytes.try_into().expect("a reply of four bytes");
            let mv = Move::from_code_bytes(code).expect("a code");
            if mv == Move::Pass {
                self.passes += usize::from(board.count_legal() > 0);
            } else {
                self.placements += 1;
            }
            if let Err(error) = board.play(mv) {
                panic!("{mv} after {}: {error}", board.ply());
            }
            request = reply(&board, &mut self.rng);
            let code = request[1..].try_into().expect("four bytes");
            let answer = Move::from_code_bytes(code).expect("a code");
            if (mv, answer) == (Move::Pass, Move::Pass) {
                break;
            }
            board.play(answer).expect("a legal move");
        }
    }
}

#[test]
fn a_board_whose_sdram_vanishes_in_a_game_makes_no_illegal_move() {
    let mut games = Games::open(&four_lanes());
    for _ in 0..share(GAMES) {
        games.play();
    }
    println!("{} placements, {} passes", games.placements, games.passes);
    assert!(games.placements > share(GAMES) * 4);
}
