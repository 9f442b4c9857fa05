//! Process of an engine: start, pipes and termination.

use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::ClientError;

/// Size of the kept tail of the standard error output, in bytes.
const TAIL: usize = 2000;

/// Time for an engine to exit after `quit`, before it is killed.
const QUIT: Duration = Duration::from_millis(500);

/// Polling interval for the exit status of the child process.
const POLL: Duration = Duration::from_millis(2);

/// Running program in a separate process group. Its children therefore end with it, and Ctrl-C in
/// the terminal does not reach it.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Standard input; open while commands may be sent.
    input: Option<ChildStdin>,
    tail: Arc<Mutex<Vec<u8>>>,
    drain: JoinHandle<()>,
    /// Exit status as text, once known.
    status: Option<String>,
}

impl Process {
    /// Starts a program and returns it with its standard output.
    pub fn start(words: &[String]) -> Result<(Self, BufReader<ChildStdout>), ClientError> {
        let (program, arguments) = words.split_first().ok_or(ClientError::NoCommand)?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|source| ClientError::Start {
            program: program.clone(),
            source,
        })?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            unreachable!("all three are piped");
        };
        let tail = Arc::default();
        let kept = Arc::clone(&tail);
        let process = Self {
            child,
            input: Some(input),
            tail,
            drain: thread::spawn(move || drain(errors, &kept)),
            status: None,
        };
        Ok((process, BufReader::new(output)))
    }

    /// Sends a line; a write to a process that has exited is ignored.
    pub fn send(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let line = format!("{line}\n");
            let _ = input
                .write_all(line.as_bytes())
                .and_then(|()| input.flush());
        }
    }

    /// Returns the tail of the standard error output.
    pub fn tail(&self) -> String {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&tail);
        let text = text.trim_end();
        // The first line is probably truncated.
        match text.split_once('\n') {
            Some((_, rest)) if tail.len() >= TAIL => rest.to_owned(),
            _ => text.to_owned(),
        }
    }

    /// Waits briefly for the process to exit, then kills its process group; returns the exit status
    /// as text.
    pub fn end(&mut self) -> String {
        if let Some(status) = &self.status {
            return status.clone();
        }
        self.input = None;
        let deadline = Instant::now() + QUIT;
        let mut status = None;
        while status.is_none() && Instant::now() < deadline {
            status = self.child.try_wait().ok().flatten();
            thread::sleep(POLL);
        }
        // Child processes may have outlived the program.
        end_group(self.child.id());
        let status = match status {
            Some(status) => status.to_string(),
            None => {
                // Without process groups, only the program itself is killed.
                let _ = self.child.kill();
                let _ = self.child.wait();
                "its output closed".to_owned()
            }
        };
        while !self.drain.is_finished() && Instant::now() < deadline {
            thread::sleep(POLL);
        }
        self.status = Some(status.clone());
        status
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        self.end();
    }
}

/// Reads to the end, so the process never blocks on this pipe, and keeps the last bytes.
fn drain(mut errors: impl Read, tail: &Mutex<Vec<u8>>) {
    let mut buf = [0; 4096];
    while let Ok(length @ 1..) = errors.read(&mut buf) {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(&buf[..length]);
        let excess = tail.len().saturating_sub(TAIL);
        tail.drain(..excess);
    }
}

/// Kills a process group, which may have exited already.
#[cfg(unix)]
fn end_group(group: u32) {
    let group = nix::unistd::Pid::from_raw(group as i32);
    let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
}

#[cfg(not(unix))]
fn end_group(_: u32) {}
