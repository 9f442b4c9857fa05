//! Run of a tournament at the terminal: notices, interruption and report.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};

use duoforge_journal::{History, Journal, read};
use duoforge_tournament::{
    Control, Fixture, Notice, Plan, Played, Progress, Report, TournamentError, test_players,
};
use indicatif::ProgressBar;

use crate::failure::Result;
use crate::interrupt::Interrupt;
use crate::output::Verdict;
use crate::play::former;
use crate::play::watch::progress;
use crate::report_files::ReportArgs;

/// Output options of a tournament.
#[derive(Debug, clap::Args)]
pub struct EventArgs {
    #[command(flatten)]
    pub report: ReportArgs,
    /// Do not print a line for each game
    #[arg(short, long)]
    pub quiet: bool,
}

/// Plays a tournament from the end of its journal, and prints the standings. The result is negative
/// if the tournament was stopped before its end.
pub fn play(
    plan: &Plan,
    journal: &Journal,
    history: &History,
    args: &EventArgs,
) -> Result<Verdict> {
    let specs = plan.players.iter().map(|entry| entry.spec.to_string());
    former::check(journal.path(), &history.header, specs)?;
    let files = args.report.files()?;
    let command = format!("duoforge resume '{}'", journal.path().display());
    let notice = "Finishing the games in progress. Ctrl-C again stops immediately.";
    let mut console = Console {
        plan: plan.without_excluded(&history.input_tests),
        quiet: args.quiet,
        interrupt: Interrupt::catch(Some(notice))?,
        bar: io::stderr()
            .is_terminal()
            .then(|| progress(plan.most_games())),
        broken: Mutex::new(false),
    };
    if let Some(bar) = &console.bar {
        bar.set_position(history.ended().count() as u64);
        bar.reset_eta();
    }
    if !history.finished {
        console.say(&format!("journal {}", journal.path().display()));
        console.say(&format!("to continue after an interruption: {command}"));
    }
    let left = match test_players(plan, journal, history, &console) {
        Ok(Some(mut tested)) => {
            console.plan = tested.plan().clone();
            tested
                .run(journal, history, &console)
                .map(|left| left.finished)
        }
        // The tournament was stopped during the input tests.
        Ok(None) => Ok(false),
        Err(error) => Err(error),
    };
    if let Some(bar) = &console.bar {
        bar.finish_and_clear();
    }
    let finished = match left {
        Ok(finished) => finished,
        Err(error) => {
            if !matches!(error, TournamentError::TooFew { .. }) {
                note!("stopped before the end; continue with: {command}");
            }
            return Err(error.into());
        }
    };
    let history = read(journal.path())?.history;
    let report = Report::new(&console.plan, &history);
    args.report.write(&files, |form| report.render(form))?;
    if !finished {
        note!("stopped before the end; continue with: {command}");
    }
    Ok(Verdict::of(finished))
}

/// Console of a tournament; it writes to standard error.
struct Console {
    plan: Plan,
    quiet: bool,
    interrupt: Interrupt,
    bar: Option<ProgressBar>,
    /// True if standard error is closed. The tournament continues without messages.
    broken: Mutex<bool>,
}

impl Console {
    fn say(&self, text: &str) {
        use io::Write as _;
        let write = || {
            let mut broken = self.broken.lock().unwrap_or_else(PoisonError::into_inner);
            if !*broken {
                *broken = writeln!(io::stderr(), "{text}").is_err();
            }
        };
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

impl Control for Console {
    fn stops(&self) -> bool {
        self.interrupt.is_set()
    }

    fn notice(&self, notice: &Notice) {
        self.say(&notice.to_string());
    }

    fn ended(&self, fixture: &Fixture, played: &Played, progress: Progress) {
        if let Some(bar) = &self.bar {
            bar.set_length(progress.total);
            bar.set_position(progress.done);
        }
        if self.quiet {
            return;
        }
        let [one, two] = fixture
            .players
            .map(|player| &self.plan.players[player].name);
        let [first, second] = played.score;
        let number = match u64::from(fixture.number) {
            // A sequential test was decided while this game was in progress.
            number if number > progress.total => format!("game {number}, which does not count"),
            number => format!("game {number} of {}", progress.total),
        };
        self.say(&format!(
            "{number}: {one} - {two} {}, {first}:{second}, {}",
            played.result.text(),
            played.ending
        ));
    }
}
