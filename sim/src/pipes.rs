//! Process of a model and the pipes to it.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::backend::Backend;
use crate::error::{Result, SimError};
use duoforge_process::{Child, End};

/// Time limit for a process to exit after the end of its input.
const FAREWELL: Duration = Duration::from_millis(300);

/// Length of a model's standard error that is kept, in bytes.
const STDERR_LIMIT: usize = 8192;

/// Running model in a separate process group, so that Ctrl-C in the terminal does not end it under
/// a running game. It ends when its input closes, also if this process is killed.
///
/// A thread reads the model's output, so that neither side blocks on a full pipe.
#[derive(Debug)]
pub(crate) struct Pipes {
    backend: Backend,
    patience: Duration,
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<Vec<u8>>,
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
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child =
            Child::start(command, STDERR_LIMIT).map_err(SimError::io("starting", &program))?;
        let input = child.take_input();
        let (sender, output) = channel();
        if let Some(mut stdout) = child.take_output() {
            thread::spawn(move || {
                let mut buffer = vec![0; 1 << 16];
                while let Ok(length @ 1..) = read_some(&mut stdout, &mut buffer) {
                    if sender.send(buffer[..length].to_vec()).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Self {
            backend,
            patience,
            child,
            input,
            output,
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
            Ok(end) => end.status.to_string(),
            Err(error) => error.to_string(),
        };
        SimError::Died {
            backend: self.backend,
            status,
            output: self.child.tail(),
        }
    }

    /// Closes the model's input and waits until the process exits; kills it after the time limit.
    fn end(&mut self) -> io::Result<End> {
        drop(self.input.take());
        self.child.end(FAREWELL)
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

#[cfg(test)]
mod tests {
    use std::time::Instant;

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

    #[test]
    fn a_model_ends_when_its_input_closes() {
        let mut pipes = shell("cat >/dev/null; echo over >&2; exit 6", LONG);
        let end = pipes.child.end(Duration::ZERO).unwrap();
        assert!(end.killed, "it waits for input");

        let mut pipes = shell("cat >/dev/null; echo over >&2; exit 6", LONG);
        drop(pipes.input.take());
        let end = pipes.child.end(LONG).unwrap();
        assert_eq!((end.status.code(), end.killed), (Some(6), false));
        assert_eq!(pipes.child.tail(), "over");
    }

    /// The model ignores the end of its input, and so does its descendant.
    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_is_left_of_a_model_that_is_dropped() {
        let mut pipes = shell("sleep 600 & echo $!; wait", LONG);
        let descendant = pipes.line(str::to_owned).unwrap();
        let processes = [pipes.child.id().to_string(), descendant];
        let runs = |process: &String| {
            let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
            stat.is_ok_and(|stat| !stat.contains(") Z "))
        };
        assert!(processes.iter().all(runs));
        drop(pipes);
        let start = Instant::now();
        while processes.iter().any(runs) {
            assert!(start.elapsed() < LONG, "{processes:?}");
            thread::sleep(Duration::from_millis(5));
        }
    }
}
