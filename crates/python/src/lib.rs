//! Native part of the Python package `duoforge`: rules of every variant, batches of games, engine
//! analysis, records and pictures.
//!
//! Games and batches own NumPy arrays that they write and Python reads without a copy. The pure
//! Python part lies in `python/duoforge`; `docs/python.md` is the manual. No crate depends on this
//! one. It is built against Python's stable interface, so that `cargo check` needs no Python.
//!
//! | module | content |
//! |---|---|
//! | `variant`, `game`, `moves` | variants, games, arguments that name a move |
//! | `batch`, `slot`, `rows` | many games in one object, and their arrays |
//! | `arrays`, `planes` | arrays shared with Python, and their content |
//! | `analysis`, `search` | engines |
//! | `record` | game records |
//! | `errors` | exceptions |

mod analysis;
mod arrays;
mod batch;
mod errors;
mod game;
mod moves;
mod planes;
mod record;
mod rows;
mod search;
mod slot;
mod variant;

use pyo3::prelude::*;

/// Native part of the package `duoforge`.
#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::analysis::{Analysis, Candidate, analyse};
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::game::{PyGame, tile_table};
    #[pymodule_export]
    use crate::record::{PyRecord, read_records, write_blksgf, write_list};
    #[pymodule_export]
    use crate::variant::{PyVariant, restore_variant};

    use crate::errors::IllegalMoveError;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        let error = module.py().get_type::<IllegalMoveError>();
        module.add("IllegalMoveError", error)
    }
}
