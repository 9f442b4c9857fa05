//! A game in progress.

use core::fmt;

use crate::{
    Bitboard, Cell, Colour, Duo, IllegalMove, Move, Placement, Size, Tile, TileSet, Variant,
};

mod legal;
mod pairs;

/// A board of the two-player game on 14x14 cells.
pub type DuoBoard = Board<Duo>;

/// Game in progress: the position, the side to move and the move history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board<S: Size> {
    variant: &'static Variant,
    sides: [Side<S>; Variant::MAX_PLAYERS],
    occupied: Bitboard<S>,
    turn: Turn,
    moves: Vec<Move>,
    undo: Vec<(Side<S>, Turn)>,
}

/// State of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Side<S: Size> {
    cells: Bitboard<S>,
    /// Cells that share an edge with one of `cells`, whether free or not.
    edges: Bitboard<S>,
    /// Cells at which the next tile may connect, free or not: the start cell and the cells diagonal
    /// to `cells`.
    corner_cells: Bitboard<S>,
    start: Cell,
    tiles: TileSet,
    last: Option<Tile>,
}

/// Turn state: side to move, consecutive passes, colours that are out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turn {
    player: Colour,
    passes_in_a_row: u8,
    /// Bit set by colour index: colours that take no further turn.
    out: u8,
    over: bool,
}

impl DuoBoard {
    /// Creates an empty board of [`Variant::DUO`]: player 0 starts at (4, 4), player 1 at (9, 9).
    #[must_use]
    pub fn duo() -> Self {
        Self::new(&Variant::DUO)
    }
}

impl<S: Size> Board<S> {
    /// Creates an empty board with the variant's start cells.
    ///
    /// # Panics
    ///
    /// If the variant is not played on a board of size `S`.
    #[must_use]
    pub fn new(variant: &'static Variant) -> Self {
        Self::with_starts(variant, variant.starts)
    }

    /// Creates an empty board on which player `i` starts at `starts[i]`.
    ///
    /// # Panics
    ///
    /// If the variant is not played on a board of size `S`, or `starts` does not name exactly one
    /// cell of the board for each player.
    #[must_use]
    pub fn with_starts(variant: &'static Variant, starts: &[Cell]) -> Self {
        assert_eq!(
            variant.size,
            S::WIDTH,
            "{} is played on another board",
            variant.name
        );
        assert_eq!(
            starts.len(),
            variant.players(),
            "each player needs one start cell"
        );
        let side = |i: usize| {
            // Entries beyond the variant's players are never read.
            let start = starts.get(i).copied().unwrap_or_default();
            Side {
                cells: Bitboard::EMPTY,
                edges: Bitboard::EMPTY,
                corner_cells: Bitboard::from_iter([start]),
                start,
                tiles: TileSet::FULL,
                last: None,
            }
        };
        Self {
            variant,
            sides: core::array::from_fn(side),
            occupied: Bitboard::EMPTY,
            turn: Turn {
                player: Colour(0),
                passes_in_a_row: 0,
                out: 0,
                over: false,
            },
            moves: Vec::new(),
            undo: Vec::new(),
        }
    }

