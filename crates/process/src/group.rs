//! Process groups.

use std::process::Command;

/// Process group of a [`Child`](crate::Child): the program and its descendants, except those that
/// left the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group(u32);

impl Group {
    /// Makes a command start its program as the leader of a new group.
    #[cfg(unix)]
    pub(crate) fn lead(command: &mut Command) {
        std::os::unix::process::CommandExt::process_group(command, 0);
    }

    #[cfg(not(unix))]
    pub(crate) fn lead(_: &mut Command) {}

    /// Group of the leader with this process id.
    pub(crate) const fn of(leader: u32) -> Self {
        Self(leader)
    }

    /// Kills every process of the group. A group whose processes have all exited is not an error.
    #[cfg(unix)]
    pub fn kill(self) {
        let group = nix::unistd::Pid::from_raw(self.0 as i32);
        let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
    }

    /// Does nothing: this system has no process groups.
    #[cfg(not(unix))]
    pub fn kill(self) {}
}
