//! Game records: blksgf files and lists of codes.

use std::collections::BTreeMap;

use duoforge_pictures::game_svg;
use duoforge_records::{
    Format, ListedGame, Record, is_fact_name, read_blksgf, read_list, without_skipped_turns,
};
use duoforge_rules::{Game, GameVariant, Move};
use pyo3::prelude::*;

use crate::errors::{IllegalMoveError, value_error};
use crate::game::PyGame;
use crate::moves::extract_move;
use crate::variant::{PyVariant, duo_starts, variant_of};

/// Record of a game: variant, moves with passes, names, facts and comments.
#[pyclass(name = "Record", module = "duoforge", frozen)]
pub(crate) struct PyRecord(Record);

#[pymethods]
impl PyRecord {
    /// Creates a record. `players` has one name for each seat; `facts` maps SGF properties such as
    /// `DT` to texts. Properties with another meaning in a blksgf, such as moves, are refused.
    #[new]
    #[pyo3(signature = (variant, moves, *, players=None, facts=None, comment=""))]
    fn new(
        variant: &Bound<'_, PyAny>,
        moves: &Bound<'_, PyAny>,
        players: Option<Vec<String>>,
        facts: Option<BTreeMap<String, String>>,
        comment: &str,
    ) -> PyResult<Self> {
        let variant = variant_of(Some(variant))?;
        let actions = duoforge_rules::ActionSpace::new(variant.size());
        let moves = moves.try_iter()?.map(|mv| extract_move(&mv?, &actions));
        let moves = moves.collect::<PyResult<Vec<Move>>>()?;
        Self::with_facts(plain_record(variant, moves), players, facts, comment)
    }

    /// Returns the record of a game.
    #[staticmethod]
    #[pyo3(signature = (game, *, players=None, facts=None, comment=""))]
    fn of(
        game: &PyGame,
        players: Option<Vec<String>>,
        facts: Option<BTreeMap<String, String>>,
        comment: &str,
    ) -> PyResult<Self> {
        let moves = game.game.plies().iter().map(|ply| ply.mv).collect();
        let record = plain_record(game.game.variant().clone(), moves);
        Self::with_facts(record, players, facts, comment)
    }

    /// Returns the game after all moves, or after the first `ply` moves.
    #[pyo3(signature = (ply=None))]
    fn game(&self, ply: Option<usize>) -> PyResult<PyGame> {
        let mut game = Game::new(&self.0.played_variant());
        for (mv, number) in self.0.moves().take(ply.unwrap_or(usize::MAX)).zip(1..) {
            game.play(mv).map_err(|reason| {
                IllegalMoveError::new_err(format!("move {number}, {mv}, is illegal: {reason}"))
            })?;
        }
        Ok(PyGame::of(game))
    }

    /// Variant of the game.
    #[getter]
    fn variant(&self) -> PyVariant {
        PyVariant(self.0.variant.clone())
    }

    /// Codes of the moves, passes included.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.0.moves().map(|mv| mv.to_string()).collect()
    }

    /// Name of each seat's player; empty if it is unknown.
    #[getter]
    fn players(&self) -> Vec<String> {
        self.0.players.clone()
    }

    /// Other facts by SGF property.
    #[getter]
    fn facts(&self) -> BTreeMap<String, String> {
        self.0.facts.clone()
    }

    /// Comment on the game.
    #[getter]
    fn comment(&self) -> String {
        self.0.comment.clone()
    }

    /// Comment on each move; empty if there is none.
    #[getter]
    fn comments(&self) -> Vec<String> {
        let plies = self.0.plies.iter();
        plies.map(|ply| ply.comment.clone()).collect()
    }

    /// Expected margin of the first player after each move, in points; None if there is none.
    #[getter]
    fn values(&self) -> Vec<Option<f64>> {
        self.0.plies.iter().map(|ply| ply.value).collect()
    }

    /// Returns a picture of the position after all moves as SVG, with the names of the players.
    fn svg(&self) -> PyResult<String> {
        let game = self.game(None)?;
        Ok(game_svg(&game.game, &self.0.players))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __repr__(&self) -> String {
        let (name, moves) = (self.0.variant.name(), self.0.plies.len());
        format!("<Record {name}, {moves} moves>")
    }
}

