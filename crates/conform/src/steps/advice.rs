//! Looks back at all games.

use crate::device::Trouble;
use crate::table::Table;

/// The contest's host accepts a pass from the third turn on even where a tile could be placed, so
/// that this is no fault; but it is seldom meant.
pub fn real_passes(table: &mut Table) -> Result<String, Trouble> {
    if table.answers == 0 {
        return Err(Trouble::NotReached("no game was played before".to_owned()));
    }
    match &table.early_pass {
        Some(fault) => Err(fault.clone().into()),
        None => Ok(format!(
            "{} answers without a pass that was not forced",
            table.answers
        )),
    }
}
