//! Location of the repository and of its tools.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Repository that the task works on.
#[derive(Debug, Clone)]
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Queries cargo for the workspace that contains the current directory.
    pub fn locate() -> Result<Self> {
        let output = Command::new(cargo())
            .args(["locate-project", "--workspace", "--message-format", "plain"])
            .output()
            .context("cargo could not be started")?;
        ensure!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
        let manifest = PathBuf::from(String::from_utf8(output.stdout)?.trim());
        let root = manifest
            .parent()
            .context("the workspace manifest has no directory")?;
        Ok(Self {
            root: root.to_owned(),
        })
    }

    /// Returns the repository in a directory, for tests.
    #[cfg(test)]
    pub fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// Returns the directory of the workspace manifest.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the directory of installed tools.
    pub fn tools(&self) -> PathBuf {
        self.root.join(duoforge_tools::directory::REPOSITORY)
    }
}

/// Returns the cargo that started this program, so that nested calls use the same toolchain.
pub fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}
