//! Journals of version 1, in which the player `engine` is ambiguous.

use std::path::Path;

use duoforge_journal::Header;

use crate::failure::{Failure, Result};

/// First version of the journal in which `engine` is the search for processors only. Earlier it was
/// the pattern player, which is now called `pattern`.
const UNAMBIGUOUS: u32 = 2;

/// Refuses to continue an event whose journal may name the pattern player `engine`.
///
/// # Errors
/// `duoforge::journal::former`.
pub fn check(
    path: &Path,
    header: &Header,
    players: impl IntoIterator<Item = String>,
) -> Result<()> {
    let mut players = players.into_iter();
    if header.version >= UNAMBIGUOUS || !players.any(|player| player == "engine") {
        return Ok(());
    }
    let message = format!(
        "{} is a journal of version {} with the player `engine`, which may be the pattern player",
        path.display(),
        header.version
    );
    let help = "start a new event with `pattern`, the pattern player, or `engine`, the search; \
                `duoforge games JOURNAL` lists the finished games";
    Err(Failure::new("duoforge::journal::former", message).help(help))
}
