//! An engine's process: its pipes, and its end.

use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::ClientError;

/// How much of the standard error is kept.
const TAIL: usize = 2000;

/// How long an engine may take to end by itself after `quit`.
const QUIT: Duration = Duration::from_millis(500);

/// How often it is looked whether it has ended.
const POLL: Duration = Duration::from_millis(2);

/// A running program in a process group of its own, so that what it starts ends with it, and so
/// that a terminal's Ctrl-C does not reach it.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Open as long as commands may be sent.
    input: Option<ChildStdin>,
    tail: Arc<Mutex<Vec<u8>>>,
    drain: JoinHandle<()>,
    /// How it ended, once that is known.
    status: Option<String>,
}

impl Process {
    /// Starts a program; returns it with its standard output.
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

    /// Sends a line; nobody takes it where the process has ended.
    pub fn send(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let line = format!("{line}\n");
            let _ = input
                .write_all(line.as_bytes())
                .and_then(|()| input.flush());
        }
    }

    /// The end of what it wrote to its standard error.
    pub fn tail(&self) -> String {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&tail);
        let text = text.trim_end();
        // The first line is likely to be cut.
        match text.split_once('\n') {
            Some((_, rest)) if tail.len() >= TAIL => rest.to_owned(),
            _ => text.to_owned(),
        }
    }

    /// Waits a little for the process to end by itself, ends it and what it started otherwise, and
    /// says how it ended.
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
        // What it started may have outlived it.
        end_group(self.child.id());
        let status = match status {
            Some(status) => status.to_string(),
            None => {
                // Where there are no groups, the program itself has to do.
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

/// Reads to the end, so that the process never waits for it, and keeps the last bytes.
fn drain(mut errors: impl Read, tail: &Mutex<Vec<u8>>) {
    let mut buf = [0; 4096];
    while let Ok(length @ 1..) = errors.read(&mut buf) {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(&buf[..length]);
        let excess = tail.len().saturating_sub(TAIL);
        tail.drain(..excess);
    }
}

/// Ends a process group, which may have ended by itself just now.
#[cfg(unix)]
fn end_group(group: u32) {
    let group = nix::unistd::Pid::from_raw(group as i32);
    let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
}

#[cfg(not(unix))]
fn end_group(_: u32) {}
