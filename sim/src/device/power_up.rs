//! Power-up of simulated devices: either player, in any simulator, as emitted Verilog or as a
//! netlist.

use std::time::{Duration, Instant};

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_hdl::harness::sdram_board::SdramBoard;
use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::pattern::player::PatternPlayer;
use duoforge_hdl::search::player::block_ram::BlockRamPlayer;
use duoforge_hdl::search::player::sdram;
use duoforge_hdl::search::searcher::ClockedSearchConfig;
use duoforge_hdl::verilog::emit::{self, TOP};

use super::{DevicePlayer, Owed, Ports, SimDevice};
use crate::backend::Backend;
use crate::error::{Result, SimError};
use crate::gates::{Technology, synthesised};
use crate::open::{emitted, open, open_design, open_large};
use crate::search::max_cycles;
use crate::simulator::{Options, Simulator};
use crate::uart::UartDriver;
use crate::verilog_player::VerilogPlayer;

/// Cycles of the reset at power-up of a contestant's player.
const RESET: u64 = 32;

/// Name of the top module of a player with its SDRAM.
const SDRAM_TOP: &str = "duoforge_sdram_board";

/// Opens a search player, with a model of the SDRAM if it has one.
fn open_lanes<const LANES: usize>(
    backend: Backend,
    parameters: &PlayerParameters,
    settings: &ClockedSearchConfig,
    options: &Options,
) -> Result<Box<dyn Simulator>> {
    if settings.lines.is_none() {
        let player = || BlockRamPlayer::<LANES>::new(parameters, settings);
        return open_large(backend, player, TOP, options);
    }
    let sdram = sdram::controller(parameters.clock_hz).map_err(|error| SimError::BadDesign {
        top: SDRAM_TOP.into(),
        reason: error.to_string(),
    })?;
    let board = || SdramBoard::<LANES>::new(parameters, settings, sdram);
    open_large(backend, board, SDRAM_TOP, options)
}

impl SimDevice {
    /// Powers up a device with the given chooser. A search takes its time limit from the clock
    /// frequency of `parameters`.
    ///
    /// # Errors
    /// Errors of building and starting the model; see [`open`].
    pub fn open_chooser(
        backend: Backend,
        parameters: &PlayerParameters,
        chooser: &PlayerConfig,
        options: &Options,
    ) -> Result<Self> {
        match chooser {
            PlayerConfig::Pattern => Self::open(backend, parameters, options),
            PlayerConfig::Search(searching) => {
                let settings = searching.on_clock(parameters.clock_hz);
                Self::open_search(backend, parameters, &settings, options)
            }
        }
    }

    /// Powers up a pattern player.
    ///
    /// # Errors
    /// Errors of building and starting the model; see [`open`].
    pub fn open(
        backend: Backend,
        parameters: &PlayerParameters,
        options: &Options,
    ) -> Result<Self> {
        let sim = open(backend, PatternPlayer::new(parameters), TOP, options)?;
        Self::new(sim, parameters)
    }

    /// Powers up a search player with one, two or four playout cores, as set by `settings`.
    ///
    /// # Errors
    /// Errors of building and starting the model; see [`open`].
    pub fn open_search(
        backend: Backend,
        parameters: &PlayerParameters,
        settings: &ClockedSearchConfig,
        options: &Options,
    ) -> Result<Self> {
        let (p, s) = (parameters, settings);
        let sim = match settings.parameters.lanes {
            1 => open_lanes::<1>(backend, p, s, options)?,
            2 => open_lanes::<2>(backend, p, s, options)?,
            _ => open_lanes::<4>(backend, p, s, options)?,
        };
        Ok(Self::new(sim, parameters)?.with_limit(settings))
    }

    /// Extends the limit of a decision to that of a search without a time limit.
    fn with_limit(mut self, settings: &ClockedSearchConfig) -> Self {
        if settings.cycles == u32::MAX {
            self.limit = self.limit.max(max_cycles(settings.simulations));
        }
        self
    }

    /// Powers up a pattern player at gate level: its Verilog after synthesis.
    ///
    /// # Errors
    /// Errors of synthesis and of building and starting the model; see [`synthesised`] and
    /// [`open_design`].
    pub fn open_gates(
        backend: Backend,
        technology: Technology,
        parameters: &PlayerParameters,
        options: &Options,
    ) -> Result<Self> {
        let design = emitted(&mut PatternPlayer::new(parameters), TOP)?;
        let netlist = synthesised(&design, technology, backend, options)?;
        Self::new(open_design(backend, &netlist, options)?, parameters)
    }

    /// Wraps a player that has just been powered up.
    fn new(mut sim: Box<dyn Simulator>, parameters: &PlayerParameters) -> Result<Self> {
        let divisor = u64::from(parameters.divisor());
        let uart = UartDriver::new(&mut *sim, "rx", "tx", divisor as f64)?;
        let id = |name: &str| sim.port(name);
        let ports = Ports {
            reset: id("reset")?,
            thinking: Some(id("thinking")?),
            status: Some([id("playing")?, id("flags")?, id("think_cycles")?]),
            // Each player has exactly one of these two ports.
            legal_count: id("legal_count").ok(),
            simulations: id("simulations").ok(),
            pondered: id("pondered").ok(),
        };
        let traces = if ports.legal_count.is_some() {
            let ports = ["trace_side", "trace_orientation", "trace_x", "trace_y"];
            let ports = ports.map(id).into_iter().collect::<Result<Vec<_>>>()?;
            let [trace_valid, score_valid, score] = ["trace_valid", "score_valid", "score"].map(id);
            let (trace_valid, score_valid, score) = (trace_valid?, score_valid?, score?);
            let placements = sim.sample(trace_valid, &ports)?;
            Some([placements, sim.sample(score_valid, &[score])?])
        } else {
            None
        };
        Ok(Self {
            sim,
            uart,
            clock_hz: parameters.clock_hz,
            divisor,
            limit: 2 * u64::from(parameters.clock_hz),
            ports,
            owed: None,
            traces,
            early: Vec::new(),
            anchor: (Instant::now(), Duration::ZERO),
        })
    }

