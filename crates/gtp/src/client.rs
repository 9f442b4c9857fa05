//! Controller side: an engine in a separate process.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::ClientError;
use crate::answer::{Response, UnexpectedLine, read_answer};
use crate::process::Process;

/// Maximum number of answers that wait to be read; then the engine waits.
const MAX_ANSWERS: usize = 1024;

/// GTP client: an engine in a separate process that answers commands.
///
/// When the client is dropped, it sends `quit`. If the engine does not exit, the client kills the
/// engine's process group.
#[derive(Debug)]
pub struct Client {
    program: String,
    process: Process,
    answers: Receiver<Result<Response, UnexpectedLine>>,
    id: u32,
}

impl Client {
    /// Starts the engine of a command line: the program, then its arguments.
    ///
    /// # Errors
    /// [`ClientError::NoCommand`], [`ClientError::Start`].
    pub fn start(words: &[String]) -> Result<Self, ClientError> {
        let (process, mut output) = Process::start(words)?;
        let (sender, answers) = mpsc::sync_channel(MAX_ANSWERS);
        // The thread ends with the output, or once the receiver is dropped.
        thread::spawn(move || {
            while let Ok(Some(answer)) = read_answer(&mut output) {
                if sender.send(answer).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            program: words[0].clone(),
            process,
            answers,
            id: 0,
        })
    }

    /// Returns the name of the program.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Sends a command and returns the text of the response, trimmed.
    ///
    /// Late responses to earlier commands are ignored.
    ///
    /// # Errors
    /// [`ClientError::Refused`] if the engine reports an error, [`ClientError::Timeout`],
    /// [`ClientError::Died`], [`ClientError::Malformed`].
    ///
    /// # Panics
    /// If the command contains a line break.
    pub fn send(&mut self, command: &str, limit: Duration) -> Result<String, ClientError> {
        assert!(!command.contains(['\n', '\r']), "a command is one line");
        self.id += 1;
        // A failed write is ignored: the earlier output of the engine explains more than its exit.
        self.process.send(&format!("{} {command}", self.id));
        let deadline = Instant::now() + limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.answers.recv_timeout(left) {
                // Late answers to former commands do not extend the wait.
                Ok(Ok(Response { id: Some(id), .. })) if id < self.id && left.is_zero() => {
                    return Err(self.timed_out(command, limit));
                }
                Ok(Ok(Response { id: Some(id), .. })) if id < self.id => {}
                Ok(Ok(answer)) if answer.id != Some(self.id) => {
                    let reason = format!("lacks the number {} of the command", self.id);
                    return Err(self.malformed(command, &answer.text, reason));
                }
                Ok(Ok(answer)) if answer.good => return Ok(answer.text),
                Ok(Ok(answer)) => {
                    return Err(ClientError::Refused {
                        program: self.program.clone(),
                        command: command.to_owned(),
                        message: answer.text,
                    });
                }
                Ok(Err(UnexpectedLine(line))) => {
                    let reason = "begins neither with = nor with ?".to_owned();
                    return Err(self.malformed(command, &line, reason));
                }
                Err(RecvTimeoutError::Timeout) => return Err(self.timed_out(command, limit)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.died(command)),
            }
        }
    }

    /// Creates the error for a response that the command does not allow; `reason` completes a
    /// sentence about the response, such as `is not a move`.
    #[must_use]
    pub fn malformed(&self, command: &str, answer: &str, reason: String) -> ClientError {
        const MOST: usize = 200;
        ClientError::Malformed {
            program: self.program.clone(),
            command: command.to_owned(),
            answer: answer.chars().take(MOST).collect(),
            reason,
        }
    }

    fn timed_out(&self, command: &str, limit: Duration) -> ClientError {
        ClientError::Timeout {
            program: self.program.clone(),
            command: command.to_owned(),
            limit,
            tail: self.process.tail(),
        }
    }

    fn died(&mut self, command: &str) -> ClientError {
        let status = self.process.end();
        ClientError::Died {
            program: self.program.clone(),
            command: command.to_owned(),
            status,
            tail: self.process.tail(),
        }
    }
}
