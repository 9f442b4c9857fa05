//! Complete games of the simulated device, compared with the twin at every ply.

mod game;
mod known_game;
mod pair;
mod report;
mod run;

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::search::settings::{ClockedSearchConfig, SIMULATIONS};
use duoforge_protocol::BuildId;
use duoforge_twin::Policy;

use crate::backend::Backend;
use crate::device::{SDRAM_CLOCK_HZ, SimDevice};
use crate::error::Result;
use crate::gates::Technology;
use crate::simulator::Options;
use crate::waves::{Span, Views, Wave, Waves, complete};

pub use game::GameReport;
pub use known_game::{Comparison, Decided, Followed, KnownGame};
pub use pair::{Checked, Lockstep, Mismatch, Shape};
pub use report::Report;

/// Number of successive games without a reset of the device between them. Game `n` follows a reset
/// if `n` is a multiple of it, so the result of a game depends on at most one game before it, and
/// on no other setting of the campaign.
pub const GAMES_PER_RESET: u64 = 2;

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
    /// Number of simulators that play at the same time, each in a process; at least 1. The results
    /// do not depend on it.
    pub jobs: u16,
    /// Waveforms of failed games.
    pub waves: Option<Waves>,
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
            inter_byte_timeout_cycles: 4_000,
            deadline_cycles: 7_000_000,
            reply_limit_cycles: 7_500_000,
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
            jobs: 1,
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
            self.parameters.deadline_cycles = u32::MAX;
            self.parameters.reply_limit_cycles = u32::MAX;
        }
        if player.has_sdram() {
            self.parameters.clock_hz = SDRAM_CLOCK_HZ;
            self.parameters.baud = SDRAM_CLOCK_HZ / 8;
        }
        self
    }

    /// Returns the search settings, or `None` for the pattern player.
    fn search(&self) -> Option<ClockedSearchConfig> {
        let PlayerConfig::Search(searching) = &self.player else {
            return None;
        };
        let mut settings = searching.on_clock(self.parameters.clock_hz);
        if searching.simulations < SIMULATIONS {
            settings.cycles = u32::MAX;
        }
        Some(settings)
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

    /// Replays a failed game with a waveform. The games since the last reset precede it.
    fn record(&self, waves: &Waves, number: u64, failed: &GameReport) -> Result<Wave> {
        let options = Options {
            wave: true,
            ..self.options.clone()
        };
        let mut device = self.open(&options)?;
        let views = Views::new(self.backend, &device.simulator().ports());
        let first = number - number % GAMES_PER_RESET;
        if first > 0 {
            device.reset()?;
        }
        for earlier in first..number {
            self.pair(&mut device).play(self.seed_of(earlier))?;
        }
        let vcd = waves.directory.join(self.name_of(number) + ".vcd");
        let from = match waves.span {
            Span::Ply => failed.exchanges.saturating_sub(1),
            Span::Game => 0,
        };
        let mut pair = self.pair(&mut device);
        pair.play_recorded(self.seed_of(number), Some((&vcd, from)))?;
        device.simulator().wave_stop()?;
        complete(&vcd, waves.format, &views)
    }

    /// Returns the seed of a game by its number.
    #[must_use]
    pub const fn seed_of(&self, number: u64) -> u64 {
        self.seed.wrapping_add(number)
    }

    /// Returns the name of a game by its number: `game-` and its seed.
    #[must_use]
    pub fn name_of(&self, number: u64) -> String {
        format!("game-{}", self.seed_of(number))
    }

    /// Returns the number of the game with a name, or with a seed; `None` if there is none.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<u64> {
        let seed: u64 = name.strip_prefix("game-").unwrap_or(name).parse().ok()?;
        let number = seed.wrapping_sub(self.seed);
        (number < self.games).then_some(number)
    }

    /// Returns the command that replays the game with a seed of this campaign, with a waveform.
    #[must_use]
    pub fn replay_command(&self, seed: u64) -> String {
        let gates = self
            .gates
            .map_or(String::new(), |it| format!(" --gates {it}"));
        let player = match &self.player {
            PlayerConfig::Pattern => String::new(),
            search => format!(" --player {search}"),
        };
        // The game may depend on those since the last reset.
        let earlier = seed.wrapping_sub(self.seed) % GAMES_PER_RESET;
        let only = match earlier {
            0 => String::new(),
            _ => format!(" --only game-{seed}"),
        };
        format!(
            "duoforge sim --backend {}{player}{gates} --games {} --seed {}{only} --wave-on-failure .",
            self.backend,
            earlier + 1,
            seed.wrapping_sub(earlier),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_found_by_name_and_seed() {
        let campaign = Campaign::new(Backend::Icarus, 3, u64::MAX);
        assert_eq!(campaign.name_of(0), "game-18446744073709551615");
        assert_eq!(campaign.name_of(2), "game-1");
        for (name, number) in [
            ("game-1", Some(2)),
            ("0", Some(1)),
            ("game-2", None),
            ("x", None),
        ] {
            assert_eq!(campaign.find(name), number, "{name}");
        }
    }

    #[test]
    fn a_search_ends_by_time_only_without_a_limit_of_simulations() {
        let limits = |text: &str| {
            let player = text.parse().expect("a player");
            let campaign = Campaign::new(Backend::Icarus, 1, 1).with(&player);
            let settings = campaign.search().expect("a search");
            (settings.simulations, settings.cycles)
        };
        assert_eq!(limits("search:ms=5"), (262_143, 40_000));
        assert_eq!(limits("search:ms=5,sims=9"), (9, u32::MAX));
        assert_eq!(limits("search:ms=5,ponder=1"), (131_071, 40_000));
        assert_eq!(
            limits("search:ms=5,ponder=1,sims=200000"),
            (131_071, u32::MAX)
        );
    }

    #[test]
    fn a_replay_begins_with_the_reset_before_the_game() {
        let campaign = Campaign::new(Backend::Icarus, 10, 7);
        assert_eq!(
            campaign.replay_command(9),
            "duoforge sim --backend icarus --games 1 --seed 9 --wave-on-failure ."
        );
        assert_eq!(
            campaign.replay_command(10),
            "duoforge sim --backend icarus --games 2 --seed 9 --only game-10 --wave-on-failure ."
        );
    }
}
