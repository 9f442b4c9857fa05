//! Checks that examine all earlier games.

use crate::device::Trouble;
use crate::table::Table;

/// The contest's host accepts a voluntary pass from the third move on, so it is not a violation. It
/// is rarely intended, though.
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
