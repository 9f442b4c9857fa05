//! Players: a link and its time control.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use duoforge_links::{Link, ReconnectingLink};

use crate::reset::Reset;
use crate::{SideChannel, TimeControl};

/// Player of a match, connected by a link that speaks the protocol.
pub struct Player {
    name: String,
    version: Option<String>,
    link: Box<dyn Link>,
    terms: Terms,
    side: Option<Arc<dyn SideChannel>>,
}

/// Player without its link.
pub(crate) struct Identity {
    pub name: String,
    pub version: Option<String>,
    pub terms: Terms,
    pub side: Option<Arc<dyn SideChannel>>,
}

/// Conditions under which a player plays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// True if the player's replies have a time limit.
    pub timed: bool,
    /// True if the player needs the pause of the contest's host after a game.
    pub needs_pause: bool,
    /// True if the player may reconnect after its link was lost.
    pub reconnects: bool,
    /// Time control that replaces the limit of the [`Rules`](crate::Rules).
    pub clock: Option<TimeControl>,
    /// Hard reset after a game.
    pub reset: Reset,
}

impl Player {
    /// Creates a player for a device. Its time is simulated time if the link reports it, otherwise
    /// wall clock time.
    #[must_use]
    pub fn board(link: impl Link + 'static) -> Self {
        let terms = Terms {
            timed: true,
            needs_pause: true,
            reconnects: false,
            clock: None,
            reset: Reset::default(),
        };
        Self {
            name: link.describe(),
            version: None,
            link: Box::new(link),
            terms,
            side: None,
        }
    }

    /// Creates a player for a device that may disconnect during a game and return for the next.
    #[must_use]
    pub fn returning(link: ReconnectingLink) -> Self {
        let mut player = Self::board(link);
        player.terms.reconnects = true;
        player
    }

    /// Creates a player for a device in this process, simulated or in software. It needs no pause
    /// between games.
    #[must_use]
    pub fn inside(link: impl Link + 'static) -> Self {
        let mut player = Self::board(link);
        player.terms.needs_pause = false;
        player
    }

    /// Removes the time limit.
    #[must_use]
    pub fn untimed(mut self) -> Self {
        self.terms.timed = false;
        self
    }

    /// Adds a side channel to the program behind the link. The referee's time limit does not apply
    /// to a program that keeps its own time.
    #[must_use]
    pub fn with_side_channel(mut self, side: Arc<dyn SideChannel>) -> Self {
        self.terms.timed &= !side.keeps_time();
        self.side = Some(side);
        self
    }

    /// Sets the name.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..self
        }
    }

    /// Sets the version: a text that differs between versions of the player.
    #[must_use]
    pub fn with_version(self, version: Option<String>) -> Self {
        Self { version, ..self }
    }

    /// Sets a time control that replaces the limit of the
    /// [`RefereeOptions`](crate::RefereeOptions).
    #[must_use]
    pub fn with_clock(mut self, clock: TimeControl) -> Self {
        match &self.side {
            Some(side) if side.keeps_time() => side.set_time_control(clock),
            _ => self.terms.clock = Some(clock),
        }
        self
    }

    /// Sets the time that the device needs for its hard reset after `9`. The referee waits that
    /// long before the handshake of the next game.
    #[must_use]
    pub fn with_reset(mut self, time: Duration) -> Self {
        self.terms.reset.time = time;
        self
    }

    /// Sets the end of a reset in progress: that of a device whose link was opened again.
    #[must_use]
    pub fn resetting_until(mut self, until: Option<Instant>) -> Self {
        self.terms.reset.until = until;
        self
    }

    /// End of the reset in progress, if there is one.
    #[must_use]
    pub const fn reset_until(&self) -> Option<Instant> {
        self.terms.reset.until
    }

    /// Time until the device has finished its reset; zero without one.
    #[must_use]
    pub fn reset_left(&self) -> Duration {
        self.terms.reset.left()
    }

    /// Waits until the device has finished its reset. Returns false if `stops` returned true
    /// before.
    pub fn wait_for_reset(&mut self, stops: impl FnMut() -> bool) -> bool {
        self.terms.reset.wait(stops)
    }

    /// Reset time since the last game.
    #[must_use]
    pub const fn reset_waited(&self) -> Duration {
        self.terms.reset.waited
    }

    /// Name of the player.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Version of the player, if known.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// True if the player's replies have a time limit.
    #[must_use]
    pub const fn is_timed(&self) -> bool {
        self.terms.timed
    }

    /// True if the player needs the pause of the contest's host after a game.
    #[must_use]
    pub const fn needs_pause(&self) -> bool {
        self.terms.needs_pause
    }

    /// True if the player may reconnect after its link was lost.
    #[must_use]
    pub const fn reconnects(&self) -> bool {
        self.terms.reconnects
    }

    /// Takes the player apart.
    pub(crate) fn detach(self) -> (Identity, Box<dyn Link>) {
        let identity = Identity {
            name: self.name,
            version: self.version,
            terms: self.terms,
            side: self.side,
        };
        (identity, self.link)
    }

    /// Puts a player together from the parts that [`detach`](Self::detach) returned.
    pub(crate) fn attach(identity: Identity, link: Box<dyn Link>) -> Self {
        Self {
            name: identity.name,
            version: identity.version,
            link,
            terms: identity.terms,
            side: identity.side,
        }
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
            .field("timed", &self.terms.timed)
            .field("needs_pause", &self.terms.needs_pause)
            .finish_non_exhaustive()
    }
}
