//! First difference of one decision between the hardware search and its twin, in words.

use std::collections::BTreeSet;

use duoforge_rules::{Colour, Placement};
use duoforge_twin::search::Simulation;
use duoforge_twin::search::tree::PathStep;

use super::decision::Searched;

/// First difference between the twin and the hardware, in the order of the search: legal set,
/// children of the root, simulations, result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Name of the value.
    pub what: String,
    /// Value of the twin.
    pub twin: String,
    /// Value of the hardware.
    pub hardware: String,
    /// Number of the first MCTS simulation that differs, from 0; the number of all of them if only
    /// the result differs; `None` if the search begins with a difference.
    pub simulation: Option<u64>,
}

impl Difference {
    fn new(what: impl Into<String>, values: [String; 2], simulation: Option<u64>) -> Self {
        let [twin, hardware] = values;
        Self {
            what: what.into(),
            twin,
            hardware,
            simulation,
        }
    }
}

/// Returns the first difference. Each side has its decision and its simulations.
pub(super) fn first(twin: Side<'_>, hardware: Side<'_>) -> Option<Difference> {
    let both = [twin.searched, hardware.searched];
    legal_set(both)
        .or_else(|| candidates(both))
        .or_else(|| {
            let pairs = twin.simulations.iter().zip(hardware.simulations);
            (0..)
                .zip(pairs)
                .find_map(|(number, (twin, hardware))| simulation(number, [twin, hardware]))
        })
        .or_else(|| result(both))
}

/// Decision of one side with its simulations.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) searched: &'a Searched,
    pub(super) simulations: &'a [Simulation],
}

fn legal_set(both: [&Searched; 2]) -> Option<Difference> {
    let [twin, hardware] = both.map(|side| side.legal.iter().copied().collect::<BTreeSet<_>>());
    let placements = |all: &[Placement], other: &BTreeSet<Placement>| {
        let only = all.iter().filter(|placement| !other.contains(placement));
        let only: Vec<_> = only.take(4).map(ToString::to_string).collect();
        match only.is_empty() {
            true => format!("{} placements", all.len()),
            false => format!("{} placements, {} only here", all.len(), only.join(" ")),
        }
    };
    let [a, b] = both.map(|side| &side.legal);
    if twin != hardware {
        let values = [placements(a, &hardware), placements(b, &twin)];
        return Some(Difference::new("the legal set", values, None));
    }
    let at = (0..a.len().max(b.len())).find(|&i| a.get(i) != b.get(i))?;
    let values = [a, b].map(|all| code(all.get(at)));
    let what = format!("placement {at} of the legal set");
    Some(Difference::new(what, values, None))
}

/// Children of the root in the order of their priors, as both searches begin with them.
fn candidates(both: [&Searched; 2]) -> Option<Difference> {
    let [twin, hardware] = both.map(|side| &side.candidates);
    let at = (0..twin.len().max(hardware.len())).find(|&i| twin.get(i) != hardware.get(i))?;
    let values = [twin, hardware].map(|all| code(all.get(at)));
    let what = format!("child {at} of the root by prior");
    Some(Difference::new(what, values, None))
}

/// First difference of a simulation: in its path through the tree, its playout, or its result.
fn simulation(number: u64, both: [&Simulation; 2]) -> Option<Difference> {
    let [twin, hardware] = both;
    let new = |what: String, values| {
        let what = format!("simulation {number}: {what}");
        Some(Difference::new(what, values, Some(number)))
    };
    let place = |depth: usize, step: &PathStep| match depth {
        0 => "at the root".to_owned(),
        _ => {
            let moves = twin.moves[..depth].iter().map(|(_, mv)| mv.to_string());
            let moves: Vec<_> = moves.collect();
            format!("in node {} after {}", step.node, moves.join(" "))
        }
    };
    for (depth, (a, b)) in twin.path.iter().zip(&hardware.path).enumerate() {
        if (a.node, a.child) != (b.node, b.child) {
            let values = both.map(|it| mv(it.moves.get(depth)));
            return new(format!("the selected child {}", place(depth, a)), values);
        }
        if (a.proven_alternative, a.solved) != (b.proven_alternative, b.solved) {
            let values = [a, b].map(|step| {
                let value = step.proven_alternative.map(|value| value.to_string());
                let solved = if step.solved { ", solved" } else { "" };
                value.unwrap_or("none".to_owned()) + solved
            });
            return new(format!("the proven value {}", place(depth, a)), values);
        }
    }
    if twin.path.len() != hardware.path.len() {
        let values = both.map(|it| it.path.len().to_string());
        return new("the length of the path".to_owned(), values);
    }
    let plies = 0..twin.moves.len().max(hardware.moves.len());
    let differs = |&ply: &usize| twin.moves.get(ply) != hardware.moves.get(ply);
    if let Some(ply) = plies.into_iter().find(differs) {
        let values = both.map(|it| mv(it.moves.get(ply)));
        return new(format!("placement {ply}"), values);
    }
    let values = both.map(|it| it.value.to_string());
    (twin.value != hardware.value)
        .then(|| new("the result".to_owned(), values))
        .flatten()
}

