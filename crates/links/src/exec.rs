//! Links to programs that use the protocol on their standard input and output.

use std::fmt;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use duoforge_process::Child;

use crate::{Link, LinkError, PipeLink, Received, Sent};

/// Number of bytes kept from the end of standard error.
const TAIL: usize = 2000;

/// Time for a program to exit after a pipe to it is closed.
const QUIT: Duration = Duration::from_millis(300);

/// Child process connected by pipes.
///
/// The child has its own process group, so that its descendants are killed with it and a terminal's
/// Ctrl-C does not reach it. A thread reads the child's standard error, so that a write to it never
/// blocks; the end of that text is kept. Dropping this value closes the child's input and, after
/// 300 ms, kills the whole process group.
///
/// A program that ends, or closes its standard input or output, is [`LinkError::Ended`]: if it does
/// not exit within 300 ms, it is killed.
pub struct ExecLink {
    /// `None` once the program has closed its output. Closed before the process group is killed.
    pipes: Option<PipeLink>,
    child: Child,
    name: String,
}

impl ExecLink {
    /// Starts the program `words[0]` with the other words as its arguments.
    ///
    /// # Errors
    /// [`LinkError::NotFound`] if there is no such program, [`LinkError::NoPermission`] if it is
    /// not executable, [`LinkError::Io`] otherwise.
    pub fn start(words: &[String]) -> Result<Self, LinkError> {
        let name = format!("exec:{}", words.join(" "));
        let Some((program, arguments)) = words.split_first() else {
            return Err(LinkError::NotFound { name });
        };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let started = Child::start(&mut command, TAIL);
        let mut child = started.map_err(|error| LinkError::on_open(&name, error))?;
        let (Some(input), Some(output)) = (child.take_input(), child.take_output()) else {
            unreachable!("both are piped");
        };
        let pipes = PipeLink::new(OwnedFd::from(output), OwnedFd::from(input), name.clone());
        Ok(Self {
            pipes: Some(pipes),
            child,
            name,
        })
    }

    /// End of the text that the program wrote to its standard error.
    #[must_use]
    pub fn tail(&self) -> String {
        self.child.tail()
    }

    /// Exit status of the program; `None` while it runs.
    pub fn status(&mut self) -> Option<String> {
        let status = self.child.wait(Duration::ZERO).ok().flatten()?;
        Some(status.to_string())
    }

    fn pipes(&mut self) -> Result<&mut PipeLink, LinkError> {
        self.pipes.as_mut().ok_or(LinkError::Closed)
    }

    /// Ends a program that closed a pipe, and adds its end to the error.
    fn ended(&mut self, error: LinkError) -> LinkError {
        let LinkError::Closed = error else {
            return error;
        };
        match self.child.end(QUIT) {
            Ok(end) => LinkError::Ended {
                status: (!end.killed).then_some(end.status),
                tail: self.child.tail(),
            },
            Err(source) => LinkError::Io {
                name: self.name.clone(),
                source,
            },
        }
    }
}

impl Link for ExecLink {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        let sent = self.pipes().and_then(|pipes| pipes.send(bytes));
        // Replies that the program wrote before it ended can still be received.
        sent.map_err(|error| self.ended(error))
    }

    fn recv<'b>(
        &mut self,
        buf: &'b mut [u8],
        deadline: Instant,
    ) -> Result<Received<'b>, LinkError> {
        let received = match self.pipes() {
            Ok(pipes) => pipes.recv(buf, deadline),
            Err(error) => Err(error),
        };
        received.map_err(|error| {
            if matches!(error, LinkError::Closed) {
                // The program may wait for the end of its input.
                self.pipes = None;
            }
            self.ended(error)
        })
    }

    fn describe(&self) -> String {
        self.name.clone()
    }
}

impl Drop for ExecLink {
    fn drop(&mut self) {
        self.pipes = None;
        // A destructor cannot report a failure.
        let _ = self.child.end(QUIT);
    }
}

impl fmt::Debug for ExecLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExecLink")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
