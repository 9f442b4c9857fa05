//! Readers of the reference data in `tests/data`, whose README describes the files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use duoforge_rules::{Cell, Placement, Size, Tile};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Names of the tiles `a` to `u` in the position files.
pub const TILE_NAMES: [&str; Tile::COUNT] = [
    "1", "2", "I3", "V3", "I4", "L4", "T4", "O", "Z4", "I5", "L5", "N", "P", "U", "Y", "T5", "V5",
    "W", "Z5", "F", "X",
];

/// Complete random game with the number of legal placements before every move.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomGame {
    /// Codes of the moves, `0000` for a pass.
    pub moves: Vec<String>,
    /// Number of distinct legal placements before each move.
    pub legal_counts: Vec<u32>,
    /// Number of cells that each colour covers at the end.
    #[serde(rename = "squares_placed")]
    pub cells_placed: Vec<u32>,
}

/// Complete game with the scores of both colours by the contest's rules.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefereedGame {
    /// Codes of the moves, `0000` for a pass.
    pub moves: Vec<String>,
    /// Score of each colour.
    pub score: Vec<i32>,
}

/// Position in a game, with reference data from other programs.
#[derive(Debug, Deserialize)]
pub struct Position {
    /// Variant: `duo`, `classic`, `classic_2` or `classic_3`.
    pub variant: String,
    /// Number of columns of the board, and of rows.
    pub size: u8,
    /// Placements so far, without passes.
    pub moves: Vec<PositionMove>,
    /// Colour to move; `None` at the end of the game.
    pub to_move: Option<u8>,
    /// Seat to move, in positions of `classic_3`; `None` at the end of the game.
    #[serde(default)]
    pub player_to_move: Option<u8>,
    /// True if no colour can move.
    pub game_over: bool,
    /// Number of legal placements of the colour to move.
    pub legal: u32,
    /// Hash of the legal placements of the colour to move, in hexadecimal.
    pub legal_hash: String,
    /// Number of legal placements of the colour to move by tile name, without zeros.
    #[serde(rename = "legal_by_piece")]
    pub legal_by_tile: BTreeMap<String, u32>,
    /// Number of legal placements of each colour if it were to move.
    pub legal_all_colors: Vec<u32>,
    /// Hash of the legal placements of each colour if it were to move.
    pub legal_hash_all_colors: Vec<String>,
    /// Names of the tiles that each colour has left.
    #[serde(rename = "pieces_left")]
    pub tiles_left: Vec<Vec<String>>,
    /// Number of cells placed by each colour plus its bonus.
    pub points: Vec<i32>,
    /// Bonus of each colour.
    pub bonus: Vec<i32>,
    /// Margin of seat 0, in positions with two seats.
    #[serde(default)]
    pub score_first_player: Option<i32>,
}

/// Placement that leads to a [`Position`].
#[derive(Debug, Deserialize)]
pub struct PositionMove {
    /// Colour that moved.
    pub color: u8,
    /// Name of the tile.
    #[serde(rename = "piece")]
    pub tile: String,
    /// Covered cells as `[x, y]` from 0, with y **up**.
    pub cells: Vec<[u8; 2]>,
}

impl PositionMove {
    /// Returns the covered cells in duoforge's coordinates, sorted by row and then column.
    pub fn sorted_cells(&self, size: u8) -> Vec<Cell> {
        let mut cells: Vec<Cell> = self
            .cells
            .iter()
            .map(|&[x, y]| Cell::new(x, size - 1 - y))
            .collect();
        cells.sort_unstable();
        cells
    }
}

/// Contents of `perft.json`.
#[derive(Debug, Deserialize)]
pub struct Perft {
    /// Number of placement sequences on the Duo board by depth.
    pub duo: BTreeMap<u32, u64>,
    /// Number of placement sequences on the 20x20 board by depth.
    pub classic_20x20: BTreeMap<u32, u64>,
    /// Number of orientations.
    pub oriented_tiles: usize,
    /// Number of placements on an empty board.
    pub placements_on_empty_board: PlacementCounts,
}