fn result(both: [&Searched; 2]) -> Option<Difference> {
    let [twin, hardware] = both;
    let new = |what: String, values| {
        let simulations = twin.simulations.min(hardware.simulations);
        Some(Difference::new(what, values, Some(simulations)))
    };
    if twin.simulations != hardware.simulations {
        let values = both.map(|side| side.simulations.to_string());
        return new("the number of simulations".to_owned(), values);
    }
    // Equal candidates, so that each child is on both sides.
    for mv in &twin.candidates {
        let [a, b] = both.map(|side| side.children.iter().find(|child| child.placement == *mv));
        let (Some(a), Some(b)) = (a, b) else { continue };
        for (what, values) in [
            ("visits", [a.visits, b.visits]),
            ("value", [a.value, b.value]),
        ] {
            if values[0] != values[1] {
                return new(
                    format!("the {what} of {mv}"),
                    values.map(|it| it.to_string()),
                );
            }
        }
        if a.proven != b.proven {
            let values = [a, b].map(|it| if it.proven { "proven" } else { "not proven" });
            return new(format!("the proof of {mv}"), values.map(str::to_owned));
        }
    }
    let values = both.map(|side| code(side.best.as_ref()));
    (twin.best != hardware.best)
        .then(|| new("the choice".to_owned(), values))
        .flatten()
}

fn code(placement: Option<&Placement>) -> String {
    placement.map_or("none".to_owned(), ToString::to_string)
}

fn mv(mv: Option<&(Colour, Placement)>) -> String {
    code(mv.map(|(_, placement)| placement))
}

#[cfg(test)]
mod tests {
    use duoforge_rules::DuoBoard;

    use super::*;

    fn step(child: usize) -> PathStep {
        PathStep {
            node: 0,
            child,
            proven_alternative: None,
            solved: false,
        }
    }

    fn searched(legal: &[Placement]) -> Searched {
        Searched {
            legal: legal.to_vec(),
            candidates: legal[..2].to_vec(),
            best: Some(legal[0]),
            simulations: 1,
            ..Searched::default()
        }
    }

    /// First difference if the hardware's side is changed.
    fn difference(
        searched: &Searched,
        simulation: &Simulation,
        change: impl FnOnce(&mut Searched, &mut Simulation),
    ) -> Option<[String; 3]> {
        let (mut changed, mut other) = (searched.clone(), simulation.clone());
        change(&mut changed, &mut other);
        let side = |searched, simulation| Side {
            searched,
            simulations: std::slice::from_ref(simulation),
        };
        let found = first(side(searched, simulation), side(&changed, &other));
        found.map(|it| [it.what, it.twin, it.hardware])
    }

    #[test]
    fn the_first_difference_is_that_of_the_earliest_value() {
        let legal: Vec<Placement> = DuoBoard::duo().legal().collect();
        let [a, b, c] = [0, 1, 2].map(|i| legal[i].to_string());
        let searched = searched(&legal);
        let [me, other] = [Colour(0), Colour(1)];
        let simulation = Simulation {
            path: vec![step(0), PathStep { node: 1, ..step(3) }],
            moves: vec![(me, legal[0]), (other, legal[1]), (me, legal[2])],
            value: 9,
        };
        let of = |change: &dyn Fn(&mut Searched, &mut Simulation)| {
            difference(&searched, &simulation, change).map(|it| it.join("|"))
        };
        assert_eq!(of(&|_, _| ()), None);
        let fewer = of(&|searched, simulation| {
            searched.legal.remove(0);
            simulation.value = 0;
        });
        let text = format!("the legal set|414 placements, {a} only here|413 placements");
        assert_eq!(fewer, Some(text));
        let scan = of(&|searched, _| searched.legal.swap(1, 2));
        let text = format!("placement 1 of the legal set|{b}|{c}");
        assert_eq!(scan, Some(text));
        let order = of(&|searched, _| searched.candidates.swap(0, 1));
        assert_eq!(order, Some(format!("child 0 of the root by prior|{a}|{b}")));
        let root = of(&|_, simulation| {
            simulation.path[0].child = 1;
            simulation.moves[0].1 = legal[1];
        });
        let text = format!("simulation 0: the selected child at the root|{a}|{b}");
        assert_eq!(root, Some(text));
        let deep = of(&|_, simulation| {
            simulation.path[1].child = 4;
            simulation.moves[1].1 = legal[2];
        });
        let text = format!("simulation 0: the selected child in node 1 after {a}|{b}|{c}");
        assert_eq!(deep, Some(text));
        let proven = of(&|_, simulation| simulation.path[0].proven_alternative = Some(7));
        let text = "simulation 0: the proven value at the root|none|7";
        assert_eq!(proven, Some(text.to_owned()));
        let short = of(&|_, simulation| simulation.path.truncate(1));
        let text = "simulation 0: the length of the path|2|1";
        assert_eq!(short, Some(text.to_owned()));
        let playout = of(&|_, simulation| simulation.moves.truncate(2));
        let text = format!("simulation 0: placement 2|{c}|none");
        assert_eq!(playout, Some(text));
        let value = of(&|_, simulation| simulation.value = 8);
        assert_eq!(value, Some("simulation 0: the result|9|8".to_owned()));
        let best = of(&|searched, _| searched.best = None);
        assert_eq!(best, Some(format!("the choice|{a}|none")));
        let count = of(&|searched, _| searched.simulations = 2);
        assert_eq!(count, Some("the number of simulations|1|2".to_owned()));
    }
}
