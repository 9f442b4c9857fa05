//! Training data of the prior's network: placements of the engine's network in positions of games.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Context, Result};
use duoforge_engine::network::Network;
use duoforge_rules::{DuoBoard, Move};
use duoforge_twin::search::Position;
use duoforge_twin::search::prior::top_by_scores;

use crate::self_play::samples::{MOVES, Sample, check_outputs, write};
use crate::training_games::read_file;

/// Write the training data of the prior's network
///
/// Takes the positions of games, each once, and writes the priors that the network of `engine` gives
/// to the best placements. The binary file is for crates/lab/training/prior_network.py.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files written by `games`
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Output file, which must not be one of the files of games
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Writes the data.
///
/// # Errors
/// Files that cannot be read or that hold no such games, and errors of the output file.
pub fn run(args: &Args) -> Result<()> {
    check_outputs(&args.files, &args.out)?;
    let mut games = Vec::new();
    for path in &args.files {
        games.extend(read_file(path)?.into_iter().map(|(_, moves)| moves));
    }
    let mut seen = HashSet::new();
    let records = (0..).zip(&games);
    write(
        &args.out,
        records.map(|(number, moves)| records_of(number, moves, &mut seen)),
    )
}

/// Returns the records of a game's positions that were not `seen` before.
fn records_of(number: u32, moves: &[Move], seen: &mut HashSet<Vec<Move>>) -> Result<Vec<Vec<u8>>> {
    let mut board = DuoBoard::duo();
    let mut records = Vec::new();
    for &mv in moves {
        if mv != Move::Pass && seen.insert(board.moves().to_vec()) {
            records.push(sample(number, &board).record());
        }
        board.play(mv).context("a move is illegal")?;
    }
    Ok(records)
}

/// Returns the sample of a position in which the side to move has a placement.
fn sample(game: u32, board: &DuoBoard) -> Sample {
    let position = Position::new(board);
    let evaluation = Network::shipped().evaluate(&position);
    let best = top_by_scores(&position, &evaluation.scores, MOVES);
    let sum: u32 = best.iter().map(|candidate| candidate.prior).sum();
    let share = |prior: u32| prior as f32 / sum.max(1) as f32;
    Sample {
        game,
        position,
        value: 0.5,
        result: 0.5,
        shares: best
            .iter()
            .map(|candidate| (candidate.placement, share(candidate.prior)))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_written_once_with_shares_that_sum_to_one() {
        let moves: Vec<Move> = ["53e0", "a8e0"]
            .map(|code| code.parse().expect("a code"))
            .into();
        let mut seen = HashSet::new();
        let records = records_of(3, &moves, &mut seen).expect("legal moves");
        assert_eq!(records.len(), 2);
        assert_eq!(
            records_of(4, &moves, &mut seen).expect("legal moves").len(),
            0
        );
        let mut board = DuoBoard::duo();
        for mv in moves {
            let sample = sample(3, &board);
            let shares: Vec<_> = sample.shares.iter().map(|&(_, share)| share).collect();
            assert_eq!(shares.len(), MOVES);
            assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-3);
            assert!(shares.is_sorted_by(|a, b| a >= b));
            for (placement, _) in sample.shares {
                assert_eq!(board.check(Move::Place(placement)), Ok(()));
            }
            board.play(mv).expect("legal");
        }
    }
}
