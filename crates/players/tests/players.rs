//! Players by name and by kind, and arbitrary player names on a command line.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use duoforge_arbitrary::Inputs;
use duoforge_links::{Link, LinkError, Received, Sent};
use duoforge_players::{
    DeviceMaker, Mover, OpenContext, PlayerError, PlayerSpec, Sample, software,
};
use duoforge_protocol::StartCell;
use duoforge_referee::{Player, Referee, RefereeOptions, Seat, Seats, Setup};
use duoforge_rules::{Cell, DuoBoard};

/// Link to a device that has gone.
struct Nowhere;
impl Link for Nowhere {
    fn send(&mut self, _: &[u8]) -> Result<Sent, LinkError> {
        Err(LinkError::Closed)
    }

    fn recv<'b>(&mut self, _: &'b mut [u8], _: Instant) -> Result<Received<'b>, LinkError> {
        Err(LinkError::Closed)
    }

    fn describe(&self) -> String {
        "nowhere".to_owned()
    }
}

#[test]
fn players_are_judged_by_what_they_are() {
    let table = [
        // Columns: name, timed, pause needed.
        (Player::board(Nowhere), "nowhere", true, true),
        (Player::inside(Nowhere), "nowhere", true, false),
        (software::twin(), "twin", true, false),
        (software::pattern(), "pattern", true, false),
        (software::random(7), "random:7", true, false),
        (software::person(Sample::One), "human", false, false),
        (Player::board(Nowhere).named("A"), "A", true, true),
    ];
    for (player, name, timed, needs_pause) in table {
        let seen = (
            player.name(),
            player.is_timed(),
            player.needs_pause(),
            player.reconnects(),
        );
        assert_eq!(seen, (name, timed, needs_pause, false));
        assert!(matches!(
            player.into_link().describe().as_str(),
            "nowhere" | "twin" | "pattern" | "human" | "random:7"
        ));
    }
    // A referee returns its players unchanged.
    let players = [
        Player::board(Nowhere).named("A"),
        software::person(Sample::Two),
    ];
    let [one, two] = Referee::new(players, RefereeOptions::default()).into_players();
    assert_eq!(
        (one.name(), one.is_timed(), one.needs_pause()),
        ("A", true, true)
    );
    assert_eq!(
        (two.name(), two.is_timed(), two.needs_pause()),
        ("human", false, false)
    );
}

#[test]
fn only_players_in_software_are_asked_for_moves_directly() {
    for text in [
        "pattern",
        "search:sims=5",
        "engine:sims=5,threads=1",
        "random",
        "random:4",
        "sample:2",
    ] {
        let spec: PlayerSpec = text.parse().unwrap();
        let mv = spec.mover().unwrap().choose(&DuoBoard::duo()).unwrap();
        assert!(mv.placement().is_some(), "{text}");
    }
    for text in ["twin", "human", "exec:true", "serial:/dev/x"] {
        let Err(error) = text.parse::<PlayerSpec>().unwrap().mover() else {
            panic!("{text} has no moves");
        };
        let right = format!("'{text}' cannot be asked for moves without a line to it");
        assert_eq!(error.to_string(), right);
    }
}

/// Maker of devices that are lost at once.
#[derive(Debug)]
struct Maker {
    name: &'static str,
    works: bool,
}

impl fmt::Display for Maker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl DeviceMaker for Maker {
    fn power_up(&self) -> Result<Box<dyn Link>, Box<dyn Error + Send + Sync>> {
        if self.works {
            Ok(Box::new(Nowhere))
        } else {
            Err("no tool".into())
        }
    }

    fn repeats(&self) -> bool {
        self.works
    }
}

/// Caller that records the devices that are made.
#[derive(Default)]
struct Caller(Vec<(Seat, String)>);

impl OpenContext for Caller {
    fn person(&mut self, _: Seat) -> Box<dyn Mover> {
        Box::new(Sample::One)
    }

    fn seed(&mut self, _: Seat) -> u64 {
        9
    }

    fn on_build(&mut self, seat: Seat, board: &str) {
        self.0.push((seat, board.to_owned()));
    }

    fn on_wait(&mut self, _: Seat, _: &str) {}
}

#[test]
fn a_made_player_is_what_its_maker_makes() {
    let made = |name, works| PlayerSpec::Made(Arc::new(Maker { name, works }));
    let (one, two) = (made("board:1", true), made("board:2", false));
    assert_eq!(one, made("board:1", false));
    assert_ne!(one, two);
    assert_ne!(one, PlayerSpec::Twin);
    assert_eq!(one.to_string(), "board:1");
    assert_eq!((one.repeats(), two.repeats()), (true, false));
    assert!(!one.is_single() && !one.takes_openings());
    assert!(matches!(one.mover(), Err(PlayerError::NoMover(name)) if name == "board:1"));

    let mut caller = Caller::default();
    let player = one.open(Seat::Two, &mut caller).unwrap();
    assert_eq!((player.name(), player.needs_pause()), ("nowhere", false));
    let error = two.open(Seat::One, &mut caller).unwrap_err();
    assert_eq!(error.to_string(), "board:2: no tool");
    let built = [(Seat::Two, "board:1"), (Seat::One, "board:2")];
    assert_eq!(caller.0, built.map(|(seat, name)| (seat, name.to_owned())));
}

