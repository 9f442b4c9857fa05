//! Tests of the network that ships, against scores that the program which trained it computed.

use duoforge_rules::DuoBoard;

use super::super::node_candidates;
use super::*;
use crate::search::{Formulas, SearchParameters};

/// First game of the recipe's training data.
const GAME: &str = "56u0 a9u0 88p4 b5o1 abs0 8aq3 d9l0 48r3 9do2 25t2 c4j0 6cl5 43t3 \
                    92s0 a1c2 12g0 68b0 74j2 4bk4 51k6 19q0 2am7 2dr3 86c2 ebm0";

#[test]
fn scores_are_those_of_the_program_that_trained_the_network() {
    let network = PriorNetwork::shipped();
    let mut phases = Vec::new();
    // By `outputs` of crates/lab/training/prior_network.py: number of plies, scores of cells and tiles.
    for line in include_str!("outputs.txt").lines() {
        let numbers = line.split_whitespace().map(|number| number.parse());
        let numbers: Vec<i16> = numbers.collect::<Result<_, _>>().expect("numbers");
        let (plies, scores) = (numbers[0] as usize, &numbers[1..]);
        let mut board = DuoBoard::duo();
        for code in GAME.split_whitespace().take(plies) {
            board.play(code.parse().expect("a code")).expect("legal");
        }
        let position = Position::new(&board);
        let phase = phase(&position);
        phases.push(phase);
        let cells = cell_scores(network, &position);
        let cells = cells.into_iter().flat_map(|(_, scores)| scores);
        let own: Vec<_> = cells.chain(network.tiles[phase]).collect();
        assert_eq!(own, scores, "after {plies} plies");
    }
    assert_eq!(phases, [0, 0, 1, 2, 3]);
}

/// A placement's score is that of its tile and the sum over its cells, edges and corners on the board.
#[test]
fn candidates_are_ranked_by_the_scores() {
    let network = PriorNetwork::shipped();
    let board = DuoBoard::duo();
    let position = Position::new(&board);
    let scores = cell_scores(network, &position);
    let sum = |cells: Bitboard<Duo>, score: usize| -> i32 {
        let of_cells = scores.iter().filter(|(cell, _)| cells.contains(*cell));
        of_cells
            .map(|(_, scores)| i32::from(scores[score]) * STEP)
            .sum()
    };
    let p = SearchParameters {
        formulas: Formulas {
            prior_network: true,
            ..Formulas::default()
        },
        ..SearchParameters::default()
    };
    let candidates = node_candidates(&position, &p);
    assert_eq!(candidates.len(), p.children);
    let scores = candidates.iter().map(|candidate| {
        let cells = Bitboard::<Duo>::from_placement(candidate.placement).expect("on the board");
        let edges = cells.edge_neighbours();
        let corners = cells.diagonal_neighbours() - cells - edges;
        let tile = network.tiles[0][candidate.placement.tile().index()];
        i32::from(tile) + sum(cells, 0) + sum(edges, 1) + sum(corners, 2)
    });
    let scores: Vec<_> = scores.collect();
    let gaps = scores
        .iter()
        .map(|score| (scores[0] - score).min(255) as u32);
    assert!(gaps.eq(candidates.iter().map(|candidate| candidate.score_gap)));
    assert_ne!(
        candidates,
        node_candidates(&position, &SearchParameters::default())
    );
}

#[test]
fn outputs_and_scores_use_their_ranges() {
    let network = PriorNetwork::shipped();
    let mut board = DuoBoard::duo();
    let (mut all_outputs, mut all_scores) = (Vec::new(), Vec::new());
    for code in GAME.split_whitespace() {
        board.play(code.parse().expect("a code")).expect("legal");
        let position = Position::new(&board);
        let sums = network.sums(&planes(&position));
        for cell in Bitboard::<Duo>::FULL.iter() {
            let outputs = network.outputs(&sums[entry(cell)], phase(&position));
            all_scores.extend(network.cell_scores(&outputs));
            all_outputs.extend(outputs);
        }
    }
    let range = |values: &[i16]| (values.iter().min().copied(), values.iter().max().copied());
    assert_eq!(range(&all_outputs), (Some(0), Some(MAX_OUTPUT as i16)));
    let (least, most) = (all_scores.iter().min(), all_scores.iter().max());
    assert!(least < Some(&(MIN_SCORE as i16 / 2)) && most > Some(&(-MIN_SCORE as i16 / 2)));
}

#[test]
fn outputs_and_scores_are_limited() {
    let mut network = PriorNetwork::shipped().clone();
    network.biases[0] = [-20_000, -1, 0, 7, 8, 127, 128, 20_000];
    let outputs = network.outputs(&[0; CHANNELS], 0);
    assert_eq!(outputs, [0, 0, 0, 0, 1, 15, 15, 15]);
    network.offsets = [-20_000, -512, 20_000];
    assert_eq!(network.cell_scores(&[0; CHANNELS]), [-32, -32, 31]);
    network.offsets = [-496, -1, 511];
    assert_eq!(network.cell_scores(&[0; CHANNELS]), [-31, -1, 31]);
}

/// Returns all cells with their scores in units of [`STEP`].
fn cell_scores(network: &PriorNetwork, position: &Position) -> Vec<(Cell, [i16; SCORES])> {
    let sums = network.sums(&planes(position));
    let scores = |cell| {
        let outputs = network.outputs(&sums[entry(cell)], phase(position));
        (cell, network.cell_scores(&outputs))
    };
    Bitboard::<Duo>::FULL.iter().map(scores).collect()
}
