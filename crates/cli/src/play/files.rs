//! Paths of the files that a match writes.

use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};
use crate::report_files::in_directory;

/// Fails if two of the files that a match writes are one, or if one cannot be made.
pub fn distinct_outputs<const N: usize>(outputs: [&Option<PathBuf>; N]) -> Result<()> {
    let outputs: Vec<_> = outputs
        .into_iter()
        .flatten()
        .map(PathBuf::as_path)
        .collect();
    outputs.iter().try_for_each(|path| in_directory(path))?;
    distinct(&outputs)
}

/// Fails if two of these files are one, so that a command would write over it.
pub fn distinct(paths: &[&Path]) -> Result<()> {
    for (index, path) in paths.iter().enumerate() {
        if paths[..index].iter().any(|other| is_same(path, other)) {
            let message = format!("{} is named twice", path.display());
            return Err(Failure::new("duoforge::usage", message)
                .help("name a file of its own for each output, and none of the inputs"));
        }
    }
    Ok(())
}

/// Fails if an output is an input or another output, so that a command would write over it. `-` is a
/// standard stream, which may be both.
pub fn distinct_from<'a>(
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    outputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<()> {
    let files = |path: &&Path| *path != Path::new("-");
    let outputs = outputs.into_iter().map(PathBuf::as_path).filter(files);
    let outputs: Vec<_> = outputs.collect();
    for input in inputs.into_iter().map(PathBuf::as_path).filter(files) {
        for output in &outputs {
            distinct(&[input, output])?;
        }
    }
    distinct(&outputs)
}

/// True if two paths name one file.
fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(one), Ok(other)) = (one.metadata(), other.metadata()) {
        use std::os::unix::fs::MetadataExt as _;
        return one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino());
    }
    let place = place(one);
    place.is_some() && place == self::place(other)
}

/// Returns the path of a regular file, or of one to be created, without links; `None` for a device or
/// a directory.
fn place(path: &Path) -> Option<PathBuf> {
    match path.canonicalize() {
        Ok(found) => found.is_file().then_some(found),
        Err(_) => {
            let directory = path
                .parent()
                .filter(|parent| !parent.as_os_str().is_empty());
            let directory = directory.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some(directory.join(path.file_name()?))
        }
    }
}
