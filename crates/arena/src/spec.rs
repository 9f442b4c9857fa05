//! How a player is written on a command line.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use duoforge_protocol::link::{LinkError, LinkSpec, ReturningLink, TcpAcceptor};

use duoforge_sim::Backend;

use duoforge_engine::search::{Limit, Settings};
use duoforge_engine::strong;
use duoforge_hdl::chooser::Chooser;
use duoforge_hdl::search::settings::Searching;

use crate::{ArenaError, Engine, GtpMover, Mover, Player, Random, Sample, Searcher, Seat, Strong};

/// How long a board that has to come to us, over TCP or a pseudo-terminal, is waited for.
pub const ARRIVAL: Duration = Duration::from_secs(300);

/// How long a serial device that vanished between games is waited for.
pub const RETURN: Duration = Duration::from_secs(30);

/// A player by name: what to open, not the open player.
///
/// | text | meaning |
/// |---|---|
/// | `serial:PATH`, `tcp:HOST:PORT`, `pty` and the like | a board behind a [`LinkSpec`] |
/// | `sim`, `sim:verilator`, `sim:icarus`, `sim:rust` | the hardware's board in simulation |
/// | `sim:search`, `sim:search:KEY=VALUE,...` | the same with a search, within these [`Searching`] settings; the simulator stands before `search`, as in `sim:icarus:search` |
/// | `twin` | the software twin of the board |
/// | `engine` | the software player |
/// | `search`, `search:KEY=VALUE,...` | the board's search with these [`Settings`]; without a time limit unless it ends by `ms` |
/// | `strong`, `strong:KEY=VALUE,...` | the search for processors with these [`strong::Settings`] |
/// | `random`, `random:SEED` | any legal placement |
/// | `sample:1`, `sample:2` | the [`Sample`] players of the contest's host |
/// | `gtp:COMMAND LINE` | an engine in another process that speaks the Go Text Protocol |
/// | `exec:COMMAND LINE` | a program that speaks the contest's protocol on its standard input and output |
/// | `human` | a person at the terminal |
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerSpec {
    /// A board behind a link.
    Link(LinkSpec),
    /// The hardware's board in simulation.
    Sim(Backend),
    /// The hardware's searching board in simulation.
    SimSearch(Backend, Box<Searching>),
    /// The twin.
    Twin,
    /// The software player.
    Engine,
    /// The board's search.
    Search(Box<Settings>),
    /// The search for processors.
    Strong(Box<strong::Settings>),
    /// A random player; without a seed it takes [`Desk::seed`].
    Random(Option<u64>),
    /// A sample player of the contest's host.
    Sample(Sample),
    /// An engine in another process: its command line, at least one word.
    Gtp(Vec<String>),
    /// A program that speaks the contest's protocol: its command line, at least one word.
    Exec(Vec<String>),
    /// A person.
    Human,
}

/// What opening a player may need of the program around it.
pub trait Desk {
    /// The person who plays at `seat`.
    fn person(&mut self, seat: Seat) -> Box<dyn Mover>;

    /// The seed for a random player that was given none.
    fn seed(&mut self, seat: Seat) -> u64;

    /// A board in simulation is built, which may take a while the first time.
    fn builds(&mut self, seat: Seat, backend: Backend);

    /// A board is waited for at a path or address, which somebody has to be told.
    fn waits(&mut self, seat: Seat, place: &str);
}

impl PlayerSpec {
    /// Opens the player that sits at `seat`. A board that has to come to us is waited for, up
    /// to [`ARRIVAL`].
    ///
    /// # Errors
    /// [`ArenaError::Open`], [`ArenaError::Simulation`], [`ArenaError::Engine`].
    pub fn open(&self, seat: Seat, desk: &mut dyn Desk) -> Result<Player, ArenaError> {
        let player = match self {
            Self::Link(spec) => {
                open_link(spec, seat, desk).map_err(|source| ArenaError::Open { seat, source })?
            }
            Self::Sim(backend) => {
                desk.builds(seat, *backend);
                Player::simulated(*backend)?
            }
            Self::SimSearch(backend, searching) => {
                desk.builds(seat, *backend);
                Player::simulated_with(*backend, &Chooser::Search(searching.clone()))?
            }
            Self::Twin => Player::twin(),
            Self::Engine => Player::engine(),
            Self::Search(settings) => {
                let player = Player::choosing(Searcher::new(settings), self.to_string(), *b"DF");
                match settings.limit {
                    // The simulations of a hardware player, which makes them in its time; a processor may
                    // need more.
                    Limit::Simulations(_) => player.untimed(),
                    Limit::Time(_) => player,
                }
            }
            Self::Strong(settings) => {
                Player::choosing(Strong::new(settings), self.to_string(), *b"ST")
            }
            Self::Random(seed) => Player::random(seed.unwrap_or_else(|| desk.seed(seat))),
            Self::Sample(sample) => Player::choosing(*sample, self.to_string(), *b"SP"),
            Self::Gtp(words) => Player::choosing(GtpMover::start(words)?, self.to_string(), *b"GT"),
            Self::Exec(words) => {
                let program = start(words).map_err(|source| ArenaError::Open { seat, source })?;
                Player::board(program)
            }
            Self::Human => Player::person(desk.person(seat)),
        };
        Ok(player)
    }

