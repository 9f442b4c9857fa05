//! Training data of the network, as a binary file for the program that trains it.
//!
//! All numbers are little-endian. The file begins with the shapes of all orientations: the index of
//! the tile, then 7x7 bytes each for its cells, edges and corners, row by row; the anchor is at row
//! 1, column 1. A record for each position follows:
//!
//! | bytes | content |
//! |--:|---|
//! | 224 | 8 maps ([`Input::planes`]), a 16-bit integer for each row |
//! | 8 | tiles left, as bits: of the side to move, of the opponent |
//! | 4 | number of the game |
//! | 4 | value of the search for the side to move, from 0 to 1, as a floating-point number |
//! | 4 | result of the game for the side to move: 0, 0.5 or 1, as a floating-point number |
//! | 192 | 32 moves: index of the placement (16 bits), share of the visits (floating-point number) |
//! | 2548 | legal anchors of each orientation, a 16-bit integer for each row |

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use duoforge_engine::network::Input;
use duoforge_rules::{Bitboard, Duo, DuoBoard, Move, Orientation, Placement};
use duoforge_twin::search::Position;
use duoforge_twin::search::prior::candidate_anchors;

use super::{CAMPAIGN, Game, Search};
use crate::files::{self, with_ending};
use crate::output;
use crate::reference::positions::play;

/// Number of moves of a record.
pub(crate) const MOVES: usize = 32;

/// Size of a record in bytes.
pub const RECORD: usize = 224 + 8 + 12 + 6 * MOVES + 2 * 14 * Orientation::COUNT;

/// Write the training data of the network
///
/// Reads the games of `self-play`, in one file or in those of all shards, and writes a binary file
/// for crates/lab/training/network.py.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files written by `self-play`
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
    let merged = duoforge_shards::merge(&args.files)?;
    merged.check_campaign(CAMPAIGN)?;
    let games = merged.results::<Game>()?;
    let samples = games.into_iter().map(|(number, game)| {
        let records = records(number as u32, &game);
        records.with_context(|| format!("game {number}"))
    });
    write(&args.out, samples)
}

/// Checks that neither the output file nor the file of its unfinished contents is an input.
///
/// # Errors
/// An input that would be overwritten.
pub(crate) fn check_outputs(inputs: &[PathBuf], out: &Path) -> Result<()> {
    let part = part(&files::resolved(out));
    let inputs = inputs.iter().map(PathBuf::as_path);
    let outputs = [
        ("--out", Some(out)),
        ("the unfinished output", Some(part.as_path())),
    ];
    files::check_distinct(inputs, &outputs)
}

/// Returns the path of the unfinished contents of an output file.
fn part(path: &Path) -> PathBuf {
    with_ending(path, "part")
}

/// Writes the records of all games, and prints their number.
///
/// # Errors
/// The first error of the records, and errors of the file.
pub(crate) fn write(out: &Path, games: impl Iterator<Item = Result<Vec<Vec<u8>>>>) -> Result<()> {
    let name = out.display();
    let failed = || files::failed(out);
    let path = files::resolved(out);
    // A command that ends early leaves the file of an earlier one. A device or a pipe is written.
    let is_replaced = fs::metadata(&path).map_or(true, |found| found.is_file());
    let part = match is_replaced {
        true => part(&path),
        false => path.clone(),
    };
    let mut out = BufWriter::new(files::create(&part)?);
    out.write_all(&shapes()).with_context(failed)?;
    let mut count = 0;
    for records in games {
        for record in records? {
            out.write_all(&record).with_context(failed)?;
            count += 1;
        }
    }
    out.flush().with_context(failed)?;
    if is_replaced {
        fs::rename(&part, &path).with_context(failed)?;
    }
    output::line(format_args!("{count} positions in {name}"))?;
    Ok(())
}

/// Returns the shapes of all orientations.
fn shapes() -> Vec<u8> {
    let mut bytes = Vec::new();
    for orientation in Orientation::all() {
        bytes.push(orientation.tile().index() as u8);
        // In the middle of the board, everything around is on the board.
        let placement = Placement::new(orientation, 4, 4);
        let cells = Bitboard::<Duo>::from_placement(placement).expect("on the board");
        let edges = cells.edge_neighbours();
        let corners = cells.diagonal_neighbours() - cells - edges;
        for map in [cells, edges, corners] {
            for y in 3..10 {
                let row = map.row(y) >> 3;
                bytes.extend((0..7).map(|x| (row >> x & 1) as u8));
            }
        }
    }
    bytes
}

/// Returns the records of the positions of a game.
fn records(number: u32, game: &Game) -> Result<Vec<Vec<u8>>> {
    let board = play(game.moves.split_whitespace())?;
    let moves = board.moves().to_vec();
    let mut board = DuoBoard::duo();
    let mut records = Vec::new();
    for search in &game.searches {
        ensure!(
            (board.ply()..moves.len()).contains(&search.ply),
            "ply {} is out of order",
            search.ply
        );
        for &mv in &moves[board.ply()..search.ply] {
            board.play(mv).context("a move is illegal")?;
        }
        records.push(record(number, &board, search, game.score)?);
    }
    Ok(records)
}

fn record(number: u32, board: &DuoBoard, search: &Search, score: [i32; 2]) -> Result<Vec<u8>> {
    let side = board.to_move();
    let margin = score[side.index()] - score[side.opponent().index()];
    let visits = &search.visits[..search.visits.len().min(MOVES)];
    let all: u32 = visits.iter().map(|(_, visits)| visits).sum();
    let share = |(code, visits): &(String, u32)| {
        Ok((placement(board, code)?, *visits as f32 / all.max(1) as f32))
    };
    let sample = Sample {
        game: number,
        position: Position::new(board),
        value: search.value as f32,
        result: (margin.signum() + 1) as f32 / 2.0,
        shares: visits.iter().map(share).collect::<Result<_>>()?,
    };
    Ok(sample.record())
}

