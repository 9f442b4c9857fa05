//! Programs that converse in lines.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::{Child, End};

/// Maximum length of a line of the program in bytes; further bytes of the line are dropped.
pub const MAX_LINE: usize = 4096;

/// Maximum number of lines that wait for [`LineChild::receive`]; further lines are dropped.
const MAX_WAITING: usize = 1000;

/// Polling interval for the exit of a program whose descendants keep the pipes open.
const EXIT_POLL: Duration = Duration::from_millis(20);

/// Time limit for the end of the pipes after the program has ended.
const SETTLE: Duration = Duration::from_millis(500);

/// Number of reads with which standard error is emptied, of up to [`PIECE`] bytes each.
const DRAIN_READS: usize = 64;

/// Maximum number of bytes per read: the usual capacity of a pipe.
const PIECE: usize = 64 * 1024;

/// Running program that reads lines from its standard input and writes lines to its standard
/// output. Dropping this value kills its process group.
///
/// Once the program has exited and its output has been read, the pipes are closed. A descendant
/// that left the group cannot keep them open.
///
/// One thread serves all three pipes, and none of them blocks: a program that does not read its
/// input cannot stop a sender, and standard error is read whenever a line is sent or awaited. Text
/// that the program wrote to its standard error before a line is in the log when
/// [`receive`](Self::receive) returns that line.
#[derive(Debug)]
pub struct LineChild {
    child: Child,
    input: Option<File>,
    output: Option<File>,
    errors: Option<File>,
    /// Beginning of a line.
    partial: Vec<u8>,
    lines: VecDeque<Line>,
    log: Vec<u8>,
    /// Number of bytes that the log may still gain.
    room: usize,
    dropped: u64,
}

/// Line of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Text without the line end. Control characters and bytes that are not UTF-8 are replaced.
    pub text: String,
    /// Time at which the line was read.
    pub at: Instant,
}

/// Reason why no line was sent or received.
#[derive(Debug)]
pub enum LineError {
    /// The deadline passed.
    Timeout,
    /// The program has ended, or closed the pipe.
    Closed,
    /// Error of the operating system.
    Io(io::Error),
}

impl From<io::Error> for LineError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Pipes on which an operation would not block.
#[derive(Clone, Copy, Debug, Default)]
struct Ready {
    input: bool,
    output: bool,
    errors: bool,
}

