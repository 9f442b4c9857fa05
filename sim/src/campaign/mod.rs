//! Complete games of the simulated device, compared with the twin at every ply.

mod game;
mod pair;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::search::settings::{ClockedSearchConfig, SIMULATIONS};
use duoforge_protocol::BuildId;
use duoforge_twin::Policy;

use crate::backend::Backend;
use crate::device::SimDevice;
use crate::error::Result;
use crate::gates::Technology;
use crate::simulator::Options;

pub use game::GameReport;
pub use pair::{Checked, Lockstep, Mismatch, Shape};

/// Settings of a campaign: the games to play and the simulated device.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// Simulator.
    pub backend: Backend,
    /// Technology of the simulated netlist; `None` simulates the emitted Verilog.
    pub gates: Option<Technology>,
    /// Chooser of the device. If a search's simulation limit is below the hardware's maximum, the
    /// search ends by that limit alone; otherwise it also ends by time.
    pub player: PlayerConfig,
    /// Number of games; game `n` has the seed `seed + n`.
    pub games: u64,
    /// Seed of the first game.
    pub seed: u64,
    /// Directory for a waveform of each failed game.
    pub waves: Option<PathBuf>,
    /// Model cache and simulator timeout.
    pub options: Options,
    /// Build parameters of the player.
    pub parameters: PlayerParameters,
}

impl Campaign {
    /// Creates a campaign for a pattern player with a fast serial line (8 cycles per bit), so that
    /// most simulated cycles are spent on moves.
    pub fn new(backend: Backend, games: u64, seed: u64) -> Self {
        let parameters = PlayerParameters {
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
            player: PlayerConfig::Pattern,
            games,
            seed,
            waves: None,
            options: Options::default(),
            parameters,
        }
    }

    /// Returns the same campaign with another chooser.
    #[must_use]
    pub fn with(mut self, player: &PlayerConfig) -> Self {
        self.player = player.clone();
        if self.search().is_some() {
            // A search has its own limits, so the controller's limits are disabled.
            self.parameters.guard = u32::MAX;
            self.parameters.limit = u32::MAX;
        }
        self
    }

    /// Returns the search settings, or `None` for the pattern player.
    fn search(&self) -> Option<ClockedSearchConfig> {
        let PlayerConfig::Search(searching) = &self.player else {
            return None;
        };
        let mut settings = searching.on_clock(self.parameters.clock_hz);
        if settings.simulations < SIMULATIONS {
            settings.cycles = u32::MAX;
        }
        Some(settings)
    }

    /// Plays all games and calls `progress` after each one. A game ends at its first mismatch.
    ///
    /// # Errors
    /// Errors of building and running the model. A mismatch is not an error; the report lists it.
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
            cycles: board.cycles(),
            wall: started.elapsed(),
        })
    }

    fn open(&self, options: &Options) -> Result<SimDevice> {
        let (backend, parameters) = (self.backend, &self.parameters);
        let search = self.search();
        match (self.gates, &search) {
            (None, None) => SimDevice::open(backend, parameters, options),
            (None, Some(search)) => SimDevice::open_search(backend, parameters, search, options),
            (Some(gates), None) => SimDevice::open_gates(backend, gates, parameters, options),
            (Some(gates), Some(search)) => {
                SimDevice::open_search_gates(backend, gates, parameters, search, options)
            }
        }
    }

    fn pair<'b>(&self, board: &'b mut SimDevice) -> Lockstep<'b> {
        match self.search() {
            None => Lockstep::new(board, &self.parameters),
            Some(search) => Lockstep::searching(board, &self.parameters, &search),
        }
    }

    /// Replays a game with a waveform.
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

    /// Returns the command that replays one game of this campaign.
    pub fn replay_command(&self, seed: u64) -> String {
        let gates = self
            .gates
            .map_or(String::new(), |it| format!(" --gates {it}"));
        let player = match &self.player {
            PlayerConfig::Pattern => String::new(),
            search => format!(" --player {search}"),
        };
        format!(
            "duoforge sim --backend {}{player}{gates} --games 1 --seed {seed} --wave-on-failure .",
            self.backend
        )
    }
}

/// Result of a campaign.
#[derive(Clone, Debug)]
pub struct Report {
    /// Simulator.
    pub backend: Backend,
    /// Report of each game.
    pub games: Vec<GameReport>,
    /// Simulated cycles.
    pub cycles: u64,
    /// Wall-clock time, excluding the time to build the model.
    pub wall: Duration,
}

impl Report {
    /// Returns the number of move prompts whose replies were compared.
    pub fn plies(&self) -> u64 {
        self.games.iter().map(|game| game.plies).sum()
    }

    /// Returns the number of compared legal sets, of both sides.
    pub fn legal_sets(&self) -> u64 {
        self.games.iter().map(|game| game.legal_sets).sum()
    }

    /// Returns the number of games with a mismatch.
    pub fn mismatches(&self) -> usize {
        self.games
            .iter()
            .filter(|game| game.mismatch.is_some())
            .count()
    }

    /// Returns the simulated cycles per second of wall-clock time.
    pub fn cycles_per_second(&self) -> f64 {
        self.cycles as f64 / self.wall.as_secs_f64().max(1e-9)
    }

    /// Returns the longest reply delay of all plies in cycles: from the last stop bit of the prompt
    /// to the first start bit of the reply.
    pub fn longest_delay(&self) -> u64 {
        self.games
            .iter()
            .map(|game| game.longest_delay)
            .max()
            .unwrap_or(0)
    }
}
