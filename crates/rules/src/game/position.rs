//! Position of a game: the state of every colour on a board whose storage is fixed at compile time.

use crate::fits::{self, Anchors};
use crate::{
    Bitboard, Cell, Classic, Colour, Duo, IllegalMove, Orientation, Placement, Size, Tile, TileSet,
};

use super::{GameVariant, StartCells};

/// Position on a board of at most `S::WIDTH` columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position<S: Size> {
    size: u8,
    starts_stay: bool,
    /// All cells of the board, which may be smaller than `S`.
    board: Bitboard<S>,
    occupied: Bitboard<S>,
    /// The first `colour_count` entries are the colours.
    colours: [ColourState<S>; GameVariant::MAX_COLOURS],
    colour_count: usize,
    /// States before each placement, for [`take_back`](Self::take_back).
    before: Vec<(Colour, ColourState<S>)>,
}

/// State of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ColourState<S: Size> {
    cells: Bitboard<S>,
    /// Cells that share an edge with one of `cells`, free or not.
    edges: Bitboard<S>,
    /// Cells at which the next tile may connect, free or not: start cells and cells diagonal to
    /// `cells`.
    links: Bitboard<S>,
    starts: StartCells,
    left: TileSet,
    last: Option<Tile>,
}

impl<S: Size> Position<S> {
    fn new(variant: &GameVariant) -> Self {
        let size = variant.size();
        let colour = |i: usize| {
            let colours = variant.colours();
            let starts = colours
                .map(|colour| variant.starts(colour))
                .nth(i)
                // Entries beyond the variant's colours are never read.
                .unwrap_or(StartCells::new(&[]));
            ColourState {
                cells: Bitboard::EMPTY,
                edges: Bitboard::EMPTY,
                links: starts.as_slice().iter().copied().collect(),
                starts,
                left: TileSet::FULL,
                last: None,
            }
        };
        let rows = (0..size).flat_map(|y| (0..size).map(move |x| Cell::new(x, y)));
        Self {
            size,
            starts_stay: variant.starts_stay(),
            board: rows.collect(),
            occupied: Bitboard::EMPTY,
            colours: core::array::from_fn(colour),
            colour_count: variant.colour_count(),
            before: Vec::new(),
        }
    }

    pub(super) fn size(&self) -> u8 {
        self.size
    }

    /// Cells that placements of one tile of `colour` cover.
    pub(super) fn cells_of_tile(&self, colour: Colour, tile: Tile) -> Bitboard<S> {
        let anchors = self.anchors(colour);
        let mut cells = Bitboard::EMPTY;
        for orientation in Orientation::of_tile(tile) {
            for offset in orientation.cells() {
                let anchors = anchors[orientation.index()];
                cells |= anchors.shift(offset.x as i8, offset.y as i8);
            }
        }
        cells
    }

    /// Empty cells of the board.
    pub(super) fn empty(&self) -> Bitboard<S> {
        self.board - self.occupied
    }

    /// Owner of a cell.
    pub(super) fn colour_at(&self, cell: Cell) -> Option<Colour> {
        let covers = |state: &ColourState<S>| state.cells.contains(cell);
        let index = self.colours.iter().position(covers)?;
        Some(Colour(index as u8))
    }

    pub(super) fn cells(&self, colour: Colour) -> Bitboard<S> {
        self.state(colour).cells
    }

    pub(super) fn occupied(&self) -> Bitboard<S> {
        self.occupied
    }

    pub(super) fn left(&self, colour: Colour) -> TileSet {
        self.state(colour).left
    }

    pub(super) fn last(&self, colour: Colour) -> Option<Tile> {
        self.state(colour).last
    }

    /// Void cells: empty cells that share an edge with a tile of `colour`.
    pub(super) fn void(&self, colour: Colour) -> Bitboard<S> {
        (self.state(colour).edges & self.board) - self.occupied
    }

    pub(super) fn allowed(&self, colour: Colour) -> Bitboard<S> {
        self.board - (self.occupied | self.state(colour).edges)
    }

    pub(super) fn corner_points(&self, colour: Colour) -> Bitboard<S> {
        self.allowed(colour) & self.state(colour).links
    }

    /// True if `colour` has a placement.
    pub(super) fn can_place(&self, colour: Colour) -> bool {
        let left = self.left(colour);
        if left.is_empty() || self.corner_points(colour).is_empty() {
            return false;
        }
        left.contains(Tile::MONOMINO) || self.count(colour) > 0
    }

    /// Returns the number of placements of `colour`.
    pub(super) fn count(&self, colour: Colour) -> u32 {
        let (allowed, corners) = (self.allowed(colour), self.corner_points(colour));
        fits::count(&allowed, &corners, self.left(colour))
    }