impl LineChild {
    /// Starts a program whose log of standard error holds at most `log` bytes; later bytes are
    /// counted and dropped.
    ///
    /// # Errors
    /// If the operating system cannot start the program.
    pub fn start(command: &mut Command, log: usize) -> io::Result<Self> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = Child::spawn(command)?;
        let pipes = (child.take_input(), child.take_output(), child.take_errors());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            unreachable!("all three are piped");
        };
        Ok(Self {
            child,
            input: Some(unblocked(input.into())?),
            output: Some(unblocked(output.into())?),
            errors: Some(unblocked(errors.into())?),
            partial: Vec::new(),
            lines: VecDeque::new(),
            log: Vec::new(),
            room: log,
            dropped: 0,
        })
    }

    /// Sends lines; each must end in a line feed.
    ///
    /// # Errors
    /// [`LineError::Timeout`] if the program does not take them until the deadline,
    /// [`LineError::Closed`], [`LineError::Io`].
    pub fn send(&mut self, lines: &str, deadline: Instant) -> Result<(), LineError> {
        let mut unsent = lines.as_bytes();
        while !unsent.is_empty() {
            if self.input.is_none() {
                return Err(LineError::Closed);
            }
            let written = self.step(unsent, deadline)?;
            unsent = &unsent[written..];
            if written == 0 && self.input.is_some() && Instant::now() >= deadline {
                return Err(LineError::Timeout);
            }
        }
        Ok(())
    }

    /// Waits until the deadline for a line. A line ends with its line feed: the rest of an output
    /// that ends without one is dropped.
    ///
    /// # Errors
    /// [`LineError::Timeout`] at the deadline, [`LineError::Closed`] after the last line of a
    /// program that has ended or closed its output, [`LineError::Io`].
    pub fn receive(&mut self, deadline: Instant) -> Result<Line, LineError> {
        loop {
            if let Some(line) = self.lines.pop_front() {
                self.empty_errors()?;
                return Ok(line);
            }
            if self.output.is_none() {
                self.empty_errors()?;
                return Err(LineError::Closed);
            }
            self.step(b"", deadline)?;
            let is_waiting = self.lines.is_empty() && self.output.is_some();
            if is_waiting && Instant::now() >= deadline {
                return Err(LineError::Timeout);
            }
        }
    }

    /// Takes the lines that have arrived already.
    ///
    /// # Errors
    /// Error of the operating system.
    pub fn take_waiting(&mut self) -> io::Result<Vec<Line>> {
        let ready = self.poll(false, Duration::ZERO)?;
        self.read(ready)?;
        Ok(self.lines.drain(..).collect())
    }

    /// Takes the text that the program has written to its standard error since the last call.
    pub fn take_log(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.log)
    }

    /// Number of bytes of standard error that were dropped since the log was full.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Closes the program's input, waits up to `grace` for its exit, and kills it and its group
    /// otherwise. The log is complete afterwards.
    ///
    /// # Errors
    /// If the operating system does not return the exit status.
    pub fn end(&mut self, grace: Duration) -> io::Result<End> {
        self.input = None;
        let deadline = Instant::now() + grace;
        while self.has_pipes() && Instant::now() < deadline {
            if self.child.wait(Duration::ZERO)?.is_some() {
                break;
            }
            self.step(b"", deadline)?;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let end = self.child.end(left)?;
        let deadline = Instant::now() + SETTLE;
        while self.has_pipes() && Instant::now() < deadline {
            self.step(b"", deadline)?;
        }
        Ok(end)
    }

    const fn has_pipes(&self) -> bool {
        self.output.is_some() || self.errors.is_some()
    }

    /// Waits for a pipe, at most until the deadline or for [`EXIT_POLL`], and serves those that are
    /// ready. Returns the number of bytes of `unsent` that were written.
    fn step(&mut self, unsent: &[u8], deadline: Instant) -> io::Result<usize> {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut ready = self.poll(!unsent.is_empty(), left.min(EXIT_POLL))?;
        // The first call after the exit of the program kills its group.
        if !(ready.input || ready.output || ready.errors)
            && self.child.wait(Duration::ZERO)?.is_some()
        {
            // Text that the program wrote after the first poll is still read.
            ready = self.poll(false, Duration::ZERO)?;
            if !(ready.output || ready.errors) {
                self.close();
                return Ok(0);
            }
        }
        self.read(ready)?;
        if ready.input {
            return self.write(unsent);
        }
        Ok(0)
    }

    /// Closes the pipes of a program that has exited.
    fn close(&mut self) {
        (self.input, self.output, self.errors) = (None, None, None);
        self.partial.clear();
    }

    fn poll(&self, sends: bool, limit: Duration) -> io::Result<Ready> {
        let input = self.input.as_ref().filter(|_| sends);
        let pipes = [
            (input, PollFlags::POLLOUT),
            (self.output.as_ref(), PollFlags::POLLIN),
            (self.errors.as_ref(), PollFlags::POLLIN),
        ];
        let present = pipes
            .iter()
            .filter_map(|&(pipe, event)| Some((pipe?, event)));
        let mut fds: Vec<PollFd<'_>> = present
            .map(|(pipe, event)| PollFd::new(pipe.as_fd(), event))
            .collect();
        // Rounded up to whole milliseconds: rounding down would busy-wait in the last one.
        let millis = i32::try_from(limit.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX);
        let timeout = PollTimeout::try_from(millis).unwrap_or(PollTimeout::MAX);
        match poll(&mut fds, timeout) {
            Ok(_) => {}
            Err(Errno::EINTR) => return Ok(Ready::default()),
            Err(errno) => return Err(errno.into()),
        }
        let mut found = fds.iter().map(|fd| fd.any().unwrap_or(true));
        let mut ready = |pipe: Option<&File>| pipe.is_some() && found.next().unwrap_or(false);
        Ok(Ready {
            input: ready(input),
            output: ready(self.output.as_ref()),
            errors: ready(self.errors.as_ref()),
        })
    }

    /// Reads once from each pipe that is ready: first standard error, so that its text is not later
    /// than the line after it.
    fn read(&mut self, ready: Ready) -> io::Result<()> {
        if ready.errors {
            self.read_errors()?;
        }
        if ready.output {
            match read(&mut self.output)? {
                Some(bytes) => self.feed(&bytes, Instant::now()),
                None => self.partial.clear(),
            }
        }
        Ok(())
    }

    fn read_errors(&mut self) -> io::Result<()> {
        let bytes = read(&mut self.errors)?.unwrap_or_default();
        let kept = bytes.len().min(self.room);
        self.log.extend_from_slice(&bytes[..kept]);
        self.room -= kept;
        self.dropped += (bytes.len() - kept) as u64;
        Ok(())
    }

    /// Reads standard error until it is empty, or [`DRAIN_READS`] times.
    fn empty_errors(&mut self) -> io::Result<()> {
        for _ in 0..DRAIN_READS {
            let before = (self.log.len(), self.dropped);
            if self.errors.is_some() {
                self.read_errors()?;
            }
            if (self.log.len(), self.dropped) == before {
                break;
            }
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(input) = &mut self.input else {
            return Ok(0);
        };
        match input.write(bytes) {
            Ok(written) => Ok(written),
            Err(error) if is_retried(&error) => Ok(0),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.input = None;
                Ok(0)
            }
            Err(error) => Err(error),
        }
    }

    /// Splits output into lines.
    fn feed(&mut self, bytes: &[u8], at: Instant) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let body = piece.strip_suffix(b"\n");
            let text = body.unwrap_or(piece);
            let room = MAX_LINE - self.partial.len();
            self.partial
                .extend_from_slice(&text[..text.len().min(room)]);
            if body.is_some() {
                let line = std::mem::take(&mut self.partial);
                if self.lines.len() < MAX_WAITING {
                    let text = readable(&line);
                    self.lines.push_back(Line { text, at });
                }
            }
        }
    }
}

