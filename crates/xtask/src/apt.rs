//! Packages of the distribution, unpacked without installation and therefore without root.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use duoforge_tools::find::on_path;
use duoforge_tools::run;

use crate::workspace::Workspace;

/// Downloads packages and unpacks them into a directory in `.tools/`, which is created in the last
/// step.
///
/// # Errors
/// If `apt-get` is missing or cannot download the packages.
pub fn unpack(workspace: &Workspace, folder: &str, packages: &[&str]) -> Result<()> {
    let (Some(apt), Some(dpkg)) = (on_path("apt-get"), on_path("dpkg")) else {
        bail!("there is no apt-get to fetch {}", packages.join(" "));
    };
    println!("installing {}", packages.join(", "));
    let download = workspace.tools().join("download");
    if download.exists() {
        fs::remove_dir_all(&download)?;
    }
    fs::create_dir_all(&download)?;
    let fetch = || {
        // Without the sandbox; apt would otherwise warn that its own user cannot write here.
        let mut command = Command::new(&apt);
        command
            .args(["-o", "APT::Sandbox::User=root", "--quiet", "download"])
            .args(packages);
        run(command.current_dir(&download))
    };
    if fetch().is_err() {
        // The package lists may be missing, as in a fresh container.
        run(Command::new(&apt).args(["--quiet", "update"]))?;
        fetch()?;
    }
    let files = fs::read_dir(&download)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "deb"));
    let unpacked = download.join("unpacked");
    let mut count = 0;
    for file in files {
        run(Command::new(&dpkg).arg("-x").arg(&file).arg(&unpacked))?;
        count += 1;
    }
    ensure!(count == packages.len(), "apt-get left {count} packages");
    let target = workspace.tools().join(folder);
    fs::rename(&unpacked, &target)
        .with_context(|| format!("{} could not be written", target.display()))?;
    Ok(fs::remove_dir_all(&download)?)
}
