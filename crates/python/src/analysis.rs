//! Engine analysis.

use std::time::Duration;

use duoforge_engine::{EngineResult, EngineSettings, RankedMove};
use duoforge_maxn::{MaxnResult, MaxnSettings, RootCandidate};
use duoforge_rules::{ActionSpace, Game, Move};
use duoforge_twin::search::Limit;
use pyo3::prelude::*;

use crate::errors::value_error;
use crate::game::PyGame;
use crate::moves::number;
use crate::search::{search_any, search_duo};
use crate::variant::duo_starts;

/// Greatest number of simulations of an analysis.
const MAX_SIMULATIONS: u64 = 1_000_000_000;

/// Greatest time of an analysis in milliseconds: one hour.
const MAX_MS: u64 = 3_600_000;

/// Time of an analysis without a limit, in milliseconds.
const DEFAULT_MS: u64 = 1_000;

/// Result of an analysis.
#[pyclass(module = "duoforge", frozen, get_all)]
pub(crate) struct Analysis {
    /// Name of the engine: `engine` or `maxn`.
    engine: &'static str,
    /// Code of the best move.
    best: String,
    /// Action number of the best move.
    action: u32,
    /// Expected result of the seat to move, from 0 (loss) to 1 (win); None if nothing is known,
    /// such as for the only legal move.
    value: Option<f64>,
    /// Expected results of all seats; empty if nothing is known.
    values: Vec<f64>,
    /// Expected margin in points for the seat to move, with `exact` the final one; only of `engine`.
    margin: Option<f64>,
    /// True if the endgame solver proved the margin.
    exact: bool,
    /// Root moves, the best first, then by visit count; empty if nothing was searched.
    candidates: Vec<Candidate>,
    /// Number of simulations.
    simulations: u64,
    /// Number of nodes of the tree.
    nodes: usize,
    /// True if the memory limit stopped the growth of the tree.
    memory_full: bool,
    /// Time in seconds.
    seconds: f64,
}

/// Root move of an analysis.
#[pyclass(module = "duoforge", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Candidate {
    /// Code of the move.
    code: String,
    /// Action number of the move.
    action: u32,
    /// Visit count.
    visits: u32,
    /// Prior, from 0 to 1.
    prior: f64,
    /// Mean value from 0 to 1 for the seat to move; includes the initial value and RAVE updates.
    value: f64,
    /// Codes of the principal variation; `maxn` reports the move alone.
    line: Vec<String>,
}

#[pymethods]
impl Analysis {
    fn __repr__(&self) -> String {
        let value = self
            .value
            .map_or("-".to_owned(), |value| format!("{value:.3}"));
        format!(
            "<Analysis best {}, value {value}, {} simulations of {}>",
            self.best, self.simulations, self.engine
        )
    }
}

#[pymethods]
impl Candidate {
    fn __repr__(&self) -> String {
        let Self {
            code,
            visits,
            value,
            ..
        } = self;
        format!("<Candidate {code}, {visits} visits, value {value:.3}>")
    }
}

/// Searches a position for `simulations` simulations or `ms` milliseconds (1000 by default) and
/// returns what the engine found. The interpreter is released, and Ctrl-C ends the search.
///
/// `engine` is `engine` for Blokus Duo and `maxn` for any variant; by default the first that plays
/// the variant. `threads` are those of `engine`; `memory` limits the tree, in MiB. With one thread
/// and a limit in simulations, equal seeds give equal results.
#[pyfunction]
#[pyo3(signature = (
    game, *, simulations=None, ms=None, threads=1, seed=1, memory=256, engine=None
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn analyse(
    py: Python<'_>,
    game: PyRef<'_, PyGame>,
    simulations: Option<u64>,
    ms: Option<u64>,
    threads: usize,
    seed: u64,
    memory: u64,
    engine: Option<&str>,
) -> PyResult<Analysis> {
    let limit = limit(simulations, ms)?;
    // The caller may change the game while the search runs.
    let game = {
        let copy = game.game.clone();
        drop(game);
        copy
    };
    if game.is_over() {
        return Err(value_error("the game is over: there is nothing to analyse"));
    }
    let starts = duo_starts(game.variant());
    let starts = match (engine, starts) {
        (None | Some("engine"), Some(starts)) => Some(starts),
        (None, None) | (Some("maxn"), _) => None,
        (Some("engine"), None) => {
            let name = game.variant().name();
            let message = format!("engine=engine plays duo alone, not {name}: expected maxn");
            return Err(value_error(message));
        }
        (Some(other), _) => {
            let message = format!("engine={other} does not exist: expected engine or maxn");
            return Err(value_error(message));
        }
    };
    let text = format!("seed={seed},memory={memory}");
    if let Some(starts) = starts {
        let text = format!("{text},threads={threads}");
        let settings: EngineSettings = text.parse().map_err(value_error)?;
        let found = search_duo(py, &game, starts, limit, settings)?;
        return Ok(of_engine(&game, &found));
    }
    if threads != 1 {
        let message = format!("threads={threads} is out of range: maxn has 1 thread");
        return Err(value_error(message));
    }
    let settings: MaxnSettings = text.parse().map_err(value_error)?;
    let found = search_any(py, &game, limit, &settings)?;
    found
        .map(|found| of_maxn(&game, &found))
        .ok_or_else(|| value_error("the game is over: there is nothing to analyse"))
}