/// Returns bytes as text of one line: bytes that are not UTF-8 and control characters, which would
/// act on a terminal, are replaced.
fn readable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let shown = |c: char| match c {
        '\t' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.trim_end().chars().map(shown).collect()
}

/// Makes the near end of a pipe non-blocking. The program's end is not affected.
fn unblocked(pipe: OwnedFd) -> io::Result<File> {
    let flags = OFlag::from_bits_truncate(fcntl(&pipe, FcntlArg::F_GETFL)?);
    fcntl(&pipe, FcntlArg::F_SETFL(flags | OFlag::O_NONBLOCK))?;
    Ok(pipe.into())
}

/// Reads what is there; `None` at the end of the pipe, which is closed then.
fn read(pipe: &mut Option<File>) -> io::Result<Option<Vec<u8>>> {
    let Some(file) = pipe else {
        return Ok(None);
    };
    let mut bytes = vec![0; PIECE];
    match file.read(&mut bytes) {
        Ok(0) => {
            *pipe = None;
            Ok(None)
        }
        Ok(length) => {
            bytes.truncate(length);
            Ok(Some(bytes))
        }
        Err(error) if is_retried(&error) => Ok(Some(Vec::new())),
        Err(error) => Err(error),
    }
}

fn is_retried(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

#[cfg(test)]
mod tests;
