//! `duoforge match`: refereed games between two players.

use std::time::Duration;

use clap::ValueEnum;
use duoforge_arena::{MeetError, PlayerSpec, Rules, Seat, Seats, Setup, meet};
use duoforge_protocol::{REPLY_LIMIT, StartCell};

use crate::args::duration;
use crate::desk::Terminal;
use crate::failure::{self, Failure, Result};
use crate::output::{Style, Verdict};
use crate::profiles::{Candidate, Entrant, ProfileArgs, entrant};
use crate::watch::{Watch, WatchArgs};

/// Referee games between two players
///
/// Both are asked by the contest's protocol and judged by its rules: 1 s for an answer, counted
/// from the last byte sent to the last byte received, by simulated time for a simulated board.
#[derive(Debug, clap::Args)]
#[command(after_long_help = PLAYERS)]
pub struct Args {
    /// Player 1, such as /dev/ttyUSB0, a profile, tcp:HOST:PORT, pty, sim, twin, engine, random, gtp:COMMAND or human
    #[arg(value_name = "A", value_parser = entrant)]
    pub one: Entrant,
    /// Player 2
    #[arg(value_name = "B", value_parser = entrant)]
    pub two: Entrant,
    /// Number of games, one after the other on the same links
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Who moves first
    #[arg(long, value_name = "WHO", value_enum, default_value_t)]
    pub first: First,
    /// Start cell of player 1: 5 is (5,5), a is (a,a)
    #[arg(long, value_name = "CELL", value_enum, default_value_t)]
    pub start: Start,
    /// Time for an answer [default: 1s, or the longer one of the profiles]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub limit: Option<Duration>,
    /// Seed for random players that have none of their own
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub profiles: ProfileArgs,
    #[command(flatten)]
    pub watch: WatchArgs,
}

/// Reads a player.
pub fn player(text: &str) -> std::result::Result<PlayerSpec, String> {
    let spec = text.parse::<PlayerSpec>();
    spec.map_err(|error| format!("{error}\n\n{}", failure::PLAYERS))
}

/// What the long help says about players.
const PLAYERS: &str = "\
Players:
  /dev/ttyUSB0, serial:PATH    a board at a serial device (115200 baud, 8N1), or at the slave of a
                               pseudo-terminal
  usb:SERIAL, usb:VVVV:PPPP    the serial device with this serial number, or vendor and product number
  NAME                         a profile: [NAME], device = \"...\", and if need be baud = 115200,
                               team = \"AA\", limit = \"1s\", wait = \"60s\" in the file of profiles
  pty, pty:PATH                a board that opens the pseudo-terminal made here
  tcp:HOST:PORT                a board that listens there
  tcp-listen:[HOST:]PORT       a board that connects to this port
  sim, sim:BACKEND             the board in simulation, with verilator (default), icarus or rust
  sim:search:KEY=VALUE,...     the board that searches, in simulation, as in sim:search:lanes=1,sims=200;
                               in another simulator as in sim:icarus:search; keys default to
                               lanes=4,nodes=511,children=32,threshold=240,ms=880 (the ULX3S-85F)
  twin                         the software twin of the board
  engine                       the software player
  search, search:KEY=VALUE,... the board's search, as in search:sims=20000, without a time limit unless
                               it ends by ms; keys default to the ULX3S-85F's, with sims=177000
  strong, strong:KEY=VALUE,... the search for processors, as in strong:ms=900,threads=2,memory=512
  random, random:SEED          any legal placement
  sample:1, sample:2           the sample players of the contest's host
  gtp:COMMAND LINE             an engine that speaks the Go Text Protocol, with its options, as in
                               \"gtp:pentobi-gtp --level 5 --nobook --noresign --seed 1\"
  exec:COMMAND LINE            a program that speaks the contest's protocol on its standard input and
                               output; its standard error is drained
  human                        a person at this terminal, without a clock

Exit status: 0 if every game was played to its end, 1 if one ended by an illegal move, a broken
code, a timeout, a lost link or without a handshake.";

/// Who moves first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum First {
    /// Player 1
    #[default]
    #[value(name = "1")]
    One,
    /// Player 2
    #[value(name = "2")]
    Two,
    /// Player 1 in the first game, then in turns
    Alternate,
}

/// Where player 1 starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Start {
    /// At (5,5)
    #[default]
    #[value(name = "5")]
    Five,
    /// At (a,a)
    A,
    /// At (5,5) in the first game, then in turns
    Alternate,
}

/// Plays the match. The result is negative if a game ended by a violation.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    let one = Candidate::find(&args.one, &args.profiles)?;
    let two = Candidate::find(&args.two, &args.profiles)?;
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
    // A board is greeted once more only where there is something to find out.
    let expected = one.team.is_some() || two.team.is_some();
    if expected || one.is_board() && two.is_board() {
        match meet(&mut players, Seats([one.team, two.team]), limit) {
            // The referee tells of these as of any other game that does not come about.
            Ok(_) | Err(MeetError::Silent { .. } | MeetError::Broken { .. }) => {}
            Err(MeetError::Link { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let rules = Rules {
        limit,
        ..Rules::default()
    };
    let persons = [&one.spec, &two.spec].contains(&&PlayerSpec::Human);
    let setups = setups(args.games, args.first, args.start);
    let mut watch = Watch::new(&args.watch, style, args.games, persons)?;
    watch.play(players, rules, setups)
}

fn same_device(path: &str) -> Failure {
    let message = format!("both players are the same device, {path}");
    Failure::new("duoforge::link::same_device", message)
        .help("`duoforge ports` lists the devices of this machine")
}

/// Who moves first and where in each game. If both alternate, four games have all four cases.
pub fn setups(games: u32, first: First, start: Start) -> impl Iterator<Item = Setup> {
    let start_period = if first == First::Alternate { 2 } else { 1 };
    (0..games).map(move |game| {
        let second_first = match first {
            First::One => false,
            First::Two => true,
            First::Alternate => game % 2 == 1,
        };
        let from_a = match start {
            Start::Five => false,
            Start::A => true,
            Start::Alternate => game / start_period % 2 == 1,
        };
        Setup {
            first: if second_first { Seat::Two } else { Seat::One },
            start: if from_a {
                StartCell::A
            } else {
                StartCell::Five
            },
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn four_alternating_games_have_all_four_cases() {
        let cases: HashSet<Setup> = setups(4, First::Alternate, Start::Alternate).collect();
        assert_eq!(cases.len(), 4);
        let fixed: HashSet<Setup> = setups(4, First::One, Start::Five).collect();
        assert_eq!(fixed, HashSet::from([Setup::default()]));
        let starts: Vec<_> = setups(3, First::Two, Start::Alternate).collect();
        assert_eq!(starts[1].start, StartCell::A);
        assert_eq!(starts[1].first, Seat::Two);
    }
}