    /// Opens a player that can be asked for moves directly, without a line and its protocol.
    ///
    /// # Errors
    /// [`ArenaError::NoMover`] for all others, [`ArenaError::Engine`].
    pub fn mover(&self) -> Result<Box<dyn Mover>, ArenaError> {
        Ok(match self {
            Self::Engine => Box::new(Engine::default()),
            Self::Search(settings) => Box::new(Searcher::new(settings)),
            Self::Strong(settings) => Box::new(Strong::new(settings)),
            Self::Random(seed) => Box::new(Random::new(seed.unwrap_or_default())),
            Self::Sample(sample) => Box::new(*sample),
            Self::Gtp(words) => Box::new(GtpMover::start(words)?),
            Self::Link(_)
            | Self::Sim(_)
            | Self::SimSearch(..)
            | Self::Twin
            | Self::Exec(_)
            | Self::Human => {
                return Err(ArenaError::NoMover(self.to_string()));
            }
        })
    }
}

fn open_link(spec: &LinkSpec, seat: Seat, desk: &mut dyn Desk) -> Result<Player, LinkError> {
    let deadline = Instant::now() + ARRIVAL;
    match spec {
        #[cfg(unix)]
        LinkSpec::Pty(path) => {
            use duoforge_protocol::link::PtyLink;
            let mut link = match path {
                Some(path) => PtyLink::open_at(path)?,
                None => PtyLink::open()?,
            };
            desk.waits(seat, &link.path().to_string_lossy());
            link.wait_peer(deadline)?;
            Ok(Player::board(link))
        }
        LinkSpec::TcpListen(address) => {
            let acceptor = TcpAcceptor::bind(address)?;
            desk.waits(seat, &format!("tcp:{}", acceptor.address()));
            acceptor.accept(deadline).map(Player::board)
        }
        LinkSpec::Serial(_) | LinkSpec::Usb(_) => {
            let spec = spec.clone();
            let reopen = Box::new(move || spec.open(Instant::now()));
            ReturningLink::open(reopen, RETURN).map(Player::returning)
        }
        spec => spec.open(deadline).map(Player::board),
    }
}

impl FromStr for PlayerSpec {
    type Err = ArenaError;

    fn from_str(text: &str) -> Result<Self, ArenaError> {
        let (word, rest) = match text.split_once(':') {
            Some((word, rest)) => (word, Some(rest)),
            None => (text, None),
        };
        match (word, rest) {
            ("sim", None) => Ok(Self::Sim(Backend::Verilator)),
            ("sim", Some(rest)) => simulated(rest),
            ("twin", None) => Ok(Self::Twin),
            ("engine", None) => Ok(Self::Engine),
            ("search", settings) => {
                let settings = settings.unwrap_or_default().parse()?;
                Ok(Self::Search(Box::new(settings)))
            }
            ("strong", settings) => {
                let settings = settings.unwrap_or_default().parse()?;
                Ok(Self::Strong(Box::new(settings)))
            }
            ("human", None) => Ok(Self::Human),
            ("random", None) => Ok(Self::Random(None)),
            ("random", Some(seed)) => match seed.parse() {
                Ok(seed) => Ok(Self::Random(Some(seed))),
                Err(_) => Err(ArenaError::BadSeed(seed.to_owned())),
            },
            ("sample", number) => match number.unwrap_or_default().parse() {
                Ok(sample) => Ok(Self::Sample(sample)),
                Err(()) => Err(ArenaError::UnknownPlayer(text.to_owned())),
            },
            ("gtp", command) => command_line(command).map(Self::Gtp),
            ("exec", command) => command_line(command).map(Self::Exec),
            _ => match text.parse() {
                Ok(spec) => Ok(Self::Link(spec)),
                Err(duoforge_protocol::link::LinkSpecError::Unknown(text)) => {
                    Err(ArenaError::UnknownPlayer(text))
                }
                Err(error) => Err(error.into()),
            },
        }
    }
}

