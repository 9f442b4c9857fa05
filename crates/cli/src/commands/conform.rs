//! `duoforge conform`: conformance checks of a device or program.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use duoforge_bots::BotSpec;
use duoforge_conform::bot::{BotOptions, BotRun};
use duoforge_conform::{
    ConformanceCheck, Kind, Report, Run, RunOptions, StepReport, Summary, Verdict,
};
use duoforge_players::{PlayerError, PlayerSpec};
use duoforge_protocol::REPLY_LIMIT;
use duoforge_referee::{Player, Seat, duration};
use duoforge_sim::Backend;

use crate::failure::{Failure, Result};
use crate::former_option::former;
use crate::junit;
use crate::output::{self, Style};
use crate::play::time::limit;
use crate::players;
use crate::profiles::{Entrant, ProfileArgs, ResolvedPlayer, entrant};
use crate::terminal::Terminal;

/// Check a device or program against the contest's protocol, with numbered checks
///
/// A text bot is also checked against the text protocol.
///
/// The checks prompt the device as a contest's host may prompt it. The host plays the opponent's
/// side and adjudicates every reply. A failed check is printed with the bytes of the link. Advisory
/// checks cover behaviour that the contest leaves open; they only warn. Some checks need a
/// situation that depends on the device's own moves, and play several games to reach it. If the
/// situation does not occur, the check has neither passed nor failed.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
#[command(arg = former("tries", "--attempts"))]
#[command(arg = former("slow", "--host-delay"))]
#[command(arg = former("games", "--series-games"))]
#[command(
    after_help = "Exit status: 0 no check failed; 1 a check failed; 2 usage error, or the device \
                  could not be checked"
)]
pub struct Args {
    /// Device or player, such as /dev/ttyUSB0, usb:SERIAL, a profile, tcp:HOST:PORT, pty,
    /// exec:COMMAND, twin or sim
    #[arg(value_name = "DEVICE", group = "what", value_parser = entrant)]
    pub device: Option<Entrant>,
    /// Pattern player in hardware simulation: verilator, icarus or rust
    #[arg(long, value_name = "BACKEND", group = "what")]
    #[arg(num_args = 0..=1, default_missing_value = "verilator")]
    pub sim: Option<Backend>,
    /// List the checks
    #[arg(long, group = "what")]
    pub list: bool,
    /// Run only these checks, by number or name, separated by commas; 7-10 is a range
    #[arg(long, value_name = "CHECKS")]
    pub only: Option<String>,
    /// Time limit of a reply [default: that of the profile, for a text bot the time of its input
    /// test, or 1s]
    #[arg(long, value_name = "TIME", value_parser = limit)]
    pub limit: Option<Duration>,
    /// Number of games in the check `series`
    #[arg(long, value_name = "N", default_value_t = RunOptions::default().games)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub series_games: u32,
    /// Maximum number of games in which a check seeks its situation
    #[arg(long, value_name = "N", default_value_t = RunOptions::default().tries)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub attempts: u32,
    /// Silence of the host before each prompt in the check `slow-host`
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "3s")]
    pub host_delay: Duration,
    /// Seed of the opponent's moves
    #[arg(long, value_name = "SEED", default_value_t = RunOptions::default().seed)]
    pub seed: u64,
    #[command(flatten)]
    pub profiles: ProfileArgs,
    /// Also write a JUnit file
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Runs the checks.
pub fn run(args: &Args, style: Style) -> Result<output::Verdict> {
    let steps = select(args.only.as_deref())?;
    if args.list {
        list(&steps)?;
        return Ok(output::Verdict::Good);
    }
    let (bot_steps, steps): (Vec<_>, Vec<_>) =
        steps.into_iter().partition(|step| step.is_for_bots());
    let spec = match (&args.device, args.sim) {
        (Some(entrant), _) => entrant.clone(),
        (None, backend) => {
            let backend = backend.unwrap_or(Backend::Verilator);
            Entrant::Spec(players::read(&format!("sim:{backend}"))?)
        }
    };
    let candidate = ResolvedPlayer::find(&spec, &args.profiles)?;
    let bot = match &candidate.spec {
        PlayerSpec::Bot(bot) => Some(bot.as_ref()),
        _ => None,
    };
    if let (None, Some(step), Some(_)) = (bot, bot_steps.first(), &args.only) {
        let (number, name) = (step.number, step.name);
        let message =
            format!("check {number} ({name}) is for text bots: expected a player bot:...");
        return Err(Failure::new("duoforge::usage", message)
            .help("`duoforge conform --list` lists the checks"));
    }
    // A bot keeps its own time; its input test is part of the handshake.
    let own = bot.map(BotSpec::warmup);
    let settings = RunOptions {
        limit: args
            .limit
            .or(candidate.limit)
            .or(own)
            .unwrap_or(REPLY_LIMIT),
        reset: candidate.reset,
        games: args.series_games,
        tries: args.attempts,
        slow: args.host_delay,
        seed: args.seed,
        ..RunOptions::default()
    };
    let mut terminal = Terminal::new(Some(args.seed), style);
    let mut printed = Ok(());
    let mut show = |step: &StepReport| {
        if !args.json && printed.is_ok() {
            printed = print(step, style);
        }
    };
    let run = Run::new(Box::new(|| Ok(open(&candidate, &mut terminal)?)), settings);
    // The device is opened even if no check of devices is chosen: a program that does not exist is
    // a failure of the command.
    let mut report = run.steps(&steps, &mut show)?;
    if let Some(bot) = bot
        && !bot_steps.is_empty()
    {
        let run = BotRun::new(bot_options(bot, args.seed));
        report.steps.extend(run.steps(&bot_steps, &mut show)?.steps);
    }
    if let Some(path) = &args.junit {
        fs::write(path, junit::conform::write(&report))
            .map_err(|error| Failure::file("written", path, &error))?;
    }
    let printed = printed.and_then(|()| match args.json {
        true => output::json(&Summary::from(&report)),
        false => conclude(&report),
    });
    output::concluded(printed, output::Verdict::of(report.failed() == 0))
}