    /// Powers up any player with the parameters of its kind: see
    /// [`open_chooser`](Self::open_chooser) and [`open_verilog`](Self::open_verilog).
    ///
    /// # Errors
    /// Errors of building and starting the model.
    pub fn open_player(
        backend: Backend,
        parameters: &PlayerParameters,
        player: &DevicePlayer,
        options: &Options,
    ) -> Result<Self> {
        match player {
            DevicePlayer::Emitted(chooser) => {
                Self::open_chooser(backend, parameters, chooser, options)
            }
            DevicePlayer::Verilog(player) => Self::open_verilog(backend, player, options),
        }
    }

    /// Powers up and resets a contestant's player, which has no status ports.
    ///
    /// # Errors
    /// Errors of reading the sources and of building and starting the model.
    pub fn open_verilog(
        backend: Backend,
        player: &VerilogPlayer,
        options: &Options,
    ) -> Result<Self> {
        let mut sim = open_design(backend, &player.design(backend)?, options)?;
        let [reset, rx] = [sim.port("reset")?, sim.port("rx")?];
        sim.poke(rx, 1)?;
        sim.poke(reset, 1)?;
        sim.step(RESET)?;
        sim.poke(reset, 0)?;
        let parameters = PlayerParameters::contest(player.clock_hz);
        let divisor = u64::from(parameters.divisor());
        let uart = UartDriver::new(&mut *sim, "rx", "tx", divisor as f64)?;
        Ok(Self {
            sim,
            uart,
            clock_hz: player.clock_hz,
            divisor,
            limit: 2 * u64::from(player.clock_hz),
            ports: Ports {
                reset,
                thinking: None,
                status: None,
                legal_count: None,
                simulations: None,
                pondered: None,
            },
            owed: Some(Owed::default()),
            traces: None,
            early: Vec::new(),
            anchor: (Instant::now(), Duration::ZERO),
        })
    }

    /// Powers up a search player at gate level: its Verilog after synthesis.
    ///
    /// # Errors
    /// As [`open_gates`](Self::open_gates).
    pub fn open_search_gates(
        backend: Backend,
        technology: Technology,
        parameters: &PlayerParameters,
        settings: &ClockedSearchConfig,
        options: &Options,
    ) -> Result<Self> {
        let design = emit::searching(parameters, settings);
        let design = design.map_err(|error| SimError::BadDesign {
            top: TOP.into(),
            reason: error.to_string(),
        })?;
        let netlist = synthesised(&design, technology, backend, options)?;
        let device = Self::new(open_design(backend, &netlist, options)?, parameters)?;
        Ok(device.with_limit(settings))
    }
}

#[cfg(test)]
mod tests {
    use duoforge_hdl::design::{Design, Port};
    use duoforge_hdl::search::settings::SearchConfig;

    use super::*;
    use crate::campaign::{Campaign, Lockstep};

    /// Returns a device that thinks for 5,000 cycles after the start of a byte, and never replies.
    fn slow() -> Design {
        let verilog = "
module slow(clock, reset, rx, tx, thinking, playing, flags, think_cycles);
  input clock, reset, rx;
  output tx, thinking, playing;
  output [5:0] flags;
  output [31:0] think_cycles;
  reg [31:0] left;
  initial left = 0;
  assign tx = 1;
  assign thinking = left != 0;
  assign playing = 0;
  assign flags = 0;
  assign think_cycles = left;
  always @(posedge clock)
    if (thinking) left <= left - 1;
    else if (!rx) left <= 5000;
endmodule
";
        Design {
            top: "slow".into(),
            verilog: verilog.into(),
            ports: vec![
                Port::input("clock", 1),
                Port::input("reset", 1),
                Port::input("rx", 1),
                Port::output("tx", 1),
                Port::output("thinking", 1),
                Port::output("playing", 1),
                Port::output("flags", 6),
                Port::output("think_cycles", 32),
            ],
        }
    }

    #[test]
    fn only_a_search_without_a_time_limit_may_last_longer_than_two_seconds() {
        let parameters = PlayerParameters {
            clock_hz: 800,
            baud: 100,
            ..Campaign::new(Backend::Icarus, 1, 1).parameters
        };
        let searching: SearchConfig = "sims=7".parse().expect("a search");
        for (cycles, limit, differing) in [
            (u32::MAX, 240_000, "the answer"),
            (u32::MAX - 1, 1_600, "the time of the reply"),
        ] {
            let settings = ClockedSearchConfig {
                cycles,
                ..searching.on_clock(parameters.clock_hz)
            };
            let model = open_design(Backend::Icarus, &slow(), &Options::default());
            let device = SimDevice::new(model.expect("a model"), &parameters);
            let mut device = device.expect("a device").with_limit(&settings);
            assert_eq!(device.limit(), limit);
            let mut pair = Lockstep::searching(&mut device, &parameters, &settings);
            let checked = pair.ask(0, b"0").expect("it runs");
            let mismatch = checked.mismatch.expect("it never replies");
            assert_eq!(mismatch.what, differing, "{mismatch}");
            assert_eq!(checked.status.thinking, limit == 1_600);
        }
    }
}
