//! Build directory: its files, and the tools that run in it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{self, Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use duoforge_tools::{ToolError, tail};
use serde::de::DeserializeOwned;

use super::error::BuildError;
use super::observer::Observer;
use super::record::{RECORD, Record, UNFINISHED_RECORD, file, json};
use super::stages::ToolRun;
use crate::generated;

/// Lock file, held during a build. It lists the files that builds have written. The builds of a
/// former version left it empty.
const LOCK: &str = ".building";
/// First line of the lock file.
const LIST: &str = "# Files that `duoforge build` writes here. Generated; do not edit.\n";
/// Polling interval for the exit status of a tool.
const TICK: Duration = Duration::from_millis(100);
/// Length of the log excerpt in an error, in bytes.
const END_OF_LOG: usize = 1500;

/// Build directory, locked for one build.
pub(super) struct Directory {
    path: PathBuf,
    _lock: Lock,
}

/// Locked file, which is unlocked when the value is dropped.
struct Lock(File);

impl Drop for Lock {
    /// Releases the lock, which closing the file alone does not do at once: a program that another
    /// thread starts at this moment has the file until it is executed.
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

impl Directory {
    /// Creates the directory if it does not exist, and locks it against other builds. `written`
    /// names the files that the build writes.
    ///
    /// # Errors
    /// [`BuildError::Foreign`] if one of the files exists and no build has written it. Nothing is
    /// written then. [`BuildError::Busy`] if another build is running in the directory.
    pub(super) fn open(path: &Path, written: Vec<String>) -> Result<Self, BuildError> {
        let name = path.join(LOCK);
        let mut earlier = match name.exists() {
            true => Some(lock(path, &name)?),
            false => None,
        };
        let mut list = String::new();
        if let Some(lock) = &mut earlier {
            let read = lock.0.read_to_string(&mut list);
            read.map_err(file("read", &name))?;
        }
        let of_former_version = earlier.is_some() && list.is_empty();
        let mut listed: BTreeSet<String> = list.lines().skip(1).map(str::to_owned).collect();
        if !of_former_version {
            for file in written.iter().filter(|file| !listed.contains(*file)) {
                generated::check(&path.join(file), "")?;
            }
        }
        fs::create_dir_all(path).map_err(file("made", path))?;
        let mut lock = match earlier {
            Some(lock) => lock,
            None => lock(path, &name)?,
        };
        listed.extend(written);
        let listed: Vec<_> = listed.into_iter().collect();
        let text = format!("{LIST}{}\n", listed.join("\n"));
        // The new text is at least as long as the one that it replaces.
        lock.0
            .rewind()
            .and_then(|()| lock.0.write_all(text.as_bytes()))
            .map_err(file("written", &name))?;
        Ok(Self {
            path: path.into(),
            _lock: lock,
        })
    }

    /// Returns the path of a file in the directory.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Creates a subdirectory.
    pub(super) fn make(&self, name: &str) -> Result<(), BuildError> {
        let path = self.path(name);
        fs::create_dir_all(&path).map_err(file("made", path))
    }

    /// Removes a file, if it exists.
    pub(super) fn remove(&self, name: &str) -> Result<(), BuildError> {
        let path = self.path(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(file("removed", path)(error))
            }
            _ => Ok(()),
        }
    }

    /// Renames a file.
    pub(super) fn rename(&self, from: &str, to: &str) -> Result<(), BuildError> {
        let to = self.path(to);
        fs::rename(self.path(from), &to).map_err(file("written", to))
    }

