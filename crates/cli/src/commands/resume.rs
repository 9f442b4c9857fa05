//! `duoforge resume`: goes on with what was stopped.

use std::fs;
use std::path::{Path, PathBuf};

use duoforge_journal::{Kind, read};
use duoforge_tournament::{Plan, TournamentError};

use crate::commands::matches;
use crate::failure::{Failure, Result};
use crate::output::{Style, Verdict};
use crate::play::match_journal::{opened, words};
use crate::play::tournament::{self, EventArgs};

/// Go on with a tournament or a match that was stopped
///
/// Games that have ended stand. A game of a tournament that was under way goes on, where both players are
/// programs that play the same again; otherwise, and in a match, it begins anew, since a board cannot be set
/// to a position. Which of both is told for each. A match goes on with the command line that started it, in
/// the folder where it was started.
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

/// Parser of the command line that started a match; `None` if the words are not a match.
pub type MatchParser = fn(&[String]) -> Option<matches::Args>;

/// Resumes the event of a journal.
pub fn run(args: &Args, parse: MatchParser, style: Style) -> Result<Verdict> {
    let path = match &args.journal {
        Some(path) => path.clone(),
        None => unfinished(Path::new("."))?,
    };
    // The kind is looked at before anything is written.
    let history = read(&path)?.history;
    match &history.header.kind {
        Kind::Tournament => {
            let plan = Plan::read(&history.header.plan).map_err(TournamentError::from)?;
            let (journal, history) = opened(&path)?;
            tournament::play(&plan, &journal, &history, &args.event)
        }
        Kind::Match if history.finished => {
            let message = format!("{}: all games of this match were played", path.display());
            Err(Failure::new("duoforge::journal::finished", message)
                .help("`duoforge games JOURNAL` reads them"))
        }
        Kind::Match => resume_match(&path, words(&history, &path)?, parse, style),
        kind @ Kind::Other(_) => Err(TournamentError::Kind(kind.clone()).into()),
    }
}

/// Goes on with a match.
fn resume_match(
    path: &Path,
    words: Vec<String>,
    parse: MatchParser,
    style: Style,
) -> Result<Verdict> {
    let Some(mut args) = parse(&words) else {
        let message = format!(
            "{} was started by a command that is not understood: duoforge {}",
            path.display(),
            words.join(" ")
        );
        return Err(Failure::new("duoforge::journal::other", message)
            .help("`duoforge games JOURNAL` reads the games that have ended"));
    };
    args.watch.kept.journal = Some(path.to_owned());
    args.watch.kept.words = words;
    matches::run(&args, style)
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
            let known = |kind: &Kind| !matches!(kind, Kind::Other(_));
            history.is_ok_and(|history| !history.finished && known(&history.header.kind))
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