    /// Returns the anchors of the placements of `colour`, by orientation index.
    pub(super) fn anchors(&self, colour: Colour) -> Anchors<S> {
        let mut anchors = [Bitboard::EMPTY; Orientation::COUNT];
        let (allowed, corners) = (self.allowed(colour), self.corner_points(colour));
        fits::find(&allowed, &corners, self.left(colour), &mut anchors);
        anchors
    }

    /// Returns the placements of `colour`, ordered by orientation, then row, then column.
    pub(super) fn placements(&self, colour: Colour) -> Vec<Placement> {
        let anchors = self.anchors(colour);
        let mut placements = Vec::new();
        for orientation in self.left(colour).iter().flat_map(Orientation::of_tile) {
            let anchors = anchors[orientation.index()].iter();
            placements.extend(anchors.map(|cell| Placement::new(orientation, cell.x, cell.y)));
        }
        placements
    }

    /// Checks a placement of `colour`.
    pub(super) fn check(&self, colour: Colour, placement: Placement) -> Result<(), IllegalMove> {
        let state = self.state(colour);
        let tile = placement.tile();
        if !state.left.contains(tile) {
            return Err(IllegalMove::TileUsed { tile });
        }
        let cells = Bitboard::from_placement(placement).filter(|_| placement.fits(self.size));
        let cells = cells.ok_or(IllegalMove::OffBoard)?;
        if let Some(cell) = (cells & self.occupied).first() {
            return Err(IllegalMove::Occupied { cell });
        }
        if let Some(cell) = (cells & state.edges).first() {
            return Err(IllegalMove::EdgeContact { cell });
        }
        if cells.is_disjoint(&state.links) {
            return Err(self.without_contact(state));
        }
        Ok(())
    }

    /// Reason for a placement without contact.
    fn without_contact(&self, state: &ColourState<S>) -> IllegalMove {
        let starts = state.starts.as_slice();
        let is_free = |cell: &&Cell| !self.occupied.contains(**cell);
        let free: Vec<Cell> = starts.iter().filter(is_free).copied().collect();
        match (state.cells.is_empty(), starts) {
            (true, &[start]) => IllegalMove::StartCellMissed { start },
            (true, _) if free.is_empty() => IllegalMove::StartCellsMissed {
                starts: state.starts,
            },
            (true, _) => IllegalMove::StartCellsMissed {
                starts: StartCells::new(&free),
            },
            (false, _) if self.starts_stay && !free.is_empty() => IllegalMove::NoConnection {
                starts: StartCells::new(&free),
            },
            (false, _) => IllegalMove::NoCornerContact,
        }
    }

    /// Places a tile of `colour`; the placement must be legal.
    pub(super) fn place(&mut self, colour: Colour, placement: Placement) {
        let cells = Bitboard::from_placement(placement).expect("a legal placement is on the board");
        let state = &mut self.colours[colour.index()];
        self.before.push((colour, *state));
        if state.cells.is_empty() && !self.starts_stay {
            state.links = Bitboard::EMPTY;
        }
        state.cells |= cells;
        state.edges |= cells.edge_neighbours();
        state.links |= cells.diagonal_neighbours();
        state.left.remove(placement.tile());
        state.last = Some(placement.tile());
        self.occupied |= cells;
    }

    /// Takes back the last placement.
    pub(super) fn take_back(&mut self) {
        if let Some((colour, before)) = self.before.pop() {
            let state = &mut self.colours[colour.index()];
            self.occupied -= state.cells - before.cells;
            *state = before;
        }
    }

    fn state(&self, colour: Colour) -> &ColourState<S> {
        &self.colours[..self.colour_count][colour.index()]
    }
}

/// Position on a board of any size, in the smaller storage that fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AnyPosition {
    /// At most 14 columns.
    Small(Box<Position<Duo>>),
    /// 15 to 20 columns.
    Large(Box<Position<Classic>>),
}

/// Evaluates an expression with the position of either storage.
macro_rules! with_position {
    ($any:expr, $position:ident => $do:expr) => {
        match $any {
            $crate::game::position::AnyPosition::Small($position) => $do,
            $crate::game::position::AnyPosition::Large($position) => $do,
        }
    };
}

/// Evaluates an expression that yields a bitboard, and converts it to a [`CellSet`].
macro_rules! cell_set {
    ($any:expr, $position:ident => $do:expr) => {
        $crate::game::position::with_position!($any, $position => {
            $crate::CellSet::from_bitboard($position.size(), $do)
        })
    };
}

pub(super) use {cell_set, with_position};

impl AnyPosition {
    pub(super) fn new(variant: &GameVariant) -> Self {
        if variant.size() <= Duo::WIDTH {
            Self::Small(Box::new(Position::new(variant)))
        } else {
            Self::Large(Box::new(Position::new(variant)))
        }
    }
}
