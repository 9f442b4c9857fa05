//! Exceptions.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

pyo3::create_exception!(
    duoforge,
    IllegalMoveError,
    PyValueError,
    "A move that the rules forbid. The message names the move and the reason."
);

/// Converts an error to a `ValueError` with its message.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