impl PyRecord {
    /// Adds names, facts and a comment to a record without metadata.
    fn with_facts(
        mut record: Record,
        players: Option<Vec<String>>,
        facts: Option<BTreeMap<String, String>>,
        comment: &str,
    ) -> PyResult<Self> {
        if let Some(players) = players {
            let (found, seats) = (players.len(), record.players.len());
            if found != seats {
                let message =
                    format!("players has {found} entries: expected {seats}, one per seat");
                return Err(value_error(message));
            }
            record.players = players;
        }
        record.facts = facts.unwrap_or_default();
        for name in record.facts.keys() {
            check_fact_name(&record.variant, name).map_err(value_error)?;
        }
        comment.clone_into(&mut record.comment);
        Ok(Self(record))
    }
}

/// Returns a record without metadata. Blokus Duo has one variant in records: the first placement
/// chooses the start cells.
fn plain_record(variant: GameVariant, moves: Vec<Move>) -> Record {
    if duo_starts(&variant).is_some() {
        let record = Record::new(GameVariant::DUO, moves.iter().copied());
        if moves.is_empty() || record.played_variant() == variant {
            return record;
        }
    }
    Record::new(variant, moves)
}

/// Returns an error unless a property may be a fact of a game.
fn check_fact_name(variant: &GameVariant, name: &str) -> Result<(), String> {
    let is_property = |letter: u8| letter.is_ascii_uppercase() || letter.is_ascii_digit();
    if !(1..=8).contains(&name.len()) || !name.bytes().all(is_property) {
        return Err(format!(
            "'{name}' is not a property: expected 1 to 8 capital letters and digits"
        ));
    }
    if !is_fact_name(variant, name) {
        return Err(format!(
            "'{name}' cannot be a fact, since it has another meaning in a blksgf: expected a \
             property of the whole game, such as DT, EV, RE or RO"
        ));
    }
    Ok(())
}

/// Reads games from the text of a blksgf file or of a list of codes; the first character decides.
/// `variant` is that of the games of a list, `duo` by default; a blksgf file names it itself. In a
/// variant that skips a colour without a placement, a list may have `0000` for each skipped turn;
/// these are left out.
#[pyfunction]
#[pyo3(signature = (text, variant=None))]
pub(crate) fn read_records(
    text: &str,
    variant: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<PyRecord>> {
    if Format::of(text) == Format::Blksgf {
        let games = read_blksgf(text).map_err(value_error)?;
        return Ok(games
            .into_iter()
            .map(|game| PyRecord(game.record))
            .collect());
    }
    let variant = variant_of(variant)?;
    let games = read_list(text).map_err(value_error)?;
    let record = |game: &ListedGame| {
        let moves = listed_moves(game)?;
        let moves = without_skipped_turns(&variant, &moves);
        Ok(PyRecord(plain_record(variant.clone(), moves)))
    };
    games.iter().map(record).collect()
}

/// Returns the moves of a game of a list, with the passes of skipped turns.
fn listed_moves(game: &ListedGame) -> PyResult<Vec<Move>> {
    let read = |code: &duoforge_records::ListedCode| {
        Move::from_code_bytes(code.bytes).map_err(|reason| {
            let (line, column) = (game.line, code.column);
            let code = String::from_utf8_lossy(&code.bytes);
            value_error(format!("line {line}, column {column}: {code}: {reason}"))
        })
    };
    game.codes.iter().map(read).collect()
}

/// Returns the text of a blksgf file with these games, one tree for each.
#[pyfunction]
pub(crate) fn write_blksgf(records: Vec<PyRef<'_, PyRecord>>) -> PyResult<String> {
    duoforge_records::write_blksgf(&cloned(&records)).map_err(value_error)
}

/// Returns a list of codes with these games, one line for each.
#[pyfunction]
pub(crate) fn write_list(records: Vec<PyRef<'_, PyRecord>>) -> String {
    duoforge_records::write_list(&cloned(&records))
}

fn cloned(records: &[PyRef<'_, PyRecord>]) -> Vec<Record> {
    records.iter().map(|record| record.0.clone()).collect()
}
