//! Slow checker of [`GameVariant`]s: a second reading of the rules, without bitboards.
//!
//! The checker keeps a list of moves and a grid of colours, and derives everything else from them
//! for each question. It shares the variant's data, the base cells of the tiles and the type of the
//! reasons with [`Game`](crate::Game), and no logic.

mod legality;

use crate::naive::{RawCell, RejectReason, to_cell};
use crate::{
    Cell, Colour, ForcedPass, GameVariant, IllegalMove, Owner, ScoringRule, Seat, Ties, Tile,
};

/// Game of any variant by the slow checker.
///
/// ```
/// use duoforge_rules::GameVariant;
/// use duoforge_rules::naive::NaiveGame;
///
/// let mut game = NaiveGame::new(&GameVariant::CLASSIC);
/// assert_eq!(game.legal().len(), 58);
/// game.play(*b"11a0")?;
/// assert_eq!(game.to_move().map(|colour| colour.0), Some(1));
/// # Ok::<(), duoforge_rules::naive::RejectReason>(())
/// ```
#[derive(Clone, Debug)]
pub struct NaiveGame {
    variant: GameVariant,
    history: Vec<NaivePly>,
    /// Entry `y * size + x`: colour that covers the cell (`x`, `y`).
    grid: Vec<Option<Colour>>,
    to_move: Option<Colour>,
}

/// Ply: the tile and its cells, or `None` for a pass.
#[derive(Clone, Debug)]
struct NaivePly {
    colour: Colour,
    placed: Option<(Tile, Vec<RawCell>)>,
}

impl NaiveGame {
    /// Creates a game with an empty board.
    #[must_use]
    pub fn new(variant: &GameVariant) -> Self {
        let size = usize::from(variant.size());
        Self {
            variant: variant.clone(),
            history: Vec::new(),
            grid: vec![None; size * size],
            to_move: Some(Colour(0)),
        }
    }

    /// Returns the colour to move, or `None` after the end of the game.
    #[must_use]
    pub fn to_move(&self) -> Option<Colour> {
        self.to_move
    }

    /// Returns the seat that places the next tile of `colour`.
    #[must_use]
    pub fn seat_of(&self, colour: Colour) -> Seat {
        match self.variant.owner(colour) {
            Owner::Seat(seat) => seat,
            Owner::Shared => {
                let seats: Vec<Seat> = self.variant.seats().collect();
                seats[self.tiles(colour).count() % seats.len()]
            }
        }
    }

    /// Returns the cells that `colour` has covered, sorted by row and then column.
    #[must_use]
    pub fn cells(&self, colour: Colour) -> Vec<Cell> {
        let own = self
            .grid_cells()
            .filter(|&cell| self.at(cell) == Some(colour));
        own.map(to_cell).collect()
    }

    /// Returns the score of `colour` in points, as if the game ended now.
    #[must_use]
    pub fn colour_score(&self, colour: Colour) -> i32 {
        let placed = self.cells(colour).len() as i32;
        let bonus = match (self.tiles(colour).count(), self.tiles(colour).last()) {
            (Tile::COUNT, Some(tile)) if tile.size() == 1 => 20,
            (Tile::COUNT, _) => 15,
            _ => 0,
        };
        match self.variant.scoring() {
            ScoringRule::Basic => placed - 89,
            ScoringRule::Advanced => placed - 89 + bonus,
            ScoringRule::Alternative => placed + bonus,
            ScoringRule::Cells => placed,
        }
    }

    /// Returns the score of `seat` in points, as if the game ended now.
    #[must_use]
    pub fn seat_score(&self, seat: Seat) -> i32 {
        let mut score = 0;
        for colour in self.variant.colours() {
            if self.variant.owner(colour) == Owner::Seat(seat) {
                score += self.colour_score(colour);
            }
        }
        score
    }

