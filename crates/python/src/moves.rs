//! Arguments that name a move: codes and action numbers.

use duoforge_rules::{ActionSpace, Move};
use duoforge_view::{ActionError, read_move};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyInt;

use crate::errors::value_error;

/// Reads a move: a code with any of its aliases, or an action number.
pub(crate) fn extract_move(value: &Bound<'_, PyAny>, actions: &ActionSpace) -> PyResult<Move> {
    if let Ok(text) = value.extract::<String>() {
        return read_move(&text, actions).map_err(value_error);
    }
    match value.extract::<i64>() {
        Ok(number) => numbered_move(number, actions),
        Err(_) if value.is_instance_of::<PyInt>() => Err(out_of_range(value.to_string(), actions)),
        Err(_) => {
            let kind = value.get_type().name()?;
            let message = format!("a move is a code (str) or an action number (int), not {kind}");
            Err(PyTypeError::new_err(message))
        }
    }
}

/// Returns the move of an action number.
pub(crate) fn numbered_move(number: i64, actions: &ActionSpace) -> PyResult<Move> {
    let mv = u32::try_from(number).ok();
    let mv = mv.and_then(|number| actions.mv(number));
    mv.ok_or_else(|| out_of_range(number.to_string(), actions))
}

/// Creates the error of a number that is not that of an action.
fn out_of_range(number: String, actions: &ActionSpace) -> PyErr {
    let pass = actions.pass();
    value_error(ActionError::Number { number, pass })
}

/// Returns the number of a move that is on the board.
pub(crate) fn number(mv: Move, actions: &ActionSpace) -> u32 {
    actions.number(mv).expect("a played move is on the board")
}
