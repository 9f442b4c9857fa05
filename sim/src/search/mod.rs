//! Hardware search in simulation, compared with its twin.
//!
//! The hardware's [`Searcher`] is driven through its ports, without the serial line, and traces
//! every MCTS simulation. [`compare`] returns the first difference.

use std::mem;

use duoforge_hdl::harness::cached_searcher::CachedSearcherUnit;
use duoforge_hdl::search::placement_list::StepWord;
use duoforge_hdl::search::position_ring::code;
use duoforge_hdl::search::searcher::{ClockedSearchConfig, Searcher};
use duoforge_hdl::search::tree::bank::END;
use duoforge_hdl::word::PlacementWord;
use duoforge_rules::{Bitboard, Colour, Duo, DuoBoard, Orientation, Placement};
use duoforge_twin::search::tree::PathStep;
use duoforge_twin::search::{RootMove, Search, SearchResult, Simulation};

use crate::backend::Backend;
use crate::error::{Result, SimError};
use crate::open::open_large;
use crate::port::{ListId, PortId};
use crate::simulator::{Options, Simulator};

mod comparison;
mod decision;
mod difference;
mod divergence;
mod set_up;
pub mod work;

pub use comparison::{Comparison, ComparisonError, Measured, fixed_game, walk};
pub use decision::{MIN_SIMULATIONS, SearchComparison, SearchDecision, SearchWave, Searched};
pub use difference::Difference;
pub use divergence::{Divergence, compare};
pub use set_up::{set_up, set_up_for};

/// Cycle allowance of a request, excluding its MCTS simulations.
const SLACK: u64 = 100_000;

/// Upper bound on the cycles of one MCTS simulation.
const LONGEST: u64 = 20_000;

/// Returns an upper bound on the cycles of a search that ends by its number of MCTS simulations.
pub(crate) fn max_cycles(simulations: u32) -> u64 {
    SLACK + LONGEST * u64::from(simulations)
}

/// Hardware search in a simulator.
pub struct SearchUnit {
    sim: Box<dyn Simulator>,
    simulations: u32,
    ports: Ports,
    moves: Option<[ListId; 2]>,
    children: ListId,
    listed: ListId,
}

struct Ports {
    clear: PortId,
    start_is_a: PortId,
    side: PortId,
    place: PortId,
    placement: PortId,
    list: PortId,
    think: PortId,
    ponder: PortId,
    pondered: PortId,
    stop: PortId,
    idle: PortId,
    answer: [PortId; 3],
    counters: [PortId; 4],
}

/// Result of a search in simulation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HardwareSearch {
    /// Placement that is played.
    pub best: Option<Placement>,
    /// Number of MCTS simulations.
    pub simulations: u64,
    /// All MCTS simulations in the order of their starts; empty without a trace.
    pub traced: Vec<Simulation>,
    /// Root moves in the order of their priors; empty if there was no choice.
    pub children: Vec<RootMove>,
    /// Busy cycles per unit.
    pub cycles: Cycles,
}

/// Cycle counts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cycles {
    /// Total cycles of the search.
    pub whole: u64,
    /// Cycles in which the tree was busy.
    pub tree: u64,
    /// Cycles in which the expander was busy.
    pub expander: u64,
    /// Cycles in which a lane was busy, summed over the lanes.
    pub lanes: u64,
}

impl std::fmt::Debug for SearchUnit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SearchUnit")
            .field("backend", &self.sim.backend())
            .finish_non_exhaustive()
    }
}

impl SearchUnit {
    /// Opens a search with the number of lanes in its parameters: one, two or four. With `trace` it
    /// reports all MCTS simulations, which takes memory.
    ///
    /// # Errors
    /// Errors of building and starting the model; see [`crate::open()`].
    pub fn open(backend: Backend, settings: &ClockedSearchConfig, trace: bool) -> Result<Self> {
        Self::open_with(backend, settings, trace, &Options::default())
    }

