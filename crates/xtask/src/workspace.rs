//! Where the repository lies and where its tools go.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The repository that the task works on.
#[derive(Debug, Clone)]
pub struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Asks cargo for the workspace around the current folder.
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
            .context("the workspace manifest has no folder")?;
        Ok(Self {
            root: root.to_owned(),
        })
    }

    /// The repository in a folder, for tests.
    #[cfg(test)]
    pub fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// The folder that holds the workspace manifest.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of installed tools. Its layout is a contract with the simulators, which
    /// look for `bin/<name>` in it: `bin/verilator`, `bin/iverilog`, `bin/vvp`, `bin/yosys`.
    pub fn tools(&self) -> PathBuf {
        self.root.join(".tools")
    }
}

/// The cargo that started this program, so that nested calls use the same toolchain.
pub fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}