/// Position with what the network is to learn from it.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// Number of the game.
    pub game: u32,
    /// Position.
    pub position: Position,
    /// Value for the side to move, from 0 to 1.
    pub value: f32,
    /// Result of the game for the side to move: 0, 0.5 or 1.
    pub result: f32,
    /// Shares of the best placements, at most [`MOVES`].
    pub shares: Vec<(Placement, f32)>,
}

impl Sample {
    /// Returns the record of the file.
    pub fn record(&self) -> Vec<u8> {
        let position = &self.position;
        let side = position.to_move();
        let mut bytes = Vec::with_capacity(RECORD);
        for map in &Input::new(position).planes {
            add_rows(&mut bytes, map);
        }
        for side in [side, side.opponent()] {
            bytes.extend(position.tiles(side).bits().to_le_bytes());
        }
        bytes.extend(self.game.to_le_bytes());
        bytes.extend(self.value.to_le_bytes());
        bytes.extend(self.result.to_le_bytes());
        for i in 0..MOVES {
            let (index, share) = match self.shares.get(i) {
                Some(&(placement, share)) => (index(placement), share),
                None => (0, 0.0),
            };
            bytes.extend(index.to_le_bytes());
            bytes.extend(share.to_le_bytes());
        }
        for map in &candidate_anchors(position).1 {
            add_rows(&mut bytes, map);
        }
        bytes
    }
}

/// Returns the legal placement of a code.
fn placement(board: &DuoBoard, code: &str) -> Result<Placement> {
    let mv: Move = code
        .parse()
        .with_context(|| format!("{code} is not a move"))?;
    let placement = mv
        .placement()
        .with_context(|| format!("{code} is a pass"))?;
    board
        .check(mv)
        .with_context(|| format!("{code} is illegal"))?;
    Ok(placement)
}

/// Returns the index of a placement: by orientation, row and column.
fn index(at: Placement) -> u16 {
    (at.orientation.index() * 196 + usize::from(at.y) * 14 + usize::from(at.x)) as u16
}

fn add_rows(bytes: &mut Vec<u8>, map: &Bitboard<Duo>) {
    bytes.extend((0..14).flat_map(|y| (map.row(y) as u16).to_le_bytes()));
}

#[cfg(test)]
mod tests {
    use duoforge_rules::Tile;

    use super::*;

    #[test]
    fn a_shape_is_seven_rows_of_cells_edges_and_corners() {
        let shapes = shapes();
        assert_eq!(shapes.len(), Orientation::COUNT * 148);
        let domino = Orientation::of_tile(Tile::ALL[1]).next().expect("a shape");
        let bytes = &shapes[domino.index() * 148..][..148];
        assert_eq!(bytes[0], 1);
        let counts = bytes[1..].chunks_exact(49).map(|it| it.iter().sum::<u8>());
        // Two cells have six edges and four corners.
        assert_eq!(counts.collect::<Vec<_>>(), [2, 6, 4]);
        assert_eq!(
            (bytes[1 + 8], bytes[1]),
            (1, 0),
            "the anchor is in row 1, column 1"
        );
    }

    #[test]
    fn a_record_holds_the_position_and_what_the_search_found() {
        let board = play(["53e0"].into_iter()).expect("legal");
        // The prior leaves smaller tiles out here.
        let large = board.legal().filter(|at| at.tile().size() == 5);
        let mut codes = large.map(|at| Move::Place(at).to_string());
        let [first, second] = [codes.next(), codes.next()].map(|code| code.expect("a move"));
        let game = Game {
            moves: format!("53e0 {first} 0000 0000"),
            score: [-84, -85],
            searches: vec![Search {
                ply: 1,
                value: 0.25,
                visits: vec![(first, 30), (second, 10)],
            }],
        };
        let all = records(7, &game);
        let all = all.expect("legal");
        assert_eq!(all.len(), 1);
        let record = &all[0];
        assert_eq!(record.len(), RECORD);
        let float = |at: usize| f32::from_le_bytes(record[at..at + 4].try_into().expect("4 bytes"));
        assert_eq!(record[232..236], 7_u32.to_le_bytes());
        // The second player lost.
        assert_eq!((float(236), float(240)), (0.25, 0.0));
        assert_eq!((float(246), float(252), float(258)), (0.75, 0.25, 0.0));
        let index = usize::from(u16::from_le_bytes([record[244], record[245]]));
        let (orientation, cell) = (index / 196, index % 196);
        let row = 436 + 28 * orientation + 2 * (cell / 14);
        let anchors = u16::from_le_bytes([record[row], record[row + 1]]);
        assert_eq!(anchors >> (cell % 14) & 1, 1, "the move is legal");
    }

    #[test]
    fn illegal_moves_are_refused() {
        let search = |ply, code: &str| Search {
            ply,
            value: 0.5,
            visits: vec![(code.to_owned(), 1)],
        };
        let fault = |moves: &str, search| {
            let game = Game {
                moves: moves.to_owned(),
                score: [0, 0],
                searches: vec![search],
            };
            format!("{:#}", records(0, &game).expect_err("a fault"))
        };
        assert!(fault("53e0", search(0, "11a0")).contains("11a0 is illegal"));
        assert!(fault("53e0", search(0, "0000")).contains("0000 is a pass"));
        assert!(fault("53e0", search(3, "53e0")).contains("ply 3 is out of order"));
        assert!(fault("11a0", search(0, "53e0")).contains("11a0"));
    }
}
