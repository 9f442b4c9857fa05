//! Packages of the distribution, unpacked without installation and therefore without root.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::error::{SetupError, io};
use crate::find::on_path;
use crate::run::run;

/// Programs that fetch and unpack packages.
#[derive(Debug)]
pub(super) struct Programs {
    apt: PathBuf,
    dpkg: PathBuf,
}

/// Locates the programs.
///
/// # Errors
/// [`SetupError::NoApt`].
pub(super) fn programs(packages: &[&str]) -> Result<Programs, SetupError> {
    match (on_path("apt-get"), on_path("dpkg")) {
        (Some(apt), Some(dpkg)) => Ok(Programs { apt, dpkg }),
        _ => Err(SetupError::NoApt {
            packages: packages.join(", "),
        }),
    }
}

/// Downloads packages, whose signatures apt checks, and unpacks them into a directory among the
/// installed programs, which is created in the last step.
///
/// # Errors
/// [`SetupError`] if the packages cannot be downloaded or unpacked.
pub(super) fn unpack(
    programs: &Programs,
    tools: &Path,
    directory: &str,
    packages: &[&str],
) -> Result<(), SetupError> {
    let names = || packages.join(", ");
    let failed = |source| SetupError::Apt {
        packages: names(),
        source: Box::new(source),
    };
    let download = tools.join("download");
    if download.exists() {
        fs::remove_dir_all(&download).map_err(io("removing", &download))?;
    }
    fs::create_dir_all(&download).map_err(io("creating", &download))?;
    let fetch = || {
        // Without the sandbox; apt would otherwise warn that its own user cannot write here.
        let mut command = Command::new(&programs.apt);
        command
            .args(["-o", "APT::Sandbox::User=root", "--quiet", "download"])
            .args(packages);
        run(command.current_dir(&download))
    };
    if let Err(source) = fetch() {
        // The package lists may be missing, as in a fresh container. Only root can update them.
        let updated = run(Command::new(&programs.apt).args(["--quiet", "update"]));
        if let Err(update) = updated {
            let packages = names();
            return Err(SetupError::AptUpdate {
                packages,
                source: Box::new(source),
                update: Box::new(update),
            });
        }
        fetch().map_err(failed)?;
    }
    let entries = fs::read_dir(&download).map_err(io("reading", &download))?;
    let files = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "deb"));
    let unpacked = download.join("unpacked");
    let mut count = 0;
    for file in files {
        let mut command = Command::new(&programs.dpkg);
        run(command.arg("-x").arg(&file).arg(&unpacked)).map_err(failed)?;
        count += 1;
    }
    if count != packages.len() {
        let packages = names();
        return Err(SetupError::Incomplete { packages, count });
    }
    let target = tools.join(directory);
    fs::rename(&unpacked, &target).map_err(io("creating", &target))?;
    fs::remove_dir_all(&download).map_err(io("removing", &download))
}
