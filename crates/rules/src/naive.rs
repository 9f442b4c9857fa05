//! Independent and deliberately slow rules checker: cell lists and a literal reading of the rules.
//!
//! The checker is the oracle for the tests of [`Board`](crate::Board) and the referee's second
//! opinion. It parses codes, rotates tiles and judges moves with its own code. It shares only the
//! base cells of the tiles, the [`Variant`] and the type of the reasons with the rest of the crate.
//! An error in the tables or bitboards therefore cannot affect it.

use std::collections::BTreeSet;

use crate::{Cell, Colour, IllegalMove, Tile, Variant};

pub use crate::naive_game::NaiveGame;

/// Game in progress, stored as lists of cells.
///
/// ```
/// use duoforge_rules::naive::NaiveBoard;
/// use duoforge_rules::Variant;
///
/// let mut board = NaiveBoard::new(&Variant::DUO);
/// assert_eq!(board.legal().len(), 414);
/// board.play(*b"53e0")?;
/// assert!(board.play(*b"53e0").is_err());
/// # Ok::<(), duoforge_rules::naive::RejectReason>(())
/// ```
#[derive(Clone, Debug)]
pub struct NaiveBoard {
    variant: &'static Variant,
    players: Vec<Placed>,
    to_move: usize,
    plies: usize,
    passes_in_a_row: usize,
    over: bool,
}

/// State of one colour.
#[derive(Clone, Debug)]
struct Placed {
    start: Cell,
    /// Tiles in the order in which they were placed.
    tiles: Vec<Tile>,
    /// Covered cells, sorted.
    cells: Vec<RawCell>,
    out: bool,
}

/// Cell that may lie off the board, as (row, column): sorts like [`Cell`].
pub(crate) type RawCell = (i16, i16);

/// Reason why the slow checker rejects a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RejectReason {
    /// The four bytes are not a code.
    #[error("the four bytes are not the code of a move")]
    Broken,
    /// The code names a move that is illegal.
    #[error(transparent)]
    IllegalMove(#[from] IllegalMove),
}

impl NaiveBoard {
    /// Creates an empty board with the variant's start cells.
    #[must_use]
    pub fn new(variant: &'static Variant) -> Self {
        Self::with_starts(variant, variant.starts)
    }

    /// Creates an empty board on which player `i` starts at `starts[i]`.
    ///
    /// # Panics
    ///
    /// If `starts` does not name exactly one cell for each player.
    #[must_use]
    pub fn with_starts(variant: &'static Variant, starts: &[Cell]) -> Self {
        assert_eq!(
            starts.len(),
            variant.players(),
            "each player needs one start cell"
        );
        let placed = |&start: &Cell| Placed {
            start,
            tiles: Vec::new(),
            cells: Vec::new(),
            out: false,
        };
        Self {
            variant,
            players: starts.iter().map(placed).collect(),
            to_move: 0,
            plies: 0,
            passes_in_a_row: 0,
            over: false,
        }
    }

    /// Returns the side to move; after the end of the game, the side that would be to move.
    #[must_use]
    pub fn to_move(&self) -> Colour {
        Colour(self.to_move as u8)
    }

    /// True if the game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Returns the cells that `player` has covered, sorted by row and then column.
    ///
    /// This and every method that takes a player panics if the variant has no such player.
    #[must_use]
    pub fn cells(&self, player: Colour) -> Vec<Cell> {
        to_cells(&self.players[player.index()].cells)
    }

    /// Returns the number of cells that `player` has covered.
    #[must_use]
    pub fn cells_placed(&self, player: Colour) -> u32 {
        self.players[player.index()].cells.len() as u32
    }

    /// Returns the score of `player` in points, by the variant's scoring, as if the game ended now.
    #[must_use]
    pub fn score(&self, player: Colour) -> i32 {
        let placed = &self.players[player.index()];
        let left = Tile::ALL.iter().filter(|tile| !placed.tiles.contains(tile));
        let count: usize = left.map(|tile| tile.base_cells().len()).sum();
        let scoring = self.variant.scoring;
        let bonus = match (placed.tiles.len() == Tile::ALL.len(), placed.tiles.last()) {
            (false, _) => 0,
            (true, Some(&Tile::MONOMINO)) => scoring.monomino_last,
            (true, _) => scoring.all_placed,
        };
        count as i32 * scoring.cell_left + bonus
    }

    /// Checks that the move of this code is legal for the side to move.
    ///
    /// # Errors
    ///
    /// The reason why the move is rejected.
    pub fn check(&self, code: [u8; 4]) -> Result<(), RejectReason> {
        self.judge(code).map(|_| ())
    }

    /// Plays the move of this code for the side to move; `0000` is a pass.
    ///
    /// # Errors
    ///
    /// The reason why the move is rejected; the board is then unchanged.
    pub fn play(&mut self, code: [u8; 4]) -> Result<(), RejectReason> {
        let mv = self.judge(code)?;
        let count = self.players.len();
        let player = &mut self.players[self.to_move];
        self.plies += 1;
        if let Some((tile, cells)) = mv {
            self.passes_in_a_row = 0;
            player.tiles.push(tile);
            player.cells.extend(cells);
            player.cells.sort_unstable();
            self.over = self.variant.ends_when_all_placed && player.tiles.len() == Tile::ALL.len();
        } else {
            self.passes_in_a_row += 1;
            player.out = self.variant.pass_is_final;
            let all_passed = self.variant.ends_when_all_pass && self.passes_in_a_row >= count;
            self.over = all_passed || self.players.iter().all(|p| p.out);
        }
        for _ in 0..count {
            self.to_move = (self.to_move + 1) % count;
            if !self.players[self.to_move].out {
                break;
            }
        }
        Ok(())
    }