/// Options of the checks of the text protocol: the bot's own times and limits.
fn bot_options(bot: &BotSpec, seed: u64) -> BotOptions {
    BotOptions {
        limits: bot.limits(),
        timebank: bot.timebank,
        move_time: bot.move_time,
        warmup: bot.warmup(),
        seed,
        ..BotOptions::new(bot.words.clone())
    }
}

/// Opens the device without reconnecting: a check must see that it disconnects.
fn open(
    candidate: &ResolvedPlayer,
    terminal: &mut Terminal,
) -> std::result::Result<Player, PlayerError> {
    match &candidate.spec {
        PlayerSpec::Link(spec) if spec.path().is_ok_and(|path| path.is_some()) => {
            let link = spec.open_serial(candidate.baud());
            let seat = Seat::One;
            Ok(Player::board(
                link.map_err(|source| PlayerError::Open { seat, source })?,
            ))
        }
        spec => spec.open(Seat::One, terminal),
    }
}

/// Returns the checks that `--only` names, by number; all checks without it.
fn select(only: Option<&str>) -> Result<Vec<&'static ConformanceCheck>> {
    let count = ConformanceCheck::ALL.len() + ConformanceCheck::BOT.len();
    let named = |name: &str| {
        ConformanceCheck::find(name)
            .map(|step| step.number)
            .ok_or_else(|| {
                let message = match ConformanceCheck::renamed(name) {
                    Some(present) => format!("check '{name}' is now called '{present}'"),
                    None => format!(
                        "unknown check '{name}': expected a name or a number from 1 to {}",
                        count
                    ),
                };
                Failure::new("duoforge::usage", message)
                    .help("`duoforge conform --list` lists the checks")
            })
    };
    let empty = |message| {
        Failure::new("duoforge::usage", message).help(
            "expected names, numbers or ranges FROM-TO with FROM at most TO, separated by commas",
        )
    };
    let mut wanted = Vec::new();
    for part in only.unwrap_or_default().split(',').map(str::trim) {
        match part.split_once('-') {
            _ if part.is_empty() => {}
            Some((from, to)) if from.parse::<usize>().is_ok() => {
                let (from, to) = (named(from)?, named(to)?);
                if from > to {
                    return Err(empty(format!("the range {part} has no check")));
                }
                wanted.extend(from..=to);
            }
            _ => wanted.push(named(part)?),
        }
    }
    if only.is_some() && wanted.is_empty() {
        return Err(empty("--only names no check".to_owned()));
    }
    let chosen = (1..=count).filter(|number| wanted.is_empty() || wanted.contains(number));
    Ok(chosen
        .filter_map(|number| ConformanceCheck::find(&number.to_string()))
        .collect())
}

