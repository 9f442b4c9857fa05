//! Arrays of a batch: one row for each game.

use duoforge_rules::{ActionSpace, Game, GameVariant, Tile};
use numpy::{IxDyn, PyReadwriteArray};
use pyo3::prelude::*;

use crate::arrays::{SharedArray, slice};
use crate::moves::number;
use crate::planes::{
    plane_count, returns, scores, shown_colour, write_board, write_planes, write_tiles,
};
use crate::slot::Slot;

/// Arrays that Python reads.
pub(crate) struct BatchArrays {
    games: usize,
    actions: ActionSpace,
    pub(crate) board: SharedArray<u8>,
    /// None if the batch was created without planes.
    pub(crate) planes: Option<SharedArray<u8>>,
    pub(crate) tiles_left: SharedArray<bool>,
    /// None if the batch was created without masks.
    pub(crate) action_mask: Option<SharedArray<bool>>,
    pub(crate) colour_to_move: SharedArray<i8>,
    pub(crate) seat_to_move: SharedArray<i8>,
    pub(crate) ply: SharedArray<i32>,
    pub(crate) over: SharedArray<bool>,
    pub(crate) ended: SharedArray<bool>,
    pub(crate) scores: SharedArray<i32>,
    pub(crate) returns: SharedArray<f32>,
}

impl BatchArrays {
    pub(crate) fn new(
        py: Python<'_>,
        variant: &GameVariant,
        games: usize,
        with_planes: bool,
        with_masks: bool,
    ) -> PyResult<Self> {
        let (size, colours) = (usize::from(variant.size()), variant.colour_count());
        let seats = variant.seat_count();
        let actions = ActionSpace::new(variant.size());
        let planes = [games, plane_count(colours), size, size];
        Ok(Self {
            games,
            actions,
            board: SharedArray::new(py, &[games, size, size])?,
            planes: with_planes
                .then(|| SharedArray::new(py, &planes))
                .transpose()?,
            tiles_left: SharedArray::new(py, &[games, colours, Tile::COUNT])?,
            action_mask: with_masks
                .then(|| SharedArray::new(py, &[games, actions.len()]))
                .transpose()?,
            colour_to_move: SharedArray::new(py, &[games])?,
            seat_to_move: SharedArray::new(py, &[games])?,
            ply: SharedArray::new(py, &[games])?,
            over: SharedArray::new(py, &[games])?,
            ended: SharedArray::new(py, &[games])?,
            scores: SharedArray::new(py, &[games, seats])?,
            returns: SharedArray::new(py, &[games, seats])?,
        })
    }

    /// Borrows all arrays for writing.
    pub(crate) fn lock<'py>(&self, py: Python<'py>) -> PyResult<LockedArrays<'py>> {
        Ok(LockedArrays {
            games: self.games,
            actions: self.actions,
            board: self.board.lock(py)?,
            planes: self.planes.as_ref().map(|it| it.lock(py)).transpose()?,
            tiles_left: self.tiles_left.lock(py)?,
            action_mask: self
                .action_mask
                .as_ref()
                .map(|it| it.lock(py))
                .transpose()?,
            colour_to_move: self.colour_to_move.lock(py)?,
            seat_to_move: self.seat_to_move.lock(py)?,
            ply: self.ply.lock(py)?,
            over: self.over.lock(py)?,
            ended: self.ended.lock(py)?,
            scores: self.scores.lock(py)?,
            returns: self.returns.lock(py)?,
        })
    }
}

