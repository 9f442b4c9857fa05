//! Where the hardware's search and its twin part.

use std::cmp::Reverse;
use std::fmt;

use duoforge_engine::search::{Flight, Found};

use super::Heard;

/// The first thing in which the hardware differs from its twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Divergence {
    /// A simulation, counted from 0; what both say of it, as far as they made it.
    Flight {
        /// Which one.
        number: usize,
        /// The twin's.
        twin: Option<Flight>,
        /// The hardware's.
        hardware: Option<Flight>,
    },
    /// How many simulations were made, by the twin and by the hardware.
    Simulations(u64, u64),
    /// A child of the root, with its placement, visits and value, by the twin and by the hardware.
    Child(String, String),
    /// What is played, by the twin and by the hardware.
    Best(String, String),
}

impl std::error::Error for Divergence {}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flight {
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

/// A simulation as text: its steps down the tree, all its placements, and its value.
fn told(flight: Option<&Flight>) -> String {
    let Some(flight) = flight else {
        return "none".into();
    };
    let path = flight.path.iter().map(|step| {
        let better = step.better.map(|value| format!("<{value}"));
        let settled = if step.settled { "!" } else { "" };
        format!(
            "{}.{}{}{settled}",
            step.node,
            step.child,
            better.unwrap_or_default()
        )
    });
    let moves = flight
        .moves
        .iter()
        .map(|(player, placement)| format!("{}:{}", player.0, placement.code()));
    let [path, moves] = [path.collect::<Vec<_>>(), moves.collect()].map(|all| all.join(" "));
    format!("path {path}; moves {moves}; value {}", flight.value)
}

/// Holds a search in simulation against its twin; simulations only if there was a trace.
///
/// # Errors
/// The first difference.
pub fn compare(found: &Found, flights: &[Flight], heard: &Heard) -> Result<(), Divergence> {
    if !heard.flights.is_empty() {
        for number in 0..flights.len().max(heard.flights.len()) {
            let (twin, hardware) = (flights.get(number), heard.flights.get(number));
            if twin != hardware {
                return Err(Divergence::Flight {
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
    // Behind the best one the twin's lines are sorted by visits, and stay in the order of their priors where
    // those are equal.
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