/// What stands behind `sim:`: a simulator, a search, or both.
fn simulated(text: &str) -> Result<PlayerSpec, ArenaError> {
    let (first, rest) = text.split_once(':').unwrap_or((text, ""));
    if first == "search" {
        let searching = Box::new(rest.parse()?);
        return Ok(PlayerSpec::SimSearch(Backend::Verilator, searching));
    }
    let backend = first.parse()?;
    match rest.split_once(':').unwrap_or((rest, "")) {
        ("", "") => Ok(PlayerSpec::Sim(backend)),
        ("search", settings) => {
            let searching = Box::new(settings.parse()?);
            Ok(PlayerSpec::SimSearch(backend, searching))
        }
        _ => Err(ArenaError::UnknownPlayer(format!("sim:{text}"))),
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Link(spec) => spec.fmt(f),
            Self::Sim(backend) => write!(f, "sim:{backend}"),
            Self::SimSearch(backend, searching) => {
                named(f, &format!("sim:{backend}:search"), &searching.to_string())
            }
            Self::Twin => f.write_str("twin"),
            Self::Engine => f.write_str("engine"),
            Self::Search(settings) => named(f, "search", &settings.to_string()),
            Self::Strong(settings) => named(f, "strong", &settings.to_string()),
            Self::Random(None) => f.write_str("random"),
            Self::Random(Some(seed)) => write!(f, "random:{seed}"),
            Self::Sample(sample) => write!(f, "sample:{sample}"),
            Self::Gtp(words) => write!(f, "gtp:{}", shell_words::join(words)),
            Self::Exec(words) => write!(f, "exec:{}", shell_words::join(words)),
            Self::Human => f.write_str("human"),
        }
    }
}

/// The words of a command line, at least one.
fn command_line(text: Option<&str>) -> Result<Vec<String>, ArenaError> {
    let text = text.unwrap_or_default();
    let words = shell_words::split(text).unwrap_or_default();
    if words.is_empty() {
        return Err(ArenaError::BadCommand(text.to_owned()));
    }
    Ok(words)
}

#[cfg(unix)]
fn start(words: &[String]) -> Result<duoforge_protocol::link::ExecLink, LinkError> {
    duoforge_protocol::link::ExecLink::start(words)
}

#[cfg(not(unix))]
fn start(words: &[String]) -> Result<Box<dyn duoforge_protocol::link::Link>, LinkError> {
    Err(LinkError::NotFound {
        name: format!(
            "exec:{} (programs can be players on Unix only)",
            words.join(" ")
        ),
    })
}

/// A name, and the settings behind it if there are any.
fn named(f: &mut fmt::Formatter<'_>, name: &str, settings: &str) -> fmt::Result {
    match settings {
        "" => f.write_str(name),
        settings => write!(f, "{name}:{settings}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_is_parsed_and_printed() {
        let texts = [
            "serial:/dev/ttyUSB0",
            "tcp:localhost:10000",
            "tcp-listen:127.0.0.1:10001",
            "pty",
            "pty:/tmp/board",
            "sim:verilator",
            "sim:icarus",
            "sim:rust",
            "sim:verilator:search",
            "sim:icarus:search:lanes=1,sims=20",
            "twin",
            "engine",
            "search",
            "search:sims=500,children=32",
            "strong",
            "strong:ms=5000,threads=2",
            "random",
            "random:42",
            "sample:1",
            "sample:2",
            "gtp:/opt/engine --level 5 'two words'",
            "exec:./bot --team 'A B'",
            "human",
        ];
        for text in texts {
            let spec: PlayerSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
        }
        assert_eq!(
            "sim".parse::<PlayerSpec>().unwrap().to_string(),
            "sim:verilator"
        );
        let search: PlayerSpec = "sim:search:lanes=2".parse().unwrap();
        assert_eq!(search.to_string(), "sim:verilator:search:lanes=2");
        let device: PlayerSpec = "/dev/ttyS0".parse().unwrap();
        assert_eq!(device, "serial:/dev/ttyS0".parse().unwrap());
    }

    #[test]
    fn broken_players_have_typed_errors() {
        let error = |text: &str| text.parse::<PlayerSpec>().unwrap_err();
        assert!(matches!(error("twins"), ArenaError::UnknownPlayer(_)));
        assert!(matches!(error("twin:3"), ArenaError::UnknownPlayer(_)));
        assert!(matches!(error(""), ArenaError::UnknownPlayer(_)));
        assert!(matches!(error("sample:3"), ArenaError::UnknownPlayer(_)));
        assert!(matches!(error("sample"), ArenaError::UnknownPlayer(_)));
        assert!(matches!(error("sim:vcs"), ArenaError::BadBackend(_)));
        assert!(matches!(error("sim:rust:x"), ArenaError::UnknownPlayer(_)));
        assert!(matches!(
            error("sim:search:lanes=9"),
            ArenaError::BadSearch(_)
        ));
        assert!(matches!(error("random:x"), ArenaError::BadSeed(_)));
        assert!(matches!(error("tcp:here"), ArenaError::BadLink(_)));
        assert!(matches!(error("search:x=1"), ArenaError::BadSettings(_)));
        assert!(matches!(
            error("strong:nodes=1"),
            ArenaError::BadSettings(_)
        ));
        let broken = [
            "gtp",
            "gtp:",
            "gtp: ",
            "gtp:engine 'open",
            "exec",
            "exec:",
            "exec:'",
        ];
        for text in broken {
            assert!(matches!(error(text), ArenaError::BadCommand(_)), "{text}");
        }
    }
}
