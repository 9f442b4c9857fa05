//! `duoforge resume`: continues an interrupted event.

use std::fs;
use std::path::{Path, PathBuf};

use duoforge_journal::{Kind, read};
use duoforge_tournament::{Form, Plan, TournamentError, VariantPlan};

use crate::commands::matches;
use crate::failure::{Failure, Result};
use crate::output::{Style, Verdict};
use crate::play::files::distinct_from;
use crate::play::match_journal::{finished, opened, words};
use crate::play::seats;
use crate::play::tournament::{self, EventArgs};
use crate::players;

/// Continue an interrupted tournament or match
///
/// Finished games are kept. An interrupted game of a tournament continues if both players replay
/// their moves identically. Any other interrupted game restarts: a device cannot be set to a
/// position. The command lists both kinds. A match continues with the command line that started it;
/// run the command in the same directory.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 all games were played; 1 stopped before the end, or a match with a \
                  violation; 2 usage error or failure"
)]
pub struct Args {
    /// Journal [default: the only unfinished one of this directory]
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
    distinct_from([&path], &args.event.report.save)?;
    // The kind is checked before the journal is opened for writing.
    let history = read(&path)?.history;
    match &history.header.kind {
        Kind::Tournament if VariantPlan::is_plan(&history.header.plan) => {
            let plan = VariantPlan::read_with(&history.header.plan, players::read)
                .map_err(TournamentError::from)?;
            let (journal, history) = opened(&path)?;
            seats::tournament::play(&plan, &journal, &history, &args.event)
        }
        Kind::Tournament => {
            let plan = Plan::read_with(&history.header.plan, players::read);
            let plan = plan.map_err(TournamentError::from)?;
            let (journal, history) = opened(&path)?;
            tournament::play(&plan, &journal, &history, &args.event)
        }
        Kind::Match if history.finished => {
            Err(finished(&path).help("`duoforge games JOURNAL` lists its games"))
        }
        Kind::Match => resume_match(&path, words(&history, &path)?, &args.event, parse, style),
        kind @ (Kind::Casual | Kind::Other(_)) => Err(TournamentError::Kind(kind.clone()).into()),
    }
}

/// Continues a match.
fn resume_match(
    path: &Path,
    words: Vec<String>,
    event: &EventArgs,
    parse: MatchParser,
    style: Style,
) -> Result<Verdict> {
    let Some(mut args) = parse(&words) else {
        let message = format!(
            "{} was started by an unknown command line: duoforge {}",
            path.display(),
            words.join(" ")
        );
        return Err(Failure::new("duoforge::journal::other", message)
            .help("`duoforge games JOURNAL` lists the finished games"));
    };
    if event.report.format != Form::Text || !event.report.save.is_empty() {
        let message = format!("{} is of a match, which has no report", path.display());
        return Err(Failure::new("duoforge::usage", message)
            .help("leave out --format and --save: they are for tournaments"));
    }
    args.watch.quiet |= event.quiet;
    args.watch.kept.journal = Some(path.to_owned());
    args.watch.kept.words = words;
    matches::run(&args, style)
}

/// Returns the only unfinished journal of a directory.
fn unfinished(directory: &Path) -> Result<PathBuf> {
    let entries =
        fs::read_dir(directory).map_err(|error| Failure::file("read", directory, &error))?;
    let mut journals: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "journal"))
        .filter(|path| {
            let history = read(path).map(|scan| scan.history);
            let known = |kind: &Kind| !matches!(kind, Kind::Casual | Kind::Other(_));
            history.is_ok_and(|history| !history.finished && known(&history.header.kind))
        })
        .collect();
    journals.sort();
    match journals.as_slice() {
        [path] => Ok(path.clone()),
        [] => Err(Failure::new(
            "duoforge::usage",
            "this directory has no unfinished journal",
        )
        .help("name the journal: `duoforge resume JOURNAL`")),
        several => {
            let names: Vec<_> = several
                .iter()
                .map(|path| path.display().to_string())
                .collect();
            let message = format!("this directory has {} unfinished journals", several.len());
            Err(Failure::new("duoforge::usage", message)
                .help(format!("name one of them: {}", names.join(", "))))
        }
    }
}