fn list(steps: &[&'static ConformanceCheck]) -> Result<()> {
    for step in steps {
        let scope = match (step.kind, step.is_for_bots()) {
            (Kind::Required, false) => "",
            (Kind::Advice, false) => " (advisory)",
            (Kind::Required, true) => " (text bots)",
            (Kind::Advice, true) => " (text bots, advisory)",
        };
        let line = format!("{:2} {:17} {}{scope}", step.number, step.name, step.about);
        output::line(line)?;
    }
    Ok(())
}

/// Prints the result of a check, with the bytes if there is a fault.
fn print(report: &StepReport, style: Style) -> Result<()> {
    let (word, colour) = match report.verdict {
        Verdict::Passed(_) => ("passed", "32"),
        Verdict::Failed(_) => ("FAILED", "1;31"),
        Verdict::Warned(_) => ("warning", "33"),
        Verdict::NotReached(_) => ("not reached", "33"),
        Verdict::Blocked { .. } => ("blocked", "2"),
        Verdict::NotRun(_) => ("not run", "2"),
    };
    let (number, name) = (report.step.number, report.step.name);
    let word = style.paint(colour, &format!("{word:11}"));
    let text = report.verdict.text();
    output::line(format!("{number:2} {name:17} {word} {text}"))?;
    if matches!(report.verdict, Verdict::Failed(_) | Verdict::Warned(_)) {
        for entry in report.evidence() {
            output::line(format!("      {entry}"))?;
        }
    }
    Ok(())
}

fn conclude(report: &Report) -> Result<()> {
    let count = |word: &str| report.count(|verdict| verdict.word() == word);
    let words = [
        ("passed", "passed"),
        ("failed", "failed"),
        ("warned", "with a warning"),
        ("not-reached", "not reached"),
        ("blocked", "blocked"),
        ("not-run", "not run"),
    ];
    let parts: Vec<_> = words
        .into_iter()
        .filter(|&(word, _)| count(word) > 0)
        .map(|(word, text)| format!("{} {text}", count(word)))
        .collect();
    let team = report
        .team
        .as_ref()
        .map_or_else(String::new, |team| format!(", team {team}"));
    output::line(format!("{}{team}: {}", report.device, parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(only: &str) -> Vec<usize> {
        select(Some(only))
            .unwrap()
            .iter()
            .map(|step| step.number)
            .collect()
    }

    #[test]
    fn checks_are_chosen_by_number_name_and_range() {
        assert_eq!(numbers("3,handshake"), [1, 3]);
        assert_eq!(numbers("7-9, back-to-back"), [7, 8, 9, 17]);
        assert_eq!(numbers("forced-pass"), [13]);
        assert_eq!(numbers("bot-quit,28"), [28, 36]);
        assert_eq!(select(None).unwrap().len(), 38);
        for wrong in ["39", "0", "x", "3-99"] {
            assert!(select(Some(wrong)).is_err(), "{wrong}");
        }
        let former = select(Some("glued")).unwrap_err().to_string();
        assert_eq!(former, "check 'glued' is now called 'back-to-back'");
    }
}
