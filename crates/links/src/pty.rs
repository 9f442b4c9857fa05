//! Links over the master side of a pseudo-terminal. A simulated device offers one to programs that
//! expect a serial device.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::pty::openpty;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use nix::unistd::ttyname;

use crate::link::{SEND_LIMIT, remaining};
use crate::{Link, LinkError, Received, Sent};

/// Polling interval for a peer while no program has the slave open. The operating system offers no
/// event for it.
const PEER_POLL: Duration = Duration::from_millis(1);

/// Master side of a pseudo-terminal; the peer opens the slave by its path, like a serial device.
///
/// Peers may connect and disconnect. While there is none, [`recv`](Link::recv) waits for one. After
/// a peer disconnects, [`LinkError::Closed`] is returned once, and the next call waits for the next
/// peer.
#[derive(Debug)]
pub struct PtyLink {
    master: File,
    slave: PathBuf,
    link: Option<PathBuf>,
    attached: bool,
}

impl PtyLink {
    /// Creates a pseudo-terminal in raw mode.
    ///
    /// # Errors
    /// [`LinkError::Io`] if the system has no free one.
    pub fn open() -> Result<Self, LinkError> {
        Self::create().map_err(|error| LinkError::Io {
            name: "pty".to_owned(),
            source: error,
        })
    }

    /// Creates a pseudo-terminal in raw mode and a symbolic link to its slave.
    ///
    /// An existing symbolic link is replaced, since a killed program leaves one. Dropping this
    /// value removes the new link.
    ///
    /// # Errors
    /// [`LinkError::Exists`] if another kind of file exists at `link`, [`LinkError::NoPermission`] or
    /// [`LinkError::NotFound`] for its directory, [`LinkError::Io`] otherwise.
    pub fn open_at(link: &Path) -> Result<Self, LinkError> {
        let mut pty = Self::open()?;
        let place = || {
            match fs::symlink_metadata(link) {
                Ok(metadata) if metadata.is_symlink() => fs::remove_file(link)?,
                Ok(_) => return Err(io::ErrorKind::AlreadyExists.into()),
                Err(_) => {}
            }
            symlink(&pty.slave, link)
        };
        place().map_err(|error| LinkError::on_open(&format!("pty:{}", link.display()), error))?;
        pty.link = Some(link.to_owned());
        Ok(pty)
    }

    fn create() -> io::Result<Self> {
        let pair = openpty(None, None)?;
        let mut settings = tcgetattr(&pair.slave)?;
        cfmakeraw(&mut settings);
        tcsetattr(&pair.slave, SetArg::TCSANOW, &settings)?;
        let slave = ttyname(&pair.slave)?;
        set_up(&pair.master)?;
        // The slave is closed here and keeps its settings while the master is open. An open slave
        // would hide that the peer has disconnected.
        Ok(Self {
            master: File::from(pair.master),
            slave,
            link: None,
            attached: false,
        })
    }

    /// Path that the peer opens: the symbolic link if there is one, otherwise the slave.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.link.as_deref().unwrap_or(&self.slave)
    }

    /// Path of the slave device, such as `/dev/pts/3`.
    #[must_use]
    pub fn slave(&self) -> &Path {
        &self.slave
    }

    /// Waits until the deadline for a peer to open the slave.
    ///
    /// # Errors
    /// [`LinkError::Timeout`] at the deadline, [`LinkError::Io`].
    pub fn wait_peer(&mut self, deadline: Instant) -> Result<(), LinkError> {
        loop {
            let flags = self.poll(PollFlags::POLLIN, Duration::ZERO)?;
            if !flags.contains(PollFlags::POLLHUP) || flags.contains(PollFlags::POLLIN) {
                self.attached = true;
                return Ok(());
            }
            self.pause(deadline)?;
        }
    }

    /// Sleeps for one polling interval.
    fn pause(&self, deadline: Instant) -> Result<(), LinkError> {
        let left = remaining(deadline);
        if left.is_zero() {
            return Err(LinkError::Timeout);
        }
        thread::sleep(left.min(PEER_POLL));
        Ok(())
    }

    /// Returns the `events` (or a hang-up) that occur within `limit`; empty if none.
    fn poll(&self, events: PollFlags, limit: Duration) -> Result<PollFlags, LinkError> {
        // Rounded up to whole milliseconds: rounding down would busy-wait in the last one.
        let millis = i32::try_from(limit.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX);
        let timeout = PollTimeout::try_from(millis).unwrap_or(PollTimeout::MAX);
        let mut fds = [PollFd::new(self.master.as_fd(), events)];
        match poll(&mut fds, timeout) {
            Ok(_) => Ok(fds[0].revents().unwrap_or(PollFlags::empty())),
            Err(Errno::EINTR) => Ok(PollFlags::empty()),
            Err(errno) => Err(LinkError::in_use(&self.describe(), errno.into())),
        }
    }

    /// Handles a hang-up: an error, once, if the peer has disconnected; a pause if there was none
    /// yet.
    fn hung_up(&mut self, deadline: Instant) -> Result<(), LinkError> {
        if self.attached {
            self.attached = false;
            return Err(LinkError::Closed);
        }
        self.pause(deadline)
    }
}

