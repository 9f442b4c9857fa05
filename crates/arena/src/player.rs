//! Players: a link, and how it is judged.

use std::fmt;

use duoforge_engine::{Policy, Twin};
use duoforge_hdl::chooser::Chooser;
use duoforge_hdl::player::Parameters;
use duoforge_protocol::link::{Link, ReturningLink};
use duoforge_protocol::{BAUD_RATE, TeamCode};
use duoforge_sim::board::SimBoard;
use duoforge_sim::{Backend, Options};

use crate::{ArenaError, Clock, Engine, Mover, MoverBoard, Random, SoftLink};

/// A player of a match: something behind a link that speaks the protocol.
pub struct Player {
    name: String,
    link: Box<dyn Link>,
    timed: bool,
    settles: bool,
    clock: Option<Clock>,
    returns: bool,
}

impl Player {
    /// A board behind a link, judged by simulated time where the link knows it, else by the
    /// wall clock.
    #[must_use]
    pub fn board(link: impl Link + 'static) -> Self {
        Self {
            name: link.describe(),
            link: Box::new(link),
            timed: true,
            settles: true,
            clock: None,
            returns: false,
        }
    }

    /// A board whose device may vanish in a game and come back for the next one.
    #[must_use]
    pub fn returning(link: ReturningLink) -> Self {
        Self {
            returns: true,
            ..Self::board(link)
        }
    }

    /// The hardware's board in simulation, judged by its own time.
    ///
    /// # Errors
    /// [`ArenaError::Simulation`].
    pub fn simulated(backend: Backend) -> Result<Self, ArenaError> {
        Self::simulated_with(backend, &Chooser::Pattern)
    }

    /// The same with this chooser. A search that ends by time makes few simulations on the slow clock
    /// of [`board_parameters`].
    ///
    /// # Errors
    /// [`ArenaError::Simulation`].
    pub fn simulated_with(backend: Backend, chooser: &Chooser) -> Result<Self, ArenaError> {
        let (parameters, options) = (board_parameters(), Options::default());
        let board = SimBoard::open_chooser(backend, &parameters, chooser, &options)?;
        Ok(Self::inside(board))
    }

    /// The twin of the hardware's board.
    #[must_use]
    pub fn twin() -> Self {
        let twin = Twin::new(team(*b"TW"), Policy::default());
        Self::inside(SoftLink::new(twin, "twin"))
    }

    /// The software player.
    #[must_use]
    pub fn engine() -> Self {
        Self::choosing(Engine::default(), "engine", *b"EN")
    }

    /// A player whose moves are drawn from all legal ones.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        Self::choosing(Random::new(seed), format!("random:{seed}"), *b"RN")
    }

    /// A program that chooses moves, with its name and the letters of its team code.
    ///
    /// # Panics
    /// If the letters are no team code.
    #[must_use]
    pub fn choosing(
        mover: impl Mover + 'static,
        name: impl Into<String>,
        letters: [u8; 2],
    ) -> Self {
        Self::inside(SoftLink::new(MoverBoard::new(mover, team(letters)), name))
    }

    /// A person, without a clock.
    #[must_use]
    pub fn person(person: impl Mover + 'static) -> Self {
        let board = MoverBoard::new(person, team(*b"HU"));
        Self::inside(SoftLink::new(board, "human")).untimed()
    }

    /// The same player without a time limit.
    #[must_use]
    pub fn untimed(self) -> Self {
        Self {
            timed: false,
            ..self
        }
    }

    /// A board that is simulated or made of software in this process: it needs no pause between
    /// games.
    #[must_use]
    pub fn inside(link: impl Link + 'static) -> Self {
        Self {
            settles: false,
            ..Self::board(link)
        }
    }

    /// The same player under another name.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..self
        }
    }

    /// The same player with time of its own in place of the [`Rules`](crate::Rules)' limit.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self {
            clock: Some(clock),
            ..self
        }
    }

    /// The player's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether its answers have a time limit.
    #[must_use]
    pub const fn is_timed(&self) -> bool {
        self.timed
    }

    /// Whether it needs the pause that the contest's host makes after a game.
    #[must_use]
    pub const fn settles(&self) -> bool {
        self.settles
    }

    /// A player that has been taken apart; `timed`, `settles` and `returns` are the flags.
    pub(crate) fn again(
        name: String,
        link: Box<dyn Link>,
        [timed, settles, returns]: [bool; 3],
        clock: Option<Clock>,
    ) -> Self {
        Self {
            name,
            link,
            timed,
            settles,
            clock,
            returns,
        }
    }

    pub(crate) const fn clock(&self) -> Option<Clock> {
        self.clock
    }

    /// Whether it may come back after its link was lost.
    #[must_use]
    pub const fn returns(&self) -> bool {
        self.returns
    }

    pub(crate) fn link_mut(&mut self) -> &mut dyn Link {
        &mut *self.link
    }

    /// The link alone, for a host that is no referee.
    #[must_use]
    pub fn into_link(self) -> Box<dyn Link> {
        self.link
    }
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player")
            .field("name", &self.name)
            .field("timed", &self.timed)
            .field("settles", &self.settles)
            .finish_non_exhaustive()
    }
}

/// The board that is simulated in matches: the contest's line at 115200 baud, on a slow clock of
/// 16 times that rate, as simulating takes time for every clock. It thinks as many clocks as on
/// any other, and so longer, and is still far within a second.
#[must_use]
pub fn board_parameters() -> Parameters {
    Parameters::contest(16 * BAUD_RATE)
}

/// The team code of a player in software.
fn team(letters: [u8; 2]) -> TeamCode {
    TeamCode::new(letters).expect("letters are printable")
}
