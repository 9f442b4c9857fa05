//! One decision of the search in hardware and by its twin, from any position, with any number of
//! simulations by the same model.

use std::cmp::Reverse;
use std::path::PathBuf;

use duoforge_hdl::pattern::scan;
use duoforge_hdl::search::searcher::ClockedSearchConfig;
use duoforge_hdl::search::settings::{SIMULATIONS, SearchConfig};
use duoforge_rules::{Colour, DuoBoard, Placement};
use duoforge_twin::search::prior::{Candidate, node_candidates};
use duoforge_twin::search::{Position, RootMove};

use super::difference::{Side, first};
use super::{Difference, HardwareSearch, LONGEST, SLACK, SearchUnit, set_up, twin};
use crate::backend::Backend;
use crate::error::{Result, SimError};
use crate::port::PortId;
use crate::simulator::Options;
use crate::waves::{Views, Wave, WaveFormat, complete};

/// Minimum number of simulations of a decision: a search that is stopped earlier may start further
/// ones, up to one on each lane.
pub const MIN_SIMULATIONS: u32 = 4;

/// Cycles between two polls of the caller.
const POLL: u64 = 20_000;

/// Decision of a search that is to be compared.
#[derive(Clone, Debug)]
pub struct SearchDecision {
    /// Simulator.
    pub backend: Backend,
    /// Settings of the search. Its limits do not apply, so that one model makes searches of any
    /// length.
    pub settings: SearchConfig,
    /// Position before the decision.
    pub board: DuoBoard,
    /// Number of simulations that ends the search: at least [`MIN_SIMULATIONS`], below 2^18.
    pub simulations: u32,
    /// Model cache and simulator timeout.
    pub options: Options,
}

/// Waveform of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchWave {
    /// File, in FST if its extension is `fst`, otherwise in VCD.
    pub file: PathBuf,
    /// Number of the simulation with which the waveform begins; it ends once that simulation is
    /// backed up. `None` begins with the legal set and ends with the first simulation.
    pub from: Option<u64>,
}

/// Decision by the hardware, or by its twin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// Legal set in the order of the scan.
    pub legal: Vec<Placement>,
    /// Children of the root in the order of their priors; empty if there is no choice.
    pub candidates: Vec<Placement>,
    /// Children of the root: the chosen one first, then by visit count and prior; empty if there is
    /// no choice.
    pub children: Vec<RootMove>,
    /// Placement that is played.
    pub best: Option<Placement>,
    /// Number of simulations.
    pub simulations: u64,
}

/// Decision of the hardware and of its twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchComparison {
    /// Decision of the twin.
    pub twin: Searched,
    /// Decision of the simulated hardware.
    pub hardware: Searched,
    /// Children of the root by prior, as the twin computes them; the hardware does not output the
    /// priors.
    pub priors: Vec<Candidate>,
    /// Cycles of the search in hardware.
    pub cycles: u64,
    /// First difference.
    pub difference: Option<Difference>,
    /// Waveform, if one was requested.
    pub wave: Option<Wave>,
}

impl SearchDecision {
    /// Searches with the twin and with the hardware, and compares both simulation by simulation.
    /// Returns `None` if the caller stopped it; `stops` is polled while the hardware searches.
    ///
    /// # Errors
    /// Errors of building and running the model, and of the file of the waveform.
    pub fn compare(
        &self,
        wave: Option<&SearchWave>,
        stops: &dyn Fn() -> bool,
    ) -> Result<Option<SearchComparison>> {
        let settings = ClockedSearchConfig {
            parameters: self.settings.parameters.clone(),
            seed: self.settings.seed,
            simulations: SIMULATIONS,
            cycles: u32::MAX,
            lines: self.settings.lines,
            ponder: false,
            book: None,
        };
        let options = Options {
            wave: wave.is_some(),
            ..self.options.clone()
        };
        let mut unit = SearchUnit::open_with(self.backend, &settings, true, &options)?;
        if stops() {
            return Ok(None);
        }
        set_up(&mut unit, &self.board)?;
        if let Some(wave) = wave.filter(|wave| wave.from.is_none()) {
            unit.sim.wave_start(&wave.vcd())?;
        }
        let legal = unit.list(0)?;
        let lanes = settings.parameters.lanes as u64;
        let marks = self.marks(wave, lanes);
        let Some(heard) = unit.think_to(self.board.to_move(), marks, stops)? else {
            return Ok(None);
        };
        let wave = match wave {
            // The search may be solved before the waveform begins.
            Some(wave) if wave.from.unwrap_or(0) <= heard.simulations => {
                unit.sim.wave_stop()?;
                let views = Views::of_search(self.backend, &unit.sim.ports());
                let (vcd, format) = (wave.vcd(), WaveFormat::of(&wave.file));
                Some(complete(&vcd, format, &views)?)
            }
            _ => None,
        };
        let (found, traced) = twin(&settings, &self.board, self.simulations.into());
        let parameters = &settings.parameters;
        let root = Position::new(&self.board);
        let mut priors = node_candidates(&root, parameters);
        let best = found.lines.first().map(|line| line.placement);
        // Without a choice the hardware reads no children.
        if priors.len() < 2 {
            priors.clear();
        }
        let expected = Searched {
            legal: scan::twin(&self.board),
            candidates: priors.iter().map(|it| it.placement).collect(),
            children: if priors.is_empty() {
                Vec::new()
            } else {
                found.lines
            },
            best,
            simulations: found.simulations,
        };
        let hardware = Searched::by_hardware(legal, &heard);
        let difference = first(
            Side {
                searched: &expected,
                simulations: &traced,
            },
            Side {
                searched: &hardware,
                simulations: &heard.traced,
            },
        );
        Ok(Some(SearchComparison {
            difference,
            twin: expected,
            cycles: heard.cycles.whole,
            hardware,
            priors,
            wave,
        }))
    }

