//! `duoforge match`: refereed games between two players.

use std::time::Duration;

use duoforge_players::PlayerSpec;
use duoforge_protocol::REPLY_LIMIT;
use duoforge_referee::{HandshakeError, RefereeOptions, Seat, Seats, check_players, duration};

use crate::failure::{Failure, Result};
use crate::output::{Style, Verdict};
use crate::play::setups::{First, Start, setups};
use crate::play::watch::{Watch, WatchArgs};
use crate::players;
use crate::profiles::{Entrant, ProfileArgs, ResolvedPlayer, entrant};
use crate::terminal::Terminal;

/// Referee games between two players
///
/// The referee prompts both players by the contest's protocol and adjudicates by its rules. The
/// time of a reply runs from the last byte sent to the last byte received; a simulated device is
/// judged by its simulated time.
#[derive(Debug, clap::Args)]
#[command(after_long_help = after_help())]
pub struct Args {
    /// Player 1, such as /dev/ttyUSB0, a profile, sim, twin, pattern or human; --help lists all
    #[arg(value_name = "A", value_parser = entrant)]
    pub one: Entrant,
    /// Player 2
    #[arg(value_name = "B", value_parser = entrant)]
    pub two: Entrant,
    /// Number of games, played on the same links
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Player that moves first
    #[arg(long, value_name = "WHO", value_enum, default_value_t)]
    pub first: First,
    /// Start cell of player 1: 5 is (5,5), a is (a,a)
    #[arg(long, value_name = "CELL", value_enum, default_value_t)]
    pub start: Start,
    /// Time limit of a reply [default: the longer limit of the profiles, or 1s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub limit: Option<Duration>,
    /// Seed of random players without one
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub profiles: ProfileArgs,
    #[command(flatten)]
    pub watch: WatchArgs,
}

/// Text after the long help: players and exit status.
fn after_help() -> String {
    format!("{}\n\n{EXIT_STATUS}", players::list())
}

/// Exit status in the long help.
const EXIT_STATUS: &str = "\
Exit status: 0 if every game was played to its end; 1 if one ended by a violation: an illegal move,
an invalid code, a timeout, a lost link or no handshake; 2 usage error or failure";

/// Plays the match. The result is negative if a game ended by a violation.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    let one = ResolvedPlayer::find(&args.one, &args.profiles)?;
    let two = ResolvedPlayer::find(&args.two, &args.profiles)?;
    if let (Some(first), Some(second)) = (one.device(), two.device())
        && first == second
    {
        return Err(same_device(&first.to_string_lossy()));
    }
    let limit = args
        .limit
        .or(one.limit.max(two.limit))
        .unwrap_or(REPLY_LIMIT);
    let mut terminal = Terminal::new(args.seed, style);
    let mut players = [
        one.open(Seat::One, &mut terminal)?,
        two.open(Seat::Two, &mut terminal)?,
    ];
    // An additional handshake detects devices that were swapped.
    let expected = one.team.is_some() || two.team.is_some();
    if expected || one.is_board() && two.is_board() {
        match check_players(&mut players, Seats([one.team, two.team]), limit) {
            // The referee reports these like any other game that cannot begin.
            Ok(_) | Err(HandshakeError::Silent { .. } | HandshakeError::Broken { .. }) => {}
            Err(HandshakeError::Link { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let rules = RefereeOptions {
        limit,
        ..RefereeOptions::default()
    };
    let persons = [&one.spec, &two.spec].contains(&&PlayerSpec::Human);
    let setups = setups(args.games, args.first, args.start);
    let mut watch = Watch::new(&args.watch, style, args.games, persons)?;
    watch.play(players, rules, setups)
}

fn same_device(path: &str) -> Failure {
    let message = format!("both players are the same device: {path}");
    Failure::new("duoforge::link::same_device", message)
        .help("`duoforge ports` lists the devices of this machine")
}
