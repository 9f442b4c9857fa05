//! `duoforge players`: list of players, and the keys of their settings.

use crate::failure::Result;
use crate::output::{self, Verdict};
use crate::players;
use crate::players::keys::{self, Kind};

/// List the players, or the keys of a player's settings
///
/// For each key, prints its permitted values, its default and its meaning. A player takes keys as
/// in search:sims=5000,children=16 and engine:ms=5000,threads=2.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Player whose keys are listed
    #[arg(value_name = "KIND")]
    pub kind: Option<Kind>,
}

/// Prints the list of players, or the keys of one.
pub fn run(args: &Args) -> Result<Verdict> {
    match args.kind {
        None => output::line(players::list())?,
        Some(kind) => {
            output::line(players::list_of(kind))?;
            output::line("")?;
            output::line(keys::table(kind))?;
        }
    }
    Ok(Verdict::Good)
}
