//! Python of this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::find::on_path;
use crate::platform::Platform;
use crate::run::run;
use crate::system::{self, Manager, Names};
use crate::version::Version;

/// Oldest Python that the pinned packages support.
pub const OLDEST: &str = "3.10";

/// Packages of the system with a Python that is recent enough. Debian's `python3-venv` requires
/// `python3`. Fedora's `python3.12` also exists where `python3` is older.
const PYTHON: Names = Names {
    apt: Some("python3-venv"),
    dnf: Some("python3.12"),
    pacman: Some("python"),
    brew: Some("python"),
    macos: None,
};

/// Packages of the system with pip for a Python that is present.
const PIP: Names = Names {
    apt: Some("python3-venv"),
    dnf: Some("python3-pip"),
    pacman: Some("python-pip"),
    brew: Some("python"),
    macos: None,
};

/// Names of Python on `PATH`, in order of preference.
const NAMES: [&str; 6] = [
    "python3",
    "python3.14",
    "python3.13",
    "python3.12",
    "python3.11",
    "python3.10",
];

/// Variables that would redirect Python or an installation of pip.
const REDIRECTIONS: [&str; 6] = [
    "PIP_USER",
    "PIP_TARGET",
    "PIP_PREFIX",
    "PIP_ROOT",
    "PYTHONHOME",
    "PYTHONPATH",
];

/// Returns the first Python on `PATH` that is recent enough.
pub fn host() -> Option<PathBuf> {
    NAMES
        .iter()
        .filter_map(on_path)
        .find(|path| is_recent(path))
}

/// Returns true if a Python runs and is not older than [`OLDEST`].
pub fn is_recent(python: &Path) -> bool {
    let script = "import sys; print('%d.%d' % sys.version_info[:2])";
    let version = run(command(python).args(["-c", script])).ok();
    version.is_some_and(|text| Version::find(&text) >= Version::find(OLDEST))
}

/// Returns the advice to install Python on this machine.
pub fn advice() -> String {
    system::advice(&PYTHON, false, Manager::of_system(), Platform::THIS)
}

/// Returns the advice to install pip on this machine.
pub fn pip_advice() -> String {
    system::advice(&PIP, false, Manager::of_system(), Platform::THIS)
}

/// Returns a command without the variables that redirect Python or pip.
pub fn command(python: &Path) -> Command {
    let mut command = Command::new(python);
    for variable in REDIRECTIONS {
        command.env_remove(variable);
    }
    command
}
