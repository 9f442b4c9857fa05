//! `duoforge tournament`: games between any number of players.

use std::fs;
use std::iter;
use std::path::PathBuf;

use duoforge_journal::{Header, History, Journal, JournalError, Kind};
use duoforge_tournament::{Plan, VariantPlan};

use crate::failure::{Failure, Result};
use crate::output::Verdict;
use crate::play::files::distinct_from;
use crate::play::seats;
use crate::play::tournament::{self, EventArgs};
use crate::players;

/// Run a tournament; every move is journalled, so it can be resumed after a crash
///
/// The journal is next to the plan and receives every move before the next prompt. An existing
/// journal of the same plan is continued.
#[derive(Debug, clap::Args)]
#[command(after_long_help = PLAN)]
pub struct Args {
    /// Plan of the tournament, as TOML
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Journal [default: FILE with the extension .journal]
    #[arg(long, value_name = "JOURNAL")]
    pub journal: Option<PathBuf>,
    /// Only list the games that would be played
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub event: EventArgs,
}

/// Description of the plan in the long help.
const PLAN: &str = "\
Plan:
  event = \"Autumn cup\"         name of the event
  format = \"round-robin\"       or gauntlet (first player against all others), swiss, knockout
  pairs = 2                    pairs of games per meeting; in a pair each player moves first once
  rounds = 5                   rounds of a Swiss tournament
  seed = 1                     seed of all random choices
  concurrency = 1              games at once; a device plays one at a time
  limit = \"1s\"                 time limit of a reply
  opening = 0                  plies of random openings, for software players
  evidence = \"lost\"            games whose wire log, times and replay are kept; or all, violations
  reconnect = \"30s\"            wait for a device that disconnected
  sprt = { elo0 = 0, elo1 = 20, alpha = 0.05, beta = 0.05 }
                               ends a match of two players once it is decided
  [[player]]                   one table for each player
  name = \"Board 1\"
  spec = \"/dev/ttyUSB0\"        player as in `duoforge match`
  version = \"1.0\"             version of this player, for `duoforge ladder`
  reset = \"20s\"                hard reset of a device after 9, before its next game
  limit = \"1s\"                 time limit of this player; or in place of it a time bank:
  bank = \"10s\"                 content at the beginning of a game
  increment = \"500ms\"          time added after each move of the player

Before the first game, every program and device is tested: a bot must answer its input test, an
engine its first commands, a device the handshake. A player that fails is excluded, with a record in
the journal, and the others play as if it were not in the plan.

A bank never holds more than at the beginning. A player whose bank runs out forfeits that move: the
referee enters a pass for it. The player loses if it may not pass yet, never replies, or runs out of
its bank a second time. The protocol has no code for a forfeited move, so the player must track its
own time.

Plan of a variant, with the keys event, seed, concurrency, limit and player as above:
  variant = \"classic\"          in place of format: name of a variant, or a table that defines one
  rounds = 1                   times that each group of players plays, each player in each seat
Every group of as many players as there are seats meets. The move that stands for a forfeited one is
a pass if that is legal and does not put the colour out of the game, otherwise a placement of the
largest tile.

Exit status: 0 all games were played; 1 stopped before the end; 2 usage error or failure";

/// Plays the tournament.
pub fn run(args: &Args) -> Result<Verdict> {
    let text = fs::read_to_string(&args.file)
        .map_err(|error| Failure::file("read", &args.file, &error))?;
    if VariantPlan::is_plan(&text) {
        let plan = VariantPlan::read_with(&text, players::read)?;
        if args.dry_run {
            return seats::tournament::list(&plan);
        }
        let (journal, history) = open(args, &plan.event, &text)?;
        return seats::tournament::play(&plan, &journal, &history, &args.event);
    }
    let plan = Plan::read_with(&text, players::read)?;
    if args.dry_run {
        return list(&plan);
    }
    let (journal, history) = open(args, &plan.event, &text)?;
    tournament::play(&plan, &journal, &history, &args.event)
}

/// Opens the journal of a tournament: a new one, or that of the same plan.
fn open(args: &Args, event: &str, text: &str) -> Result<(Journal, History)> {
    let path = match &args.journal {
        Some(path) => path.clone(),
        None => args.file.with_extension("journal"),
    };
    let reports = &args.event.report.save;
    distinct_from([&args.file], iter::once(&path).chain(reports))?;
    let header = Header::new(Kind::Tournament, event, text);
    match Journal::create(&path, header) {
        // The new journal is opened again below, like an existing one.
        Ok(journal) => drop(journal),
        Err(JournalError::Exists(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let (journal, history, _) = Journal::open(&path)?;
    if history.header.kind != Kind::Tournament || history.header.plan != text {
        let message = format!(
            "{} is the journal of another tournament, not of {}",
            path.display(),
            args.file.display()
        );
        return Err(Failure::new("duoforge::journal::other", message).help(
            "--journal names another journal; the plan of a tournament cannot change after its start",
        ));
    }
    Ok((journal, history))
}

/// Prints the games that are known before the first game.
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
    crate::output::line(format!(
        "{known} games are known; the tournament has at most {}",
        plan.most_games()
    ))?;
    Ok(Verdict::Good)
}