fn limit(simulations: Option<u64>, ms: Option<u64>) -> PyResult<Limit> {
    let out_of_range = |key, value, max| {
        value_error(format!(
            "{key}={value} is out of range: expected 1 to {max}"
        ))
    };
    match (simulations, ms) {
        (Some(_), Some(_)) => Err(value_error(
            "the limit is not unique: expected either simulations or ms",
        )),
        (Some(count @ 1..=MAX_SIMULATIONS), None) => Ok(Limit::Simulations(count)),
        (Some(count), None) => Err(out_of_range("simulations", count, MAX_SIMULATIONS)),
        (None, Some(ms @ 1..=MAX_MS)) => Ok(Limit::Time(Duration::from_millis(ms))),
        (None, Some(ms)) => Err(out_of_range("ms", ms, MAX_MS)),
        (None, None) => Ok(Limit::Time(Duration::from_millis(DEFAULT_MS))),
    }
}

fn of_engine(game: &Game, found: &EngineResult) -> Analysis {
    let actions = game.actions();
    let value = found.value();
    let seat = game.seat_to_move().map_or(0, |seat| seat.index());
    let values = value.map(|value| {
        let mut values = vec![1.0 - value; 2];
        values[seat] = value;
        values
    });
    let margin = match found.solved {
        Some(solved) => Some(f64::from(solved.margin)),
        None => found.lines.first().and_then(|line| line.margin),
    };
    let candidate = |line: &RankedMove| Candidate {
        code: line.moves[0].to_string(),
        action: number(line.moves[0], &actions),
        visits: line.visits,
        prior: line.prior,
        value: line.value,
        line: line.moves.iter().map(Move::to_string).collect(),
    };
    Analysis {
        engine: "engine",
        best: found.mv.to_string(),
        action: number(found.mv, &actions),
        value,
        values: values.unwrap_or_default(),
        margin,
        exact: found.solved.is_some_and(|solved| solved.exact),
        candidates: found.lines.iter().map(candidate).collect(),
        simulations: found.simulations,
        nodes: found.nodes,
        memory_full: found.full,
        seconds: found.time.as_secs_f64(),
    }
}

fn of_maxn(game: &Game, found: &MaxnResult) -> Analysis {
    let actions = game.actions();
    let seat = game.seat_to_move().map_or(0, |seat| seat.index());
    Analysis {
        engine: "maxn",
        best: found.mv.to_string(),
        action: number(found.mv, &actions),
        value: found.values.get(seat).copied(),
        values: found.values.clone(),
        margin: None,
        exact: false,
        candidates: found
            .candidates
            .iter()
            .map(|it| of_root(it, &actions))
            .collect(),
        simulations: found.simulations,
        nodes: found.nodes,
        memory_full: found.is_full,
        seconds: found.time.as_secs_f64(),
    }
}

fn of_root(candidate: &RootCandidate, actions: &ActionSpace) -> Candidate {
    let mv = Move::Place(candidate.placement);
    Candidate {
        code: mv.to_string(),
        action: number(mv, actions),
        visits: candidate.visits,
        prior: candidate.prior,
        value: candidate.value,
        line: vec![mv.to_string()],
    }
}
