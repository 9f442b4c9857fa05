//! Files of a command line: checks before work begins, and writing.

use std::fs::{self, File, Metadata};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Checks that no output is an input or another output, whatever path leads to it. An output is the
/// name of its option with its path. Devices and pipes may occur several times.
///
/// # Errors
/// Two outputs, or an output and an input, that are one file.
pub fn check_distinct<'a>(
    inputs: impl IntoIterator<Item = &'a Path>,
    outputs: &[(&str, Option<&Path>)],
) -> Result<()> {
    let outputs = outputs.iter();
    let outputs: Vec<(&str, &Path)> = outputs
        .filter_map(|&(option, path)| Some((option, path?)))
        .collect();
    for input in inputs {
        for (option, path) in &outputs {
            if is_same(input, path) {
                bail!(
                    "{option} {} is the input {}: expected another file",
                    path.display(),
                    input.display()
                );
            }
        }
    }
    for (i, (option, path)) in outputs.iter().enumerate() {
        for (other_option, other) in &outputs[..i] {
            if is_same(other, path) {
                bail!(
                    "{other_option} {} and {option} {} are one file: expected two files",
                    other.display(),
                    path.display()
                );
            }
        }
    }
    Ok(())
}

/// Returns true if two paths lead to one file, which may be missing.
fn is_same(left: &Path, right: &Path) -> bool {
    match (fs::metadata(left), fs::metadata(right)) {
        (Ok(of_left), Ok(of_right)) => {
            of_left.is_file()
                && of_right.is_file()
                && (are_equal(&of_left, &of_right) || resolved(left) == resolved(right))
        }
        (Err(_), Err(_)) => resolved(left) == resolved(right),
        _ => false,
    }
}

/// Returns true if two existing files are one, also by links.
#[cfg(unix)]
fn are_equal(left: &Metadata, right: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (left.dev(), left.ino()) == (right.dev(), right.ino())
}

/// Returns false: only the paths are compared on this system.
#[cfg(not(unix))]
fn are_equal(_: &Metadata, _: &Metadata) -> bool {
    false
}

/// Returns a path without links and `..`; the file itself may be missing.
#[must_use]
pub fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| {
        let parent = path.parent().filter(|parent| *parent != Path::new(""));
        let parent = fs::canonicalize(parent.unwrap_or(Path::new(".")));
        match (parent, path.file_name()) {
            (Ok(parent), Some(name)) => parent.join(name),
            _ => path.to_owned(),
        }
    })
}

/// Returns a path with one more ending.
#[must_use]
pub fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// Checks that a file that is written after long work can be written. The file does not change.
///
/// # Errors
/// A file that cannot be written, or cannot be created in its directory.
pub fn check_writable(path: &Path) -> Result<()> {
    let is_special = |found: &Metadata| !found.is_file() && !found.is_dir();
    let opened = match fs::metadata(path) {
        // Opening a pipe once more may end its reader.
        Ok(found) if is_special(&found) => return Ok(()),
        Ok(_) => File::options().append(true).open(path).map(drop),
        Err(_) if path.is_symlink() => return Ok(()),
        Err(_) => File::create_new(path).and_then(|_| fs::remove_file(path)),
    };
    opened.with_context(|| failed(path))
}

/// Creates an empty file.
///
/// # Errors
/// A file that cannot be created.
pub fn create(path: &Path) -> Result<File> {
    File::create(path).with_context(|| failed(path))
}

/// Writes a whole file.
///
/// # Errors
/// A file that cannot be written.
pub fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| failed(path))
}

/// Returns the message of a file that cannot be written.
#[must_use]
pub fn failed(path: &Path) -> String {
    format!("{} cannot be written", path.display())
}
