//! Complete games of the simulated board, held against the twin at every ply.

mod game;
mod junit;
mod pair;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use duoforge_engine::Policy;
use duoforge_hdl::chooser::Chooser;
use duoforge_hdl::player::Parameters;
use duoforge_hdl::search::settings::{SIMULATIONS, Settings};
use duoforge_protocol::BuildId;

use crate::board::SimBoard;
use crate::error::Result;
use crate::gates::Technology;
use crate::simulator::{Backend, Options};

pub use game::GameReport;
pub use pair::{Checked, Mismatch, Pair, Shape};

/// Games to be played, and how.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// In which simulator.
    pub backend: Backend,
    /// Which technology's netlist to simulate; `None`: the emitted Verilog itself.
    pub gates: Option<Technology>,
    /// What chooses the board's placements. A search ends by simulations alone where fewer are asked
    /// for than it can make, else by time.
    pub player: Chooser,
    /// How many games; the game number `n` has the seed `seed + n`.
    pub games: u64,
    /// Seed of the first game.
    pub seed: u64,
    /// Folder for a waveform of each game that fails.
    pub waves: Option<PathBuf>,
    /// Where built models are kept and how long a simulator may be silent.
    pub options: Options,
    /// The board.
    pub parameters: Parameters,
}

impl Campaign {
    /// Games on a board whose serial line is as fast as it can be, so that the time goes into moves.
    pub fn new(backend: Backend, games: u64, seed: u64) -> Self {
        let parameters = Parameters {
            clock_hz: 8_000_000,
            baud: 1_000_000,
            gap: 4_000,
            guard: 7_000_000,
            limit: 7_500_000,
            team: *b"DF",
            build: BuildId(0),
            policy: Policy::default(),
        };
        Self {
            backend,
            gates: None,
            player: Chooser::Pattern,
            games,
            seed,
            waves: None,
            options: Options::default(),
            parameters,
        }
    }

    /// The same games on a board with this chooser.
    #[must_use]
    pub fn with(mut self, player: &Chooser) -> Self {
        self.player = player.clone();
        if self.search().is_some() {
            // A search ends by itself.
            self.parameters.guard = u32::MAX;
            self.parameters.limit = u32::MAX;
        }
        self
    }

    /// What the board searches with, if it searches.
    fn search(&self) -> Option<Settings> {
        let Chooser::Search(searching) = &self.player else {
            return None;
        };
        let mut settings = searching.on_clock(self.parameters.clock_hz);
        if settings.simulations < SIMULATIONS {
            settings.clocks = u32::MAX;
        }
        Some(settings)
    }

    /// Plays all games, telling `progress` of each one that is over. A game ends at its first
    /// mismatch.
    ///
    /// # Errors
    /// Those of building and running the model. A mismatch is no error: it is in the report.
    pub fn run(&self, mut progress: impl FnMut(&GameReport)) -> Result<Report> {
        let mut board = self.open(&self.options)?;
        let started = Instant::now();
        let mut games = Vec::new();
        for number in 0..self.games {
            let mut report = self.pair(&mut board).play(self.seed.wrapping_add(number))?;
            if let Some(folder) = report.mismatch.as_ref().and(self.waves.as_ref()) {
                report.wave = Some(self.record(folder, report.seed)?);
            }
            progress(&report);
            games.push(report);
        }
        Ok(Report {
            backend: self.backend,
            games,
            clocks: board.clocks(),
            wall: started.elapsed(),
        })
    }

    fn open(&self, options: &Options) -> Result<SimBoard> {
        let (backend, parameters) = (self.backend, &self.parameters);
        let search = self.search();
        match (self.gates, &search) {
            (None, None) => SimBoard::open(backend, parameters, options),
            (None, Some(search)) => SimBoard::open_search(backend, parameters, search, options),
            (Some(gates), None) => SimBoard::open_gates(backend, gates, parameters, options),
            (Some(gates), Some(search)) => {
                SimBoard::open_search_gates(backend, gates, parameters, search, options)
            }
        }
    }

    fn pair<'b>(&self, board: &'b mut SimBoard) -> Pair<'b> {
        match self.search() {
            None => Pair::new(board, &self.parameters),
            Some(search) => Pair::searching(board, &self.parameters, &search),
        }
    }

    /// Plays a game again with a waveform.
    fn record(&self, folder: &std::path::Path, seed: u64) -> Result<PathBuf> {
        let options = Options {
            wave: true,
            ..self.options.clone()
        };
        let mut board = self.open(&options)?;
        let file = folder.join(format!("game-{seed}.vcd"));
        board.wave(&file)?;
        self.pair(&mut board).play(seed)?;
        board.simulator().wave_stop()?;
        Ok(file)
    }

    /// The command that plays one game of this campaign again.
    pub fn replay_command(&self, seed: u64) -> String {
        let gates = self
            .gates
            .map_or(String::new(), |it| format!(" --gates {it}"));
        let player = match &self.player {
            Chooser::Pattern => String::new(),
            search => format!(" --player {search}"),
        };
        format!(
            "duoforge sim --backend {}{player}{gates} --games 1 --seed {seed} --wave-on-failure .",
            self.backend
        )
    }
}

/// What came of a campaign.
#[derive(Clone, Debug)]
pub struct Report {
    /// The simulator.
    pub backend: Backend,
    /// Each game.
    pub games: Vec<GameReport>,
    /// Clocks simulated.
    pub clocks: u64,
    /// Time it took, the building of the model not included.
    pub wall: Duration,
}

impl Report {
    /// Requests for a move that were answered and compared.
    pub fn plies(&self) -> u64 {
        self.games.iter().map(|game| game.plies).sum()
    }

    /// Legal sets that were compared, of either side.
    pub fn legal_sets(&self) -> u64 {
        self.games.iter().map(|game| game.legal_sets).sum()
    }

    /// Games in which something differed.
    pub fn mismatches(&self) -> usize {
        self.games
            .iter()
            .filter(|game| game.mismatch.is_some())
            .count()
    }

    /// Clocks simulated in a second.
    pub fn clocks_per_second(&self) -> f64 {
        self.clocks as f64 / self.wall.as_secs_f64().max(1e-9)
    }

    /// Clocks from the last stop bit of a request to the first start bit of the answer: the longest
    /// of all plies.
    pub fn longest_delay(&self) -> u64 {
        self.games
            .iter()
            .map(|game| game.longest_delay)
            .max()
            .unwrap_or(0)
    }

    /// The report as a JUnit file, one test case a game.
    pub fn junit(&self, campaign: &Campaign) -> String {
        junit::write(self, campaign)
    }
}
