//! Runs a program and its process group with a time limit.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Polling interval for the exit status of a program.
const POLL: Duration = Duration::from_millis(20);

/// Exit status of an interrupted program: 128 + the number of SIGINT.
const INTERRUPTED: i32 = 130;

/// Process groups that are running. A terminal's Ctrl-C does not reach them, since it signals only
/// its foreground group.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Runs a program to completion. At the time limit, kills the program and its descendants and
/// returns `None`. Both outputs are written to the log.
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
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut running = running();
    let mut child = command.spawn()?;
    running.push(child.id());
    drop(running);
    let status = wait(&mut child, limit);
    self::running().retain(|&group| group != child.id());
    status
}

/// Makes Ctrl-C end this program and every program that [`run_within`] has started.
///
/// # Errors
/// If a handler for the signal is already installed.
pub fn end_all_on_interrupt() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| {
        // Held until exit, so that no further program starts.
        let running = running();
        for &group in running.iter() {
            end(group);
        }
        std::process::exit(INTERRUPTED);
    })
}

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let end_of_time = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= end_of_time {
            end(child.id());
            // Without process groups, kills at least the program itself.
            let _ = child.kill();
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(POLL);
    }
}

/// Kills a process group, which may have just ended by itself.
#[cfg(unix)]
fn end(group: u32) {
    let group = nix::unistd::Pid::from_raw(group as i32);
    let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
}

#[cfg(not(unix))]
fn end(_: u32) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_takes_too_long_is_ended_with_its_children() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let log = folder.path().join("log");
        let mut command = Command::new("sh");
        command.args(["-c", "echo $$; sleep 1000 & sleep 1000"]);
        let status = run_within(&mut command, &log, Duration::from_secs(2)).expect("it starts");
        assert!(status.is_none());
        let group = std::fs::read_to_string(&log).expect("a log");
        let group = nix::unistd::Pid::from_raw(group.trim().parse().expect("a number"));
        // A killed process remains in its group until its parent has collected its exit status.
        while nix::sys::signal::killpg(group, None).is_ok() {
            thread::sleep(POLL);
        }
    }

    #[test]
    fn both_outputs_are_kept() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let log = folder.path().join("log");
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let status = run_within(&mut command, &log, Duration::from_secs(60)).expect("it starts");
        assert_eq!(status.and_then(|status| status.code()), Some(3));
        assert_eq!(std::fs::read_to_string(&log).expect("a log"), "out\nerr\n");
    }
}
