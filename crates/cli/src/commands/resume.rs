//! `duoforge resume`: goes on with what was stopped.

use std::fs;
use std::path::{Path, PathBuf};

use duoforge_journal::{Journal, read};
use duoforge_tournament::TournamentError;

use crate::event::{self, EventArgs};
use crate::failure::{Failure, Result};
use crate::output::Verdict;

/// What journals of tournaments say of themselves.
pub const TOURNAMENT: &str = "tournament";

/// Go on with a tournament that was stopped
///
/// Games that have ended stand. A game that was under way goes on, where both players are programs that
/// play the same again; otherwise it begins anew, since a board cannot be set to a position. Which of both
/// is told for each.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 all games were played, 1 it was stopped before, 2 wrong use or a \
                        failure"
)]
pub struct Args {
    /// The journal; by default the one in this folder that is not finished
    #[arg(value_name = "JOURNAL")]
    pub journal: Option<PathBuf>,
    #[command(flatten)]
    pub event: EventArgs,
}

/// Goes on.
pub fn run(args: &Args) -> Result<Verdict> {
    let path = match &args.journal {
        Some(path) => path.clone(),
        None => unfinished(Path::new("."))?,
    };
    // The kind is looked at before anything is written.
    let kind = read(&path)?.history.header.kind;
    if kind != TOURNAMENT {
        return Err(TournamentError::Kind(kind).into());
    }
    let (journal, history, torn) = Journal::open(&path)?;
    if let Some(torn) = torn {
        eprintln!(
            "{}: {} bytes of a line that was cut short were set aside ({})",
            path.display(),
            torn.len,
            torn.reason
        );
    }
    event::play(&journal, &history, &args.event)
}

/// The one journal of a folder that is not finished.
fn unfinished(folder: &Path) -> Result<PathBuf> {
    let entries = fs::read_dir(folder).map_err(|error| Failure::file("read", folder, &error))?;
    let mut journals: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "journal"))
        .filter(|path| {
            let history = read(path).map(|scan| scan.history);
            history.is_ok_and(|history| !history.finished && history.header.kind == TOURNAMENT)
        })
        .collect();
    journals.sort();
    match journals.as_slice() {
        [path] => Ok(path.clone()),
        [] => Err(
            Failure::new("duoforge::usage", "no journal in this folder is unfinished")
                .help("give the journal: `duoforge resume JOURNAL`"),
        ),
        several => {
            let names: Vec<_> = several
                .iter()
                .map(|path| path.display().to_string())
                .collect();
            let message = format!("{} journals in this folder are unfinished", several.len());
            Err(Failure::new("duoforge::usage", message)
                .help(format!("give one of them: {}", names.join(", "))))
        }
    }
}
