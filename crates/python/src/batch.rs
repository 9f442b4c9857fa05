//! Batches: many games of one variant, stepped together.

use duoforge_rules::{ActionSpace, Game, GameVariant, IllegalMove, Move};
use duoforge_twin::Rng;
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;

use crate::arrays::{SharedArray, slice};
use crate::errors::{IllegalMoveError, value_error};
use crate::game::PyGame;
use crate::moves::{extract_move, number, numbered_move};
use crate::rows::{BatchArrays, Rows};
use crate::slot::Slot;
use crate::variant::{PyVariant, variant_of};

/// Greatest number of games of a batch.
const MAX_GAMES: usize = 65_536;

/// Action that leaves a game alone.
const NO_ACTION: i64 = -1;

/// Games of one variant with common arrays. A step releases the interpreter.
#[pyclass(module = "duoforge")]
pub(crate) struct Batch {
    slots: Vec<Slot>,
    /// Game without moves.
    fresh: Slot,
    actions: ActionSpace,
    auto_reset: bool,
    rng: Rng,
    arrays: BatchArrays,
    sampled: SharedArray<i64>,
}

#[pymethods]
impl Batch {
    /// Creates `games` games. With `auto_reset`, a game that ends is followed by a new one at once.
    /// `seed` determines the random moves of `sample` and `play_out`. Without `planes` or `masks`
    /// the batch does not have these arrays.
    #[new]
    #[pyo3(signature = (
        variant, games, *, auto_reset=false, seed=0, planes=true, masks=true
    ))]
    fn new(
        py: Python<'_>,
        variant: &Bound<'_, PyAny>,
        games: usize,
        auto_reset: bool,
        seed: u64,
        planes: bool,
        masks: bool,
    ) -> PyResult<Self> {
        if !(1..=MAX_GAMES).contains(&games) {
            let message = format!("games={games} is out of range: expected 1 to {MAX_GAMES}");
            return Err(value_error(message));
        }
        let variant: GameVariant = variant_of(Some(variant))?;
        let fresh = Slot::new(Game::new(&variant));
        let mut batch = Self {
            slots: vec![fresh.clone(); games],
            actions: fresh.game().actions(),
            fresh,
            auto_reset,
            rng: Rng::new(seed),
            arrays: BatchArrays::new(py, &variant, games, planes, masks)?,
            sampled: SharedArray::new(py, &[games])?,
        };
        batch.reset(py)?;
        Ok(batch)
    }

    /// Restarts all games.
    fn reset(&mut self, py: Python<'_>) -> PyResult<()> {
        let mut locked = self.arrays.lock(py)?;
        let mut rows = locked.rows();
        let (slots, fresh) = (&mut self.slots, &mut self.fresh);
        py.detach(|| {
            // Its legal moves are computed once, and copied with it.
            fresh.legal();
            for (index, slot) in slots.iter_mut().enumerate() {
                restart(&mut rows, index, slot, fresh);
            }
        });
        Ok(())
    }

    /// Restarts one game.
    fn reset_game(&mut self, py: Python<'_>, index: usize) -> PyResult<()> {
        self.check_index(index)?;
        let mut locked = self.arrays.lock(py)?;
        restart(
            &mut locked.rows(),
            index,
            &mut self.slots[index],
            &self.fresh,
        );
        Ok(())
    }

    /// Plays one action in each game; -1 leaves a game alone. If one is illegal, no game changes.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let moves = self.moves(py, actions)?;
        let mut locked = self.arrays.lock(py)?;
        let mut rows = locked.rows();
        let (slots, fresh) = (&mut self.slots, &self.fresh);
        let auto_reset = self.auto_reset;
        let stepped = py.detach(|| {
            check(slots, &moves)?;
            for (index, (slot, mv)) in slots.iter_mut().zip(moves).enumerate() {
                let Some(mv) = mv else {
                    rows.clear_result(index);
                    continue;
                };
                let played = slot.change().play(mv);
                played.map_err(|reason| (index, mv, reason))?;
                finish_step(&mut rows, index, slot, auto_reset.then_some(fresh));
            }
            Ok(())
        });
        stepped.map_err(|(index, mv, reason): Illegal| {
            IllegalMoveError::new_err(format!("game {index}: {mv} is illegal: {reason}"))
        })
    }

    /// Returns a random legal action of each game, each with the same chance, and -1 for a
    /// finished game: a read-only view of type int64, which the next call overwrites.
    fn sample(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut locked = self.sampled.lock(py)?;
        let out = slice(&mut locked);
        let (slots, rng, actions) = (&mut self.slots, &mut self.rng, &self.actions);
        py.detach(|| {
            for (out, slot) in out.iter_mut().zip(slots) {
                let mv = slot.random_move(rng);
                *out = mv.map_or(NO_ACTION, |mv| number(mv, actions).into());
            }
        });
        Ok(self.sampled.view(py))
    }

    /// Plays random legal moves until each game has ended once, and returns the number of moves.
    /// Games that are over are left alone.
    fn play_out(&mut self, py: Python<'_>) -> PyResult<u64> {
        let mut locked = self.arrays.lock(py)?;
        let mut rows = locked.rows();
        let (slots, rng, fresh) = (&mut self.slots, &mut self.rng, &self.fresh);
        let auto_reset = self.auto_reset;
        Ok(py.detach(|| {
            let mut plies = 0;
            for (index, slot) in slots.iter_mut().enumerate() {
                if slot.game().is_over() {
                    rows.clear_result(index);
                    continue;
                }
                while let Some(mv) = slot.random_move(rng) {
                    slot.change().play(mv).expect("the move is legal");
                    plies += 1;
                }
                finish_step(&mut rows, index, slot, auto_reset.then_some(fresh));
            }
            plies
        }))
    }

    /// Returns a copy of one game.
    fn game(&self, index: usize) -> PyResult<PyGame> {
        self.check_index(index)?;
        Ok(PyGame::of(self.slots[index].game().clone()))
    }

    fn __len__(&self) -> usize {
        self.slots.len()
    }

    fn __repr__(&self) -> String {
        format!(
            "<Batch of {} games, {}>",
            self.slots.len(),
            self.fresh.game().variant().name()
        )
    }

    /// Variant of the games.
    #[getter]
    fn variant(&self) -> PyVariant {
        PyVariant(self.fresh.game().variant().clone())
    }

    /// Cells, of shape (games, size, size) and type uint8, as `Game.board`.
    #[getter]
    fn board(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.board.view(py)
    }

    /// Planes, of shape (games, colours + 2, size, size) and type uint8, as `Game.planes`.
    #[getter]
    fn planes(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let absent = || PyAttributeError::new_err("the batch was created with planes=False");
        Ok(self.arrays.planes.as_ref().ok_or_else(absent)?.view(py))
    }

    /// Tiles left, of shape (games, colours, 21) and type bool.
    #[getter]
    fn tiles_left(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.tiles_left.view(py)
    }

    /// Legal actions, of shape (games, actions) and type bool.
    #[getter]
    fn action_mask(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let absent = || PyAttributeError::new_err("the batch was created with masks=False");
        Ok(self
            .arrays
            .action_mask
            .as_ref()
            .ok_or_else(absent)?
            .view(py))
    }

    /// Colour to move, of shape (games,) and type int8; -1 after the end.
    #[getter]
    fn colour_to_move(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.colour_to_move.view(py)
    }

    /// Seat to move, of shape (games,) and type int8; -1 after the end.
    #[getter]
    fn seat_to_move(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.seat_to_move.view(py)
    }

    /// Number of moves played, of shape (games,) and type int32.
    #[getter]
    fn ply(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.ply.view(py)
    }

    /// True for a game that is over, of shape (games,) and type bool. With automatic resets, no
    /// game is over after a step.
    #[getter]
    fn over(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.over.view(py)
    }

    /// True for a game that ended in the last step, of shape (games,) and type bool.
    #[getter]
    fn ended(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.ended.view(py)
    }

    /// Scores in points after the last step and before an automatic reset, of shape (games, seats)
    /// and type int32.
    #[getter]
    fn scores(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.scores.view(py)
    }

    /// Returns of the games that ended in the last step, of shape (games, seats) and type float32;
    /// 0 for the others.
    #[getter]
    fn returns(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.returns.view(py)
    }
}

