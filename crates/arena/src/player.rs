//! Players: a link and its time control.

use std::fmt;

use duoforge_engine::{Policy, Twin};
use duoforge_hdl::chooser::Chooser;
use duoforge_hdl::parameters::Parameters;
use duoforge_links::{Link, ReturningLink};
use duoforge_protocol::{BAUD_RATE, TeamCode};
use duoforge_sim::board::SimBoard;
use duoforge_sim::{Backend, Options};

use crate::{ArenaError, Clock, Engine, Mover, MoverBoard, Random, SoftLink};

/// Player of a match, connected by a link that speaks the protocol.
pub struct Player {
    name: String,
    link: Box<dyn Link>,
    timed: bool,
    settles: bool,
    clock: Option<Clock>,
    returns: bool,
}

impl Player {
    /// Creates a player for a device. Its time is simulated time if the link reports it, otherwise
    /// wall clock time.
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

    /// Creates a player for a device that may disconnect during a game and return for the next.
    #[must_use]
    pub fn returning(link: ReturningLink) -> Self {
        Self {
            returns: true,
            ..Self::board(link)
        }
    }

    /// Creates a player for the simulated hardware player, timed in simulated time.
    ///
    /// # Errors
    /// [`ArenaError::Simulation`].
    pub fn simulated(backend: Backend) -> Result<Self, ArenaError> {
        Self::simulated_with(backend, &Chooser::Pattern)
    }

    /// As [`simulated`](Self::simulated), with the given chooser. A search with a time limit makes
    /// few simulations at the low clock frequency of [`board_parameters`].
    ///
    /// # Errors
    /// [`ArenaError::Simulation`].
    pub fn simulated_with(backend: Backend, chooser: &Chooser) -> Result<Self, ArenaError> {
        let (parameters, options) = (board_parameters(), Options::default());
        let board = SimBoard::open_chooser(backend, &parameters, chooser, &options)?;
        Ok(Self::inside(board))
    }

    /// Creates a player for the twin of the hardware player.
    #[must_use]
    pub fn twin() -> Self {
        let twin = Twin::new(team(*b"TW"), Policy::default());
        Self::inside(SoftLink::new(twin, "twin"))
    }

    /// Creates the pattern player.
    #[must_use]
    pub fn engine() -> Self {
        Self::choosing(Engine::default(), "engine", *b"EN")
    }

    /// Creates a player that draws its moves uniformly from the legal ones.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        Self::choosing(Random::new(seed), format!("random:{seed}"), *b"RN")
    }

    /// Creates a player for a program that chooses moves, with its name and the letters of its team
    /// code.
    ///
    /// # Panics
    /// If the letters are not a valid team code.
    #[must_use]
    pub fn choosing(
        mover: impl Mover + 'static,
        name: impl Into<String>,
        letters: [u8; 2],
    ) -> Self {
        Self::inside(SoftLink::new(MoverBoard::new(mover, team(letters)), name))
    }

    /// Creates a player for a person, without a time limit.
    #[must_use]
    pub fn person(person: impl Mover + 'static) -> Self {
        let board = MoverBoard::new(person, team(*b"HU"));
        Self::inside(SoftLink::new(board, "human")).untimed()
    }

    /// Removes the time limit.
    #[must_use]
    pub fn untimed(self) -> Self {
        Self {
            timed: false,
            ..self
        }
    }

    /// Creates a player for a device in this process, simulated or in software. It needs no pause
    /// between games.
    #[must_use]
    pub fn inside(link: impl Link + 'static) -> Self {
        Self {
            settles: false,
            ..Self::board(link)
        }
    }

    /// Sets the name.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..self
        }
    }

    /// Sets a time control that replaces the limit of the [`Rules`](crate::Rules).
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self {
            clock: Some(clock),
            ..self
        }
    }

    /// Name of the player.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// True if the player's replies have a time limit.
    #[must_use]
    pub const fn is_timed(&self) -> bool {
        self.timed
    }

    /// True if the player needs the pause of the contest's host after a game.
    #[must_use]
    pub const fn settles(&self) -> bool {
        self.settles
    }

    /// Rebuilds a player from its parts; the flags are `timed`, `settles` and `returns`.
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

    /// True if the player may reconnect after its link was lost.
    #[must_use]
    pub const fn returns(&self) -> bool {
        self.returns
    }

    pub(crate) fn link_mut(&mut self) -> &mut dyn Link {
        &mut *self.link
    }

    /// Returns the link alone, for a host other than the referee.
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

/// Parameters of the device that is simulated in matches: the contest's serial line at 115200 baud,
/// with a clock of 16 times that rate. The clock is slow because simulation time grows with every
/// cycle. The thinking time in cycles is the same at any frequency; even at this one a reply takes
/// far less than a second.
#[must_use]
pub fn board_parameters() -> Parameters {
    Parameters::contest(16 * BAUD_RATE)
}

/// Team code of a player in software.
fn team(letters: [u8; 2]) -> TeamCode {
    TeamCode::new(letters).expect("letters are printable")
}
