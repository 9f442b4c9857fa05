//! Links over a pair of pipes: standard input and output of a program, from either end.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::link::{SEND_LIMIT, remaining};
use crate::{Link, LinkError, Received, Sent};

/// Maximum number of bytes per write. POSIX guarantees that a writable pipe takes this number
/// without blocking.
const PIECE: usize = 512;

/// Link over two pipes, one to read and one to write.
#[derive(Debug)]
pub struct PipeLink {
    input: File,
    output: File,
    name: String,
}

impl PipeLink {
    /// Creates a link that receives from `input` and sends to `output`, with the given name.
    pub(crate) fn new(input: OwnedFd, output: OwnedFd, name: String) -> Self {
        Self {
            input: input.into(),
            output: output.into(),
            name,
        }
    }

    /// Creates a link over standard input and output of this program. A device that runs as a child
    /// process of the host uses it.
    ///
    /// # Errors
    /// [`LinkError::Io`] if they are closed.
    pub fn standard() -> Result<Self, LinkError> {
        let name = "stdio".to_owned();
        let both = io::stdin().as_fd().try_clone_to_owned();
        let both = both.and_then(|input| Ok((input, io::stdout().as_fd().try_clone_to_owned()?)));
        match both {
            Ok((input, output)) => Ok(Self::new(input, output, name)),
            Err(source) => Err(LinkError::Io { name, source }),
        }
    }

    /// Returns true if an event (or a hang-up) occurs within `limit`.
    fn ready(&self, file: &File, event: PollFlags, limit: Duration) -> Result<bool, LinkError> {
        // Rounded up to whole milliseconds: rounding down would busy-wait in the last one.
        let millis = i32::try_from(limit.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX);
        let timeout = PollTimeout::try_from(millis).unwrap_or(PollTimeout::MAX);
        let mut fds = [PollFd::new(file.as_fd(), event)];
        match poll(&mut fds, timeout) {
            Ok(count) => Ok(count > 0),
            Err(Errno::EINTR) => Ok(false),
            Err(errno) => Err(self.error(errno.into())),
        }
    }

    fn error(&self, source: io::Error) -> LinkError {
        LinkError::in_use(&self.name, source)
    }
}

impl Link for PipeLink {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        let deadline = Instant::now() + SEND_LIMIT;
        let mut left = bytes;
        while !left.is_empty() {
            if !self.ready(&self.output, PollFlags::POLLOUT, remaining(deadline))? {
                if remaining(deadline).is_zero() {
                    return Err(LinkError::Timeout);
                }
                continue;
            }
            match self.output.write(&left[..left.len().min(PIECE)]) {
                Ok(len) => left = &left[len..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.error(error)),
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
            if self.ready(&self.input, PollFlags::POLLIN, remaining(deadline))? {
                match self.input.read(buf) {
                    Ok(0) => return Err(LinkError::Closed),
                    Ok(len) => return Ok(Received::now(&buf[..len])),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => match self.error(error) {
                        LinkError::Timeout => {}
                        error => return Err(error),
                    },
                }
            }
            if remaining(deadline).is_zero() {
                return Err(LinkError::Timeout);
            }
        }
    }

    fn describe(&self) -> String {
        self.name.clone()
    }
}
