//! Side channel to a program behind a link.

use crate::TimeControl;

/// Side channel to the program behind a link, for what the contest's protocol has no code for.
///
/// A player with a side channel keeps its own time: the referee waits for it without a limit, and
/// learns of a forfeited move by [`Remark::forfeit`].
pub trait SideChannel: Send + Sync {
    /// Sets the time control, before the handshake of the first game.
    fn set_time_control(&self, control: TimeControl);

    /// Takes what the program added to its last move.
    fn take_remark(&self) -> Remark;

    /// Takes the log of the program in the game that has ended, with its exit status; `None` if it
    /// was not started.
    fn take_log(&self) -> Option<String>;
}

/// Addition to a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remark {
    /// Text that the program wrote behind the move.
    pub text: Option<String>,
    /// True if the program exceeded its time, and the move stands for the one that it forfeited.
    pub forfeit: bool,
}
