//! Output of reports: format of standard output, and further files.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use duoforge_tournament::Form;

use crate::failure::{Failure, Result};

/// Output options of a report.
#[derive(Debug, clap::Args)]
pub struct ReportArgs {
    /// Format of the report: text, markdown, json, html or svg
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Form,
    /// Also write the report to this file, in the format of its extension; may be repeated
    #[arg(long, value_name = "FILE")]
    pub save: Vec<PathBuf>,
}

impl ReportArgs {
    /// Returns the files to be written with their formats. Their directories must exist.
    pub fn files(&self) -> Result<Vec<(&Path, Form)>> {
        let form = |path: &PathBuf| {
            let ending = path.extension().unwrap_or_default().to_string_lossy();
            ending.parse::<Form>().map_err(|reason| {
                let message = format!("{}: {reason}", path.display());
                Failure::new("duoforge::usage", message)
                    .help("the extension selects the format: .txt, .md, .json, .html or .svg")
            })
        };
        let files = self.save.iter();
        files
            .map(|path| {
                let form = form(path)?;
                in_directory(path)?;
                Ok((path.as_path(), form))
            })
            .collect()
    }

    /// Prints the report and writes the files that [`files`](Self::files) returned.
    pub fn write(&self, files: &[(&Path, Form)], render: impl Fn(Form) -> String) -> Result<()> {
        // A file that cannot be written, or a reader that has gone, leaves no other report unwritten.
        let mut failure = None;
        for &(path, form) in files {
            if let Err(error) = fs::write(path, render(form)) {
                failure.get_or_insert(Failure::file("written", path, &error));
            }
        }
        let mut out = io::stdout().lock();
        let printed = out.write_all(render(self.format).as_bytes());
        let printed = printed.and_then(|()| out.flush());
        failure.map_or(Ok(()), Err)?;
        Ok(printed?)
    }
}

/// Fails if a file to be written is a directory, or its directory does not exist.
pub fn in_directory(path: &Path) -> Result<()> {
    if path.is_dir() {
        let error = io::ErrorKind::IsADirectory.into();
        return Err(Failure::file("written", path, &error).help("name a file"));
    }
    let directory = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    match directory.map(fs::metadata) {
        Some(Err(error)) => Err(Failure::file("written", path, &error)
            .help("create its directory first, or name another file")),
        _ => Ok(()),
    }
}
