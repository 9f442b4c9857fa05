//! Runs a program and its process group with a time limit.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use duoforge_process::Child;

/// Exit status of an interrupted program: 128 + the number of SIGINT.
const INTERRUPTED: i32 = 130;

/// Runs a program to completion. At the time limit, kills the program and returns `None`. Its
/// descendants end with it in either case. Both outputs are written to the log.
///
/// # Errors
/// Errors of the log and of a program that cannot be started.
pub fn run_within(
    command: &mut Command,
    log: &Path,
    limit: Duration,
) -> io::Result<Option<ExitStatus>> {
    let file = File::create(log)?;
    command
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file);
    let mut child = Child::start(command, 0)?;
    match child.wait(limit) {
        Ok(None) => child.end(Duration::ZERO).map(|_| None),
        status => status,
    }
}

/// Makes Ctrl-C end this program and every program that [`run_within`] has started. A terminal's
/// Ctrl-C does not reach those, since it signals only its foreground group.
///
/// # Errors
/// If a handler for the signal is already installed.
pub fn end_all_on_interrupt() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| duoforge_process::exit(INTERRUPTED))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_takes_too_long_is_ended_with_its_children() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let log = directory.path().join("log");
        let mut command = Command::new("sh");
        command.args(["-c", "echo $$; sleep 1000 & sleep 1000"]);
        let status = run_within(&mut command, &log, Duration::from_secs(2)).expect("it starts");
        assert!(status.is_none());
        let group = std::fs::read_to_string(&log).expect("a log");
        let group = nix::unistd::Pid::from_raw(group.trim().parse().expect("a number"));
        // A killed process remains in its group until its parent has collected its exit status.
        while nix::sys::signal::killpg(group, None).is_ok() {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn both_outputs_are_kept() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let log = directory.path().join("log");
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let status = run_within(&mut command, &log, Duration::from_secs(60)).expect("it starts");
        assert_eq!(status.and_then(|status| status.code()), Some(3));
        assert_eq!(std::fs::read_to_string(&log).expect("a log"), "out\nerr\n");
    }
}
