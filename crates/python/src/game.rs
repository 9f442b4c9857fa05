//! Games.

use duoforge_pictures::game_svg;
use duoforge_rules::{ActionSpace, Cell, Colour, Game, GameVariant, Move, Tile};
use duoforge_view::{CellHints, Outcome, State, TileHints, TileTable};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::arrays::LazyArray;
use crate::errors::{IllegalMoveError, value_error};
use crate::moves::{extract_move, number};
use crate::planes::{self, plane_count, write_board, write_planes, write_tiles};
use crate::variant::{PyVariant, variant_of};

/// Game of any variant: the position, the turn and the moves played.
#[pyclass(name = "Game", module = "duoforge")]
pub(crate) struct PyGame {
    pub(crate) game: Game,
    actions: ActionSpace,
    /// Number of changes of the position.
    version: u64,
    board: LazyArray<u8>,
    planes: LazyArray<u8>,
    tiles_left: LazyArray<bool>,
    action_mask: LazyArray<bool>,
}

impl PyGame {
    pub(crate) fn of(game: Game) -> Self {
        Self {
            actions: game.actions(),
            game,
            version: 0,
            board: LazyArray::default(),
            planes: LazyArray::default(),
            tiles_left: LazyArray::default(),
            action_mask: LazyArray::default(),
        }
    }

    fn size(&self) -> usize {
        self.game.size().into()
    }

    fn colour(&self, number: u8) -> PyResult<Colour> {
        let count = self.game.variant().colour_count();
        if usize::from(number) < count {
            return Ok(Colour(number));
        }
        let last = count - 1;
        Err(value_error(format!(
            "colour={number} is out of range: expected 0 to {last}"
        )))
    }
}

#[pymethods]
impl PyGame {
    /// Creates a game of a variant (`duo` by default) and plays the moves.
    #[new]
    #[pyo3(signature = (variant=None, moves=None))]
    fn new(variant: Option<&Bound<'_, PyAny>>, moves: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut game = Self::of(Game::new(&variant_of(variant)?));
        let Some(moves) = moves else {
            return Ok(game);
        };
        for (mv, ply) in moves.try_iter()?.zip(1..) {
            let mv = extract_move(&mv?, &game.actions)?;
            let played = game.game.play(mv);
            played.map_err(|reason| illegal(format!("move {ply}, {mv}, is illegal: {reason}")))?;
        }
        Ok(game)
    }

    /// Plays a move, given by its code or its action number.
    fn play(&mut self, mv: &Bound<'_, PyAny>) -> PyResult<()> {
        let mv = extract_move(mv, &self.actions)?;
        let played = self.game.play(mv);
        played.map_err(|reason| illegal(format!("{mv} is illegal: {reason}")))?;
        self.version += 1;
        Ok(())
    }

    /// Takes back the last move and returns its code, or None if no move has been played.
    fn undo(&mut self) -> Option<String> {
        let played = self.game.undo()?;
        self.version += 1;
        Some(played.mv.to_string())
    }

    /// Takes back all moves.
    fn reset(&mut self) {
        self.game = Game::new(self.game.variant());
        self.version += 1;
    }

    /// Returns a copy of the game, with separate arrays.
    fn copy(&self) -> Self {
        Self::of(self.game.clone())
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    /// True if the move is legal.
    fn is_legal(&self, mv: &Bound<'_, PyAny>) -> PyResult<bool> {
        let mv = extract_move(mv, &self.actions)?;
        Ok(self.game.check(mv).is_ok())
    }

    /// Returns the reason why a move is illegal, or None if it is legal.
    fn why_illegal(&self, mv: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let mv = extract_move(mv, &self.actions)?;
        Ok(self.game.check(mv).err().map(|reason| reason.to_string()))
    }

    /// Returns the legal action numbers in increasing order, as a new array of int64.
    fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let moves = self.game.legal_moves().into_iter();
        PyArray1::from_iter(py, moves.map(|mv| i64::from(number(mv, &self.actions))))
    }

    /// Returns the codes of the legal moves, in the order of their action numbers.
    fn legal_codes(&self) -> Vec<String> {
        let moves = self.game.legal_moves();
        moves.iter().map(Move::to_string).collect()
    }

    /// Mobility: number of legal placements of the colour to move. A legal pass does not count.
    #[getter]
    fn legal_count(&self) -> u32 {
        self.game.count_legal()
    }

    /// Variant that is played.
    #[getter]
    fn variant(&self) -> PyVariant {
        PyVariant(self.game.variant().clone())
    }

    /// Number of moves played, passes included.
    #[getter]
    fn ply(&self) -> usize {
        self.game.plies().len()
    }

    /// True if the game has ended.
    #[getter]
    fn over(&self) -> bool {
        self.game.is_over()
    }

    /// Number of the colour to move, or None after the end.
    #[getter]
    fn colour_to_move(&self) -> Option<u8> {
        self.game.to_move().map(|colour| colour.0)
    }

    /// Number of the seat to move, or None after the end.
    #[getter]
    fn seat_to_move(&self) -> Option<u8> {
        self.game.seat_to_move().map(|seat| seat.0)
    }

    /// Codes of the moves played.
    #[getter]
    fn moves(&self) -> Vec<String> {
        let plies = self.game.plies().iter();
        plies.map(|played| played.mv.to_string()).collect()
    }

    /// Action numbers of the moves played.
    #[getter]
    fn actions(&self) -> Vec<u32> {
        let plies = self.game.plies().iter();
        plies
            .map(|played| number(played.mv, &self.actions))
            .collect()
    }

