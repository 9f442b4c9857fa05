//! Limits that the operating system enforces on a program.

use std::env;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Limits of a program and its descendants. The operating system applies each to every single
/// process, except `processes`.
///
/// A shell sets the limits and then becomes the program: this crate has no unsafe code, so it
/// cannot set them between `fork` and `exec`. A limit that the system does not know, such as that
/// of memory on macOS, is not in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Address space in bytes (`RLIMIT_AS`), in steps of 1 KiB. An allocation beyond it fails.
    pub memory: Option<u64>,
    /// CPU time of all threads together (`RLIMIT_CPU`), rounded up to seconds. A process that
    /// exceeds it receives SIGXCPU, and SIGKILL one second later.
    pub cpu: Option<Duration>,
    /// Processes and threads of the user of this process (`RLIMIT_NPROC`), those outside the
    /// program included. The superuser has no such limit.
    pub processes: Option<u64>,
}

impl Limits {
    /// Returns the command that runs a program with its arguments under these limits, without core
    /// dumps.
    ///
    /// # Errors
    /// If the program does not exist or is not executable, or if there are no words.
    ///
    /// ```
    /// use std::time::Duration;
    /// use duoforge_process::Limits;
    ///
    /// let limits = Limits { cpu: Some(Duration::from_secs(20)), ..Limits::default() };
    /// let words = ["sh", "-c", "ulimit -S -t"].map(String::from);
    /// let output = limits.command(&words)?.output()?;
    /// assert_eq!(output.stdout, b"20\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn command(&self, words: &[String]) -> io::Result<Command> {
        let Some(program) = words.first() else {
            let message = "the command line is empty";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        };
        check(program)?;
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(self.script()).arg("sh").args(words);
        Ok(command)
    }

    /// Shell script that sets the limits and executes its arguments.
    fn script(&self) -> String {
        let mut lines = vec!["ulimit -c 0".to_owned()];
        if let Some(memory) = self.memory {
            lines.push(format!("ulimit -v {}", memory.div_ceil(1024)));
        }
        if let Some(cpu) = self.cpu {
            let seconds = cpu.as_nanos().div_ceil(1_000_000_000);
            lines.push(format!("ulimit -S -t {seconds}"));
            lines.push(format!("ulimit -H -t {}", seconds + 1));
        }
        if let Some(processes) = self.processes {
            // Shells differ in the letter of this limit.
            lines.push(format!(
                "ulimit -u {processes} 2>/dev/null || ulimit -p {processes}"
            ));
        }
        let limits: String = lines
            .iter()
            .map(|line| format!("{{ {line}; }} 2>/dev/null\n"))
            .collect();
        format!("{limits}exec \"$@\"")
    }
}

/// Checks that a program can be started, since the shell would report a failure as the program's
/// own exit status.
fn check(program: &str) -> io::Result<()> {
    let candidates: Vec<PathBuf> = if program.contains('/') {
        vec![program.into()]
    } else {
        let path = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&path)
            .map(|directory| directory.join(program))
            .collect()
    };
    let files: Vec<_> = candidates.iter().filter(|path| path.is_file()).collect();
    if files.iter().any(|path| is_executable(path)) {
        Ok(())
    } else if files.is_empty() {
        Err(io::ErrorKind::NotFound.into())
    } else {
        Err(io::ErrorKind::PermissionDenied.into())
    }
}

fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|data| data.permissions().mode() & 0o111 != 0)
}