/// Sets close-on-exec and non-blocking mode on the master.
fn set_up(master: &OwnedFd) -> io::Result<()> {
    fcntl(master, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC))?;
    let flags = OFlag::from_bits_truncate(fcntl(master, FcntlArg::F_GETFL)?);
    fcntl(master, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    Ok(())
}

impl Link for PtyLink {
    /// As [`Link::send`]; waits for a peer if there is none. A peer that has disconnected is an
    /// error.
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        let deadline = Instant::now() + SEND_LIMIT;
        let mut left = bytes;
        while !left.is_empty() {
            let flags = self.poll(PollFlags::POLLOUT, remaining(deadline))?;
            if flags.contains(PollFlags::POLLHUP) {
                self.hung_up(deadline)?;
                continue;
            }
            self.attached = true;
            if !flags.contains(PollFlags::POLLOUT) {
                if remaining(deadline).is_zero() {
                    return Err(LinkError::Timeout);
                }
                continue;
            }
            match self.master.write(left) {
                Ok(len) => left = &left[len..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => match LinkError::in_use(&self.describe(), error) {
                    LinkError::Closed => self.hung_up(deadline)?,
                    LinkError::Timeout if !remaining(deadline).is_zero() => {}
                    error => return Err(error),
                },
            }
        }
        Ok(Sent::now())
    }

    fn recv<'b>(
        &mut self,
        buf: &'b mut [u8],
        deadline: Instant,
    ) -> Result<Received<'b>, LinkError> {
        loop {
            let flags = self.poll(PollFlags::POLLIN, remaining(deadline))?;
            if flags.contains(PollFlags::POLLIN) {
                // Bytes of a peer remain readable after it has disconnected.
                match self.master.read(buf) {
                    Ok(len) if len > 0 => {
                        let at = Instant::now();
                        self.attached = true;
                        return Ok(Received {
                            bytes: &buf[..len],
                            at,
                            simulated: None,
                        });
                    }
                    Ok(_) => self.hung_up(deadline)?,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => match LinkError::in_use(&self.describe(), error) {
                        LinkError::Closed => self.hung_up(deadline)?,
                        LinkError::Timeout => {}
                        error => return Err(error),
                    },
                }
            } else if flags.contains(PollFlags::POLLHUP) {
                self.hung_up(deadline)?;
                continue;
            } else {
                self.attached = true;
            }
            if remaining(deadline).is_zero() {
                return Err(LinkError::Timeout);
            }
        }
    }

    fn describe(&self) -> String {
        format!("pty:{}", self.path().display())
    }
}

impl Drop for PtyLink {
    fn drop(&mut self) {
        if let Some(link) = &self.link {
            // Another program may have replaced the link in the meantime.
            if fs::read_link(link).is_ok_and(|target| target == self.slave) {
                // A failure has no remedy here, and the next opener replaces the link.
                let _ = fs::remove_file(link);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use nix::sys::termios::{ControlFlags, InputFlags, LocalFlags, OutputFlags};

    use super::*;

    #[test]
    fn the_slave_is_raw_from_the_start() {
        let pty = PtyLink::open().unwrap();
        let slave = File::open(pty.slave()).unwrap();
        let set = tcgetattr(&slave).unwrap();
        assert!(
            !set.local_flags
                .intersects(LocalFlags::ECHO | LocalFlags::ICANON)
        );
        assert!(!set.output_flags.contains(OutputFlags::OPOST));
        assert!(
            !set.input_flags
                .intersects(InputFlags::IXON | InputFlags::ICRNL)
        );
        assert_eq!(set.control_flags & ControlFlags::CSIZE, ControlFlags::CS8);
    }
}
