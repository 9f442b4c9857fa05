//! Search player and its twin, which receive the same bytes.

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::search::searcher::ClockedSearchConfig;
use duoforge_protocol::TeamCode;
use duoforge_rules::{DuoBoard, Move};
use duoforge_sim::device::{Answer, SimDevice};
use duoforge_sim::{Backend, Options};
use duoforge_twin::search::Search;
use duoforge_twin::{Rng, SearchChooser, Twin};

/// Device and its twin.
pub struct Pair {
    pub board: SimDevice,
    pub twin: Twin,
}

impl Pair {
    pub fn open(parameters: &PlayerParameters, settings: &ClockedSearchConfig) -> Self {
        Self::open_in(Backend::Verilator, parameters, settings)
    }

    pub fn open_in(
        backend: Backend,
        parameters: &PlayerParameters,
        settings: &ClockedSearchConfig,
    ) -> Self {
        let board = SimDevice::open_search(backend, parameters, settings, &Options::default());
        Self {
            board: board.expect("the model can be built"),
            twin: twin(parameters, settings),
        }
    }

    /// Replaces the twin by one with other settings.
    pub fn set_twin(&mut self, parameters: &PlayerParameters, settings: &ClockedSearchConfig) {
        self.twin = twin(parameters, settings);
    }

    /// Sends bytes to both and compares their replies. The twin runs as many MCTS simulations as
    /// the device reports.
    pub fn exchange(&mut self, bytes: &[u8]) -> Answer {
        let answer = self.board.exchange(bytes).expect("it runs");
        let status = self.board.status().expect("it runs");
        self.twin.set_simulations(status.simulations.into());
        self.twin.set_pondered(status.pondered.into());
        let frames = bytes.iter().filter_map(|&byte| self.twin.receive(byte));
        let expected: Vec<u8> = frames.flat_map(|frame| frame.as_bytes().to_vec()).collect();
        let sent = String::from_utf8_lossy(bytes);
        assert_eq!(answer.bytes, expected, "to {sent:?}: {status:?}");
        answer
    }

    /// Plays a game against an opponent with random moves until both sides pass, for at most
    /// `moves` replies. Calls `judge` with each reply.
    pub fn game(&mut self, rng: &mut Rng, moves: usize, mut judge: impl FnMut(&mut Self, &Answer)) {
        self.exchange(b"0");
        let mut request = b"25".to_vec();
        let mut passes = 0;
        for _ in 0..moves {
            let answer = self.exchange(&request);
            judge(self, &answer);
            passes = if answer.bytes == b"0000" {
                passes + 1
            } else {
                0
            };
            if passes == 2 {
                break;
            }
            request = match rng.below(30) {
                0 => b"40000".to_vec(),
                _ => reply(self.twin.board(), rng),
            };
        }
    }

    /// Returns the MCTS simulations of the last reply.
    pub fn simulations(&self) -> u64 {
        self.twin.decision().expect("a request").simulations
    }
}

fn twin(parameters: &PlayerParameters, settings: &ClockedSearchConfig) -> Twin {
    let chooser = SearchChooser {
        search: Search::new(settings.parameters.clone(), settings.seed),
        simulations: settings.simulations.into(),
        book: settings.book,
    };
    let team = TeamCode::new(parameters.team).expect("two letters");
    Twin::new(team, chooser)
}

/// Returns a prompt with a random move of the opponent.
pub fn reply(board: &DuoBoard, rng: &mut Rng) -> Vec<u8> {
    let count = board.count_legal();
    let mv = match count {
        0 => Move::Pass,
        _ => Move::Place(board.legal().nth(rng.below(count) as usize).expect("one")),
    };
    prompt(mv)
}

/// Returns a prompt with a move of the opponent.
pub fn prompt(mv: Move) -> Vec<u8> {
    [b"4".as_slice(), &mv.to_code_bytes()].concat()
}
