//! `duoforge tournament`: games between many players.

use std::fs;
use std::path::PathBuf;

use duoforge_journal::{Header, Journal, JournalError, Kind};
use duoforge_tournament::Plan;

use crate::failure::{Failure, Result};
use crate::output::Verdict;
use crate::play::tournament::{self, EventArgs};

/// Play a tournament, with every move in a journal that survives whatever happens
///
/// The journal is made beside the file, and takes every move before the next one is asked for. If it is
/// there already the tournament goes on from where it is.
#[derive(Debug, clap::Args)]
#[command(after_long_help = FORM)]
pub struct Args {
    /// What is played, as TOML
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Keep the journal here; by default beside FILE, with .journal for its ending
    #[arg(long, value_name = "JOURNAL")]
    pub journal: Option<PathBuf>,
    /// Only say which games would be played
    #[arg(long)]
    pub plan: bool,
    #[command(flatten)]
    pub event: EventArgs,
}

/// What the long help says about the file.
const FORM: &str = "\
The file:
  event = \"Autumn cup\"         its name
  format = \"round-robin\"       or gauntlet (the first player against all others), swiss, knockout
  pairs = 2                    pairs of games of two that meet; in a pair each moves first once
  rounds = 5                   of a Swiss tournament
  seed = 1                     what everything random depends on
  concurrency = 1              games at once; a board plays one at a time
  limit = \"1s\"                 time for an answer
  opening = 0                  plies of random openings, for players in software
  evidence = \"lost\"            games whose lines, board and clock are kept; or all, violations
  reconnect = \"30s\"            how long a board that has gone is waited for
  sprt = { elo0 = 0, elo1 = 20, alpha = 0.05, beta = 0.05 }
                               ends a match of two players when it is decided
  [[player]]                   one for each player
  name = \"Board 1\"
  spec = \"/dev/ttyUSB0\"        as in `duoforge match`
  limit = \"1s\"                 its own limit; or a time bank in place of it:
  bank = \"10s\"                 filled up when a game begins
  increment = \"500ms\"          comes in after each of its moves

A player that runs out of its bank forfeits that move: a pass is entered for it. If it may not
pass yet, never answers, or runs out a second time, it has lost. The protocol cannot tell it of a
forfeited move: it has to keep its own clock.

Exit status: 0 all games were played, 1 it was stopped before, 2 wrong use or a failure.";

/// Plays it.
pub fn run(args: &Args) -> Result<Verdict> {
    let text = fs::read_to_string(&args.file)
        .map_err(|error| Failure::file("read", &args.file, &error))?;
    let plan = Plan::read(&text)?;
    if args.plan {
        return list(&plan);
    }
    let path = match &args.journal {
        Some(path) => path.clone(),
        None => args.file.with_extension("journal"),
    };
    let header = Header::new(Kind::Tournament, &plan.event, &text);
    match Journal::create(&path, header) {
        // It is opened again so that there is one way in.
        Ok(journal) => drop(journal),
        Err(JournalError::Exists(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let (journal, history, _) = Journal::open(&path)?;
    if history.header.kind != Kind::Tournament || history.header.plan != text {
        let message = format!(
            "{} is the journal of another tournament than {}",
            path.display(),
            args.file.display()
        );
        return Err(Failure::new("duoforge::journal::other", message).help(
            "give another journal with --journal; a tournament that has begun cannot be changed",
        ));
    }
    tournament::play(&plan, &journal, &history, &args.event)
}

/// Prints the games that are known before the first one is played.
fn list(plan: &Plan) -> Result<Verdict> {
    use duoforge_tournament::{Results, Schedule};

    let schedule = Schedule::new(plan, &Results::new());
    for game in schedule.fixtures() {
        let name = |seat| &plan.players[game.player(seat)].name;
        let first = game.setup.first;
        crate::output::line(format!(
            "round {:>2}  game {:>4}  {} from {} against {}",
            game.round,
            game.number,
            name(first),
            game.setup.start(first),
            name(first.other())
        ))?;
    }
    let known = schedule.fixtures().len();
    crate::output::line(format!("{known} of at most {} games", plan.most_games()))?;
    Ok(Verdict::Good)
}