/// Game of a batch, with an illegal move and its reason.
type Illegal = (usize, Move, IllegalMove);

impl Batch {
    fn check_index(&self, index: usize) -> PyResult<()> {
        if index < self.slots.len() {
            return Ok(());
        }
        let last = self.slots.len() - 1;
        Err(value_error(format!(
            "game {index} does not exist: expected 0 to {last}"
        )))
    }

    /// Reads the moves of a step; None for a game that is left alone.
    fn moves(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<Vec<Option<Move>>> {
        let array = py.import("numpy")?.call_method1("asarray", (actions,))?;
        let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
        if kind != "i" && kind != "u" {
            return Err(PyTypeError::new_err("actions are integers"));
        }
        // An unsigned number that int64 lacks would become a negative one, such as that of no action.
        let greatest = array.call_method0("max");
        if let Ok(greatest) = greatest.and_then(|greatest| greatest.call_method0("item"))
            && greatest.extract::<i64>().is_err()
        {
            extract_move(&greatest, &self.actions)?;
        }
        let array = array.call_method1("astype", ("int64",))?;
        let shape = || {
            let count = self.slots.len();
            value_error(format!(
                "actions do not have the shape ({count},): expected one per game"
            ))
        };
        let array = array.cast_into::<PyArray1<i64>>().map_err(|_| shape())?;
        if array.len() != self.slots.len() {
            return Err(shape());
        }
        let read = |action: &i64| match *action {
            NO_ACTION => Ok(None),
            action => numbered_move(action, &self.actions).map(Some),
        };
        array.try_readonly()?.as_array().iter().map(read).collect()
    }
}

/// Checks the moves of a step.
fn check(slots: &[Slot], moves: &[Option<Move>]) -> Result<(), Illegal> {
    for (index, (slot, mv)) in slots.iter().zip(moves).enumerate() {
        if let Some(mv) = *mv {
            let checked = slot.game().check(mv);
            checked.map_err(|reason| (index, mv, reason))?;
        }
    }
    Ok(())
}

/// Replaces a game by a new one and writes it.
fn restart(rows: &mut Rows<'_>, index: usize, slot: &mut Slot, fresh: &Slot) {
    slot.clone_from(fresh);
    rows.write_position(index, slot);
    rows.write_result(index, slot.game(), false);
}

/// Writes a game that a step has changed. If it has ended, it is replaced by `fresh`, if given.
fn finish_step(rows: &mut Rows<'_>, index: usize, slot: &mut Slot, fresh: Option<&Slot>) {
    let ended = slot.game().is_over();
    rows.write_result(index, slot.game(), ended);
    if let (true, Some(fresh)) = (ended, fresh) {
        slot.clone_from(fresh);
    }
    rows.write_position(index, slot);
}
