//! Names of players on a command line.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use duoforge_links::{LinkError, LinkSpec, ReturningLink, TcpAcceptor};

use duoforge_sim::Backend;

use duoforge_engine::search::{Limit, Settings};
use duoforge_hdl::chooser::Chooser;
use duoforge_hdl::search::settings::Searching;
use duoforge_strong as strong;

use crate::{ArenaError, Engine, GtpMover, Mover, Player, Random, Sample, Searcher, Seat, Strong};

/// Waiting time for a device that connects to this program over TCP or a pseudo-terminal.
pub const ARRIVAL: Duration = Duration::from_secs(300);

/// Waiting time for a serial device that disappeared between games.
pub const RETURN: Duration = Duration::from_secs(30);

/// Name of a player that can be opened.
///
/// | text | meaning |
/// |---|---|
/// | `serial:PATH`, `tcp:HOST:PORT`, `pty` and others | a device at the far end of a [`LinkSpec`] |
/// | `sim`, `sim:verilator`, `sim:icarus`, `sim:rust` | the pattern player in hardware simulation |
/// | `sim:search`, `sim:search:KEY=VALUE,...` | the search player in hardware simulation |
/// | `twin` | the twin of the pattern player |
/// | `engine` | the pattern player in software |
/// | `search`, `search:KEY=VALUE,...` | the search player in software, with [`Settings`] |
/// | `strong`, `strong:KEY=VALUE,...` | the engine for processors, with [`strong::Settings`] |
/// | `random`, `random:SEED` | any legal placement |
/// | `sample:1`, `sample:2` | the [`Sample`] players of the contest's host |
/// | `gtp:COMMAND LINE` | an engine in another process that speaks the Go Text Protocol |
/// | `exec:COMMAND LINE` | a program that speaks the contest's protocol on its standard streams |
/// | `human` | a person at the terminal |
///
/// The keys of `sim:search` are [`Searching`] settings; a simulator precedes `search`, as in
/// `sim:icarus:search`. The player `search` has no time limit unless its search ends by `ms`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerSpec {
    /// Device at the far end of a link.
    Link(LinkSpec),
    /// Pattern player in hardware simulation.
    Sim(Backend),
    /// Search player in hardware simulation.
    SimSearch(Backend, Box<Searching>),
    /// Twin of the pattern player.
    Twin,
    /// Pattern player in software.
    Engine,
    /// Search player in software.
    Search(Box<Settings>),
    /// Engine for processors.
    Strong(Box<strong::Settings>),
    /// Random player; without a seed it uses [`Desk::seed`].
    Random(Option<u64>),
    /// Sample player of the contest's host.
    Sample(Sample),
    /// Engine in another process: its command line, at least one word.
    Gtp(Vec<String>),
    /// Program that speaks the contest's protocol: its command line, at least one word.
    Exec(Vec<String>),
    /// Person at the terminal.
    Human,
}

/// Services that opening a player requires from the calling program.
pub trait Desk {
    /// Returns the person that plays in `seat`.
    fn person(&mut self, seat: Seat) -> Box<dyn Mover>;

    /// Returns the seed for a random player that was given none.
    fn seed(&mut self, seat: Seat) -> u64;

    /// Notifies that a simulation is being built, which may take a while the first time.
    fn builds(&mut self, seat: Seat, backend: Backend);

    /// Notifies that the program waits for a device at this path or address, which the user must
    /// know.
    fn waits(&mut self, seat: Seat, place: &str);
}

impl PlayerSpec {
    /// Opens the player in `seat`. Waits up to [`ARRIVAL`] for a device that connects to this
    /// program.
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
                    // These are the simulations that a hardware player makes within its limit; a
                    // processor may need more time.
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

    /// Opens a player that can be queried for moves directly, without a connection and its
    /// protocol.
    ///
    /// # Errors
    /// [`ArenaError::NoMover`] for all other players, [`ArenaError::Engine`].
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
            use duoforge_links::PtyLink;
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
                Err(duoforge_links::LinkSpecError::Unknown(text)) => {
                    Err(ArenaError::UnknownPlayer(text))
                }
                Err(error) => Err(error.into()),
            },
        }
    }
}

/// Parses the text after `sim:`: a simulator, a search, or both.
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

/// Splits a command line into words, at least one.
fn command_line(text: Option<&str>) -> Result<Vec<String>, ArenaError> {
    let text = text.unwrap_or_default();
    let words = shell_words::split(text).unwrap_or_default();
    if words.is_empty() {
        return Err(ArenaError::BadCommand(text.to_owned()));
    }
    Ok(words)
}

#[cfg(unix)]
fn start(words: &[String]) -> Result<duoforge_links::ExecLink, LinkError> {
    duoforge_links::ExecLink::start(words)
}

#[cfg(not(unix))]
fn start(words: &[String]) -> Result<Box<dyn duoforge_links::Link>, LinkError> {
    Err(LinkError::NotFound {
        name: format!(
            "exec:{} (programs can be players on Unix only)",
            words.join(" ")
        ),
    })
}

/// Prints a name, followed by its settings if there are any.
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
