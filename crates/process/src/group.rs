//! Process groups.

use std::io;
use std::process::{self, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Groups of the programs that run and whose exit status was not collected.
static RUNNING: Mutex<Vec<Group>> = Mutex::new(Vec::new());

/// Process group of a [`Child`](crate::Child): the program and its descendants, except those that
/// left the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group(u32);

impl Group {
    /// Starts a program as the leader of a new group, which is registered for [`exit`].
    pub(crate) fn start(command: &mut Command) -> io::Result<(Self, process::Child)> {
        Self::lead(command);
        // Held during the start, so that no program starts unregistered while this process exits.
        let mut running = running();
        let child = command.spawn()?;
        let group = Self(child.id());
        running.push(group);
        Ok((group, child))
    }

    /// Kills every process of the group and removes the group from the register of [`exit`]. The
    /// number of the group may belong to another group once the exit status of the leader is
    /// collected, so this comes before.
    pub(crate) fn end(self) {
        let mut running = running();
        self.kill();
        running.retain(|&group| group != self);
    }

    /// Makes a command start its program as the leader of a new group.
    #[cfg(unix)]
    fn lead(command: &mut Command) {
        std::os::unix::process::CommandExt::process_group(command, 0);
    }

    #[cfg(not(unix))]
    fn lead(_: &mut Command) {}

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

/// Ends this process with an exit status, after it has killed the groups of all running children.
///
/// No destructor runs, as with [`process::exit`], so a [`Child`](crate::Child) would not kill its
/// group. A handler for signals calls this function while other threads use their children.
pub fn exit(status: i32) -> ! {
    // Held until the end, so that no further program starts.
    let running = running();
    for &group in running.iter() {
        group.kill();
    }
    process::exit(status)
}

fn running() -> MutexGuard<'static, Vec<Group>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Child;

    /// The number of a group that has ended may belong to another group.
    #[test]
    fn a_group_is_registered_until_its_leader_has_ended() {
        let started = |program: &str| Child::start(Command::new(program).arg("1000"), 0).unwrap();
        let is_registered = |group: &Group| running().contains(group);
        let [mut ended, dropped] = ["echo", "sleep"].map(started);
        let groups = [&ended, &dropped].map(Child::group);
        assert!(groups.iter().all(is_registered));
        ended.end(Duration::from_secs(60)).unwrap();
        drop(dropped);
        assert!(!groups.iter().any(is_registered));
    }
}