#[test]
fn players_repeat_a_game_unless_time_threads_or_others_decide() {
    let table = [
        ("twin", true),
        ("pattern", true),
        ("sample:1", true),
        ("random", true),
        ("greedy", true),
        ("search:sims=9", true),
        ("search:ms=9", false),
        ("maxn:sims=9", true),
        ("maxn:ms=9", false),
        ("engine:sims=9,threads=1", true),
        ("engine:sims=9,threads=2", false),
        ("engine:ms=9,threads=1", false),
        ("gtp:pentobi-gtp", false),
        ("bot:./a.py", false),
        ("exec:./a", false),
        ("tcp:localhost:1", false),
        ("human", false),
    ];
    for (name, repeats) in table {
        let spec: PlayerSpec = name.parse().unwrap();
        assert_eq!(spec.repeats(), repeats, "{name}");
    }
}

#[test]
fn names_give_places_openings_and_seeds() {
    let table = [
        // Columns: name, single, openings, seed.
        ("tcp:localhost:1", true, false, None),
        ("serial:/dev/x", true, false, None),
        ("twin", false, false, None),
        ("human", false, false, None),
        ("exec:./a", false, false, None),
        ("pattern", false, true, None),
        ("sample:2", false, true, None),
        ("gtp:pentobi-gtp", false, true, None),
        ("bot:./a.py", false, true, None),
        ("random", false, true, None),
        ("random:7", false, true, Some(7)),
        ("greedy:8", false, true, Some(8)),
        ("search:seed=9", false, true, Some(9)),
        ("engine:seed=10", false, true, Some(10)),
        ("maxn:seed=11", false, true, Some(11)),
    ];
    for (name, single, openings, seed) in table {
        let spec: PlayerSpec = name.parse().unwrap();
        let seen = (spec.is_single(), spec.takes_openings(), spec.own_seed());
        assert_eq!(seen, (single, openings, seed), "{name}");
    }
}

/// A person has no time limit, nor has a search whose simulations are counted.
#[test]
fn opened_players_are_timed_unless_simulations_are_counted() {
    let table = [
        // Columns: text, name, timed.
        ("search:sims=9", "search:sims=9", false),
        ("search:ms=9", "search:ms=9", true),
        ("engine:sims=9", "engine:sims=9", true),
        ("maxn:sims=9", "maxn:sims=9", true),
        ("pattern", "pattern", true),
        ("random:3", "random:3", true),
        // The context gives the seed.
        ("random", "random:9", true),
        ("greedy", "greedy:9", true),
        ("sample:1", "sample:1", true),
        ("twin", "twin", true),
        ("human", "human", false),
    ];
    for (text, name, timed) in table {
        let spec: PlayerSpec = text.parse().unwrap();
        let player = spec.open(Seat::One, &mut Caller::default()).unwrap();
        assert_eq!((player.name(), player.is_timed()), (name, timed), "{text}");
    }
}

/// Player to move and start cells, in all four setups. The start cells are (5,5) and (10,10), here
/// counted from 0.
#[test]
fn a_setup_says_who_starts_where() {
    use Seat::{One, Two};
    use StartCell::{A, Five};
    let (five, ten) = (Cell::new(4, 4), Cell::new(9, 9));
    let table = [
        // Columns: first player, start of player 1, starts of players 1 and 2, start cells in the
        // order of moves.
        (One, Five, [Five, A], [five, ten]),
        (One, A, [A, Five], [ten, five]),
        (Two, Five, [Five, A], [ten, five]),
        (Two, A, [A, Five], [five, ten]),
    ];
    for (first, start, starts, cells) in table {
        let setup = Setup { first, start };
        assert_eq!(Seats::each(|seat| setup.start(seat)), Seats(starts));
        assert_eq!(setup.start_cells(), cells);
        let movers = [0, 1, 2, 7].map(|ply| setup.mover(ply));
        assert_eq!(movers, [first, first.other(), first, first.other()]);
    }
    assert_eq!((One.other(), Two.other()), (Two, One));
    assert_eq!((One.number(), Two.number()), (1, 2));
    assert_eq!(
        (One.to_string(), Two.to_string()),
        ("player 1".to_owned(), "player 2".to_owned())
    );
    let mut seats = Seats([3, 4]);
    seats[Two] = 5;
    assert_eq!(
        (seats[One], seats[Two], seats.iter().sum::<i32>()),
        (3, 5, 8)
    );
    assert_eq!(
        Setup::default(),
        Setup {
            first: One,
            start: Five
        }
    );
}

#[test]
fn whatever_comes_as_a_player_is_read_or_refused() {
    let inputs = Inputs {
        name: "players",
        pieces: &[
            "pattern",
            "random",
            "random:",
            "twin",
            "engine",
            "search",
            "gtp:",
            "exec:",
            "bot:",
            "timebank=",
            "serial:",
            "usb:",
            "tcp:",
            "sample:",
            ":",
            ",",
            "=",
            "ms",
            "sims",
            "seed",
            "nodes",
            "lanes",
            "children",
            "threads",
            "memory",
            "0",
            "1",
            "99999999999999999999",
            "-1",
            "1e9",
            "/dev/x",
            "a b",
            "\"",
            "'",
            "\\",
            " ",
            "ü",
        ],
        real: &[
            b"search:sims=2000,lanes=2,nodes=511,seed=3",
            b"engine:ms=5000,threads=2,memory=64",
            b"gtp:pentobi-gtp --level 5",
            b"bot:timebank=5s,memory=512:./bot --fast",
            b"tcp:localhost:10000",
            b"sample:1",
            b"random:7",
        ],
    };
    inputs.try_texts(|text| {
        let spec: PlayerSpec = text.parse()?;
        // The printed form parses to the same player.
        let printed = spec.to_string();
        let again: PlayerSpec = printed.parse().expect("it was printed");
        assert_eq!(again.to_string(), printed);
        Ok::<_, PlayerError>(())
    });
}
