//! Which moves are legal.

use core::ops::ControlFlow;

use super::Board;
use crate::fits::{self, Anchors};
use crate::{Bitboard, Illegal, Move, Orientation, Placement, Size, TileSet};

impl<S: Size> Board<S> {
    /// Whether the player whose turn it is may make this move.
    ///
    /// # Errors
    ///
    /// The reason why the move is illegal.
    pub fn check(&self, turn: Move) -> Result<(), Illegal> {
        if self.is_over() {
            return Err(Illegal::GameOver);
        }
        match turn {
            Move::Place(placement) => self.check_placement(placement),
            Move::Pass => self.check_pass(),
        }
    }

    fn check_pass(&self) -> Result<(), Illegal> {
        let first_turn = self.ply() < self.variant.players();
        // A player who cannot place a tile has no other move than to pass.
        if first_turn && !self.variant.may_pass_first_turn && self.has_legal() {
            return Err(Illegal::PassOnFirstTurn);
        }
        Ok(())
    }

    fn check_placement(&self, placement: Placement) -> Result<(), Illegal> {
        let side = self.side(self.to_move());
        let tile = placement.tile();
        if !side.tiles.contains(tile) {
            return Err(Illegal::TileUsed { tile });
        }
        let cells = Bitboard::from_placement(placement).ok_or(Illegal::OffBoard)?;
        if let Some(cell) = (cells & self.occupied).first() {
            return Err(Illegal::Occupied { cell });
        }
        if let Some(cell) = (cells & side.edges).first() {
            return Err(Illegal::EdgeContact { cell });
        }
        if !cells.is_disjoint(&side.joints) {
            return Ok(());
        }
        Err(if side.cells.is_empty() {
            Illegal::StartCellMissed { start: side.start }
        } else {
            Illegal::NoCornerContact
        })
    }

    /// Hands the legal placements of the player whose turn it is to `visit`: each orientation
    /// that has any, in order, with the set of its anchors.
    ///
    /// Stops as soon as `visit` breaks, and returns what it broke with. Nothing is visited
    /// after the end of the game.
    pub fn visit_legal<B>(
        &self,
        mut visit: impl FnMut(Orientation, Bitboard<S>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let all = self.anchors();
        for orientation in self.orientations_left() {
            let anchors = all[orientation.index()];
            if !anchors.is_empty() {
                visit(orientation, anchors)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The legal placements of the player whose turn it is, ordered by orientation, then row,
    /// then column; none after the end of the game.
    pub fn legal(&self) -> impl Iterator<Item = Placement> + use<S> {
        let all = self.anchors();
        self.orientations_left().flat_map(move |orientation| {
            let anchors = all[orientation.index()].iter();
            anchors.map(move |anchor| Placement::new(orientation, anchor.x, anchor.y))
        })
    }

    /// Number of legal placements of the player whose turn it is; 0 after the end of the game.
    #[must_use]
    pub fn count_legal(&self) -> u32 {
        let player = self.to_move();
        fits::count(
            &self.allowed(player),
            &self.corner_points(player),
            self.playable(),
        )
    }

    /// Whether the player whose turn it is can place a tile.
    #[must_use]
    pub fn has_legal(&self) -> bool {
        self.count_legal() > 0
    }

    /// The legal anchors of all orientations; empty for those of tiles that are not playable.
    fn anchors(&self) -> Anchors<S> {
        let player = self.to_move();
        let mut anchors = [Bitboard::EMPTY; Orientation::COUNT];
        let (allowed, corners) = (self.allowed(player), self.corner_points(player));
        fits::find(&allowed, &corners, self.playable(), &mut anchors);
        anchors
    }

    /// The orientations of the tiles that may still be placed in this turn, in order.
    fn orientations_left(&self) -> impl Iterator<Item = Orientation> + use<S> {
        self.playable().iter().flat_map(Orientation::of_tile)
    }

    /// The tiles that may still be placed in this turn: none after the end of the game.
    fn playable(&self) -> TileSet {
        if self.is_over() {
            TileSet::EMPTY
        } else {
            self.tiles_left(self.to_move())
        }
    }
}
