//! Check of the sources with the oldest supported Rust: the `rust-version` of the workspace.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::workspace::Workspace;

/// Directory of the outputs, apart from those of the present Rust.
const TARGET: &str = "target/oldest-rust";

/// Variables that would select another toolchain.
const SELECTIONS: [&str; 5] = [
    "CARGO",
    "RUSTC",
    "RUSTDOC",
    "RUSTUP_TOOLCHAIN",
    "RUSTC_WRAPPER",
];

#[derive(Deserialize)]
struct Manifest {
    workspace: Tables,
}

#[derive(Deserialize)]
struct Tables {
    package: Package,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Package {
    rust_version: String,
}

/// Installs the toolchain and checks every target. Returns the version.
///
/// # Errors
/// If the manifest cannot be read, rustup is missing or cannot install the toolchain, or the
/// sources do not compile.
pub fn check(workspace: &Workspace) -> Result<String> {
    let version = version(workspace.root())?;
    let install = [
        "toolchain",
        "install",
        &version,
        "--profile",
        "minimal",
        "--no-self-update",
    ];
    rustup(workspace, &install)?;
    let check = ["run", &version, "cargo", "check", "--workspace"];
    rustup(
        workspace,
        &[&check[..], &["--all-targets", "--locked"]].concat(),
    )?;
    Ok(version)
}

fn rustup(workspace: &Workspace, arguments: &[&str]) -> Result<()> {
    println!("$ rustup {}", arguments.join(" "));
    let mut command = Command::new("rustup");
    command
        .args(arguments)
        .env("CARGO_TARGET_DIR", workspace.root().join(TARGET))
        .current_dir(workspace.root());
    for variable in SELECTIONS {
        command.env_remove(variable);
    }
    let status = command.status().context("rustup could not be started")?;
    ensure!(
        status.success(),
        "rustup {} ended with {status}",
        arguments.join(" ")
    );
    Ok(())
}

/// Returns the oldest supported version with three parts, as rustup names toolchains.
fn version(root: &Path) -> Result<String> {
    let path = root.join("Cargo.toml");
    let text = fs::read_to_string(&path)
        .with_context(|| format!("{} could not be read", path.display()))?;
    let manifest: Manifest = toml::from_str(&text).with_context(|| path.display().to_string())?;
    let version = manifest.workspace.package.rust_version;
    Ok(match version.matches('.').count() {
        1 => version + ".0",
        _ => version,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_workspace() {
        let directory = tempfile::tempdir().unwrap();
        for (written, expected) in [("1.90", "1.90.0"), ("1.90.1", "1.90.1")] {
            let text = format!("[workspace.package]\nrust-version = \"{written}\"\n");
            fs::write(directory.path().join("Cargo.toml"), text).unwrap();
            assert_eq!(version(directory.path()).unwrap(), expected);
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let version = version(&root).unwrap();
        assert_eq!(version.split('.').count(), 3, "{version}");
        // This crate inherits the version, and cargo hands it to the compiler.
        assert!(version.starts_with(env!("CARGO_PKG_RUST_VERSION")));
    }
}