    /// Actions at numbers of simulations, in order.
    fn marks(&self, wave: Option<&SearchWave>, lanes: u64) -> Vec<(u64, Mark)> {
        let mut marks = vec![(u64::from(self.simulations), Mark::Stop)];
        if let Some(wave) = wave {
            if let Some(from) = wave.from {
                marks.push((from, Mark::Record(wave.vcd())));
            }
            // The result of a simulation is backed up before the next one on its lane starts.
            let end = wave.from.unwrap_or(0) + lanes + 1;
            marks.push((end, Mark::Complete));
        }
        marks.sort_by_key(|(simulations, _)| *simulations);
        marks
    }
}

impl SearchWave {
    /// File that the simulator writes.
    fn vcd(&self) -> PathBuf {
        self.file.with_extension("vcd")
    }
}

impl Searched {
    fn by_hardware(legal: Vec<Placement>, heard: &HardwareSearch) -> Self {
        let mut children = heard.children.clone();
        children.sort_by_key(|child| (Some(child.placement) != heard.best, Reverse(child.visits)));
        Self {
            legal,
            candidates: heard.children.iter().map(|it| it.placement).collect(),
            children,
            best: heard.best,
            simulations: heard.simulations,
        }
    }

    /// Statistics of the placement that is played; `None` without a choice.
    #[must_use]
    pub fn chosen(&self) -> Option<&RootMove> {
        let mut children = self.children.iter();
        children.find(|child| Some(child.placement) == self.best)
    }
}

/// Action at a number of simulations.
enum Mark {
    /// Ends the search.
    Stop,
    /// Begins a waveform.
    Record(PathBuf),
    /// Completes the waveform.
    Complete,
}

/// Reason why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reached {
    /// The port has the value.
    Value,
    /// The search has ended before.
    End,
    /// The caller stopped it.
    Stop,
}

impl SearchUnit {
    /// Searches for a placement of side 0, with these actions at numbers of started simulations.
    fn think_to(
        &mut self,
        me: Colour,
        marks: Vec<(u64, Mark)>,
        stops: &dyn Fn() -> bool,
    ) -> Result<Option<HardwareSearch>> {
        self.sim.samples()?;
        self.pulse(self.ports.think)?;
        let [_, _, started] = self.ports.answer;
        let last = marks.last().map_or(0, |(simulations, _)| *simulations);
        let mut left = SLACK + LONGEST * last;
        for (simulations, mark) in marks {
            match self.wait(started, simulations, &mut left, stops)? {
                Reached::Value => {}
                Reached::End => break,
                Reached::Stop => return Ok(None),
            }
            match mark {
                Mark::Stop => self.pulse(self.ports.stop)?,
                Mark::Record(file) => self.sim.wave_start(&file)?,
                Mark::Complete => self.sim.wave_stop()?,
            }
        }
        match self.wait(self.ports.idle, 1, &mut left, stops)? {
            Reached::Stop => Ok(None),
            Reached::Value | Reached::End => self.heard(me).map(Some),
        }
    }

    /// Runs until the port has the value or the search has ended, for at most `left` cycles.
    fn wait(
        &mut self,
        port: PortId,
        value: u64,
        left: &mut u64,
        stops: &dyn Fn() -> bool,
    ) -> Result<Reached> {
        let allowed = *left;
        loop {
            if stops() {
                return Ok(Reached::Stop);
            }
            let run = self.sim.run_until(port, value, POLL)?;
            if run.reached {
                return Ok(Reached::Value);
            }
            if self.sim.peek(self.ports.idle)? == 1 {
                return Ok(Reached::End);
            }
            *left = left
                .checked_sub(run.cycles.max(1))
                .ok_or(SimError::NotIdle { cycles: allowed })?;
        }
    }
}