    /// Score of each seat in points, as if the game ended now.
    #[getter]
    fn scores(&self) -> Vec<i32> {
        planes::scores(&self.game).collect()
    }

    /// Return of each seat, as if the game ended now: the share of the other seats with a worse
    /// place minus the share with a better one, from -1 to 1.
    #[getter]
    fn returns(&self) -> Vec<f64> {
        planes::returns(&self.game)
    }

    /// Cells, as a read-only view of shape (size, size) and type uint8: 0 is an empty cell, 1 a
    /// cell of colour 0, and so on.
    #[getter]
    fn board(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let (size, game) = (self.size(), &self.game);
        let write = |out: &mut [u8]| write_board(game, out);
        self.board.view(py, self.version, &[size, size], write)
    }

    /// Planes of the colour to move, as a read-only view of shape (colours + 2, size, size) and
    /// type uint8: cells of each colour from the colour to move on, its corner points, its allowed
    /// cells. After the end they are those of colour 0.
    #[getter]
    fn planes(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let (size, game) = (self.size(), &self.game);
        let count = plane_count(game.variant().colour_count());
        let write = |out: &mut [u8]| write_planes(game, planes::shown_colour(game), out);
        self.planes
            .view(py, self.version, &[count, size, size], write)
    }

    /// Returns the planes of a colour as a new array, as if it were the colour's turn.
    fn planes_of<'py>(&self, py: Python<'py>, colour: u8) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let colour = self.colour(colour)?;
        let (size, count) = (self.size(), plane_count(self.game.variant().colour_count()));
        let array = PyArray3::<u8>::zeros(py, [count, size, size], false);
        let mut out = array.readwrite();
        write_planes(
            &self.game,
            colour,
            out.as_slice_mut().expect("the array is contiguous"),
        );
        Ok(array)
    }

    /// Tiles left, as a read-only view of shape (colours, 21) and type bool.
    #[getter]
    fn tiles_left(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let game = &self.game;
        let shape = [game.variant().colour_count(), Tile::COUNT];
        let write = |out: &mut [bool]| write_tiles(game, out);
        self.tiles_left.view(py, self.version, &shape, write)
    }

    /// Legal actions, as a read-only view of shape (actions,) and type bool.
    #[getter]
    fn action_mask(&mut self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let game = &self.game;
        let write = |out: &mut [bool]| game.write_action_mask(out);
        self.action_mask
            .view(py, self.version, &[self.actions.len()], write)
    }

    /// Returns the state as `duoforge state --json` prints it: a dict.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &State::new(&self.game))
    }

    /// Returns scores, places and winners, as if the game ended now: a dict.
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &Outcome::new(&self.game))
    }

    /// Returns the tiles that reach a cell `(x, y)`, or the cells that a tile reaches: a dict. The
    /// colour is the colour to move by default.
    #[pyo3(signature = (*, cell=None, tile=None, colour=None))]
    fn hints<'py>(
        &self,
        py: Python<'py>,
        cell: Option<(u8, u8)>,
        tile: Option<&str>,
        colour: Option<u8>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let colour = match colour {
            Some(number) => self.colour(number)?,
            None => planes::shown_colour(&self.game),
        };
        match (cell, tile) {
            (Some((x, y)), None) => {
                if x.max(y) >= self.game.size() {
                    let last = self.game.size() - 1;
                    let message = format!("cell=({x}, {y}) is off the board: expected 0 to {last}");
                    return Err(value_error(message));
                }
                loads(py, &CellHints::new(&self.game, colour, Cell::new(x, y)))
            }
            (None, Some(letter)) => {
                let tile = match letter.as_bytes() {
                    [letter] => Tile::from_letter(*letter),
                    _ => None,
                };
                let unknown = || value_error(format!("tile='{letter}': expected a letter a to u"));
                loads(
                    py,
                    &TileHints::new(&self.game, colour, tile.ok_or_else(unknown)?),
                )
            }
            _ => Err(value_error("hints need either a cell or a tile")),
        }
    }

    /// Returns the number of sequences of `depth` placements. The interpreter is released.
    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        let mut game = self.game.clone();
        py.detach(move || game.perft(depth))
    }

    /// Returns a picture of the position as SVG, with the names of the seats if given.
    #[pyo3(signature = (names=Vec::new()))]
    fn svg(&self, names: Vec<String>) -> String {
        game_svg(&self.game, &names)
    }

    fn _repr_svg_(&self) -> String {
        self.svg(Vec::new())
    }

    fn __str__(&self) -> String {
        self.game.to_string()
    }

    fn __repr__(&self) -> String {
        let turn = match self.game.to_move() {
            Some(colour) => format!("colour {} to move", colour.0),
            None => "over".to_owned(),
        };
        let (name, ply) = (self.game.variant().name(), self.ply());
        format!("<Game {name}, {ply} moves, {turn}>")
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game == other.game
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (PyVariant, Vec<u32>)) {
        let class = py.get_type::<Self>().into_any();
        (class, (self.variant(), self.actions()))
    }
}

/// Returns the cells of every orientation on boards of `size` columns, with their action numbers: a
/// dict.
#[pyfunction]
pub(crate) fn tile_table(py: Python<'_>, size: u8) -> PyResult<Bound<'_, PyAny>> {
    if !GameVariant::SIZES.contains(&size) {
        return Err(value_error(format!(
            "size={size} is out of range: expected 5 to 20"
        )));
    }
    loads(py, &TileTable::new(size))
}

fn illegal(message: String) -> PyErr {
    IllegalMoveError::new_err(message)
}

/// Converts a serialisable value to Python's dicts, lists, numbers and texts.
fn loads<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(value_error)?;
    py.import("json")?.call_method1("loads", (text,))
}
