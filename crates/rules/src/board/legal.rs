//! Legality checks and generation of the legal placements.

use core::ops::ControlFlow;

use super::Board;
use crate::fits::{self, Anchors};
use crate::{Bitboard, IllegalMove, Move, Orientation, Placement, Size, TileSet};

impl<S: Size> Board<S> {
    /// Checks that the move is legal for the side to move.
    ///
    /// # Errors
    ///
    /// The reason why the move is illegal.
    pub fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        match mv {
            Move::Place(placement) => self.check_placement(placement),
            Move::Pass => self.check_pass(),
        }
    }

    fn check_pass(&self) -> Result<(), IllegalMove> {
        let first_turn = self.ply() < self.variant.players();
        // Without a legal placement, a pass is the only move.
        if first_turn && !self.variant.may_pass_first_turn && self.has_legal() {
            return Err(IllegalMove::PassOnFirstTurn);
        }
        Ok(())
    }

    fn check_placement(&self, placement: Placement) -> Result<(), IllegalMove> {
        let side = self.side(self.to_move());
        let tile = placement.tile();
        if !side.tiles.contains(tile) {
            return Err(IllegalMove::TileUsed { tile });
        }
        let cells = Bitboard::from_placement(placement).ok_or(IllegalMove::OffBoard)?;
        if let Some(cell) = (cells & self.occupied).first() {
            return Err(IllegalMove::Occupied { cell });
        }
        if let Some(cell) = (cells & side.edges).first() {
            return Err(IllegalMove::EdgeContact { cell });
        }
        if !cells.is_disjoint(&side.corner_cells) {
            return Ok(());
        }
        Err(if side.cells.is_empty() {
            IllegalMove::StartCellMissed { start: side.start }
        } else {
            IllegalMove::NoCornerContact
        })
    }

    /// Calls `visit` with the legal placements of the side to move: each orientation that has legal
    /// anchors, in order, with the set of its anchors.
    ///
    /// Stops as soon as `visit` breaks, and returns its break value. After the end of the game,
    /// `visit` is not called.
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

    /// Iterates over the legal placements of the side to move, ordered by orientation, then row,
    /// then column; empty after the end of the game.
    pub fn legal(&self) -> impl Iterator<Item = Placement> + use<S> {
        let all = self.anchors();
        self.orientations_left().flat_map(move |orientation| {
            let anchors = all[orientation.index()].iter();
            anchors.map(move |anchor| Placement::new(orientation, anchor.x, anchor.y))
        })
    }

    /// Mobility: number of legal placements of the side to move; 0 after the end of the game.
    #[must_use]
    pub fn count_legal(&self) -> u32 {
        let player = self.to_move();
        fits::count(
            &self.allowed(player),
            &self.corner_points(player),
            self.playable(),
        )
    }

    /// True if the side to move has a legal placement.
    #[must_use]
    pub fn has_legal(&self) -> bool {
        self.count_legal() > 0
    }

    /// Returns the legal anchors by orientation; empty for orientations of tiles that are not
    /// playable.
    fn anchors(&self) -> Anchors<S> {
        let player = self.to_move();
        let mut anchors = [Bitboard::EMPTY; Orientation::COUNT];
        let (allowed, corners) = (self.allowed(player), self.corner_points(player));
        fits::find(&allowed, &corners, self.playable(), &mut anchors);
        anchors
    }

    /// Returns the orientations of the playable tiles, in order.
    fn orientations_left(&self) -> impl Iterator<Item = Orientation> + use<S> {
        self.playable().iter().flat_map(Orientation::of_tile)
    }

    /// Playable tiles: tiles left of the side to move; none after the end of the game.
    fn playable(&self) -> TileSet {
        if self.is_over() {
            TileSet::EMPTY
        } else {
            self.tiles_left(self.to_move())
        }
    }
}
