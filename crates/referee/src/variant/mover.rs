//! Interface between the referee of variants and a player.

use std::time::Duration;

use duoforge_rules::{Game, GameVariant, Move, Seat};

use crate::TimeControl;

/// Player in a seat of a game of any variant: a program or a person.
///
/// The referee calls [`begin`](Self::begin) once for each game, then [`choose`](Self::choose) for
/// each ply of the seat, and [`end`](Self::end) after the last ply. A seat may own several colours:
/// [`Game::to_move`] is the colour for which a move is due. [`Game::plies`] holds all moves so far;
/// one of the seat's own may differ from the move that it chose, if it forfeited that move.
#[expect(unused_variables, reason = "the default methods do nothing")]
pub trait VariantMover: Send {
    /// Sets the time control, before the first game. The referee measures the times all the same; a
    /// program may need the control at its start. The default does nothing.
    fn set_time_control(&mut self, control: TimeControl) {}

    /// Notifies that a game begins, in which the player has `seat`.
    ///
    /// # Errors
    /// [`MoverFault`] if the player cannot play the variant or has failed.
    fn begin(&mut self, variant: &GameVariant, seat: Seat) -> Result<(), MoverFault> {
        Ok(())
    }

    /// Returns the move of the colour to move. The move may be illegal: the referee adjudicates.
    ///
    /// The referee measures the time of the call. A player in another process should wait up to
    /// [`TimeLeft::longest_wait`] and return a late reply, which the referee drops, so that it is
    /// not taken for the next one.
    ///
    /// # Errors
    /// [`MoverFault`] without a move.
    fn choose(&mut self, game: &Game, time: TimeLeft) -> Result<Move, MoverFault>;

    /// Notifies that the game has ended; `game` is its last position.
    fn end(&mut self, game: &Game) {}

    /// Makes random choices depend only on this seed and the positions. A deterministic player
    /// keeps the default, which does nothing.
    fn seed(&mut self, seed: u64) {}

    /// Returns the text that the player added to its last move, if any.
    fn take_remark(&mut self) -> Option<String> {
        None
    }

    /// Returns what the player has written to its log since the last call, if anything. The last
    /// call for a game follows [`end`](Self::end); a program adds its exit status.
    fn take_log(&mut self) -> Option<String> {
        None
    }
}

/// Time of a player for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    /// Time after which a reply is late; `None` without a limit.
    pub left: Option<Duration>,
    /// Further time for which the referee waits for a late reply.
    pub grace: Duration,
    /// True if the time is that of a bank: what a move leaves is there for the next ones.
    pub is_bank: bool,
}

impl TimeLeft {
    /// No limit.
    pub const UNLIMITED: Self = Self {
        left: None,
        grace: Duration::ZERO,
        is_bank: false,
    };

    /// Returns the time after which a player that has not replied counts as silent; `None` without
    /// a limit.
    #[must_use]
    pub fn longest_wait(&self) -> Option<Duration> {
        self.left.map(|left| left + self.grace)
    }
}

/// Reason why a player has no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoverFault {
    /// The player resigned.
    #[error("resigned")]
    Resigned,
    /// The player did not reply within [`TimeLeft::longest_wait`].
    #[error("no reply")]
    Silent,
    /// The reply is not a move.
    #[error("'{reply}' is not a move: {reason}")]
    Unreadable {
        /// Reply, without control characters.
        reply: String,
        /// Fault of the reply.
        reason: String,
    },
    /// The player cannot play the variant.
    #[error("{0}")]
    Unsuitable(String),
    /// The player's program ended or failed: its exit status or signal, and its last messages.
    #[error("{0}")]
    Failed(String),
}

impl<M: VariantMover + ?Sized> VariantMover for Box<M> {
    fn set_time_control(&mut self, control: TimeControl) {
        (**self).set_time_control(control);
    }

    fn begin(&mut self, variant: &GameVariant, seat: Seat) -> Result<(), MoverFault> {
        (**self).begin(variant, seat)
    }

    fn choose(&mut self, game: &Game, time: TimeLeft) -> Result<Move, MoverFault> {
        (**self).choose(game, time)
    }

    fn end(&mut self, game: &Game) {
        (**self).end(game);
    }

    fn seed(&mut self, seed: u64) {
        (**self).seed(seed);
    }

    fn take_remark(&mut self) -> Option<String> {
        (**self).take_remark()
    }

    fn take_log(&mut self) -> Option<String> {
        (**self).take_log()
    }
}