    /// Returns the legal placements of the side to move, each as its sorted cells.
    #[must_use]
    pub fn legal(&self) -> BTreeSet<Vec<Cell>> {
        let mut legal = BTreeSet::new();
        if self.over {
            return legal;
        }
        let size = i16::from(self.variant.size);
        let placed = &self.players[self.to_move].tiles;
        for tile in Tile::ALL.into_iter().filter(|tile| !placed.contains(tile)) {
            for rotation in 0..8 {
                let turned = covered(tile, rotation, 0, 0);
                for (x, y) in (0..size).flat_map(|y| (0..size).map(move |x| (x, y))) {
                    let cells: Vec<RawCell> = turned.iter().map(|s| (s.0 + y, s.1 + x)).collect();
                    if self.judge_placement(tile, &cells).is_ok() {
                        legal.insert(to_cells(&cells));
                    }
                }
            }
        }
        legal
    }

    /// Returns the tile and the cells that the code places, or `None` for a pass.
    fn judge(&self, code: [u8; 4]) -> Result<Option<(Tile, Vec<RawCell>)>, RejectReason> {
        let mv = read(code).ok_or(RejectReason::Broken)?;
        if self.over {
            return Err(IllegalMove::GameOver.into());
        }
        let Some((tile, cells)) = mv else {
            let first_turn = self.plies < self.players.len();
            if first_turn && !self.variant.may_pass_first_turn && !self.legal().is_empty() {
                return Err(IllegalMove::PassOnFirstTurn.into());
            }
            return Ok(None);
        };
        self.judge_placement(tile, &cells)?;
        Ok(Some((tile, cells)))
    }

    fn judge_placement(&self, tile: Tile, cells: &[RawCell]) -> Result<(), IllegalMove> {
        let me = &self.players[self.to_move];
        if me.tiles.contains(&tile) {
            return Err(IllegalMove::TileUsed { tile });
        }
        let board = 0..i16::from(self.variant.size);
        if !cells
            .iter()
            .all(|(y, x)| board.contains(x) && board.contains(y))
        {
            return Err(IllegalMove::OffBoard);
        }
        let taken = |cell: &RawCell| self.players.iter().any(|p| p.covers(*cell));
        if let Some(&cell) = cells.iter().find(|cell| taken(cell)) {
            return Err(IllegalMove::Occupied {
                cell: to_cell(cell),
            });
        }
        let touches = |&(y, x): &RawCell, around: [RawCell; 4]| {
            around.iter().any(|&(dy, dx)| me.covers((y + dy, x + dx)))
        };
        let edges = [(-1, 0), (0, -1), (0, 1), (1, 0)];
        if let Some(&cell) = cells.iter().find(|cell| touches(cell, edges)) {
            return Err(IllegalMove::EdgeContact {
                cell: to_cell(cell),
            });
        }
        let corners = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
        if me.tiles.is_empty() {
            let start = me.start;
            let covers_start = cells.iter().any(|&cell| to_cell(cell) == start);
            if covers_start {
                Ok(())
            } else {
                Err(IllegalMove::StartCellMissed { start })
            }
        } else if cells.iter().any(|cell| touches(cell, corners)) {
            Ok(())
        } else {
            Err(IllegalMove::NoCornerContact)
        }
    }
}

impl Placed {
    fn covers(&self, cell: RawCell) -> bool {
        self.cells.binary_search(&cell).is_ok()
    }
}

/// Parses four bytes: the outer `None` means an invalid code, the inner one a pass.
pub(crate) fn read(code: [u8; 4]) -> Option<Option<(Tile, Vec<RawCell>)>> {
    if &code == b"0000" {
        return Some(None);
    }
    let place = |names: &[u8], i: usize| names.iter().position(|&name| name == code[i]);
    let coordinates = b"123456789abcdefghijk";
    let x = place(coordinates, 0)?;
    let y = place(coordinates, 1)?;
    let tile = Tile::ALL[place(b"abcdefghijklmnopqrstu", 2)?];
    let rotation = place(b"01234567", 3)?;
    Some(Some((tile, covered(tile, rotation, x as i16, y as i16))))
}

/// Returns the sorted cells of a rotated tile with its centre at (`x`, `y`).
pub(crate) fn covered(tile: Tile, rotation: usize, x: i16, y: i16) -> Vec<RawCell> {
    let turned = tile.base_cells().iter().map(|&(dx, dy)| {
        let (mut dx, mut dy) = (i16::from(dx), i16::from(dy));
        for _ in 0..rotation / 2 {
            (dx, dy) = (-dy, dx);
        }
        if rotation % 2 == 1 {
            dx = -dx;
        }
        (y + dy, x + dx)
    });
    let mut cells: Vec<RawCell> = turned.collect();
    cells.sort_unstable();
    cells
}

pub(crate) fn to_cells(cells: &[RawCell]) -> Vec<Cell> {
    cells.iter().copied().map(to_cell).collect()
}

/// Converts coordinates on the board to a cell.
pub(crate) fn to_cell((y, x): RawCell) -> Cell {
    Cell::new(x as u8, y as u8)
}
