//! Side channel to a program behind a link.

use crate::TimeControl;
use crate::variant::TimeLeft;

/// Side channel to the program behind a link, for what the contest's protocol has no code for.
///
/// A program either [keeps its own time](Self::keeps_time), or learns the time left from the
/// referee before each prompt.
#[expect(unused_variables, reason = "the default methods do nothing")]
pub trait SideChannel: Send + Sync {
    /// True if the program keeps its own time: the referee waits for it without a limit, and learns
    /// of a forfeited move by [`Remark::forfeit`].
    fn keeps_time(&self) -> bool {
        false
    }

    /// Sets the time control of a program that keeps its own time, before the handshake of the
    /// first game.
    fn set_time_control(&self, control: TimeControl) {}

    /// Sets the time for the next move, before its prompt. A program that keeps its own time does
    /// not need it.
    fn set_time_left(&self, time: TimeLeft) {}

    /// Takes what the program added to its last move.
    fn take_remark(&self) -> Remark {
        Remark::default()
    }

    /// Takes the log of the program in the game that has ended, with its exit status; `None` if it
    /// was not started.
    fn take_log(&self) -> Option<String> {
        None
    }
}

/// Addition to a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remark {
    /// Text that the program wrote behind the move.
    pub text: Option<String>,
    /// True if the program exceeded its time, and the move stands for the one that it forfeited.
    pub forfeit: bool,
}
