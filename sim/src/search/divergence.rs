//! First difference between the hardware search and its twin.

use std::cmp::Reverse;
use std::fmt;

use duoforge_twin::search::{SearchResult, Simulation};

use super::HardwareSearch;

/// First difference between the hardware and its twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Divergence {
    /// Different MCTS simulation; a side that made fewer simulations has `None`.
    Simulation {
        /// Number of the simulation, from 0.
        number: usize,
        /// Simulation of the twin.
        twin: Option<Simulation>,
        /// Simulation of the hardware.
        hardware: Option<Simulation>,
    },
    /// Different numbers of MCTS simulations: the twin's and the hardware's.
    Simulations(u64, u64),
    /// Different root moves with placement, visits and value: the twin's and the hardware's.
    Child(String, String),
    /// Different placements to play: the twin's and the hardware's.
    Best(String, String),
}

impl std::error::Error for Divergence {}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simulation {
                number,
                twin,
                hardware,
            } => {
                writeln!(f, "simulation {number} differs:")?;
                writeln!(f, "  twin     {}", told(twin.as_ref()))?;
                write!(f, "  hardware {}", told(hardware.as_ref()))
            }
            Self::Simulations(twin, hardware) => {
                write!(
                    f,
                    "the twin made {twin} simulations, the hardware {hardware}"
                )
            }
            Self::Child(twin, hardware) => {
                write!(
                    f,
                    "a child of the root is {twin}, in the hardware {hardware}"
                )
            }
            Self::Best(twin, hardware) => {
                write!(f, "the twin plays {twin}, the hardware {hardware}")
            }
        }
    }
}

/// Formats a simulation: its path through the tree, all its placements, and its value.
fn told(simulation: Option<&Simulation>) -> String {
    let Some(simulation) = simulation else {
        return "none".into();
    };
    let path = simulation.path.iter().map(|step| {
        let better = step.proven_alternative.map(|value| format!("<{value}"));
        let solved = if step.solved { "!" } else { "" };
        format!(
            "{}.{}{}{solved}",
            step.node,
            step.child,
            better.unwrap_or_default()
        )
    });
    let moves = simulation
        .moves
        .iter()
        .map(|(player, placement)| format!("{}:{}", player.0, placement.code()));
    let [path, moves] = [path.collect::<Vec<_>>(), moves.collect()].map(|all| all.join(" "));
    format!("path {path}; moves {moves}; value {}", simulation.value)
}

/// Compares a search in simulation with its twin; MCTS simulations are compared only with a trace.
///
/// # Errors
/// The first difference.
pub fn compare(
    found: &SearchResult,
    traced: &[Simulation],
    heard: &HardwareSearch,
) -> Result<(), Divergence> {
    if !heard.traced.is_empty() {
        for number in 0..traced.len().max(heard.traced.len()) {
            let (twin, hardware) = (traced.get(number), heard.traced.get(number));
            if twin != hardware {
                return Err(Divergence::Simulation {
                    number,
                    twin: twin.cloned(),
                    hardware: hardware.cloned(),
                });
            }
        }
    }
    if found.simulations != heard.simulations {
        return Err(Divergence::Simulations(
            found.simulations,
            heard.simulations,
        ));
    }
    let best = found.lines.first().map(|line| line.placement);
    if best != heard.best {
        let name = |best: Option<duoforge_rules::Placement>| {
            best.map_or("a pass".into(), |placement| placement.code().to_string())
        };
        return Err(Divergence::Best(name(best), name(heard.best)));
    }
    // The twin's lines start with the best move. The rest are sorted by visits, and by prior where
    // the visits are equal.
    let mut children = heard.children.clone();
    children.sort_by_key(|line| (Some(line.placement) != heard.best, Reverse(line.visits)));
    if children.is_empty() {
        return Ok(());
    }
    let differs = |i: &usize| found.lines.get(*i) != children.get(*i);
    match (0..found.lines.len().max(children.len())).find(differs) {
        Some(i) => Err(Divergence::Child(
            format!("{:?}", found.lines.get(i)),
            format!("{:?}", children.get(i)),
        )),
        None => Ok(()),
    }
}
