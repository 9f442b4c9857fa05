//! Process of an engine: pipes and the end after `quit`.

use std::io::{BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use duoforge_process::Child;

use crate::ClientError;

/// Size of the kept tail of the standard error output, in bytes.
const TAIL: usize = 2000;

/// Time for an engine to exit after `quit`, before it is killed.
const QUIT: Duration = Duration::from_millis(500);

/// Running engine. Its child processes end with it, and Ctrl-C in the terminal does not reach it.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Standard input; open while commands may be sent.
    input: Option<ChildStdin>,
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
        let mut child = Child::start(&mut command, TAIL).map_err(|source| ClientError::Start {
            program: program.clone(),
            source,
        })?;
        let (Some(input), Some(output)) = (child.take_input(), child.take_output()) else {
            unreachable!("both are piped");
        };
        let input = Some(input);
        Ok((Self { child, input }, BufReader::new(output)))
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
        self.child.tail()
    }

    /// Waits briefly for the process to exit, then kills its process group; returns the exit status
    /// as text.
    pub fn end(&mut self) -> String {
        self.input = None;
        match self.child.end(QUIT) {
            Ok(end) if !end.killed => end.status.to_string(),
            Ok(_) => "its output closed".to_owned(),
            Err(error) => error.to_string(),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        self.end();
    }
}
