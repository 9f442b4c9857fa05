//! `duoforge ladder`: ratings over all journals of directories.

use std::path::PathBuf;

use clap::ValueEnum;
use duoforge_journal::read;
use duoforge_tournament::{Ladder, LadderUnit, games_by_variant, gather};

use crate::failure::{Failure, Result};
use crate::output::Verdict;
use crate::play::files::distinct_from;
use crate::report_files::ReportArgs;

/// Rate the players of all journals of a directory
///
/// Reads every journal that `duoforge tournament` and `duoforge match --journal` left in these
/// directories and rates all their finished games of a variant together. A journal that is added
/// later changes the ratings; the same journals give the same bytes, whatever their files are
/// called. A file that is broken or not a journal is named and left out. Hidden files and
/// subdirectories are not read.
#[derive(Debug, clap::Args)]
#[command(after_long_help = RATINGS)]
pub struct Args {
    /// Directories with journals, or single journals
    #[arg(required = true, value_name = "DIR")]
    pub paths: Vec<PathBuf>,
    /// Name of the variant whose games are rated; those of a custom variant have its name
    #[arg(long, value_name = "VARIANT", default_value = "duo")]
    pub variant: String,
    /// Unit that has a rating
    #[arg(long, value_enum, value_name = "UNIT", default_value_t)]
    pub by: Unit,
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Unit that has a rating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Unit {
    /// Each version of a player
    #[default]
    Version,
    /// Each player, with all its versions together
    Player,
}

/// Description of the ratings in the long help.
const RATINGS: &str = "\
The Elo ratings are those of a joint estimate: they explain all results of all players best. Every
game counts alike, whatever its event. In addition, each player has one virtual draw against an
opponent with rating 0, which keeps perfect scores finite. The interval holds with 95 % certainty if
games are independent. The Glicko-2 rating follows the events in the order of their time, and shows
the current form.

With more than two seats, each pair of seats of a game is one result, which the better place wins.

The version of a player is the `version` of its plan or profile; without one, the settings and the
program version of a software player, its command line, or the team code of a device.

Exit status: 0 the ladder was printed; 1 no game can be rated; 2 usage error or failure, such as no
readable journal";

/// Prints the ladder. The result is negative if no game can be rated.
pub fn run(args: &Args) -> Result<Verdict> {
    let files = args.report.files()?;
    distinct_from(&args.paths, &args.report.save)?;
    // A report of a former ladder is written again, but no journal of a directory is.
    if let Some(path) = args.report.save.iter().find(|path| read(path).is_ok()) {
        let message = format!("{} is a journal, not a report", path.display());
        return Err(Failure::new("duoforge::usage", message)
            .help("name another file: the report would replace the journal"));
    }
    let gathered = gather(&args.paths)?;
    for notice in &gathered.notices {
        note!("warning: {notice}");
    }
    if gathered.histories.is_empty() {
        let paths = args.paths.iter().map(|path| path.display().to_string());
        let paths: Vec<_> = paths.collect();
        let message = format!("no readable journal in {}", paths.join(", "));
        return Err(Failure::new("duoforge::ladder", message).help(
            "journals are written by `duoforge tournament` and `duoforge match --journal FILE`",
        ));
    }
    let unit = match args.by {
        Unit::Version => LadderUnit::Version,
        Unit::Player => LadderUnit::Player,
    };
    let ladder = Ladder::new(&gathered.histories, &args.variant, unit);
    args.report.write(&files, |form| ladder.render(form))?;
    if ladder.games == 0 {
        let variant = &ladder.variant;
        note!(
            "no game can be rated: the journals hold no finished game of {variant} with a result"
        );
    }
    for (variant, games) in games_by_variant(&gathered.histories) {
        if variant != ladder.variant {
            note!("{games} games of {variant} have a separate ladder: --variant {variant}");
        }
    }
    Ok(Verdict::of(ladder.games > 0))
}
