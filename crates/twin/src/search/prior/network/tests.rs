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
        let activations = network.activations(&planes(&position), &network.biases[phase]);
        let cells = Bitboard::<Duo>::FULL.iter();
        let cells = cells.flat_map(|cell| network.cell_scores(&activations, cell));
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
    let activations = network.activations(&planes(&position), &network.biases[0]);
    let sum = |cells: Bitboard<Duo>, score: usize| -> i32 {
        let scores = cells
            .iter()
            .map(|cell| network.cell_scores(&activations, cell)[score]);
        scores.map(i32::from).sum()
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
fn outputs_of_channels_stay_within_their_range() {
    let network = PriorNetwork::shipped();
    let mut board = DuoBoard::duo();
    for code in GAME.split_whitespace() {
        board.play(code.parse().expect("a code")).expect("legal");
        let position = Position::new(&board);
        let planes = planes(&position);
        for biases in &network.biases {
            let activations = network.activations(&planes, biases);
            let range = 0..=MAX_ACTIVATION;
            let outputs = activations.as_flattened();
            assert!(outputs.iter().all(|output| range.contains(output)));
            assert!(outputs.iter().any(|&output| output > 0));
        }
    }
}
