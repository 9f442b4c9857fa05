//! `duoforge match`: refereed games between players.

use duoforge_players::PlayerSpec;
use duoforge_referee::{HandshakeError, RefereeOptions, Seat, Seats, check_players};
use duoforge_rules::GameVariant;

use crate::failure::{Failure, Result};
use crate::output::{Style, Verdict};
use crate::play::seats::SeatMatch;
use crate::play::seeds::GamesPlayed;
use crate::play::setups::{First, Start, setups};
use crate::play::time::TimeArgs;
use crate::play::watch::{Watch, WatchArgs};
use crate::players;
use crate::profiles::{Entrant, ProfileArgs, ResolvedPlayer, entrant, longest_limit};
use crate::terminal::Terminal;
use crate::variant::VariantArgs;

/// Referee games between two players, or between the players of a variant
///
/// The referee prompts both players by the contest's protocol and adjudicates by its rules. The
/// time of a reply runs from the last byte sent to the last byte received; a simulated device is
/// judged by its simulated time.
///
/// With --variant, each seat of the variant has a player, one to four in all: random, greedy, maxn,
/// bot:COMMAND and human play every variant, gtp:COMMAND those that engines know. With more than two
/// seats, the referee plays on for a seat that breaks a rule, which takes the last place.
#[derive(Debug, clap::Args)]
#[command(after_long_help = after_help())]
pub struct Args {
    /// Player 1, such as /dev/ttyUSB0, a profile, sim, twin, pattern or human; --help lists all
    #[arg(value_name = "A", value_parser = entrant)]
    pub one: Entrant,
    /// Player 2; only a variant with one seat has none
    #[arg(value_name = "B", value_parser = entrant)]
    pub two: Option<Entrant>,
    /// Players 3 and 4 of a variant
    #[arg(value_name = "C", value_parser = entrant, num_args = 0..=2)]
    pub more: Vec<Entrant>,
    #[command(flatten)]
    pub variant: VariantArgs,
    /// Number of games, played on the same links
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Player that moves first; with --variant, the player in the first seat, and alternate passes
    /// that seat to the next player after each game
    #[arg(long, value_name = "PLAYER", value_enum, default_value_t)]
    pub first: First,
    /// Start cell of player 1 in duo: 5 is (5,5), a is (a,a)
    #[arg(long, value_name = "CELL", value_enum, default_value_t)]
    pub start: Start,
    #[command(flatten)]
    pub time: TimeArgs,
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
Exit status: 0 if every game was played to its end; 1 if one ended by a violation (an illegal move,
an invalid code, a timeout, a lost link, no handshake) or the match was stopped before its end;
2 usage error or failure";

/// Plays the match. The result is negative if a game ended by a violation, or the match was stopped.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    let variant = args.variant.or_duo()?;
    if variant != GameVariant::DUO {
        return play_variant(args, variant, style);
    }
    let one = ResolvedPlayer::find(&args.one, &args.profiles)?;
    let Some(two) = args.two.as_ref().filter(|_| args.more.is_empty()) else {
        let count = args.entrants().count();
        let message = format!("{count} players for duo: expected 2");
        return Err(Failure::new("duoforge::usage", message)
            .help("--variant classic and others have other numbers of seats"));
    };
    let two = ResolvedPlayer::find(two, &args.profiles)?;
    if let (Some(first), Some(second)) = (one.device(), two.device())
        && first == second
    {
        return Err(same_device(&first.to_string_lossy()));
    }
    let limit = args
        .time
        .limit
        .unwrap_or_else(|| longest_limit([&one, &two]));
    let played = GamesPlayed::default();
    let mut terminal = Terminal::new(args.seed, style).seeding(&played);
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
    if let Some(bank) = args.time.bank() {
        players = players.map(|player| player.with_clock(bank));
    }
    let rules = RefereeOptions {
        limit,
        ..RefereeOptions::default()
    };
    let persons = [&one.spec, &two.spec].contains(&&PlayerSpec::Human);
    let setups = setups(args.games, args.first, args.start);
    let mut watch = Watch::new(&args.watch, style, args.games, persons, played)?;
    watch.play(players, rules, setups)
}

impl Args {
    /// Iterates over the players in the order of the command line.
    fn entrants(&self) -> impl Iterator<Item = &Entrant> {
        [&self.one].into_iter().chain(&self.two).chain(&self.more)
    }
}

/// Plays the match of a variant other than the contest's game.
fn play_variant(args: &Args, variant: GameVariant, style: Style) -> Result<Verdict> {
    if args.start != Start::Five {
        let message = format!("--start is for duo, and the game is {}", variant.name());
        return Err(Failure::new("duoforge::usage", message)
            .help("the start cells of a variant belong to its colours"));
    }
    let players = args
        .entrants()
        .map(|entrant| ResolvedPlayer::find(entrant, &args.profiles))
        .collect::<Result<_>>()?;
    let event = SeatMatch {
        variant,
        players,
        games: args.games,
        first: args.first,
        time: args.time,
        seed: args.seed,
        watch: &args.watch,
    };
    event.play(style)
}

fn same_device(path: &str) -> Failure {
    let message = format!("both players are the same device: {path}");
    Failure::new("duoforge::link::same_device", message)
        .help("`duoforge ports` lists the devices of this machine")
}