    /// Opens a search as [`open`](Self::open), with these options.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(
        backend: Backend,
        settings: &ClockedSearchConfig,
        trace: bool,
        options: &Options,
    ) -> Result<Self> {
        let top = "searcher";
        let cached = "cached_searcher_unit";
        let sim = match (settings.parameters.lanes, settings.lines) {
            (1, None) => open_large(backend, || Searcher::<1>::new(settings), top, options),
            (2, None) => open_large(backend, || Searcher::<2>::new(settings), top, options),
            (_, None) => open_large(backend, || Searcher::<4>::new(settings), top, options),
            (1, _) => {
                let unit = || CachedSearcherUnit::<1>::new(settings);
                open_large(backend, unit, cached, options)
            }
            (2, _) => {
                let unit = || CachedSearcherUnit::<2>::new(settings);
                open_large(backend, unit, cached, options)
            }
            _ => {
                let unit = || CachedSearcherUnit::<4>::new(settings);
                open_large(backend, unit, cached, options)
            }
        };
        Self::of(sim?, settings.simulations, trace)
    }

    fn of(mut sim: Box<dyn Simulator>, simulations: u32, trace: bool) -> Result<Self> {
        let port = |name: &str| sim.port(name);
        let ports = Ports {
            clear: port("clear")?,
            start_is_a: port("start_is_a")?,
            side: port("side")?,
            place: port("place")?,
            placement: port("placement")?,
            list: port("list")?,
            think: port("think")?,
            ponder: port("ponder")?,
            pondered: port("pondered")?,
            stop: port("stop")?,
            idle: port("idle")?,
            answer: [port("found")?, port("best")?, port("simulations")?],
            counters: [
                port("cycles")?,
                port("tree_cycles")?,
                port("expander_cycles")?,
                port("lane_cycles")?,
            ],
        };
        let mut list = |valid: &str, values: &[&str]| {
            let values = values.iter().map(|name| sim.port(name));
            let values = values.collect::<Result<Vec<_>>>()?;
            let valid = sim.port(valid)?;
            sim.sample(valid, &values)
        };
        let children = list(
            "trace_read",
            &[
                "trace_placement",
                "trace_visits",
                "trace_value",
                "trace_proven",
            ],
        )?;
        let listed = list("listed", &["listed_placement"])?;
        let moves = if trace {
            Some([
                list("trace_end", &["trace_result"])?,
                list("trace_valid", &["trace_step"])?,
            ])
        } else {
            None
        };
        Ok(Self {
            simulations,
            ports,
            moves,
            children,
            listed,
            sim,
        })
    }

    /// Starts a game. Side 0 starts at (a,a) if `start_is_a` is set, else at (5,5).
    ///
    /// # Errors
    /// Errors of the model.
    pub fn begin(&mut self, start_is_a: bool) -> Result<()> {
        self.sim.poke(self.ports.start_is_a, start_is_a.into())?;
        self.request(self.ports.clear, SLACK)
    }

    /// Places a tile of side 0 or 1.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn place(&mut self, side: u64, placement: Placement) -> Result<()> {
        self.sim.poke(self.ports.side, side)?;
        self.sim
            .poke(self.ports.placement, code(placement).into())?;
        self.request(self.ports.place, SLACK)
    }

    /// Returns the legal set of side 0 or 1, ordered by row, column and orientation.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn list(&mut self, side: u64) -> Result<Vec<Placement>> {
        self.sim.samples()?;
        self.sim.poke(self.ports.side, side)?;
        self.request(self.ports.list, SLACK)?;
        let samples = self.sim.samples()?.into_iter();
        let listed = samples.filter(|sample| sample.list == self.listed);
        listed.map(|sample| placement(sample.values[0])).collect()
    }

    /// Searches for a placement of side 0. With `stop_after`, the stop signal is pulsed after this
    /// number of cycles.
    ///
    /// # Errors
    /// Errors of the model; [`SimError::NotIdle`] if the search does not end.
    pub fn think(&mut self, me: Colour, stop_after: Option<u64>) -> Result<HardwareSearch> {
        self.search(self.ports.think, me, stop_after)
    }

    /// Searches for a reply of side 1, as [`think`](Self::think) for side 0. The result has neither a
    /// placement nor a number of simulations.
    ///
    /// # Errors
    /// As [`think`](Self::think).
    pub fn ponder(&mut self, me: Colour, stop_after: Option<u64>) -> Result<HardwareSearch> {
        let mut heard = self.search(self.ports.ponder, me, stop_after)?;
        (heard.best, heard.simulations) = (None, 0);
        Ok(heard)
    }

    /// Returns the number of simulations of the [`ponder`](Self::ponder) before the last
    /// [`think`](Self::think), or 0.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn pondered(&mut self) -> Result<u64> {
        self.sim.peek(self.ports.pondered)
    }

    fn search(
        &mut self,
        request: PortId,
        me: Colour,
        stop_after: Option<u64>,
    ) -> Result<HardwareSearch> {
        self.sim.samples()?;
        if let Some(cycles) = stop_after {
            self.pulse(request)?;
            self.sim.step(cycles)?;
            self.request(self.ports.stop, SLACK)?;
        } else {
            self.request(request, max_cycles(self.simulations))?;
        }
        self.heard(me)
    }

    /// Reads the result of a search that has ended, and its trace.
    fn heard(&mut self, me: Colour) -> Result<HardwareSearch> {
        let answer = self.sim.peek_all(&self.ports.answer)?;
        let counters = self.sim.peek_all(&self.ports.counters)?;
        let mut heard = HardwareSearch {
            best: match answer[0] {
                1 => Some(placement(answer[1])?),
                _ => None,
            },
            simulations: answer[2],
            cycles: Cycles {
                whole: counters[0],
                tree: counters[1],
                expander: counters[2],
                lanes: counters[3],
            },
            ..HardwareSearch::default()
        };
        let lists = self.moves;
        // The result of a simulation follows its placements.
        let (mut path, mut moves) = (Vec::new(), Vec::new());
        for sample in self.sim.samples()? {
            let value = sample.values[0];
            if sample.list == self.children {
                heard.children.push(RootMove {
                    placement: placement(value)?,
                    visits: sample.values[1] as u32,
                    value: sample.values[2] as u32,
                    proven: sample.values[3] == 1,
                });
            } else if lists.is_some_and(|[ends, _]| sample.list == ends) {
                heard.traced.push(Simulation {
                    path: mem::take(&mut path),
                    moves: mem::take(&mut moves),
                    value: value as u32,
                });
            } else if lists.is_some_and(|[_, moves]| sample.list == moves) {
                let player = if value >> StepWord::SIDE & 1 == 0 {
                    me
                } else {
                    me.opponent()
                };
                moves.push((player, placement(value)?));
                if value >> StepWord::IN_PATH & 1 == 1 {
                    path.push(PathStep {
                        node: (value >> StepWord::NODE & u64::from(END)) as u32,
                        child: (value >> StepWord::CHILD & 31) as usize,
                        proven_alternative: (value >> StepWord::ALTERNATIVE & 1 == 1)
                            .then_some((value >> StepWord::VALUE) as u32),
                        solved: value >> StepWord::SOLVED & 1 == 1,
                    });
                }
            }
        }
        Ok(heard)
    }

    /// Returns the cycles since power-up.
    pub fn cycles(&self) -> u64 {
        self.sim.cycles()
    }

    fn pulse(&mut self, port: PortId) -> Result<()> {
        self.sim.poke(port, 1)?;
        self.sim.step(1)?;
        self.sim.poke(port, 0)
    }

    /// Raises a port for one cycle and waits until the unit is idle.
    fn request(&mut self, port: PortId, most: u64) -> Result<()> {
        self.pulse(port)?;
        match self.sim.run_until(self.ports.idle, 1, most)?.reached {
            true => Ok(()),
            false => Err(SimError::NotIdle { cycles: most }),
        }
    }
}

/// Decodes a placement from its bus value, a [`PlacementWord`].
fn placement(value: u64) -> Result<Placement> {
    let orientation = Orientation::from_index((value & 127) as usize);
    let placement = orientation.map(|orientation| {
        let [x, y] = [PlacementWord::X, PlacementWord::Y].map(|at| (value >> at & 15) as u8);
        Placement::new(orientation, x, y)
    });
    placement
        .filter(|&placement| Bitboard::<Duo>::from_placement(placement).is_some())
        .ok_or(SimError::NoPlacement { value })
}

/// Runs the twin of a search in simulation. Returns its result and all its MCTS simulations.
pub fn twin(
    settings: &ClockedSearchConfig,
    board: &DuoBoard,
    simulations: u64,
) -> (SearchResult, Vec<Simulation>) {
    let mut traced = Vec::new();
    let mut search = Search::new(settings.parameters.clone(), settings.seed);
    let found = search.run_traced(
        board,
        |done| done < simulations,
        |simulation| traced.push(simulation.clone()),
    );
    (found, traced)
}
