//! Tree search against a slow model of it, step by step, and against nodes made by hand.

#[path = "../common/mod.rs"]
mod common;
mod hand_made;
mod model;
mod node;

use duoforge_rules::DuoBoard;
use duoforge_twin::search::{Formulas, Search, SearchParameters};

use common::random_position;
use model::{Met, Model};

/// Runs a search and the model of it; returns what they met.
fn check(search: &mut Search, p: &SearchParameters, seed: u64, board: &DuoBoard, sims: u64) -> Met {
    let mut simulations = Vec::new();
    let found = search.run_traced(
        board,
        |done| done < sims,
        |simulation| simulations.push(simulation.clone()),
    );
    let mut model = Model::new(p, seed, board);
    for simulation in &simulations {
        model.follow(simulation);
    }
    while let Some(simulation) = model.in_flight.pop_front() {
        model.back_up(&simulation);
    }
    let solved = simulations.last().is_some_and(|last| last.path[0].solved);
    let count = simulations.len() as u64;
    assert_eq!((found.solved, found.simulations), (solved, count));
    let is_choice = model.nodes[0].children.len() > 1;
    assert!(count == if is_choice { sims } else { 0 } || solved);
    let lines = found.lines.iter().map(|line| {
        let value = i128::from(line.value);
        (line.placement, line.visits, value, line.proven)
    });
    let children = &model.nodes[0].children;
    let ranking = model.nodes[0].ranking(&p.formulas).into_iter();
    let expected = ranking.map(|i| {
        let child = &children[i];
        (
            child.placement,
            child.visits,
            child.value(),
            child.is_proven,
        )
    });
    assert!(lines.eq(expected));
    model.met
}

/// Parameters that between them reach every branch of the search.
fn parameters() -> Vec<SearchParameters> {
    let base = SearchParameters {
        expand_threshold: 4,
        ..SearchParameters::default()
    };
    let in_hardware = SearchParameters {
        children: 12,
        expand_threshold: 2,
        nodes: 60,
        value_count_cap: 5,
        rave_weight_max: 30,
        rave_decay: 300,
        rave_child_max: 9,
        rave_parent_max: 150,
        lanes: 3,
        ..base.clone()
    };
    let formulas = Formulas {
        value_count_divisor: true,
        value_count_bits: 24,
        fpu_root: true,
        expand_ply: 40,
        replies: 2,
        margin_bonus: 12_288,
        length_bonus: 4_096,
        final_wins: true,
        ..Formulas::default()
    };
    let widening = Formulas {
        first_children: 2,
        widen: 7,
        playout_weights: true,
        replies: 1,
        length_bonus: 9_000,
        ..Formulas::default()
    };
    vec![
        in_hardware,
        SearchParameters {
            formulas,
            lanes: 2,
            ..SearchParameters::of_software()
        },
        SearchParameters {
            formulas: widening,
            fpu_reduction: 0,
            exploration: 200,
            ..base.clone()
        },
        // Value counts at their ends: with 16 bits they stay there, with 24 bits they pass 65,535.
        SearchParameters {
            fpu_weight: 65_464,
            rave_weight_max: 250,
            exploration: 4_096,
            ..base.clone()
        },
        SearchParameters {
            fpu_weight: 65_519,
            formulas: Formulas {
                value_count_bits: 24,
                ..Formulas::default()
            },
            rave_weight_max: 0,
            rave_weight_min: 9,
            lanes: 2,
            ..base
        },
    ]
}

/// Every step of every simulation, and the result, from the opening to the end of a game.
#[test]
fn searches_are_those_of_the_model() {
    let mut met = Met::default();
    for (number, p) in parameters().into_iter().enumerate() {
        let seed = 11 + number as u64;
        // One search for all positions: nothing of an earlier one is left.
        let mut search = Search::new(p.clone(), seed);
        for ply in [0, 5, 11, 16, 19, 21, 23, 25] {
            let board = random_position(seed, ply);
            // The game may be over.
            if board.ply() < ply {
                break;
            }
            let new = check(&mut search, &p, seed, &board, 300);
            met.alternatives += new.alternatives;
            met.solved += new.solved;
            met.ends += new.ends;
            met.forced_passes += new.forced_passes;
            met.full += new.full;
        }
    }
    let Met {
        alternatives,
        solved,
        ends,
        forced_passes,
        full,
    } = met;
    let all = [alternatives, solved, ends, forced_passes, full];
    assert!(all.iter().all(|&count| count > 10), "{met:?}");
}