/// Number of placements on an empty board, by its size.
#[derive(Debug, Deserialize)]
pub struct PlacementCounts {
    /// Number on 14x14 cells.
    pub duo_14x14: usize,
    /// Number on 20x20 cells.
    pub classic_20x20: usize,
}

/// Row of `tile_codes.csv`.
#[derive(Debug)]
pub struct TileCode {
    /// Letter of the tile.
    pub tile: u8,
    /// Number of the rotation.
    pub rotation: usize,
    /// Covered cells relative to the centre, x to the right and y down, sorted by x and then y.
    pub cells: Vec<(i8, i8)>,
}

/// Initial value of the hashes in the position files: the decimal digits of FNV's offset basis
/// without the last one.
const HASH_BASIS: u64 = 1_469_598_103_934_665_603;

/// Reads a file in `tests/data`.
///
/// # Panics
///
/// If there is no such file. The functions below also panic if a file is malformed.
pub fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("data")
        .join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Returns the 100 games of `random_games.jsonl`.
pub fn random_games() -> Vec<RandomGame> {
    json_lines("random_games.jsonl")
}

/// Returns the 227 games of `refereed_games.jsonl`.
pub fn refereed_games() -> Vec<RefereedGame> {
    json_lines("refereed_games.jsonl")
}

/// Returns the 104 positions of `duo_positions.jsonl`.
pub fn duo_positions() -> Vec<Position> {
    json_lines("duo_positions.jsonl")
}

/// Returns the 69 positions of `classic_positions.jsonl`.
pub fn classic_positions() -> Vec<Position> {
    json_lines("classic_positions.jsonl")
}

/// Returns the counts of `perft.json`.
pub fn perft() -> Perft {
    serde_json::from_str(&read("perft.json")).expect("perft.json should hold the known counts")
}

/// Returns the 168 rows of `tile_codes.csv`.
pub fn tile_codes() -> Vec<TileCode> {
    let text = read("tile_codes.csv");
    text.lines().skip(1).map(tile_code).collect()
}

fn tile_code(line: &str) -> TileCode {
    let fields: Vec<&str> = line.split(',').collect();
    let [tile, rotation, cells] = fields[..] else {
        panic!("not three fields: {line}")
    };
    let number = |text: &str| text.parse().unwrap_or_else(|e| panic!("{line}: {e}"));
    let cell = |cell: &str| {
        let (x, y) = cell
            .split_once(':')
            .unwrap_or_else(|| panic!("{line}: {cell}"));
        (number(x), number(y))
    };
    TileCode {
        tile: tile.as_bytes()[0],
        rotation: number(rotation) as usize,
        cells: cells.split(' ').map(cell).collect(),
    }
}

fn json_lines<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let parse = |(i, line)| {
        serde_json::from_str(line).unwrap_or_else(|e| panic!("{name}, line {}: {e}", i + 1))
    };
    read(name).lines().enumerate().map(parse).collect()
}

/// Returns the hash of a set of placements as in the position files, in hexadecimal.
pub fn legal_hash<S: Size>(placements: impl IntoIterator<Item = Placement>) -> String {
    legal_hash_of_size(S::WIDTH, placements)
}

/// Returns the hash of a set of placements on a board of `size` columns.
pub fn legal_hash_of_size(size: u8, placements: impl IntoIterator<Item = Placement>) -> String {
    let placements = placements.into_iter();
    let mut moves: Vec<String> = placements.map(|it| move_name(size, it)).collect();
    moves.sort_unstable();
    let hash = moves
        .iter()
        .flat_map(|name| name.bytes().chain([b'\n']))
        .fold(HASH_BASIS, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    format!("{hash:016x}")
}

/// Returns the cells of a placement in the form `a1`, rows counted from the bottom, the lowest row
/// first.
fn move_name(size: u8, placement: Placement) -> String {
    let mut cells: Vec<(u8, u8)> = placement
        .cells()
        .map(|cell| (size - cell.y, cell.x))
        .collect();
    cells.sort_unstable();
    let name = |&(row, x): &(u8, u8)| format!("{}{row}", char::from(b'a' + x));
    cells.iter().map(name).collect::<Vec<_>>().join(",")
}
