//! Process of a model and the pipes to it.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::backend::Backend;
use crate::error::{Result, SimError};
use duoforge_tools::tail;

/// Time limit for a process to exit after the end of its input.
const FAREWELL: Duration = Duration::from_millis(300);

/// Length of a model's standard error that is kept, in bytes.
const STDERR_LIMIT: usize = 8192;

/// Running model.
///
/// A thread reads the model's output, so that neither side blocks on a full pipe.
#[derive(Debug)]
pub(crate) struct Pipes {
    backend: Backend,
    patience: Duration,
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<Vec<u8>>,
    stderr: Option<JoinHandle<String>>,
    // Received bytes; those before `taken` have been returned to the caller.
    received: Vec<u8>,
    taken: usize,
}

impl Pipes {
    pub(crate) fn start(
        backend: Backend,
        command: &mut Command,
        patience: Duration,
    ) -> Result<Self> {
        let program = PathBuf::from(command.get_program());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(SimError::io("starting", &program))?;
        let input = child.stdin.take();
        let (sender, output) = channel();
        if let Some(mut stdout) = child.stdout.take() {
            thread::spawn(move || {
                let mut buffer = vec![0; 1 << 16];
                while let Ok(length @ 1..) = read_some(&mut stdout, &mut buffer) {
                    if sender.send(buffer[..length].to_vec()).is_err() {
                        break;
                    }
                }
            });
        }
        let stderr = child
            .stderr
            .take()
            .map(|stderr| thread::spawn(move || read_tail(stderr)));
        Ok(Self {
            backend,
            patience,
            child,
            input,
            output,
            stderr,
            received: Vec::new(),
            taken: 0,
        })
    }

    /// Writes commands, which reach the model at once.
    pub(crate) fn write(&mut self, commands: &str) -> Result<()> {
        let written = match &mut self.input {
            Some(input) => input.write_all(commands.as_bytes()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        written.map_err(|_| self.death())
    }

    /// Waits for the model's next line and passes it to `take` without its line break.
    pub(crate) fn line<T>(&mut self, take: impl FnOnce(&str) -> T) -> Result<T> {
        let mut searched = self.taken;
        loop {
            let end = self.received[searched..]
                .iter()
                .position(|&byte| byte == b'\n');
            if let Some(length) = end {
                let line = self.taken..searched + length;
                self.taken = line.end + 1;
                return Ok(take(&String::from_utf8_lossy(&self.received[line])));
            }
            self.received.drain(..self.taken);
            self.taken = 0;
            searched = self.received.len();
            match self.output.recv_timeout(self.patience) {
                Ok(bytes) => self.received.extend(bytes),
                Err(RecvTimeoutError::Timeout) => {
                    let (backend, patience) = (self.backend, self.patience);
                    return Err(SimError::Hung { backend, patience });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.death()),
            }
        }
    }

    /// Ends a process that closed a pipe and returns the error that describes its death.
    fn death(&mut self) -> SimError {
        let status = match self.end() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        let stderr = self
            .stderr
            .take()
            .and_then(|thread| thread.join().ok())
            .unwrap_or_default();
        SimError::Died {
            backend: self.backend,
            status,
            output: stderr.trim().to_owned(),
        }
    }

    /// Closes the model's input and waits until the process exits; kills it after the time limit.
    fn end(&mut self) -> io::Result<std::process::ExitStatus> {
        drop(self.input.take());
        let start = Instant::now();
        let mut pause = Duration::from_micros(200);
        while start.elapsed() < FAREWELL {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            thread::sleep(pause);
            pause *= 2;
        }
        self.child.kill()?;
        self.child.wait()
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        // A destructor cannot report a failure.
        let _ = self.end();
    }
}

fn read_some(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Reads to the end and keeps the last few kilobytes.
fn read_tail(mut source: impl Read) -> String {
    let mut kept = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = read_some(&mut source, &mut buffer) {
        kept.extend_from_slice(&buffer[..length]);
        let surplus = kept.len().saturating_sub(2 * STDERR_LIMIT);
        kept.drain(..surplus);
    }
    tail(&String::from_utf8_lossy(&kept), STDERR_LIMIT).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, patience: Duration) -> Pipes {
        let mut command = Command::new("sh");
        Pipes::start(Backend::Icarus, command.args(["-c", script]), patience).unwrap()
    }

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn lines_come_back() {
        let mut pipes = shell("cat", LONG);
        pipes.write("one\ntwo\nth").unwrap();
        assert_eq!(pipes.line(str::to_owned).unwrap(), "one");
        assert_eq!(pipes.line(str::to_owned).unwrap(), "two");
        pipes.write("ree\n").unwrap();
        assert_eq!(pipes.line(str::to_owned).unwrap(), "three");
    }

    #[test]
    fn full_pipes_do_not_block() {
        let mut pipes = shell("cat", LONG);
        let lines = "x".repeat(99) + "\n";
        for _ in 0..20_000 {
            pipes.write(&lines).unwrap();
        }
        for _ in 0..20_000 {
            assert_eq!(pipes.line(str::len).unwrap(), 99);
        }
    }

    #[test]
    fn a_death_tells_status_and_last_words() {
        let mut pipes = shell("read line; echo it hurts >&2; exit 7", LONG);
        pipes.write("go\n").unwrap();
        let error = pipes.line(str::len).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the icarus model died (exit status: 7): it hurts"
        );
    }

    #[test]
    fn silence_is_not_waited_for_forever() {
        let mut pipes = shell("read line; exec sleep 60", Duration::from_millis(50));
        pipes.write("go\n").unwrap();
        assert!(matches!(pipes.line(str::len), Err(SimError::Hung { .. })));
        let start = Instant::now();
        drop(pipes);
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}