    /// Writes a file.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), BuildError> {
        let path = self.path(name);
        fs::write(&path, text).map_err(file("written", path))
    }

    /// Reads a JSON file.
    pub(super) fn json<T: DeserializeOwned>(&self, name: &str) -> Result<T, BuildError> {
        json(&self.path(name))
    }

    /// Writes the record atomically.
    pub(super) fn write_record(&self, record: &Record) -> Result<(), BuildError> {
        let text = serde_json::to_string_pretty(record).map_err(|error| BuildError::Report {
            path: self.path(RECORD),
            reason: error.to_string(),
        })?;
        self.write(UNFINISHED_RECORD, &(text + "\n"))?;
        self.rename(UNFINISHED_RECORD, RECORD)
    }

    /// Runs a tool in the directory, with its output in the stage's log. Returns the time that it
    /// took.
    pub(super) fn run(
        &self,
        step: &ToolRun,
        observer: &mut dyn Observer,
    ) -> Result<Duration, BuildError> {
        observer.begin(step.stage);
        let begin = Instant::now();
        let name = self.path(step.stage.log());
        let log = File::create(&name).map_err(file("written", &name))?;
        let errors = log.try_clone().map_err(file("written", &name))?;
        // A relative path would be resolved in the build directory.
        let program = step.tool.find()?;
        let program = path::absolute(&program).unwrap_or(program);
        let mut command = Command::new(program);
        command
            .args(&step.arguments)
            .current_dir(&self.path)
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(errors);
        let child = command.spawn().map_err(|source| ToolError::Start {
            program: command.get_program().into(),
            source,
        })?;
        let status = wait(child, &name, observer)
            .map_err(file("read", &name))?
            .ok_or(BuildError::Interrupted)?;
        if !status.success() {
            if is_interrupt(status) || !observer.tick("") {
                return Err(BuildError::Interrupted);
            }
            let text = fs::read(&name).map_err(file("read", &name))?;
            let text = String::from_utf8_lossy(&text);
            return Err(BuildError::Stage {
                stage: step.stage,
                tool: step.tool.name,
                status,
                end: tail(text.trim_end(), END_OF_LOG).to_owned(),
                log: name,
            });
        }
        observer.end(step.stage, begin.elapsed());
        Ok(begin.elapsed())
    }
}

/// Opens the lock file, or creates it, and locks it.
fn lock(directory: &Path, name: &Path) -> Result<Lock, BuildError> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let lock = options.open(name).map_err(file("written", name))?;
    match lock.try_lock() {
        Ok(()) => Ok(Lock(lock)),
        Err(_) => Err(BuildError::Busy(directory.into())),
    }
}

/// True if SIGINT ended a tool. A terminal sends the signal to the tool too, and the tool may end
/// before the observer knows of it.
#[cfg(unix)]
fn is_interrupt(status: ExitStatus) -> bool {
    const SIGINT: i32 = 2;
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGINT)
}

#[cfg(not(unix))]
fn is_interrupt(_: ExitStatus) -> bool {
    false
}

/// Waits for a tool and reports the last line of its log to the observer at every poll. Returns
/// `None` if the observer stopped the build. A tool that is still running on return is killed.
fn wait(child: Child, log: &Path, observer: &mut dyn Observer) -> io::Result<Option<ExitStatus>> {
    struct Killed(Child);
    impl Drop for Killed {
        fn drop(&mut self) {
            // A process that has already ended cannot be killed; the error is harmless.
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
    let mut child = Killed(child);
    let mut log = File::open(log)?;
    loop {
        if let Some(status) = child.0.try_wait()? {
            return Ok(Some(status));
        }
        if !observer.tick(&last_line(&mut log)?) {
            return Ok(None);
        }
        thread::sleep(TICK);
    }
}

/// Returns the last non-empty line of a file that is still being written.
fn last_line(file: &mut File) -> io::Result<String> {
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(500)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    let end = String::from_utf8_lossy(&end);
    let mut lines = end.lines().rev().map(str::trim);
    Ok(lines
        .find(|line| !line.is_empty())
        .unwrap_or_default()
        .into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_build_unlocks_a_file_that_a_starting_program_still_has() {
        let temporary = tempfile::tempdir().expect("a temporary directory");
        let open = || Directory::open(temporary.path(), vec!["result".into()]);
        let directory = open().expect("a directory");
        assert!(matches!(open(), Err(BuildError::Busy(_))));
        let inherited = directory._lock.0.try_clone().expect("a second handle");
        drop(directory);
        open().expect("an unlocked directory");
        drop(inherited);
    }
}