    /// Returns the variant that is played.
    #[must_use]
    pub fn variant(&self) -> &'static Variant {
        self.variant
    }

    /// Iterates over the players in the order of turns.
    pub fn players(&self) -> impl DoubleEndedIterator<Item = Colour> + ExactSizeIterator + use<S> {
        (0..self.variant.players() as u8).map(Colour)
    }

    /// Returns the side to move; after the end of the game, the side that would be to move.
    #[must_use]
    pub fn to_move(&self) -> Colour {
        self.turn.player
    }

    /// Returns the number of moves played, passes included.
    #[must_use]
    pub fn ply(&self) -> usize {
        self.moves.len()
    }

    /// Returns the moves played, passes included, in order.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the cells that `player` has covered.
    ///
    /// This and every method that takes a player panics if the variant has no such player.
    #[must_use]
    pub fn cells(&self, player: Colour) -> Bitboard<S> {
        self.side(player).cells
    }

    /// Returns the cells that any player has covered.
    #[must_use]
    pub fn occupied(&self) -> Bitboard<S> {
        self.occupied
    }

    /// Returns the tiles that `player` has not placed.
    #[must_use]
    pub fn tiles_left(&self, player: Colour) -> TileSet {
        self.side(player).tiles
    }

    /// Start cell: the first tile of `player` must cover it.
    #[must_use]
    pub fn start(&self, player: Colour) -> Cell {
        self.side(player).start
    }

    /// Allowed cells: free cells that share no edge with a tile of `player`.
    #[must_use]
    pub fn allowed(&self, player: Colour) -> Bitboard<S> {
        !(self.occupied | self.side(player).edges)
    }

    /// Corner points: allowed cells diagonal to a tile of `player`. Before the first tile, the
    /// start cell if it is free.
    #[must_use]
    pub fn corner_points(&self, player: Colour) -> Bitboard<S> {
        self.allowed(player) & self.side(player).corner_cells
    }

    /// Returns the number of cells that `player` has covered.
    #[must_use]
    pub fn cells_placed(&self, player: Colour) -> u32 {
        TileSet::FULL.cell_count() - self.side(player).tiles.cell_count()
    }

    /// Returns the score of `player` in points, by the variant's scoring, as if the game ended now.
    #[must_use]
    pub fn score(&self, player: Colour) -> i32 {
        let side = self.side(player);
        let scoring = &self.variant.scoring;
        let bonus = match side.last {
            Some(Tile::MONOMINO) if side.tiles.is_empty() => scoring.monomino_last,
            _ if side.tiles.is_empty() => scoring.all_placed,
            _ => 0,
        };
        scoring.cell_left * side.tiles.cell_count() as i32 + bonus
    }

    /// True if the game has ended.
    ///
    /// A game ends once every player has passed in a row or is out. In some variants it also
    /// ends once a player has placed every tile.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.turn.over
    }

    /// Plays a move for the side to move.
    ///
    /// # Errors
    ///
    /// The reason why the move is illegal; the board is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check(mv)?;
        match mv {
            Move::Place(placement) => self.play_unchecked(placement),
            Move::Pass => self.pass(),
        }
        Ok(())
    }

    /// Takes back the last move and returns it, or returns `None` if no move has been played.
    pub fn undo(&mut self) -> Option<Move> {
        let last = self.moves.pop()?;
        let (side, turn) = self.undo.pop()?;
        let current = &mut self.sides[turn.player.index()];
        self.occupied -= current.cells - side.cells;
        *current = side;
        self.turn = turn;
        Some(last)
    }

    /// Places a tile for the side to move; the placement must be legal.
    pub(crate) fn play_unchecked(&mut self, placement: Placement) {
        let cells = Bitboard::from_placement(placement).expect("a legal move is on the board");
        let side = &mut self.sides[self.turn.player.index()];
        self.undo.push((*side, self.turn));
        self.moves.push(Move::Place(placement));
        side.cells |= cells;
        side.edges |= cells.edge_neighbours();
        side.corner_cells |= cells.diagonal_neighbours();
        side.tiles.remove(placement.tile());
        side.last = Some(placement.tile());
        self.occupied |= cells;
        let ended = self.variant.ends_when_all_placed && side.tiles.is_empty();
        self.turn.passes_in_a_row = 0;
        self.finish_turn(ended);
    }

    fn pass(&mut self) {
        let player = self.turn.player.index();
        self.undo.push((self.sides[player], self.turn));
        self.moves.push(Move::Pass);
        if self.variant.pass_is_final {
            self.turn.out |= 1 << player;
        }
        self.turn.passes_in_a_row = self.turn.passes_in_a_row.saturating_add(1);
        let players = self.variant.players();
        let all_passed = usize::from(self.turn.passes_in_a_row) >= players;
        let ended = (all_passed && self.variant.ends_when_all_pass)
            || self.turn.out.count_ones() as usize == players;
        self.finish_turn(ended);
    }

    /// Passes the turn to the next player that is not out.
    fn finish_turn(&mut self, over: bool) {
        self.turn.player = self.following().unwrap_or(self.turn.player);
        self.turn.over = over;
    }

    /// Returns the player that has the turn after the side to move, which may be the same; `None`
    /// if all are out.
    fn following(&self) -> Option<Colour> {
        let players = self.variant.players() as u8;
        let Turn { player, out, .. } = self.turn;
        let mut following = (1..=players).map(|step| (player.0 + step) % players);
        following.find(|i| out & (1 << i) == 0).map(Colour)
    }

    fn side(&self, player: Colour) -> &Side<S> {
        &self.sides[..self.variant.players()][player.index()]
    }
}

/// Draws the board: the number of the player, from 1, on a covered cell and `.` on a free one.
impl<S: Size> fmt::Display for Board<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::bitboard::draw::<S>(f, |cell| {
            let owner = self
                .players()
                .find(|&player| self.cells(player).contains(cell));
            owner.map_or('.', |player| char::from(b'1' + player.0))
        })
    }
}
