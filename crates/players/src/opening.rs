//! Opening of players.

use std::time::{Duration, Instant};

use duoforge_bots::BotSpec;
use duoforge_links::{LinkError, LinkSpec, ReconnectingLink, TcpAcceptor};
use duoforge_referee::{Player, Seat};
use duoforge_twin::search::Limit;

use crate::{
    EngineMover, Greedy, GtpMover, MaxnMover, Mover, PatternMover, PlayerError, PlayerSpec, Random,
    SearchMover, software,
};

/// Waiting time for a device that connects to this program over TCP or a pseudo-terminal.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(300);

/// Waiting time for a serial device that disappeared between games.
pub const RECONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// Services that opening a player requires from the calling program.
pub trait OpenContext {
    /// Returns the person that plays in `seat`.
    fn person(&mut self, seat: Seat) -> Box<dyn Mover>;

    /// Returns the seed for a random player that was given none.
    fn seed(&mut self, seat: Seat) -> u64;

    /// Takes a player that chooses moves, and returns the one that plays in its place. The default
    /// returns the player itself.
    fn mover(&mut self, seat: Seat, spec: &PlayerSpec, mover: Box<dyn Mover>) -> Box<dyn Mover> {
        let _ = (seat, spec);
        mover
    }

    /// Notifies that the device with this name is being made, which may take a while the first
    /// time.
    fn on_build(&mut self, seat: Seat, board: &str);

    /// Notifies that the program waits for a device at this path or address, which the user must
    /// know.
    fn on_wait(&mut self, seat: Seat, place: &str);
}

impl PlayerSpec {
    /// Opens the player in `seat`. Waits up to [`CONNECT_TIMEOUT`] for a device that connects to
    /// this program.
    ///
    /// # Errors
    /// [`PlayerError::Open`], [`PlayerError::Made`], [`PlayerError::Engine`].
    pub fn open(&self, seat: Seat, context: &mut dyn OpenContext) -> Result<Player, PlayerError> {
        let lost = |source| PlayerError::Open { seat, source };
        let player = match self {
            Self::Link(spec) => open_link(spec, seat, context).map_err(lost)?,
            Self::Made(maker) => {
                let name = maker.to_string();
                context.on_build(seat, &name);
                let link = maker.power_up();
                Player::inside(link.map_err(|source| PlayerError::Made { name, source })?)
            }
            Self::Twin => software::twin(),
            Self::Exec(words) => Player::board(start(words).map_err(lost)?),
            Self::Human => software::person(context.person(seat)),
            Self::Random(None) | Self::Greedy(None) => {
                let spec = self.seeded(|| context.seed(seat));
                spec.open(seat, context)?
            }
            Self::Pattern
            | Self::Search(_)
            | Self::Engine(_)
            | Self::Random(Some(_))
            | Self::Greedy(Some(_))
            | Self::Maxn(_)
            | Self::Sample(_)
            | Self::Gtp(_)
            | Self::Bot(_) => {
                let mover = context.mover(seat, self, self.mover()?);
                let player = software::choosing(mover, self.to_string(), self.letters());
                match self {
                    // These are the simulations that a hardware player makes within its limit; a
                    // processor may need more time.
                    Self::Search(settings) if matches!(settings.limit, Limit::Simulations(_)) => {
                        player.untimed()
                    }
                    _ => player,
                }
            }
        };
        Ok(player.with_version(self.version()))
    }

    /// Opens a player that can be queried for moves directly, without a connection and its
    /// protocol.
    ///
    /// # Errors
    /// [`PlayerError::NoMover`] for all other players, [`PlayerError::Engine`].
    pub fn mover(&self) -> Result<Box<dyn Mover>, PlayerError> {
        Ok(match self {
            Self::Pattern => Box::new(PatternMover::default()),
            Self::Search(settings) => Box::new(SearchMover::new(settings)),
            Self::Engine(settings) => Box::new(EngineMover::new(settings)),
            Self::Random(seed) => Box::new(Random::new(seed.unwrap_or_default())),
            Self::Greedy(seed) => Box::new(Greedy::new(seed.unwrap_or_default())),
            Self::Maxn(settings) => Box::new(MaxnMover::new(settings)),
            Self::Sample(sample) => Box::new(*sample),
            Self::Gtp(words) => Box::new(GtpMover::start(words)?),
            Self::Bot(spec) => open_bot(spec)?,
            Self::Link(_) | Self::Made(_) | Self::Twin | Self::Exec(_) | Self::Human => {
                return Err(PlayerError::NoMover(self.to_string()));
            }
        })
    }
}

fn open_link(
    spec: &LinkSpec,
    seat: Seat,
    context: &mut dyn OpenContext,
) -> Result<Player, LinkError> {
    let deadline = Instant::now() + CONNECT_TIMEOUT;
    match spec {
        #[cfg(unix)]
        LinkSpec::Pty(path) => {
            use duoforge_links::PtyLink;
            let mut link = match path {
                Some(path) => PtyLink::open_at(path)?,
                None => PtyLink::open()?,
            };
            context.on_wait(seat, &link.path().to_string_lossy());
            link.wait_peer(deadline)?;
            Ok(Player::board(link))
        }
        LinkSpec::TcpListen(address) => {
            let acceptor = TcpAcceptor::bind(address)?;
            context.on_wait(seat, &format!("tcp:{}", acceptor.address()));
            acceptor.accept(deadline).map(Player::board)
        }
        LinkSpec::Serial(_) | LinkSpec::Usb(_) => {
            let spec = spec.clone();
            let reopen = Box::new(move || spec.open(Instant::now()));
            ReconnectingLink::open(reopen, RECONNECT_TIMEOUT).map(Player::returning)
        }
        spec => spec.open(deadline).map(Player::board),
    }
}

#[cfg(unix)]
fn open_bot(spec: &BotSpec) -> Result<Box<dyn Mover>, PlayerError> {
    Ok(Box::new(crate::BotMover::new(spec)?))
}

#[cfg(not(unix))]
fn open_bot(spec: &BotSpec) -> Result<Box<dyn Mover>, PlayerError> {
    // The crate of bots only reads their names here.
    Err(PlayerError::NoMover(format!("bot:{spec}")))
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
