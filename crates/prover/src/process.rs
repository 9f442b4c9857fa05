//! Runs a program within a time limit, with its whole process group.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often a running program is looked at.
const POLL: Duration = Duration::from_millis(20);

/// Runs to the end or to the limit, when it ends the program and what that started, and returns
/// `None`. Both outputs go to the log.
pub fn run(command: &mut Command, log: &Path, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let file = File::create(log)?;
    command
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn()?;
    let end = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= end {
            #[cfg(unix)]
            {
                let group = nix::unistd::Pid::from_raw(child.id() as i32);
                // The group may have ended by itself just now.
                let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
            }
            #[cfg(not(unix))]
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(POLL);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_takes_too_long_is_ended_with_its_children() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let log = folder.path().join("log");
        let mut command = Command::new("sh");
        command.args(["-c", "echo $$; sleep 1000 & sleep 1000"]);
        let status = run(&mut command, &log, Duration::from_secs(2)).expect("it starts");
        assert!(status.is_none());
        let group = std::fs::read_to_string(&log).expect("a log");
        let group = nix::unistd::Pid::from_raw(group.trim().parse().expect("a number"));
        // Children vanish once somebody has taken note of their end.
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
        let status = run(&mut command, &log, Duration::from_secs(60)).expect("it starts");
        assert_eq!(status.and_then(|status| status.code()), Some(3));
        assert_eq!(std::fs::read_to_string(&log).expect("a log"), "out\nerr\n");
    }
}
