//! Recognition of generated files, which may be overwritten.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::build::BuildError;
use crate::build::record::file;

/// Mark in the first line of a generated file.
pub(crate) const MARK: &str = "Generated; do not edit.";

/// Beginning of a project's instructions, which have no other mark.
pub(crate) const TITLE: &str = "# duoforge for the ";

/// Checks that a file does not exist or was generated: a mark is in its first line, or its content
/// is the end of `text`, which replaces it.
///
/// # Errors
/// [`BuildError::Foreign`] for any other file, [`BuildError::File`] if the file cannot be read.
pub(crate) fn check(path: &Path, text: &str) -> Result<(), BuildError> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            return match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(()),
                _ => Err(file("read", path)(error)),
            };
        }
    };
    let first = bytes.split(|&byte| byte == b'\n').next();
    let first = String::from_utf8_lossy(first.unwrap_or_default());
    let generated = first.contains(MARK) || first.starts_with(TITLE);
    match generated || text.as_bytes().ends_with(&bytes) {
        true => Ok(()),
        false => Err(BuildError::Foreign(path.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_without_a_mark_are_foreign() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("file");
        let checked = |content: &str| {
            fs::write(&path, content).expect("a file");
            check(&path, "// Generated; do not edit.\nmodule top;\n")
        };
        assert!(check(&path, "").is_ok(), "there is no file");
        for generated in [
            "// ULX3S. Generated; do not edit.\nother\n",
            "# duoforge for the ULX3S\n",
            "module top;\n",
        ] {
            assert!(checked(generated).is_ok(), "{generated}");
        }
        for own in [
            "module top; // mine\n",
            "# My project\nGenerated; do not edit.\n",
        ] {
            assert!(matches!(checked(own), Err(BuildError::Foreign(_))), "{own}");
        }
    }
}