/// Arrays that are borrowed for writing.
pub(crate) struct LockedArrays<'py> {
    games: usize,
    actions: ActionSpace,
    board: PyReadwriteArray<'py, u8, IxDyn>,
    planes: Option<PyReadwriteArray<'py, u8, IxDyn>>,
    tiles_left: PyReadwriteArray<'py, bool, IxDyn>,
    action_mask: Option<PyReadwriteArray<'py, bool, IxDyn>>,
    colour_to_move: PyReadwriteArray<'py, i8, IxDyn>,
    seat_to_move: PyReadwriteArray<'py, i8, IxDyn>,
    ply: PyReadwriteArray<'py, i32, IxDyn>,
    over: PyReadwriteArray<'py, bool, IxDyn>,
    ended: PyReadwriteArray<'py, bool, IxDyn>,
    scores: PyReadwriteArray<'py, i32, IxDyn>,
    returns: PyReadwriteArray<'py, f32, IxDyn>,
}

impl LockedArrays<'_> {
    /// Returns the memory of the arrays, which can be written without the interpreter.
    pub(crate) fn rows(&mut self) -> Rows<'_> {
        Rows {
            games: self.games,
            actions: self.actions,
            board: slice(&mut self.board),
            planes: self.planes.as_mut().map(slice).unwrap_or_default(),
            tiles_left: slice(&mut self.tiles_left),
            action_mask: self.action_mask.as_mut().map(slice).unwrap_or_default(),
            colour_to_move: slice(&mut self.colour_to_move),
            seat_to_move: slice(&mut self.seat_to_move),
            ply: slice(&mut self.ply),
            over: slice(&mut self.over),
            ended: slice(&mut self.ended),
            scores: slice(&mut self.scores),
            returns: slice(&mut self.returns),
        }
    }
}

/// Memory of the arrays. That of arrays that the batch does not have is empty.
pub(crate) struct Rows<'a> {
    games: usize,
    actions: ActionSpace,
    board: &'a mut [u8],
    planes: &'a mut [u8],
    tiles_left: &'a mut [bool],
    action_mask: &'a mut [bool],
    colour_to_move: &'a mut [i8],
    seat_to_move: &'a mut [i8],
    ply: &'a mut [i32],
    over: &'a mut [bool],
    ended: &'a mut [bool],
    scores: &'a mut [i32],
    returns: &'a mut [f32],
}

impl Rows<'_> {
    /// Writes the position of a game, without the results of the last step.
    pub(crate) fn write_position(&mut self, index: usize, slot: &mut Slot) {
        let games = self.games;
        if !self.action_mask.is_empty() {
            let mask = row(self.action_mask, index, games);
            mask.fill(false);
            for &mv in slot.legal() {
                mask[number(mv, &self.actions) as usize] = true;
            }
        }
        let game = slot.game();
        write_board(game, row(self.board, index, games));
        write_tiles(game, row(self.tiles_left, index, games));
        if !self.planes.is_empty() {
            write_planes(game, shown_colour(game), row(self.planes, index, games));
        }
        self.colour_to_move[index] = game.to_move().map_or(-1, |colour| colour.0 as i8);
        self.seat_to_move[index] = game.seat_to_move().map_or(-1, |seat| seat.0 as i8);
        self.ply[index] = game.plies().len() as i32;
        self.over[index] = game.is_over();
    }

    /// Writes the results of a game after a step: its scores, and its returns if it has `ended` in
    /// this step.
    pub(crate) fn write_result(&mut self, index: usize, game: &Game, ended: bool) {
        let games = self.games;
        for (out, score) in row(self.scores, index, games).iter_mut().zip(scores(game)) {
            *out = score;
        }
        self.ended[index] = ended;
        let out = row(self.returns, index, games);
        out.fill(0.0);
        if ended {
            for (out, value) in out.iter_mut().zip(returns(game)) {
                *out = value as f32;
            }
        }
    }

    /// Clears the results of a game that the step left alone. Its scores remain.
    pub(crate) fn clear_result(&mut self, index: usize) {
        self.ended[index] = false;
        row(self.returns, index, self.games).fill(0.0);
    }
}

/// Returns the row of one of `count` games.
fn row<T>(all: &mut [T], index: usize, count: usize) -> &mut [T] {
    let length = all.len() / count;
    &mut all[index * length..][..length]
}
