//! Links to programs that use the protocol on their standard input and output.

use std::fmt;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::{Link, LinkError, PipeLink, Received, Sent};

/// Number of bytes kept from the end of standard error.
const TAIL: usize = 2000;

/// Time for a program to exit after its input is closed.
const QUIT: Duration = Duration::from_millis(300);

/// Polling interval for the exit status of the child process.
const POLL: Duration = Duration::from_millis(2);

/// Child process connected by pipes.
///
/// The child has its own process group, so that its descendants are killed with it and a terminal's
/// Ctrl-C does not reach it. A thread reads the child's standard error, so that a write to it never
/// blocks; the end of that text is kept. Dropping this value closes the child's input and, after
/// 300 ms, kills the whole process group.
pub struct ExecLink {
    /// Closed before the process group is killed.
    pipes: Option<PipeLink>,
    child: Child,
    tail: Arc<Mutex<Vec<u8>>>,
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
        let spawned = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn();
        let mut child = spawned.map_err(|error| LinkError::on_open(&name, error))?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            unreachable!("all three are piped");
        };
        let tail = Arc::default();
        let kept = Arc::clone(&tail);
        thread::spawn(move || drain(errors, &kept));
        let pipes = PipeLink::new(OwnedFd::from(output), OwnedFd::from(input), name.clone());
        Ok(Self {
            pipes: Some(pipes),
            child,
            tail,
            name,
        })
    }

    /// End of the text that the program wrote to its standard error.
    #[must_use]
    pub fn tail(&self) -> String {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&tail).trim_end().to_owned()
    }

    /// Exit status of the program; `None` while it runs.
    pub fn status(&mut self) -> Option<String> {
        let status = self.child.try_wait().ok().flatten()?;
        Some(status.to_string())
    }

    fn pipes(&mut self) -> Result<&mut PipeLink, LinkError> {
        self.pipes.as_mut().ok_or(LinkError::Closed)
    }
}

impl Link for ExecLink {
    fn send(&mut self, bytes: &[u8]) -> Result<Sent, LinkError> {
        self.pipes()?.send(bytes)
    }

    fn recv<'b>(
        &mut self,
        buf: &'b mut [u8],
        deadline: Instant,
    ) -> Result<Received<'b>, LinkError> {
        self.pipes()?.recv(buf, deadline)
    }

    fn describe(&self) -> String {
        self.name.clone()
    }
}

impl Drop for ExecLink {
    fn drop(&mut self) {
        self.pipes = None;
        let deadline = Instant::now() + QUIT;
        while Instant::now() < deadline {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                break;
            }
            thread::sleep(POLL);
        }
        // Descendants may outlive the child. An error for an empty process group is harmless.
        let _ = killpg(Pid::from_raw(self.child.id() as i32), Signal::SIGKILL);
        let _ = self.child.wait();
    }
}

impl fmt::Debug for ExecLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExecLink")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Reads until the end of the stream and keeps the last bytes.
fn drain(mut errors: impl Read, tail: &Mutex<Vec<u8>>) {
    let mut buf = [0; 4096];
    while let Ok(length @ 1..) = errors.read(&mut buf) {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(&buf[..length]);
        let excess = tail.len().saturating_sub(TAIL);
        tail.drain(..excess);
    }
}
