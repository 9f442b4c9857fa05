//! Programs in process groups.

use std::io;
use std::process::{self, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use crate::Group;
use crate::tail::Tail;

/// First and longest polling interval for the exit of a program; the interval doubles.
const POLL: [Duration; 2] = [Duration::from_micros(200), Duration::from_millis(20)];

/// Time limit for the end of standard error after the program has ended. A descendant that left
/// the group may keep the pipe open for longer.
const SETTLE: Duration = Duration::from_millis(500);

/// Running program that leads a process group of its descendants. Dropping this value kills the
/// group.
#[derive(Debug)]
pub struct Child {
    child: process::Child,
    group: Group,
    tail: Option<Tail>,
    end: Option<End>,
}

/// End of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Exit status or signal of the program.
    pub status: ExitStatus,
    /// True if the program was killed here, and did not exit before.
    pub killed: bool,
}

impl Child {
    /// Starts a program in a new process group. If its standard error is piped, a thread reads the
    /// pipe, and at most `tail` bytes of the end are kept.
    ///
    /// # Errors
    /// If the operating system cannot start the program.
    pub fn start(command: &mut Command, tail: usize) -> io::Result<Self> {
        let mut child = Self::spawn(command)?;
        child.tail = child.take_errors().map(|errors| Tail::read(errors, tail));
        Ok(child)
    }

    /// Starts a program in a new process group, as [`start`](Self::start), and leaves its standard
    /// error to the caller.
    ///
    /// # Errors
    /// If the operating system cannot start the program.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        let (group, child) = Group::start(command)?;
        Ok(Self {
            group,
            child,
            tail: None,
            end: None,
        })
    }

    /// Process id of the program.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Process group of the program. After the program has ended, its number may belong to another
    /// group.
    #[must_use]
    pub const fn group(&self) -> Group {
        self.group
    }

    /// Takes the pipe to standard input, if standard input is piped.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Takes the pipe from standard output, if standard output is piped.
    pub fn take_output(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Takes the pipe from standard error of a program that [`spawn`](Self::spawn) started, if
    /// standard error is piped.
    pub fn take_errors(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// Returns the end of the text that the program wrote to its standard error, trimmed. The text
    /// is complete once the program has ended.
    #[must_use]
    pub fn tail(&self) -> String {
        let Some(tail) = &self.tail else {
            return String::new();
        };
        if self.end.is_some() {
            tail.settle(SETTLE);
        }
        tail.text()
    }

    /// Waits up to `limit` for the program to exit. If it exits, kills the rest of its group and
    /// returns its exit status.
    ///
    /// # Errors
    /// If the operating system does not return the exit status.
    pub fn wait(&mut self, limit: Duration) -> io::Result<Option<ExitStatus>> {
        let deadline = Instant::now() + limit;
        let [mut pause, longest] = POLL;
        loop {
            if let Some(end) = self.end {
                return Ok(Some(end.status));
            }
            if self.has_exited()? {
                return self.reap(false).map(|end| Some(end.status));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            thread::sleep(pause.min(left));
            pause = longest.min(2 * pause);
        }
    }

    /// Waits up to `grace` for the program to exit, then kills it and its group.
    ///
    /// # Errors
    /// If the operating system does not return the exit status.
    pub fn end(&mut self, grace: Duration) -> io::Result<End> {
        let exited = self.wait(grace);
        match self.end {
            Some(end) => Ok(end),
            None => {
                let killed = matches!(exited, Ok(None));
                self.reap(killed)
            }
        }
    }

    /// True if the program has exited. Its exit status is not collected, so that the number of its
    /// group stays its own.
    #[cfg(target_os = "linux")]
    fn has_exited(&mut self) -> io::Result<bool> {
        use nix::errno::Errno;
        use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
        let id = Id::Pid(nix::unistd::Pid::from_raw(self.child.id() as i32));
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        match waitid(id, flags) {
            Ok(WaitStatus::StillAlive) | Err(Errno::EINTR) => Ok(false),
            // `nix` has no name for a real-time signal.
            Ok(_) | Err(Errno::EINVAL) => Ok(true),
            Err(errno) => Err(errno.into()),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn has_exited(&mut self) -> io::Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }

    /// Kills the group and collects the exit status of the program.
    fn reap(&mut self, killed: bool) -> io::Result<End> {
        self.group.end();
        // Without process groups, at least the program itself ends.
        let _ = self.child.kill();
        let status = self.child.wait()?;
        let end = End { status, killed };
        self.end = Some(end);
        Ok(end)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if self.end.is_none() {
            // A destructor cannot report a failure.
            let _ = self.reap(true);
        }
    }
}