    /// Returns the place of each seat, from 1, as if the game ended now.
    #[must_use]
    pub fn places(&self) -> Vec<u8> {
        let mut order: Vec<Seat> = self.variant.seats().rev().collect();
        // Stable: of equal scores, the later seat remains first.
        order.sort_by_key(|&seat| -self.seat_score(seat));
        let mut places = vec![0; order.len()];
        for (i, &seat) in order.iter().enumerate() {
            let shares = i > 0
                && self.variant.ties() == Ties::Shared
                && self.seat_score(order[i - 1]) == self.seat_score(seat);
            places[seat.index()] = if shares {
                places[order[i - 1].index()]
            } else {
                i as u8 + 1
            };
        }
        places
    }

    /// Plays the move of this code for the colour to move; `0000` is a pass.
    ///
    /// # Errors
    ///
    /// The reason why the move is rejected; the game is then unchanged.
    pub fn play(&mut self, code: [u8; 4]) -> Result<(), RejectReason> {
        let placed = self.judge(code)?;
        let Some(colour) = self.to_move else {
            return Err(IllegalMove::GameOver.into());
        };
        if let Some((_, cells)) = &placed {
            for &cell in cells {
                let index = self.index(cell);
                self.grid[index] = Some(colour);
            }
        }
        self.history.push(NaivePly { colour, placed });
        self.to_move = self.next(colour);
        Ok(())
    }

    /// Returns the colour to move after a ply of `colour`, or `None` if the game has ended.
    fn next(&self, colour: Colour) -> Option<Colour> {
        let colours: Vec<Colour> = self.variant.colours().collect();
        let ending = self.variant.ending();
        if ending.all_placed && self.tiles(colour).count() == Tile::COUNT {
            return None;
        }
        let is_skipped = self.variant.passing().forced == ForcedPass::Skipped;
        let is_done = |it: Colour| self.is_out(it) || (is_skipped && self.is_blocked(it));
        let rests = |it: Colour| self.has_passed(it) || is_done(it);
        let cannot_place = |it: Colour| self.is_out(it) || self.is_blocked(it);
        if colours.iter().all(|&it| rests(it))
            || (ending.no_placement && colours.iter().all(|&it| cannot_place(it)))
        {
            return None;
        }
        let (before, after) = colours.split_at(colour.index() + 1);
        let mut order = after.iter().chain(before);
        order.find(|&&it| !is_done(it)).copied()
    }

    /// True if `colour` has no placement.
    fn is_blocked(&self, colour: Colour) -> bool {
        !self.find(colour, |_| true)
    }

    /// True if `colour` has passed and takes no further turn.
    fn is_out(&self, colour: Colour) -> bool {
        let mut own = self.history.iter().filter(|ply| ply.colour == colour);
        self.variant.passing().is_final && own.any(|ply| ply.placed.is_none())
    }

    /// True if `colour` has passed since the last placement of any colour.
    fn has_passed(&self, colour: Colour) -> bool {
        let passes = self.history.iter().rev();
        let mut passes = passes.take_while(|ply| ply.placed.is_none());
        passes.any(|ply| ply.colour == colour)
    }

    /// Tiles that `colour` has placed, in order.
    fn tiles(&self, colour: Colour) -> impl DoubleEndedIterator<Item = Tile> {
        let own = self.history.iter().filter(move |ply| ply.colour == colour);
        own.filter_map(|ply| ply.placed.as_ref().map(|(tile, _)| *tile))
    }

    /// Cells of the board, row by row.
    fn grid_cells(&self) -> impl Iterator<Item = RawCell> + use<> {
        let size = i16::from(self.variant.size());
        (0..size).flat_map(move |y| (0..size).map(move |x| (y, x)))
    }

    fn is_on_board(&self, (y, x): RawCell) -> bool {
        let board = 0..i16::from(self.variant.size());
        board.contains(&y) && board.contains(&x)
    }

    fn index(&self, (y, x): RawCell) -> usize {
        y as usize * usize::from(self.variant.size()) + x as usize
    }

    fn at(&self, cell: RawCell) -> Option<Colour> {
        self.grid[self.index(cell)]
    }

    fn at_cell(&self, cell: Cell) -> Option<Colour> {
        self.at((i16::from(cell.y), i16::from(cell.x)))
    }
}
