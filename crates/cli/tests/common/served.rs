//! Program in the background.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};

/// Process that serves a device or monitors a link; it is killed when this value is dropped.
pub struct Served {
    child: Child,
    /// First line of its output: its path or address.
    pub place: String,
    out: BufReader<ChildStdout>,
}

impl Served {
    /// Starts the program.
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_with(("LC_ALL", "C.UTF-8"), arguments)
    }

    /// Starts the program with a variable in its environment.
    pub fn start_with((name, value): (&str, &str), arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_duoforge"))
            .args(arguments)
            .env(name, value)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut place = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut place).unwrap();
        Self {
            child,
            place: place.trim_end().to_owned(),
            out,
        }
    }

    /// Process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends SIGINT and returns the exit status.
    pub fn interrupt(&mut self) -> i32 {
        let pid = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &pid])
                .status()
                .unwrap()
                .success()
        );
        self.child.wait().unwrap().code().expect("an orderly end")
    }

    /// Sends SIGINT and returns the exit status and the rest of the output.
    pub fn end(&mut self) -> (i32, String) {
        let status = self.interrupt();
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).unwrap();
        (status, rest)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // The process may have ended before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
