//! Tournaments of variants at the terminal.

use std::path::Path;

use duoforge_journal::{History, Journal, VariantEnded, read};
use duoforge_tournament::{
    Form, Notice, Progress, TournamentError, VariantControl, VariantFixture, VariantPlan,
    VariantReport, run_variant, test_variant_players,
};

use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::output::{self, Verdict};
use crate::play::logs::last_lines;
use crate::play::tournament::EventArgs;

/// Plays a tournament from the end of its journal, and prints the standings. The result is negative
/// if the tournament was stopped before its end.
pub fn play(
    plan: &VariantPlan,
    journal: &Journal,
    history: &History,
    args: &EventArgs,
) -> Result<Verdict> {
    let files = check_forms(args)?;
    let command = format!("duoforge resume '{}'", journal.path().display());
    let notice = "Finishing the games in progress. Ctrl-C again stops immediately.";
    let mut console = Console {
        plan: plan.without_excluded(&history.input_tests),
        quiet: args.quiet,
        interrupt: Interrupt::catch(Some(notice))?,
    };
    if !history.finished {
        note!("journal {}", journal.path().display());
        note!("to continue after an interruption: {command}");
    }
    let finished = match test_variant_players(plan, journal, history, &console) {
        Ok(Some(tested)) => {
            console.plan = tested;
            run_variant(&console.plan, journal, history, &console)
        }
        // The tournament was stopped during the input tests.
        Ok(None) => Ok(false),
        Err(error) => Err(error),
    };
    let finished = match finished {
        Ok(finished) => finished,
        Err(error) => {
            if !matches!(error, TournamentError::TooFew { .. }) {
                note!("stopped before the end; continue with: {command}");
            }
            return Err(error.into());
        }
    };
    let report = VariantReport::new(&console.plan, &read(journal.path())?.history);
    args.report.write(&files, |form| rendered(&report, form))?;
    if !finished {
        note!("stopped before the end; continue with: {command}");
    }
    Ok(Verdict::of(finished))
}

/// Returns the files to be written, and refuses the formats that only tournaments of duo have.
pub fn check_forms(args: &EventArgs) -> Result<Vec<(&Path, Form)>> {
    let files = args.report.files()?;
    let wanted = files
        .iter()
        .map(|&(_, form)| form)
        .chain([args.report.format]);
    for form in wanted {
        let name = match form {
            Form::Html => "html",
            Form::Svg => "svg",
            Form::Text | Form::Markdown | Form::Json => continue,
        };
        let message = format!("format {name} is for tournaments of duo without the key variant");
        return Err(Failure::new("duoforge::usage", message)
            .help("tournaments of variants have the formats text, markdown and json"));
    }
    Ok(files)
}

/// Prints the games of a plan.
pub fn list(plan: &VariantPlan) -> Result<Verdict> {
    for fixture in plan.fixtures() {
        let VariantFixture { number, round, .. } = fixture;
        let names = names(plan, &fixture);
        output::line(format!("round {round:>2}  game {number:>4}  {names}"))?;
    }
    output::line(format!("{} games", plan.game_count()))?;
    Ok(Verdict::Good)
}

fn names(plan: &VariantPlan, fixture: &VariantFixture) -> String {
    let seats = fixture.seats.iter();
    let names: Vec<_> = seats
        .map(|&player| plan.players[player].name.as_str())
        .collect();
    names.join(" - ")
}

/// Renders the standings; pages and pictures have been refused.
fn rendered(report: &VariantReport, form: Form) -> String {
    match form {
        Form::Markdown => report.markdown(),
        Form::Json => report.json(),
        Form::Text | Form::Html | Form::Svg => report.text(),
    }
}

/// Console of a tournament; it writes to standard error.
struct Console {
    plan: VariantPlan,
    quiet: bool,
    interrupt: Interrupt,
}

impl VariantControl for Console {
    fn stops(&self) -> bool {
        self.interrupt.is_set()
    }

    fn excluded(&self, notice: &Notice) {
        note!("{notice}");
    }

    fn restarted(&self, game: u32) {
        note!("game {game} restarts: the process stopped");
    }

    fn ended(&self, fixture: &VariantFixture, ended: &VariantEnded, progress: Progress) {
        if self.quiet {
            return;
        }
        let scores: Vec<_> = ended.seats.iter().map(|it| it.score.to_string()).collect();
        note!(
            "game {} of {}: {} {}, {}",
            fixture.number,
            progress.total,
            names(&self.plan, fixture),
            scores.join(":"),
            ended.detail
        );
        for (seat, &player) in ended.seats.iter().zip(&fixture.seats) {
            if let (Some(_), Some(log)) = (&seat.fault, &seat.log) {
                let name = &self.plan.players[player].name;
                note_part!("{}", last_lines(name, log));
            }
        }
    }
}
